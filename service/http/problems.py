"""Problems: a refused request is answered with a problem document (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from events.games.repository import GameNotFound
from events.store.errors import StoreUnavailable
from events.store.log_store import ArchivedGame
from games.kernel import Message, Refusal, msg
from service.http.content_types import PROBLEM_JSON
from service.http.responses import json_response
from service.i18n.translate import language, translate, with_content_language
from service.schemas.problems import PROBLEMS, URN
from service.schemas.responses import FieldError

log = logging.getLogger(__name__)

RETRY_SECONDS = 1


class Problem(Exception):
    """A request is refused. `code` is a key of `PROBLEMS`; `more` are further members of the document."""

    def __init__(self, code: str, detail: str | Message, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(str(detail))
        self.code = code
        self.detail = detail
        self.headers = headers or {}
        self.more = more


def problem_response(problem: Problem) -> Response:
    """Return a problem as application/problem+json, in the language of the request."""
    status, title = PROBLEMS[problem.code]
    to = language()
    members = {
        "type": URN + problem.code,
        "title": translate(title, to),
        "status": status,
        "detail": translate(problem.detail, to),
    }
    response = with_content_language(json_response(members | problem.more, status, content_type=PROBLEM_JSON), to)
    response.headers.update(problem.headers)
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="croupier"'
    if status == 503:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def register(app: Flask) -> None:
    """Answer every refusal and every error with a problem document."""
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(Refusal, lambda refusal: problem_response(Problem(refusal.code, refusal.message)))
    app.register_error_handler(GameNotFound, lambda error: problem_response(game_not_found()))
    app.register_error_handler(ArchivedGame, lambda error: problem_response(Problem("game-over", "this game is over")))
    app.register_error_handler(StoreUnavailable, _store_unavailable)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _internal_error)


def game_not_found() -> Problem:
    """Return the problem of an unknown game, or of a private one that the caller may not know of."""
    return Problem(
        "no-such-game", "there is no game with this id, or it is private and needs its code or one of its tokens"
    )


def rulebook_not_found(code: str, rulebook: str, known: Iterable[str]) -> Problem:
    """Return the problem of an unknown rulebook: `no-such-rulebook` in a path, `unknown-rulebook` in a body."""
    ids = ", ".join(known)
    return Problem(
        code, msg("there is no rulebook {rulebook!r}: the rulebooks here are {ids}", rulebook=rulebook, ids=ids)
    )


def _store_unavailable(error: Exception) -> Response:
    return problem_response(
        Problem("store-unavailable", "try again in a moment: a command sent again is not played twice")
    )


_PROBLEM_BY_STATUS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "not-json-type",
}

_DETAIL: dict[str, Message] = {
    "not-found": msg("no route has this path: see /docs or /openapi.json"),
    "method-not-allowed": msg("this path has other methods: see the header Allow"),
    "not-json-type": msg("send the header Content-Type: application/json"),
}


def _http(error: HTTPException) -> Response | HTTPException:
    code = _PROBLEM_BY_STATUS.get(error.code or 500)
    if code is None:
        if error.code is not None and error.code < 400:
            return error  # a redirect
        code = "bad-request"
    detail = _too_large() if code == "too-large" else _DETAIL.get(code)
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return problem_response(Problem(code, detail or error.description or PROBLEMS[code][1], headers))


def _too_large() -> Message:
    return msg("send at most {size} KiB in one body", size=(request.max_content_length or 0) // 1024)


def _internal_error(error: Exception) -> Response:
    log.error("a request failed: %s %s", request.method, request.path, exc_info=error)
    return problem_response(Problem("internal", "the error is in the log of the service; nothing was changed"))


def field_errors(messages: Any, path: tuple[str | int, ...] = ()) -> list[FieldError]:
    """Return the validation errors of marshmallow as a flat list."""
    if isinstance(messages, dict):
        return [
            error
            for name, inner in messages.items()
            for error in field_errors(inner, path if name == "_schema" else (*path, name))
        ]
    return [
        FieldError(list(path), str(message)) for message in (messages if isinstance(messages, list) else [messages])
    ]
