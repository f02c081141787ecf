"""`python -m bench [section …]`: measure, print, and write docs/benchmarks.md. Without arguments: every section."""

import importlib
import sys
import time

from bench import machine, page

SECTIONS = ("rules", "records", "market", "command", "http", "log", "clocks", "streams", "archive", "growth")

HEAD = """
# Benchmarks

Written by `make bench`; a section is measured anew by naming it: `make bench ARGS="rules http"`. Nothing here is a
test: what must not get worse is counted, not timed, in `tests/bench/`.

Machines that several people use slow down and speed up within minutes. So nothing is compared between runs: every
figure has another beside it that was measured in the same minute, the *floor* (a bare Flask view) or the *reference
work* (a fixed piece of pure Python, `bench/measure.py`), and the ratio is what counts. The load average with which
each section was begun tells how busy others kept the machine: below 1, it was left to us.
"""


def main(names: list[str]) -> int:
    """Measure the named sections, or all if none is named; return the exit status."""
    unknown = set(names) - set(SECTIONS)
    if unknown:
        print(f"there is no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    head = "\n".join([HEAD.strip(), "", *(f"* {line}" for line in machine.described())])
    for name in names or SECTIONS:
        began = time.monotonic()
        text = importlib.import_module(f"bench.{name}").measure()
        print(f"{text}\n\n({name}: {time.monotonic() - began:.0f} s)\n", flush=True)
        page.write(head, SECTIONS, {name: text})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
