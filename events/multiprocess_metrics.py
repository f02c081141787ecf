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
    """File all metrics that are declared from now on under `process_label`, if there is a shared folder.

    A program calls this before it imports `events.metrics`.
    """
    if os.environ.get(FOLDER):
        values.ValueClass = values.MultiProcessValue(  # type: ignore[no-untyped-call]
            lambda: process_label(os.getpid())
        )
