"""Games: create one, look at one, start one."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, request
from msgspec import UNSET

from events.games import Current
from events.people import Person
from games.kernel import Seats, computed_for, start, table_seen, waits
from games.kernel.lobby import Seating
from service.access import HOST, Bearer, admitted, check_host
from service.answers import reply, time_of, time_or_none
from service.contract import Answer, operation
from service.house import house
from service.problems import Problem
from service.schemas import NewGameSchema, ViewQuerySchema, clock_of
from service.shapes import ClockShown, GameCreated, GameShown, SeatShown

bp = Blueprint("games", __name__)

ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 16


@operation(
    bp,
    "POST",
    "/games",
    summary="Create a game",
    body=NewGameSchema,
    answers={201: Answer("The game, and the token of its host.", GameCreated, headers={"Location": "the game"})},
    problems=("unknown-rulebook", "bad-options"),
)
def create_game(body: dict[str, Any]) -> Response:
    """Create a game and become its host. It waits for its seats to be taken.

    A private game also has a `code`: who has it may take a seat and watch.
    """
    game = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
    decided = house().games.create(
        game,
        body["rulebook"],
        Seats(body["seats"], body["visibility"], body["start"]),
        body["options"],
        clock_of(body["clock"]),
        seed=secrets.token_hex(32),
    )
    tokens = house().tokens
    shown = game_shown(game, Current(decided.rulebook, decided.game, ""), None)
    code = tokens.code(game) if body["visibility"] == "private" else UNSET
    answer = reply(GameCreated(shown, tokens.issue(Bearer(game, HOST)), code), 201)
    answer.headers["Location"] = f"/v1/games/{game}"
    return answer


@operation(
    bp,
    "GET",
    "/games/<game>",
    summary="Look at a game",
    access="any",
    query=ViewQuerySchema,
    answers={
        200: Answer("The game as the bearer may see it.", GameShown, headers={"ETag": "the game's version"}),
        304: Answer("Nothing has changed since the version of `If-None-Match`."),
    },
    problems=("bad-token", "not-your-seat", "no-such-game", "other-version"),
)
def look_at_game(game: str, query: dict[str, Any]) -> Response:
    """Give the game as the bearer may see it: with the token of a seat, its own hand; without one, what all see."""
    current = house().games.read(game)
    bearer = admitted(house().tokens, request, game, current.game.lobby)
    answer = reply(game_shown(game, current, bearer))
    answer.set_etag(str(current.game.number))
    answer.headers["Vary"] = "Authorization"
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.make_conditional(request)
    if answer.status_code == HTTPStatus.PRECONDITION_FAILED:
        raise Problem("other-version", f"the game is at version {current.game.number}")
    return answer


@operation(
    bp,
    "POST",
    "/games/<game>/start",
    summary="Start a game",
    access="host",
    answers={200: Answer("The game, running.", GameShown)},
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game", "seats-open", "game-started"),
)
def start_game(game: str) -> Response:
    """Start a game whose seats are all taken, when it was created to be started by its host."""
    bearer = admitted(house().tokens, request, game, house().games.read(game).game.lobby)
    check_host(bearer)
    decided = house().games.decide(game, start)
    return reply(game_shown(game, Current(decided.rulebook, decided.game, ""), bearer))


def game_shown(game: str, current: Current, bearer: Bearer | None) -> GameShown:
    """Give a game as a bearer may see it."""
    rulebook, state, _ = current
    lobby = state.lobby
    created = lobby.created
    viewer = None if bearer is None else bearer.seat
    people = house().games.people(game, lobby)
    points = rulebook.points(state.table) if rulebook.points and state.table is not None else None
    return GameShown(
        game=game,
        rulebook=created.rulebook,
        edition=created.edition,
        options=created.options,
        visibility=created.visibility,
        start=created.start,
        clock=created.clock,
        commitment=created.commitment,
        created_at=time_of(lobby.created_at),
        status=lobby.status,
        version=state.number,
        seats=[_seat_shown(seating, people, points) for seating in lobby.seatings],
        table=table_seen(rulebook, state, viewer),
        computed=computed_for(rulebook, state, viewer),
        clocks=[ClockShown(leaf.choice, time_or_none(leaf.due)) for leaf in waits(state)],
        result=lobby.result,
    )


def _seat_shown(seating: Seating, people: dict[str, Person], points: tuple[int, ...] | None) -> SeatShown:
    person = people.get(seating.person or "")
    return SeatShown(
        seat=seating.seat,
        taken=seating.taken,
        name=None if person is None else person.name,
        player=None if person is None else person.player,
        bot=seating.bot,
        points=None if points is None else points[seating.seat],
    )
