"""Request logs: one JSON object per line, with an id that is in the response as well; never a token or a card."""

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
    """Give every request an id and log it; without `log_all`, log only slow requests and internal errors."""
    app.before_request(_begin)

    @app.after_request
    def end(response: Response) -> Response:
        response.headers[REQUEST_ID] = g.request_id
        milliseconds = round((time.perf_counter() - g.began) * 1000, 1)
        if log_all or response.status_code >= 500 or (milliseconds > SLOW_MS and not response.is_streamed):
            log.info(_line(response.status_code, milliseconds))
        return response


def _begin() -> None:
    request_id = request.environ.get("HTTP_X_REQUEST_ID", "")
    g.request_id = request_id if ACCEPTED_ID.fullmatch(request_id) else f"{random.getrandbits(64):016x}"
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
