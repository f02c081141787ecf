"""Games: create, get, start, pause and close them."""

from __future__ import annotations

from typing import Any

from flask import Request, Response, request
from flask_limiter.util import get_remote_address
from msgspec import UNSET

from events.games.command_handler import CommandResult
from events.games.commands import CloseGame, Command, RequestPause, StartGame, TakeSeat
from events.games.participants import new_person
from events.games.repository import GameNotFound, LoadedGame
from games.kernel import (
    GameSetup,
    Viewer,
    msg,
)
from service.api.seat_claims import claim_seat
from service.context import services
from service.http.auth import (
    HOST,
    Bearer,
    Caller,
    current_caller,
    is_current_holder,
    require_access,
    require_host,
    require_seat,
    viewer_for,
)
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.etags import with_etag
from service.http.problems import Problem, rulebook_not_found
from service.http.responses import json_response
from service.presenters import build_game_view
from service.records.history import check_may_view_as, state_at
from service.schemas.requests import HistoryQuerySchema, NewGameSchema, parse_clock
from service.schemas.responses import GameCreated, GameView, Rematch

bp = ApiBlueprint("games")

MIN_KEY_LENGTH = 16
MAX_KEY_LENGTH = 128

CREATED = {"game": "$response.body#/game/game"}
AFTER_CREATION = {
    "take_seat": {"operationId": "take_seat", "parameters": CREATED, "description": "for each player"},
    "get": {"operationId": "get_game", "parameters": CREATED},
    "follow": {"operationId": "list_events", "parameters": CREATED},
    "start": {
        "operationId": "start_game",
        "parameters": CREATED,
        "description": "with the token of the host, if the host starts the game",
    },
    "close": {"operationId": "close_game", "parameters": CREATED, "description": "with the token of the host"},
}


@endpoint(
    bp,
    "POST",
    "/games",
    operation="create_game",
    summary="Create a game",
    description="""Create a game and become its host. It waits for players: a host who wants to play takes a seat as
    well.

    A private game also has a `code`: whoever has the code may take a seat and watch. It is returned only here.
    """,
    body=NewGameSchema,
    idempotent=True,
    creates=True,
    responses={
        201: ResponseSpec(
            "The game, and the token of its host.", GameCreated, headers={"Location": "the game"}, links=AFTER_CREATION
        ),
        200: ResponseSpec(
            "The game that an earlier request with this `Idempotency-Key` created, as it is now.",
            GameCreated,
            headers={"Location": "the game"},
        ),
    },
    problems=("unknown-rulebook", "bad-options", "key-reused", "too-many-games"),
)
def create_game(body: dict[str, Any]) -> Response:
    if body["rulebook"] not in services().games.rulebooks:
        raise rulebook_not_found("unknown-rulebook", body["rulebook"], services().games.rulebooks)
    address, key = get_remote_address(), idempotency_key(request)
    game = services().randomness.game_id() if key is None else services().tokens.derive_game_id("game", key)
    if key is None or not _exists(game):
        services().open_game_quota.check(address)
    result = services().games.create(
        game,
        body["rulebook"],
        GameSetup(body["seats"], body["visibility"], body["start"]),
        body["options"],
        parse_clock(body["clock"]),
        seed=services().randomness.seed(),
    )
    services().open_game_quota.add(address, game)
    return _created(game, result)


@endpoint(
    bp,
    "GET",
    "/games/<game>",
    operation="get_game",
    summary="Get a game",
    description="""Return the game as the bearer may see it: a seat sees its own hand, a spectator only what
    everybody sees.

    The `ETag` is the version, whoever asks. When you have taken a seat, send a request without `If-None-Match` first.

    With `at`, the game as it was after an earlier decision, exactly as the same bearer saw it then. With `as`, the game
    as any seat saw it, once the game is over.
    """,
    access="any",
    query=HistoryQuerySchema,
    responses={
        200: ResponseSpec("The game as the bearer may see it.", GameView, headers={"ETag": "the game's version"}),
        304: ResponseSpec("The game is still at the version of `If-None-Match`."),
    },
    problems=(
        "bad-token",
        "not-your-seat",
        "no-such-game",
        "no-such-seat",
        "no-such-decision",
        "game-not-over",
        "version-mismatch",
    ),
)
def get_game(game: str, query: dict[str, Any]) -> Response:
    current = services().games.read(game)
    bearer = require_access(services().tokens, game, current.session)
    state = state_at(services().audits.past, game, query["at"]) if "at" in query else current
    viewer = viewer_for(bearer, state.session)
    if "seat" in query:
        check_may_view_as(current.session, query["seat"])
        viewer = query["seat"]
    response = json_response(game_view(game, state, viewer))
    response.headers["Vary"] = "Authorization"
    response.headers["Cache-Control"] = "private, no-cache"
    return with_etag(response, request, state.game.number)


@endpoint(
    bp,
    "POST",
    "/games/<game>/start",
    operation="start_game",
    summary="Start a game",
    description="""Start a game whose seats are all taken, if it was created with `"start": "host"`.""",
    access="host",
    responses={200: ResponseSpec("The game, running.", GameView)},
    problems=(
        "no-token",
        "bad-token",
        "not-your-seat",
        "no-such-game",
        "seats-not-full",
        "game-started",
        "version-mismatch",
    ),
)
def start_game(game: str) -> Response:
    return run_command(StartGame(caller=_host(game)))


@endpoint(
    bp,
    "DELETE",
    "/games/<game>",
    operation="close_game",
    summary="Close a game",
    description="""Close a game that has not started: nobody can take a seat any more, and it never starts.""",
    access="host",
    responses={200: ResponseSpec("The game, closed.", GameView)},
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game", "game-started", "version-mismatch"),
)
def close_game(game: str) -> Response:
    return run_command(CloseGame(caller=_host(game)))


@endpoint(
    bp,
    "POST",
    "/games/<game>/pause",
    operation="pause_game",
    summary="Request a pause, or its end",
    description="""Request a pause, or, while the game is paused, its end. It takes effect when every player has
    requested it.

    While a game is paused, its timers stand still and no seat has choices. Each timer keeps its remaining time. The
    same request sent again after the pause has begun requests its end; with `If-Match` it is refused instead.
    """,
    access="seat",
    responses={200: ResponseSpec("The game, paused or resumed if all players have requested it.", GameView)},
    problems=(
        "no-token",
        "bad-token",
        "not-your-seat",
        "no-such-game",
        "game-not-started",
        "game-over",
        "pause-already-requested",
        "version-mismatch",
    ),
)
def pause_game(game: str) -> Response:
    bearer = require_access(services().tokens, game, services().games.read(game).session)
    seat = require_seat(bearer)
    assert bearer is not None
    return run_command(RequestPause(seat, caller=current_caller(game, bearer)))


@endpoint(
    bp,
    "POST",
    "/games/<game>/rematch",
    operation="create_rematch",
    summary="Create a rematch",
    description="""Create a game with the same rulebook, options, clock and seats, or join the rematch that another
    seat created.

    With a token of a seat of the finished game: take the same seat, and get its new token. With the host's token:
    become the host. Bots take their seats by themselves. The rematch of a private game is private and has a new `code`.
    """,
    access="either",
    creates=True,
    responses={
        201: ResponseSpec("The new game, created by this request.", Rematch, headers={"Location": "the new game"}),
        200: ResponseSpec("The new game, which existed already.", Rematch, headers={"Location": "the new game"}),
    },
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game", "game-not-over", "seat-taken", "game-started"),
)
def create_rematch(game: str) -> Response:
    games, tokens = services().games, services().tokens
    current = games.read(game)
    session = current.session
    bearer = require_access(tokens, game, session)
    if bearer is None:
        raise Problem("no-token", "this needs the token of a seat, or of the host")
    if session.status == "closed":
        raise Problem("game-not-over", "this game was closed before it began: create another")
    if session.status != "finished":
        raise Problem("game-not-over", "a rematch is possible when the game is over")
    rematch, created = tokens.derive_game_id("rematch", game), session.created
    result = games.create(
        rematch,
        created.rulebook,
        GameSetup(created.seats, created.visibility, created.start, rematch_of=game),
        created.options,
        created.clock,
        seed=services().randomness.seed(),
    )
    people = games.people(game, session)
    for seat_info in session.seats:
        if seat_info.bot is not None or seat_info.seat == bearer.seat:
            person = people.get(seat_info.person or "") or new_person(
                f"seat {seat_info.seat}", None, services().randomness.salt()
            )
            claim_seat(rematch, TakeSeat(person, seat_info.seat, seat_info.bot))
    return _rematch(rematch, bearer, repeated=result.repeated)


def _rematch(game: str, bearer: Bearer, repeated: bool) -> Response:
    current, tokens = services().games.read(game), services().tokens
    seat_bearer = Bearer(game, bearer.holder)
    if bearer.seat is not None:
        seat_bearer = Bearer(game, bearer.seat, current.session.seats[bearer.seat].token_epoch)
    code = tokens.game_code(game) if current.session.created.visibility == "private" else UNSET
    body = Rematch(
        tokens.issue(seat_bearer), bearer.seat, game_view(game, current, viewer_for(seat_bearer, current.session)), code
    )
    response = json_response(body, 200 if repeated else 201)
    response.headers["Location"] = f"/v1/games/{game}"
    return response


def _created(game: str, result: CommandResult) -> Response:
    tokens, created = services().tokens, result.current.session.created
    view = game_view(game, result.current, None)
    code = tokens.game_code(game) if created.visibility == "private" else UNSET
    body = GameCreated(view, tokens.issue(Bearer(game, HOST)), code)
    response = json_response(body, 200 if result.repeated else 201)
    response.headers["Location"] = f"/v1/games/{game}"
    return response


def run_command(command: Command) -> Response:
    """Carry out a command that has a caller; reply with the game as the caller then sees it."""
    caller = command.caller
    assert isinstance(caller, Caller)
    current = services().games.handle(caller.game, command).current
    is_holder = is_current_holder(caller.bearer, current.session)
    viewer = viewer_for(caller.bearer, current.session) if is_holder else None
    return json_response(game_view(caller.game, current, viewer))


def _exists(game: str) -> bool:
    try:
        services().games.read(game)
    except GameNotFound:
        return False
    return True


def _host(game: str) -> Caller:
    """Return the caller, where only the host is allowed."""
    bearer = require_access(services().tokens, game, services().games.read(game).session)
    return current_caller(game, require_host(bearer))


def idempotency_key(request: Request) -> str | None:
    """Return the header `Idempotency-Key` of a request, if it has one.

    Raises:
        Problem: `invalid`, when it is too long, or so short that somebody could guess it and get the token.
    """
    key = request.headers.get("Idempotency-Key")
    if key is not None and not MIN_KEY_LENGTH <= len(key) <= MAX_KEY_LENGTH:
        raise Problem(
            "invalid",
            msg("Idempotency-Key: must have {least} to {most} characters", least=MIN_KEY_LENGTH, most=MAX_KEY_LENGTH),
        )
    return key


def game_view(game: str, current: LoadedGame, viewer: Viewer) -> GameView:
    """Return a game as a viewer may see it."""
    people = services().games.people(game, current.session)
    is_imported = current.session.status == "finished" and services().audits.past.is_imported(game)
    return build_game_view(game, current, viewer, people, is_imported)
