"""The audit of one record in a process of its own: whatever the record holds, it does not slow down games.

`python -m service.records.audit_process` reads a record and writes the report as JSON. It runs at the lowest priority,
and the system kills it once it has used up its processor time.
"""

from __future__ import annotations

import os
import resource
import sys

CPU_SECONDS = 20
"""The most processor time that an audit may take. A real game's record at the size limit takes about five seconds."""

LOWEST_NICE = 19
"""The niceness of the lowest priority."""


def lower_priority() -> None:
    """Lower this process's priority, and let the system kill it after `SECONDS` of processor time."""
    os.nice(LOWEST_NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))


def main() -> None:
    """Audit the record on standard input."""
    lower_priority()
    # Imported here so that loading counts towards the limit, too.
    import msgspec  # noqa: PLC0415

    from events.records.audit import audit  # noqa: PLC0415
    from events.records.record import split_lines  # noqa: PLC0415
    from games.rulebooks import RULEBOOKS  # noqa: PLC0415

    report = audit(split_lines([sys.stdin.buffer.read()]), RULEBOOKS)
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    main()
