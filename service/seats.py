"""Seats: sit down at a game, stand up from one."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from events.games import Current
from events.people import introduce
from games.kernel import leave_seat, take_seat
from games.kernel.lobby import SeatTaken
from service.access import HOST, Bearer, admitted, check_code
from service.answers import reply
from service.contract import Answer, operation
from service.games import game_shown
from service.house import house
from service.problems import Problem
from service.schemas import NewSeatSchema
from service.shapes import GameShown, SeatGiven

bp = Blueprint("seats", __name__)


@operation(
    bp,
    "POST",
    "/games/<game>/seats",
    summary="Take a seat",
    body=NewSeatSchema,
    answers={201: Answer("The seat, and its token.", SeatGiven)},
    problems=("no-such-game", "seats-full", "seat-taken", "no-such-seat", "game-started"),
)
def take_a_seat(game: str, body: dict[str, Any]) -> Response:
    """Sit down. The answer holds the token with which the seat looks and answers; keep it, it is not told again."""
    tokens = house().tokens
    check_code(tokens, game, house().games.read(game).game.lobby, body["code"])
    person = introduce(body["name"], body["player"])
    decided = house().games.decide(
        game, lambda rules, state, now: take_seat(rules, state, body["seat"], person.reference, now), person
    )
    seat = next(fact.seat for fact in decided.decision.facts if isinstance(fact, SeatTaken))
    bearer = Bearer(game, seat, decided.game.lobby.seatings[seat].generation)
    shown = game_shown(game, Current(decided.rulebook, decided.game, ""), bearer)
    return reply(SeatGiven(seat, tokens.issue(bearer), shown), 201)


@operation(
    bp,
    "DELETE",
    "/games/<game>/seats/<int:seat>",
    summary="Leave a seat",
    access="seat",
    answers={200: Answer("The game, with the seat free.", GameShown)},
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game", "no-such-seat", "seat-free", "game-started"),
)
def leave_a_seat(game: str, seat: int) -> Response:
    """Stand up before the game starts. The seat itself may do so, or the host in its place. Its token ends."""
    lobby = house().games.read(game).game.lobby
    bearer = admitted(house().tokens, request, game, lobby)
    if bearer is None:
        raise Problem("no-token", "this needs the token of the seat, or of the host")
    if bearer.place not in (seat, HOST):
        raise Problem("not-your-seat", "this is another's seat")
    if seat >= len(lobby.seatings):
        raise Problem("no-such-seat", f"the seats of this game are 0 to {len(lobby.seatings) - 1}")
    decided = house().games.decide(game, lambda rules, state, now: leave_seat(rules, state, seat, now))
    return reply(game_shown(game, Current(decided.rulebook, decided.game, ""), None))
