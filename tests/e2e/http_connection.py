"""HTTP connections to a running installation."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Mapping

from tests.service.players import HttpResponse

ANSWER_SECONDS = 30.0
RETRY_SECONDS = 30.0
PAUSE_SECONDS = 0.02


class HttpConnection:
    """A transport to a port of this machine; each thread has a persistent connection of its own.

    If the server has closed an idle connection, another is opened, as every client does. With `retry`, a request is
    sent again after a broken connection and after 503, until it is answered: the API promises that nothing is played
    twice.
    """

    def __init__(self, port: int, *, retry: bool = False) -> None:
        self.port = port
        self.retry = retry
        self._own = threading.local()
        self._all: list[http.client.HTTPConnection] = []

    def __call__(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> HttpResponse:
        deadline = time.monotonic() + RETRY_SECONDS
        while True:
            was_open = self._connection().sock is not None
            try:
                answer = self._sent(method, path, headers, body)
            except (OSError, http.client.HTTPException):
                self._connection().close()
                if not (was_open or self.retry) or time.monotonic() > deadline:
                    raise
            else:
                if answer.status != http.HTTPStatus.SERVICE_UNAVAILABLE or not self.retry:
                    return answer
                assert time.monotonic() < deadline, "the service comes back"
            time.sleep(PAUSE_SECONDS)

    def close(self) -> None:
        for connection in self._all:
            connection.close()

    def _sent(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> HttpResponse:
        connection = self._connection()
        connection.request(method, path, body=body, headers=dict(headers))
        answer = connection.getresponse()
        return HttpResponse(
            answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()
        )

    def _connection(self) -> http.client.HTTPConnection:
        if not hasattr(self._own, "connection"):
            self._own.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
            self._all.append(self._own.connection)
        connection: http.client.HTTPConnection = self._own.connection
        return connection
