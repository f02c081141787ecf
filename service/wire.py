"""The wire to a client that is answered for a long time: has it gone, and how to cut it off."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from typing import Any

ESTABLISHED = 1
"""The state of a connection, the first byte of Linux' TCP_INFO, that has both its ends."""

UNHEARD_MILLISECONDS = 20_000
"""A client that acknowledges nothing for so long has lost its network: the system gives the connection up."""

UNSENT_BYTES = 128 * 1024
"""So much may wait in the system for a slow client."""


class Wire:
    """The connection of a request, where the server tells it (gunicorn does); else every method does nothing.

    A connection that carries several requests at a time (HTTP/2) is left alone.
    """

    def __init__(self, environ: Mapping[str, Any]) -> None:
        is_shared = environ.get("HTTP_VERSION") == "2"
        self._socket: socket.socket | None = None if is_shared else environ.get("gunicorn.socket")

    def prepare(self) -> None:
        """Make it fit for a long answer: little waits in the system, and a client without a network is given up."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
                if hasattr(socket, "TCP_USER_TIMEOUT"):
                    self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD_MILLISECONDS)

    def is_gone(self) -> bool:
        """Has the client closed its end, or the system given it up? Without writing, and where the system tells it."""
        if self._socket is None or not hasattr(socket, "TCP_INFO"):
            return False
        try:
            return self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != ESTABLISHED
        except OSError:  # closed already, or no TCP
            return self._socket.fileno() < 0

    def cut(self) -> None:
        """Close it at once; a write that is under way fails."""
        self._shut(socket.SHUT_RDWR)

    def end(self) -> None:
        """Let it carry no request after this one."""
        self._shut(socket.SHUT_RD)

    def _shut(self, how: int) -> None:
        """Shut down a second descriptor of the socket: closing the one of gevent would make a write that waits fail."""
        if self._socket is not None:
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(self._socket.fileno())) as same:
                same.shutdown(how)
