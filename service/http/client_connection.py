"""The connection of a long-lived response: tells whether its client has gone, and disconnects it."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from typing import Any

ESTABLISHED = 1
"""The first byte of Linux's TCP_INFO for a connection that is open at both ends."""

TCP_USER_TIMEOUT_MS = 20_000
"""If a client acknowledges nothing for this long, the system drops the connection."""

MAX_UNSENT_BYTES = 128 * 1024
"""The size of the system's send buffer, which limits how much waits there for a slow client."""


class ClientConnection:
    """The connection of a request, if the server exposes it (gunicorn does); otherwise every method does nothing.

    A connection that carries several requests at a time (HTTP/2) is left alone.
    """

    def __init__(self, environ: Mapping[str, Any]) -> None:
        is_shared = environ.get("HTTP_VERSION") == "2"
        self._socket: socket.socket | None = None if is_shared else environ.get("gunicorn.socket")

    def configure(self) -> None:
        """Prepare for a long response: a small send buffer, and a timeout for clients that lost their network."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_UNSENT_BYTES)
                if hasattr(socket, "TCP_USER_TIMEOUT"):
                    self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TCP_USER_TIMEOUT_MS)

    def is_closed(self) -> bool:
        """Whether the client closed the connection or the system dropped it; False if unknown. Nothing is written."""
        if self._socket is None or not hasattr(socket, "TCP_INFO"):
            return False
        try:
            return self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != ESTABLISHED
        except OSError:  # closed already, or no TCP
            return self._socket.fileno() < 0

    def abort(self) -> None:
        """Close the connection at once; a write in progress fails."""
        self._shut(socket.SHUT_RDWR)

    def close(self) -> None:
        """Make this request the last one on the connection."""
        self._shut(socket.SHUT_RD)

    def _shut(self, how: int) -> None:
        """Shut the socket down through a second descriptor: closing gevent's own would make a waiting write fail."""
        if self._socket is not None:
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(self._socket.fileno())) as same:
                same.shutdown(how)
