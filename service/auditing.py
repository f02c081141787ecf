"""The audit of one record in a process of its own: whatever the record holds, it takes nothing from those who play.

`python -m service.auditing` reads a record and writes the report as JSON. It gives way to every other process, and the
system ends it when it has had its time.
"""

from __future__ import annotations

import os
import resource
import sys

SECONDS = 20
"""Of processor time. A record of the largest size, of a real game, takes some five."""

LAST = 19
"""The niceness of who comes after everybody else."""


def hold_back() -> None:
    """Give way to others from now on, and end after so much processor time."""
    os.nice(LAST)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))


def main() -> None:
    """Audit the record that comes in."""
    hold_back()
    # What is loaded counts, too.
    import msgspec  # noqa: PLC0415

    from events.audit import audit  # noqa: PLC0415
    from events.records import split_lines  # noqa: PLC0415
    from games.rulebooks import RULEBOOKS  # noqa: PLC0415

    report = audit(split_lines([sys.stdin.buffer.read()]), RULEBOOKS)
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    main()
