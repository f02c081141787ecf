"""What a child process runs before its program: so that no program outlives the process that started it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent() -> Callable[[], None] | None:
    """Return a `preexec_fn`: it asks Linux to send the child a SIGTERM when the thread that starts it ends.

    None on other systems. The function makes system calls only, so that threads cannot deadlock it.
    """
    libc, parent = _libc, os.getpid()
    if libc is None:
        return None

    def request_signal() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # the parent died before the request
            os._exit(1)

    return request_signal
