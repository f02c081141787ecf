"""Problems: every way in which a request can be refused, as one document type (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from events.games.repository import GameNotFound
from events.store.errors import StoreUnavailable
from events.store.log_store import ArchivedGame
from games.kernel import Refusal, Text, msg
from service.http.content_types import PROBLEM_JSON
from service.http.responses import json_response
from service.i18n.translate import language, translate, with_content_language
from service.schemas.problems import PROBLEMS, URN
from service.schemas.responses import FieldError

log = logging.getLogger(__name__)

RETRY_SECONDS = 1


class Problem(Exception):
    """A request is refused. `code` is a key of `PROBLEMS`; `more` are further members of the document."""

    def __init__(self, code: str, detail: Text, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(str(detail))
        self.code = code
        self.detail = detail
        self.headers = headers or {}
        self.more = more


def problem_response(problem: Problem) -> Response:
    """Render a problem as application/problem+json, in the language that was asked for."""
    status, title = PROBLEMS[problem.code]
    told = language()
    members = {
        "type": URN + problem.code,
        "title": translate(title, told),
        "status": status,
        "detail": translate(problem.detail, told),
    }
    answer = with_content_language(json_response(members | problem.more, status, content_type=PROBLEM_JSON), told)
    answer.headers.update(problem.headers)
    if status == 401:
        answer.headers["WWW-Authenticate"] = 'Bearer realm="croupier"'
    if status == 503:
        answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


def register(app: Flask) -> None:
    """Have every refusal and every fault answered with a problem document."""
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(Refusal, lambda refusal: problem_response(Problem(refusal.code, refusal.message)))
    app.register_error_handler(GameNotFound, lambda error: problem_response(game_not_found()))
    app.register_error_handler(ArchivedGame, lambda error: problem_response(Problem("game-over", "this game is over")))
    app.register_error_handler(StoreUnavailable, _store_unavailable)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _field_error)


def game_not_found() -> Problem:
    """Return the problem of an id that names no game, or one that the caller may not know of."""
    return Problem("no-such-game", "no game has this id, or it is private: it needs its code, or a token of its own")


def rulebook_not_found(code: str, rulebook: str, known: Iterable[str]) -> Problem:
    """The problem of an id that names no rulebook: `no-such-rulebook` in a path, `unknown-rulebook` in a body."""
    ids = ", ".join(known)
    return Problem(code, msg("there is no rulebook {rulebook!r} here: there are {ids}", rulebook=rulebook, ids=ids))


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

_DETAIL: dict[str, Text] = {
    "not-found": msg("no route has this path: /docs shows those that there are, /openapi.json tells programs"),
    "method-not-allowed": msg("this path takes other methods: see the header Allow"),
    "not-json-type": msg("say what the body is: Content-Type: application/json"),
}


def _http(error: HTTPException) -> Response | HTTPException:
    code = _PROBLEM_BY_STATUS.get(error.code or 500)
    if code is None:
        if error.code is not None and error.code < 400:
            return error  # a redirect
        code = "bad-request"
    says = _too_large() if code == "too-large" else _DETAIL.get(code)
    kept = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return problem_response(Problem(code, says or error.description or PROBLEMS[code][1], kept))


def _too_large() -> Text:
    return msg("send at most {size} KiB in one body", size=(request.max_content_length or 0) // 1024)


def _field_error(error: Exception) -> Response:
    log.error("a request failed: %s %s", request.method, request.path, exc_info=error)
    return problem_response(Problem("internal", "the fault is in the log of the service; nothing was changed"))


def field_errors(messages: Any, path: tuple[str | int, ...] = ()) -> list[FieldError]:
    """Return the faults that marshmallow found, as a flat list."""
    if isinstance(messages, dict):
        return [
            fault
            for name, inner in messages.items()
            for fault in field_errors(inner, path if name == "_schema" else (*path, name))
        ]
    return [
        FieldError(list(path), str(message)) for message in (messages if isinstance(messages, list) else [messages])
    ]
