"""Commands: the choices of a seat, and its answers."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from flask import Response, request
from prometheus_client import Counter

from events.metrics import COMMANDS
from games.kernel import Game, Refusal
from service.context import services
from service.http.auth import Bearer, require_access, require_seat, require_seat_token, verify_bearer, viewer_for
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.etags import IfMatch
from service.http.problems import Problem
from service.http.responses import json_response
from service.i18n.translate import language, with_content_language
from service.presenters import build_choice_views, build_event_view
from service.schemas.requests import CommandBody, CommandSchema
from service.schemas.responses import Choices, CommandOutcome
from service.schemas.times import rfc3339

bp = ApiBlueprint("play")

SEEN_BY_CALLER = {"Content-Language": "the language of the choices: `en` or `fr`"}
SAME_GAME = {"game": "$request.path.game"}
AFTER_A_QUESTION = {
    "answer": {
        "operationId": "answer_choice",
        "parameters": SAME_GAME,
        "requestBody": {"choice": "$response.body#/choices/0/choice"},
        "description": "with a `move` and `args` that match the `schema` of the choice",
    }
}
AFTER_AN_ANSWER = {
    "choices": {"operationId": "list_choices", "parameters": SAME_GAME},
    "get": {"operationId": "get_game", "parameters": SAME_GAME},
    "events": {"operationId": "list_events", "parameters": SAME_GAME},
}


@endpoint(
    bp,
    "GET",
    "/games/<game>/choices",
    summary="List a seat's choices",
    access="seat",
    responses={
        200: ResponseSpec("The pending choices of the seat.", Choices, headers=SEEN_BY_CALLER, links=AFTER_A_QUESTION)
    },
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game"),
)
def list_choices(game: str) -> Response:
    """Return the pending choices of the seat, each with its id, deadline, and a JSON Schema of all possible answers.

    A client that knows no rulebook can play with these alone: a value that matches the schema of a choice, with the id
    of the choice added as `choice`, is a command.
    """
    current = services().games.read(game)
    bearer = require_access(services().tokens, request, game, current.session)
    require_seat(bearer)
    told, now = language(), rfc3339(services().games.clock())
    choices = build_choice_views(current.rulebook, current.game, viewer_for(bearer, current.session), told)
    return with_content_language(json_response(Choices(current.game.number, now, choices)), told)


@endpoint(
    bp,
    "POST",
    "/games/<game>/commands",
    summary="Answer a choice",
    access="seat",
    body=CommandSchema,
    fast_type=CommandBody,
    responses={
        201: ResponseSpec(
            "The decision as the seat sees it, and its next choices.",
            CommandOutcome,
            headers=SEEN_BY_CALLER,
            links=AFTER_AN_ANSWER,
        ),
        200: ResponseSpec(
            "The same answer was given before. This is the decision it led to.", CommandOutcome, headers=SEEN_BY_CALLER
        ),
    },
    problems=(
        "no-token",
        "bad-token",
        "not-your-seat",
        "no-such-game",
        "stale-choice",
        "illegal-move",
        "game-over",
        "game-not-started",
        "game-paused",
        "played-by-bot",
        "version-mismatch",
    ),
)
def answer_choice(game: str, body: CommandBody) -> Response:
    """Answer a choice. When the response arrives, the decision is on disk. A repeated command is carried out once.

    With `If-Match` and the version that the answer was based on as an `ETag` (`"17"`), the command is refused if
    anything has happened since, even another seat's answer to another choice. A command that was accepted and is sent
    again with the same `If-Match` still gets the first decision.
    """
    games = services().games
    bearer, seat = require_seat_token(services().tokens, request)
    try:
        admit = partial(_check_caller, bearer, game, IfMatch(request))
        decided = games.answer(game, seat, body.choice, body.move, body.args, admit)
    except Refusal as refusal:
        now = games.read(game)
        _commands(now.rulebook.id, refusal.code).inc()
        choices = build_choice_views(now.rulebook, now.game, viewer_for(bearer, now.session), language())
        raise Problem(refusal.code, refusal.message, version=now.game.number, choices=choices) from None
    rulebook, state, _ = decided.current
    _commands(rulebook.id, "repeated" if decided.repeated else "accepted").inc()
    told = language()
    viewer = viewer_for(bearer, state.session)
    choices = build_choice_views(rulebook, state, viewer, told)
    shown = CommandOutcome(build_event_view(rulebook, decided.decision, viewer), state.number, choices)
    return with_content_language(json_response(shown, 200 if decided.repeated else 201), told)


@cache
def _commands(rulebook: str, outcome: str) -> Counter:
    return COMMANDS.labels(rulebook, outcome)


def _check_caller(bearer: Bearer, game: str, wanted: IfMatch, state: Game[Any, Any]) -> None:
    verify_bearer(bearer, game, state.session)
    wanted.check(state.number)
    if state.session.status == "running" and viewer_for(bearer, state.session) is None:
        raise Refusal("played-by-bot", "a bot plays this seat: take it back first")
