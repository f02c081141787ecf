"""Where the processes of an installation count: in one folder, if `PROMETHEUS_MULTIPROC_DIR` names one."""

from __future__ import annotations

import os
import socket

from prometheus_client import values

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
MACHINE = socket.gethostname().replace("_", "-")


def filed_under(process: int) -> str:
    """What a process of this machine counts under: containers that share the folder number their processes alike."""
    return f"{MACHINE}-{process}"


def count_together() -> None:
    """Let metrics that are declared from now on count in the folder, if there is one."""
    if os.environ.get(FOLDER):
        values.ValueClass = values.MultiProcessValue(  # type: ignore[no-untyped-call]
            lambda: filed_under(os.getpid())
        )
