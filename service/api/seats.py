"""Seats: take and leave them, concede, let bots play."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from events.games.commands import LeaveSeat, RevealSeed, SeatBot, TakeSeat
from events.games.participants import new_person
from games.kernel import Seat, msg
from service.api.games import game_view, idempotency_key, run_command
from service.api.seat_claims import claim_seat
from service.context import services
from service.http.auth import (
    HOST,
    Bearer,
    Caller,
    current_caller,
    require_access,
    require_host,
    verify_code,
    viewer_for,
)
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.problems import Problem
from service.http.responses import json_response
from service.schemas.requests import NewSeatSchema, SeatBotSchema, SeedPartSchema
from service.schemas.responses import GameView, SeatAssignment

bp = ApiBlueprint("seats")

_NEEDS_SEAT = msg("this needs the token of the seat")
_NEEDS_SEAT_OR_HOST = msg("this needs the token of the seat, or of the host")
TOKEN_PROBLEMS = ("no-token", "bad-token", "not-your-seat", "no-such-game", "no-such-seat")

SAME_GAME = {"game": "$request.path.game"}
SAME_SEAT = SAME_GAME | {"seat": "$response.body#/seat"}
AFTER_TAKING_A_SEAT = {
    "choices": {"operationId": "list_choices", "parameters": SAME_GAME, "description": "with the token of the seat"},
    "follow": {"operationId": "list_events", "parameters": SAME_GAME, "description": "with the token of the seat"},
    "pause": {"operationId": "pause_game", "parameters": SAME_GAME, "description": "with the token of the seat"},
    "bot": {"operationId": "seat_bot", "parameters": SAME_SEAT, "description": "with the token of the seat"},
    "leave": {"operationId": "leave_seat", "parameters": SAME_SEAT, "description": "with the token of the seat"},
}


@endpoint(
    bp,
    "POST",
    "/games/<game>/seats",
    operation="take_seat",
    summary="Take a seat",
    description="""Take a seat, as `{"name": "Ana"}`. The response holds the token of the seat.

    Keep the token: it is not returned again. Each `POST` takes one more seat, unless it repeats an `Idempotency-Key`. A
    private game needs its `code` in the body, or the token of its host.

    The host may seat a bot, as `{"bot": "random"}`; the rulebook lists its `bots`. The token of a bot's seat is for
    whoever will take over from the bot (`PUT …/seats/{seat}/bot`). Until then it shows what a spectator sees.

    A seat that sends a `commitment` contributes to the seed of all shuffles: it reveals its part
    (`POST …/seats/{seat}/seed`) before the game starts.
    """,
    access="host-if-any",
    body=NewSeatSchema,
    idempotent=True,
    creates=True,
    responses={
        201: ResponseSpec("The seat, and its token.", SeatAssignment, links=AFTER_TAKING_A_SEAT),
        200: ResponseSpec("The seat that an earlier request with this `Idempotency-Key` took.", SeatAssignment),
    },
    problems=(
        "no-token",
        "bad-token",
        "not-your-seat",
        "no-such-game",
        "seats-full",
        "seat-taken",
        "game-started",
        "no-such-seat",
        "no-such-bot",
    ),
)
def take_seat(game: str, body: dict[str, Any]) -> Response:
    session = services().games.read(game).session
    if body["bot"] is not None:
        require_host(require_access(services().tokens, game, session, body["code"]))
    elif session.created.visibility == "private" and not body["code"]:
        require_access(services().tokens, game, session)
    else:
        verify_code(services().tokens, game, session, body["code"])
    key = idempotency_key(request)
    salt = services().randomness.salt() if key is None else services().tokens.derive_game_id("seat", f"{game} {key}")
    person = new_person(body["name"] or f"{body['bot']} bot", body["player"], salt)
    seat_info, is_new = claim_seat(game, TakeSeat(person, body["seat"], body["bot"], body["commitment"]))
    bearer = Bearer(game, seat_info.seat, seat_info.token_epoch)
    current = services().games.read(game)
    view = game_view(game, current, viewer_for(bearer, current.session))
    return json_response(SeatAssignment(seat_info.seat, services().tokens.issue(bearer), view), 201 if is_new else 200)


@endpoint(
    bp,
    "POST",
    "/games/<game>/seats/<int:seat>/seed",
    operation="reveal_seed",
    summary="Reveal a part of the seed",
    description="""Reveal the seat's part of the seed: the text whose SHA-256 hash (of its UTF-8 bytes) was the
    `commitment`.

    A game that starts when full waits up to a minute for all parts; its status is `open` meanwhile. Then it starts
    without the missing parts. A game that its host starts does not wait. The facts `seat_taken` and `seed_revealed` say
    which seats have committed, and which have revealed their part.
    """,
    access="seat",
    body=SeedPartSchema,
    responses={200: ResponseSpec("The game. It has started if this was the last missing part.", GameView)},
    problems=(*TOKEN_PROBLEMS, "game-started", "seed-mismatch", "version-mismatch"),
)
def reveal_seed(game: str, seat: int, body: dict[str, Any]) -> Response:
    caller = _owner(game, seat, host_too=False)
    return run_command(RevealSeed(seat, body["part"], caller=caller))


@endpoint(
    bp,
    "PUT",
    "/games/<game>/seats/<int:seat>/bot",
    operation="seat_bot",
    summary="Let a bot play a seat",
    description="""Let a bot of the rulebook play a seat, or, with `null`, return the seat to its player.

    The player of the seat may do this, or the host. While a bot plays a seat, nobody can look at its hand: its token
    shows what a spectator sees, and cannot answer. A player who takes the seat back sees it again, and should get the
    game then. Everybody sees the change as a fact `bot_seated`.
    """,
    access="either",
    body=SeatBotSchema,
    responses={200: ResponseSpec("The game, with the new player of the seat.", GameView)},
    problems=(*TOKEN_PROBLEMS, "no-such-bot", "seat-free", "seat-conceded", "game-over", "version-mismatch"),
)
def seat_bot(game: str, seat: int, body: dict[str, Any]) -> Response:
    caller = _owner(game, seat, host_too=True)
    return run_command(SeatBot(seat, body["bot"], by=caller.bearer.holder, caller=caller))


@endpoint(
    bp,
    "DELETE",
    "/games/<game>/seats/<int:seat>",
    operation="leave_seat",
    summary="Leave a seat, or concede",
    description="""Before the game starts: leave the seat. Its token becomes invalid. The host may do this for a
    player.

    Afterwards: concede. Only the player of the seat may concede; a bot plays on in their place. When only one player is
    left, the game is over. To leave only while the game has not started, send `If-Match`.
    """,
    access="either",
    responses={200: ResponseSpec("The game, with the seat free or conceded.", GameView)},
    problems=(*TOKEN_PROBLEMS, "seat-free", "seat-conceded", "game-over", "version-mismatch"),
)
def leave_seat(game: str, seat: int) -> Response:
    caller = _owner(game, seat, host_too=True)
    return run_command(LeaveSeat(seat, by=caller.bearer.holder, caller=caller))


def _owner(game: str, seat: Seat, host_too: bool) -> Caller:
    """Return the caller, where only the seat's player is allowed, or also the host."""
    session = services().games.read(game).session
    bearer = require_access(services().tokens, game, session)
    if bearer is None:
        reason = _NEEDS_SEAT_OR_HOST if host_too else _NEEDS_SEAT
        raise Problem("no-token", reason)
    if seat >= len(session.seats):
        raise Problem("no-such-seat", msg("the seats of this game are 0 to {last}", last=len(session.seats) - 1))
    if bearer.holder != seat and not (host_too and bearer.holder == HOST):
        raise Problem("not-your-seat", "this token is for another seat")
    return current_caller(game, bearer)
