"""`python -m bench [section …]`: measure, print, and write docs/benchmarks.md. Without arguments: every section."""

import importlib
import sys
import time

from bench.harness import machine, page

SECTIONS = ("rules", "records", "market", "command", "http", "log", "clocks", "streams", "archive", "growth")

HEAD = """
# Benchmarks

Written by `make bench`. To measure only some sections: `make bench ARGS="rules http"`. Nothing here is a test: tests
of performance count calls and round trips instead of seconds, in `tests/bench/`.

The speed of a shared machine changes within minutes. So figures of different runs are not compared: each figure stands
beside another that was measured in the same minute, the *baseline* (a bare Flask view) or the *reference work* (a fixed
piece of pure Python, `bench/harness/measure.py`), and only the ratio counts. The load average at the start of each
section says how busy the machine was with other work: below 1, it was almost idle.
"""


def main(names: list[str]) -> int:
    """Measure the named sections, or all if none is named; return the exit status."""
    unknown = set(names) - set(SECTIONS)
    if unknown:
        print(f"unknown section {', '.join(sorted(unknown))}; the sections are {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    head = "\n".join([HEAD.strip(), "", *(f"* {line}" for line in machine.describe())])
    for name in names or SECTIONS:
        began = time.monotonic()
        text = importlib.import_module(f"bench.{name}").measure()
        print(f"{text}\n\n({name}: {time.monotonic() - began:.0f} s)\n", flush=True)
        page.write(head, SECTIONS, {name: text})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
