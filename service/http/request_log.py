"""Request logs: one JSON object per line, with an id that the answer carries as well; never a token or a card."""

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
SLOW_MS = 1000


def register(app: Flask, log_all: bool) -> None:
    """Give every request an id and log it; without `log_all`, log only those that failed on our side or were slow."""
    app.before_request(_begin)

    @app.after_request
    def end(answer: Response) -> Response:
        answer.headers[REQUEST_ID] = g.request_id
        milliseconds = round((time.perf_counter() - g.began) * 1000, 1)
        if log_all or answer.status_code >= 500 or (milliseconds > SLOW_MS and not answer.is_streamed):
            log.info(_line(answer.status_code, milliseconds))
        return answer


def _begin() -> None:
    given = request.environ.get("HTTP_X_REQUEST_ID", "")
    g.request_id = given if ACCEPTED_ID.fullmatch(given) else f"{random.getrandbits(64):016x}"
    g.began = time.perf_counter()


def _line(status: int, milliseconds: float) -> str:
    """Format a log line. It has the path, which may hold the id of a game, but no query, which may hold a code."""
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
