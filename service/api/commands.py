"""Play: what a seat is asked, and its answers."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from flask import Blueprint, Response, request
from prometheus_client import Counter

from events.metrics import COMMANDS
from games.kernel import Decision, Game, Illegal, Rulebook, Viewer, event_seen, questions
from service.context import house
from service.http.auth import Bearer, admitted, check_bearer, seat_of, seated, viewer_of
from service.http.endpoint import Answer, operation
from service.http.etags import WantedVersion
from service.http.problems import Problem
from service.http.responses import reply, time_of, time_or_none
from service.i18n.translate import ENGLISH, in_language, language, schema_told, tell
from service.schemas.requests import Command, CommandSchema
from service.schemas.responses import Choices, ChoiceShown, Decided, EventShown

bp = Blueprint("play", __name__)

TOLD = {"Content-Language": "the language of what is asked: `en` or `fr`"}
SAME_GAME = {"game": "$request.path.game"}
AFTER_A_QUESTION = {
    "answer": {
        "operationId": "answer_choice",
        "parameters": SAME_GAME,
        "requestBody": {"choice": "$response.body#/choices/0/choice"},
        "description": "with a `move` and `args` that fit the choice's `schema`",
    }
}
AFTER_AN_ANSWER = {
    "choices": {"operationId": "list_choices", "parameters": SAME_GAME},
    "look": {"operationId": "look_at_game", "parameters": SAME_GAME},
    "events": {"operationId": "list_events", "parameters": SAME_GAME},
}


@operation(
    bp,
    "GET",
    "/games/<game>/choices",
    summary="What am I asked?",
    access="seat",
    answers={200: Answer("What the seat is asked now.", Choices, headers=TOLD, links=AFTER_A_QUESTION)},
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game"),
)
def list_choices(game: str) -> Response:
    """Return every choice that waits for the seat: its id, its deadline, and all it may answer as one JSON Schema.

    A client that knows no rulebook can play by these alone: a value that fits the schema of a choice is a command,
    once the `choice` is added to it.
    """
    current = house().games.read(game)
    bearer = admitted(house().tokens, request, game, current.lobby)
    seat_of(bearer)
    told, now = language(), time_of(house().games.clock())
    choices = choices_of(current.rulebook, current.game, viewer_of(bearer, current.lobby), told)
    return in_language(reply(Choices(current.game.number, now, choices)), told)


@operation(
    bp,
    "POST",
    "/games/<game>/commands",
    summary="Answer a choice",
    access="seat",
    body=CommandSchema,
    quick=Command,
    answers={
        201: Answer(
            "The decision as the seat sees it, and what it is asked next.", Decided, headers=TOLD, links=AFTER_AN_ANSWER
        ),
        200: Answer("The same answer had been given before: this is the first decision.", Decided, headers=TOLD),
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
        "bot-plays",
        "other-version",
    ),
)
def answer_choice(game: str, body: Command) -> Response:
    """Answer a choice. What is acknowledged is on disk. The same command sent again is not played twice.

    With `If-Match`, the `version` on which the answer was thought out as an `ETag` (`"17"`), it is refused when
    anything has happened since, be it another seat's answer to a choice of its own. A command that was accepted and
    comes again with the same `If-Match` gets the first decision all the same.
    """
    games = house().games
    bearer, seat = seated(house().tokens, request)
    try:
        admit = partial(_check_caller, bearer, game, WantedVersion(request))
        decided = games.answer(game, seat, body.choice, body.move, body.args, admit)
    except Illegal as refusal:
        now = games.read(game)
        _commands(now.rulebook.id, refusal.code).inc()
        choices = choices_of(now.rulebook, now.game, viewer_of(bearer, now.lobby), language())
        raise Problem(refusal.code, refusal.says, version=now.game.number, choices=choices) from None
    rulebook, state, _ = decided.current
    _commands(rulebook.id, "repeated" if decided.repeated else "accepted").inc()
    told = language()
    viewer = viewer_of(bearer, state.lobby)
    choices = choices_of(rulebook, state, viewer, told)
    shown = Decided(event_shown(rulebook, decided.decision, viewer), state.number, choices)
    return in_language(reply(shown, 200 if decided.repeated else 201), told)


@cache
def _commands(rulebook: str, outcome: str) -> Counter:
    return COMMANDS.labels(rulebook, outcome)


def _check_caller(bearer: Bearer, game: str, wanted: WantedVersion, state: Game[Any, Any]) -> None:
    check_bearer(bearer, game, state.lobby)
    wanted.check(state.number)
    if state.lobby.status == "running" and viewer_of(bearer, state.lobby) is None:
        raise Illegal("bot-plays", "a bot plays this seat: take it back first")


def choices_of(
    rulebook: Rulebook[Any], state: Game[Any, Any], viewer: Viewer, told: str = ENGLISH
) -> list[ChoiceShown]:
    """Return what a viewer is asked, in a language and with times as the contract has them; nothing for a spectator."""
    if viewer is None:
        return []
    return [
        ChoiceShown(
            question.choice,
            viewer,
            tell(question.asks.says, told),
            time_or_none(question.deadline),
            schema_told(question.asks, told),
        )
        for question in questions(rulebook, state, viewer)
    ]


def event_shown(rulebook: Rulebook[Any], decision: Decision[Any], viewer: Viewer) -> EventShown:
    """Return a decision as a viewer may see it, with times as the contract writes them."""
    return EventShown(**event_seen(rulebook, decision, viewer) | {"at": time_of(decision.at)})
