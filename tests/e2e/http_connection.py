"""Lines over the wire to a running table."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Mapping

from tests.service.players import Answer

ANSWER_SECONDS = 30.0
PATIENCE_SECONDS = 30.0
PAUSE_SECONDS = 0.02


class Wire:
    """A line to a port of this machine; each thread has a connection of its own and keeps it.

    Where the kept connection turns out to be closed, which it is after a while, another is opened, as every client
    does. A `patient` line sends a request again until it is answered, as one may that was promised that nothing is
    played twice: after a broken connection, and after 503.
    """

    def __init__(self, port: int, *, patient: bool = False) -> None:
        self.port = port
        self.patient = patient
        self._own = threading.local()
        self._all: list[http.client.HTTPConnection] = []

    def __call__(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            was_kept = self._connection().sock is not None
            try:
                answer = self._sent(method, path, headers, body)
            except (OSError, http.client.HTTPException):
                self._connection().close()
                if not (was_kept or self.patient) or time.monotonic() > deadline:
                    raise
            else:
                if answer.status != http.HTTPStatus.SERVICE_UNAVAILABLE or not self.patient:
                    return answer
                assert time.monotonic() < deadline, "the service comes back"
            time.sleep(PAUSE_SECONDS)

    def close(self) -> None:
        for connection in self._all:
            connection.close()

    def _sent(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        connection = self._connection()
        connection.request(method, path, body=body, headers=dict(headers))
        answer = connection.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read())

    def _connection(self) -> http.client.HTTPConnection:
        if not hasattr(self._own, "connection"):
            self._own.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
            self._all.append(self._own.connection)
        connection: http.client.HTTPConnection = self._own.connection
        return connection
