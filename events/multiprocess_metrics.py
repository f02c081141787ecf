"""Where the processes of an installation keep their metrics: in one folder, if `PROMETHEUS_MULTIPROC_DIR` is set."""

from __future__ import annotations

import os
import socket

from prometheus_client import values

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
MACHINE = socket.gethostname().replace("_", "-")


def process_label(process: int) -> str:
    """Return the name that a process files its metrics under: unique even if containers share the folder and ids."""
    return f"{MACHINE}-{process}"


def enable() -> None:
    """Make all metrics declared from now on use the shared folder, if there is one."""
    if os.environ.get(FOLDER):
        values.ValueClass = values.MultiProcessValue(  # type: ignore[no-untyped-call]
            lambda: process_label(os.getpid())
        )
