"""Commands: the choices of a seat, and its answers."""

from __future__ import annotations

from functools import cache

from flask import Response
from prometheus_client import Counter

from events.games.command_handler import CommandResult
from events.games.commands import AnswerChoice
from events.metrics import COMMANDS
from games.kernel import Refusal
from service.context import services
from service.http.auth import Bearer, current_caller, require_access, require_seat, require_seat_token, viewer_for
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.problems import Problem
from service.http.responses import json_response
from service.i18n.translate import language, with_content_language
from service.presenters import build_choice_views, build_event_view
from service.schemas.requests import CommandBody, CommandSchema
from service.schemas.responses import Choices, CommandOutcome
from service.schemas.times import rfc3339

bp = ApiBlueprint("play")

LANGUAGE_HEADERS = {"Content-Language": "the language of the choices: `en` or `fr`"}
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
    operation="list_choices",
    summary="List a seat's choices",
    description="""Return the pending choices of the seat, each with its id, deadline, and a JSON Schema of all
    possible answers.

    A client that knows no rulebook can play with these alone: a value that matches the schema of a choice, with the id
    of the choice added as `choice`, is a command.
    """,
    access="seat",
    responses={
        200: ResponseSpec("The pending choices of the seat.", Choices, headers=LANGUAGE_HEADERS, links=AFTER_A_QUESTION)
    },
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game"),
)
def list_choices(game: str) -> Response:
    current = services().games.read(game)
    bearer = require_access(services().tokens, game, current.session)
    require_seat(bearer)
    target, now = language(), rfc3339(services().games.clock())
    choices = build_choice_views(current.rulebook, current.game, viewer_for(bearer, current.session), target)
    return with_content_language(json_response(Choices(current.game.number, now, choices)), target)


@endpoint(
    bp,
    "POST",
    "/games/<game>/commands",
    operation="answer_choice",
    summary="Answer a choice",
    description="""Answer a choice. When the response arrives, the decision is on disk. A repeated command is
    carried out once.

    With `If-Match` and the version that the answer was based on as an `ETag` (`"17"`), the command is refused if
    anything has happened since, even another seat's answer to another choice. A command that was accepted and is sent
    again with the same `If-Match` still gets the first decision.
    """,
    access="seat",
    body=CommandSchema,
    fast_type=CommandBody,
    responses={
        201: ResponseSpec(
            "The decision as the seat sees it, and its next choices.",
            CommandOutcome,
            headers=LANGUAGE_HEADERS,
            links=AFTER_AN_ANSWER,
        ),
        200: ResponseSpec(
            "The same answer was given before. This is the decision it led to.",
            CommandOutcome,
            headers=LANGUAGE_HEADERS,
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
    bearer, seat = require_seat_token()
    command = AnswerChoice(seat, body.choice, body.move, body.args, caller=current_caller(game, bearer))
    try:
        result = services().games.handle(game, command)
    except Refusal as refusal:
        raise _refused_answer(game, bearer, refusal) from None
    return _command_outcome(result, bearer)


def _command_outcome(result: CommandResult, bearer: Bearer) -> Response:
    rulebook, state, _ = result.current
    _count(rulebook.id, "repeated" if result.repeated else "accepted").inc()
    viewer, target = viewer_for(bearer, state.session), language()
    choices = build_choice_views(rulebook, state, viewer, target)
    outcome = CommandOutcome(build_event_view(rulebook, result.decision, viewer), state.number, choices)
    return with_content_language(json_response(outcome, 200 if result.repeated else 201), target)


def _refused_answer(game: str, bearer: Bearer, refusal: Refusal) -> Problem:
    """Return the problem of a refused answer, with the choices that the seat has now."""
    rulebook, state, _ = services().games.read(game)
    _count(rulebook.id, refusal.code).inc()
    choices = build_choice_views(rulebook, state, viewer_for(bearer, state.session), language())
    return Problem(refusal.code, refusal.message, version=state.number, choices=choices)


@cache
def _count(rulebook: str, outcome: str) -> Counter:
    return COMMANDS.labels(rulebook, outcome)
