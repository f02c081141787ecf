"""Logs of requests: one JSON object a line, with an id that the answer carries as well; never a token or a card."""

from __future__ import annotations

import json
import logging
import random
import re
import time

from flask import Flask, Response, g, request

log = logging.getLogger("croupier.requests")

REQUEST_ID = "X-Request-ID"
ACCEPTED_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
SLOW_MILLISECONDS = 1000


def register(app: Flask, log_all: bool) -> None:
    """Give every request an id and a line in the log; without `log_all` only what failed here or was slow."""
    app.before_request(_begin)

    @app.after_request
    def end(answer: Response) -> Response:
        answer.headers[REQUEST_ID] = g.request_id
        milliseconds = round((time.perf_counter() - g.began) * 1000, 1)
        if log_all or answer.status_code >= 500 or (milliseconds > SLOW_MILLISECONDS and not answer.is_streamed):
            log.info(_line(answer.status_code, milliseconds))
        return answer


def _begin() -> None:
    given = request.headers.get(REQUEST_ID, "")
    g.request_id = given if ACCEPTED_ID.fullmatch(given) else f"{random.getrandbits(64):016x}"
    g.began = time.perf_counter()


def _line(status: int, milliseconds: float) -> str:
    """Write what happened. The path holds ids of games; the query, which may hold a code, is left out."""
    return json.dumps(
        {
            "request": g.request_id,
            "method": request.method,
            "route": str(request.url_rule or "-"),
            "path": request.path,
            "status": status,
            "ms": milliseconds,
        }
    )
