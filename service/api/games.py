"""Games: create one, look at one, start one."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, Request, Response, request
from flask_limiter.util import get_remote_address
from msgspec import UNSET

from events.games.commands import Decide, Decided
from events.games.participants import Person, introduce
from events.games.repository import Current, UnknownGame
from games.kernel import (
    Game,
    Rulebook,
    Seats,
    Step,
    Viewer,
    ask_pause,
    close,
    computed_for,
    say,
    start,
    table_seen,
    waits,
)
from games.kernel.session import Seating
from service.api.seat_claims import sit_down
from service.context import house
from service.http.auth import HOST, Bearer, admitted, check_bearer, game_id, host_of, seat_of, sits_there, viewer_of
from service.http.endpoint import Answer, operation
from service.http.etags import WantedVersion, tagged
from service.http.problems import Problem, no_such_rulebook
from service.http.responses import reply, time_of, time_or_none
from service.records.history import check_looked_through, moment
from service.schemas.requests import NewGameSchema, PastQuerySchema, clock_of
from service.schemas.responses import ClockShown, GameCreated, GameShown, Rematch, SeatShown

bp = Blueprint("games", __name__)

SHORTEST_KEY = 16
LONGEST_KEY = 128

CREATED = {"game": "$response.body#/game/game"}
AFTER_CREATION = {
    "takeSeat": {"operationId": "take_a_seat", "parameters": CREATED, "description": "somebody sits down"},
    "look": {"operationId": "look_at_game", "parameters": CREATED},
    "follow": {"operationId": "list_events", "parameters": CREATED},
    "start": {"operationId": "start_game", "parameters": CREATED, "description": "when it is for the host to start it"},
    "close": {"operationId": "close_game", "parameters": CREATED, "description": "with the host's token"},
}


@operation(
    bp,
    "POST",
    "/games",
    summary="Create a game",
    body=NewGameSchema,
    idempotent=True,
    answers={
        201: Answer(
            "The game, and the token of its host.", GameCreated, headers={"Location": "the game"}, links=AFTER_CREATION
        ),
        200: Answer(
            "The game that was created under this `Idempotency-Key` before, as it is now.",
            GameCreated,
            headers={"Location": "the game"},
        ),
    },
    problems=("unknown-rulebook", "bad-options", "key-reused", "too-many-games"),
)
def create_game(body: dict[str, Any]) -> Response:
    """Create a game and become its host. It waits for its seats to be taken: the host, too, has to sit down to play.

    A private game also has a `code`: who has it may take a seat and watch. It is not told again.
    """
    if body["rulebook"] not in house().games.rulebooks:
        raise no_such_rulebook("unknown-rulebook", body["rulebook"], house().games.rulebooks)
    address, key = get_remote_address(), key_of(request)
    game = game_id(secrets.token_bytes(16)) if key is None else house().tokens.derived("game", key)
    if key is None or not _is_there(game):
        house().open_games.check(address)
    decided = house().games.create(
        game,
        body["rulebook"],
        Seats(body["seats"], body["visibility"], body["start"]),
        body["options"],
        clock_of(body["clock"]),
        seed=secrets.token_hex(32),
    )
    house().open_games.add(address, game)
    return _created(game, decided)


@operation(
    bp,
    "GET",
    "/games/<game>",
    summary="Look at a game",
    access="any",
    query=PastQuerySchema,
    answers={
        200: Answer("The game as the bearer may see it.", GameShown, headers={"ETag": "the game's version"}),
        304: Answer("Nothing has changed since the version of `If-None-Match`."),
    },
    problems=(
        "bad-token",
        "not-your-seat",
        "no-such-game",
        "no-such-seat",
        "no-such-decision",
        "game-not-over",
        "other-version",
    ),
)
def look_at_game(game: str, query: dict[str, Any]) -> Response:
    """Return the game as the bearer may see it: with the token of a seat, its own hand; without one, what all see.

    The `ETag` is the version, whoever looks: send another `If-None-Match` after you have sat down, or none.

    With `at`, as it was after an earlier decision: to the byte what the same bearer was shown then. With `as`, when
    the game is over, through the eyes of any seat.
    """
    current = house().games.read(game)
    bearer = admitted(house().tokens, request, game, current.lobby)
    shown = moment(game, query["at"]) if "at" in query else current
    viewer = viewer_of(bearer, shown.lobby)
    if "seat" in query:
        check_looked_through(current.lobby, query["seat"])
        viewer = query["seat"]
    answer = reply(game_shown(game, shown, viewer))
    answer.headers["Vary"] = "Authorization"
    answer.headers["Cache-Control"] = "private, no-cache"
    return tagged(answer, request, shown.game.number)


@operation(
    bp,
    "POST",
    "/games/<game>/start",
    summary="Start a game",
    access="host",
    answers={200: Answer("The game, running.", GameShown)},
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game", "seats-open", "game-started", "other-version"),
)
def start_game(game: str) -> Response:
    """Start a game whose seats are all taken, when it was created to be started by its host (`"start": "host"`)."""
    return carried_out(host_of(_admitted(game)), start)


@operation(
    bp,
    "DELETE",
    "/games/<game>",
    summary="Close a game",
    access="host",
    answers={200: Answer("The game, closed.", GameShown)},
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game", "game-started", "other-version"),
)
def close_game(game: str) -> Response:
    """Close a game that has not started: nobody can sit down at it any more, and it never starts."""
    return carried_out(host_of(_admitted(game)), close)


@operation(
    bp,
    "POST",
    "/games/<game>/pause",
    summary="Ask for a pause, or for its end",
    access="seat",
    answers={200: Answer("The game, paused or resumed if all players have asked for it.", GameShown)},
    problems=(
        "no-token",
        "bad-token",
        "not-your-seat",
        "no-such-game",
        "game-not-started",
        "game-over",
        "pause-asked",
        "other-version",
    ),
)
def pause_game(game: str) -> Response:
    """Ask for the game to be paused, or, when it is, to go on. It is once every player at the table has asked.

    While a game is paused, clocks stand still and nothing is asked. What was left on each clock is kept. Sent again, it
    asks for the opposite where the game was paused by it: with `If-Match` it is refused then.
    """
    bearer = _admitted(game)
    seat = seat_of(bearer)
    assert bearer is not None
    return carried_out(bearer, lambda rules, state, now: ask_pause(rules, state, seat, now))


@operation(
    bp,
    "POST",
    "/games/<game>/rematch",
    summary="Play again",
    access="either",
    answers={
        201: Answer("The new game, created by this call.", Rematch, headers={"Location": "the new game"}),
        200: Answer("The new game, which had been created already.", Rematch, headers={"Location": "the new game"}),
    },
    problems=("no-token", "bad-token", "not-your-seat", "no-such-game", "game-not-over", "seat-taken", "game-started"),
)
def play_again(game: str) -> Response:
    """Create a game of the same rulebook, options, clock and seats, or join the one that another seat created.

    With a seat's token of the game that is finished: sit down at the same seat, and get its new token. With the host's:
    become its host. Bots sit down by themselves. A private game is told with its new `code`.
    """
    games, tokens = house().games, house().tokens
    current = games.read(game)
    lobby = current.lobby
    bearer = admitted(tokens, request, game, lobby)
    if bearer is None:
        raise Problem("no-token", "this needs the token of a seat, or of the host")
    if lobby.status == "closed":
        raise Problem("game-not-over", "this game was closed before it began: create another")
    if lobby.status != "finished":
        raise Problem("game-not-over", "a game is played again when it is over")
    again, created = tokens.derived("rematch", game), lobby.created
    decided = games.create(
        again,
        created.rulebook,
        Seats(created.seats, created.visibility, created.start, rematch_of=game),
        created.options,
        created.clock,
        seed=secrets.token_hex(32),
    )
    people = games.people(game, lobby)
    for seating in lobby.seatings:
        if seating.bot is not None or seating.seat == bearer.seat:
            person = people.get(seating.person or "") or introduce(f"seat {seating.seat}", None)
            sit_down(again, person, seating.seat, seating.bot)
    return _rematch(again, bearer, repeated=decided.repeated)


def _rematch(game: str, bearer: Bearer, repeated: bool) -> Response:
    current, tokens = house().games.read(game), house().tokens
    mine = Bearer(game, bearer.place)
    if bearer.seat is not None:
        mine = Bearer(game, bearer.seat, current.lobby.seatings[bearer.seat].generation)
    code = tokens.code(game) if current.lobby.created.visibility == "private" else UNSET
    body = Rematch(tokens.issue(mine), bearer.seat, game_shown(game, current, viewer_of(mine, current.lobby)), code)
    answer = reply(body, 200 if repeated else 201)
    answer.headers["Location"] = f"/v1/games/{game}"
    return answer


def _created(game: str, decided: Decided) -> Response:
    tokens, created = house().tokens, decided.current.lobby.created
    shown = game_shown(game, decided.current, None)
    code = tokens.code(game) if created.visibility == "private" else UNSET
    body = GameCreated(shown, tokens.issue(Bearer(game, HOST)), code)
    answer = reply(body, 200 if decided.repeated else 201)
    answer.headers["Location"] = f"/v1/games/{game}"
    return answer


def carried_out(bearer: Bearer, command: Decide) -> Response:
    """Carry out a command of a bearer whose token is still valid; reply with the game as the bearer then sees it."""
    wanted = WantedVersion(request)

    def admitted_command(rules: Rulebook[Any], state: Game[Any, Any], now: int) -> Step:
        check_bearer(bearer, bearer.game, state.lobby)
        wanted.check(state.number)
        return command(rules, state, now)

    current = house().games.decide(bearer.game, admitted_command).current
    viewer = viewer_of(bearer, current.lobby) if sits_there(bearer, current.lobby) else None
    return reply(game_shown(bearer.game, current, viewer))


def _is_there(game: str) -> bool:
    try:
        house().games.read(game)
    except UnknownGame:
        return False
    return True


def _admitted(game: str) -> Bearer | None:
    return admitted(house().tokens, request, game, house().games.read(game).lobby)


def key_of(request: Request) -> str | None:
    """Return the header `Idempotency-Key` of a request, if it has one.

    Raises:
        Problem: `invalid`, when it is too long, or so short that somebody could guess it and get the token.
    """
    key = request.headers.get("Idempotency-Key")
    if key is not None and not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise Problem(
            "invalid",
            say("Idempotency-Key: must have {least} to {most} characters", least=SHORTEST_KEY, most=LONGEST_KEY),
        )
    return key


def game_shown(game: str, current: Current, viewer: Viewer) -> GameShown:
    """Return a game as a viewer may see it."""
    rulebook, state, _ = current
    lobby = state.lobby
    created = lobby.created
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
        paused=lobby.paused_at is not None,
        rematch_of=created.rematch_of,
        version=state.number,
        seats=[_seat_shown(seating, people, points, viewer) for seating in lobby.seatings],
        table=table_seen(rulebook, state, viewer),
        computed=computed_for(rulebook, state, viewer),
        clocks=[ClockShown(leaf.choice, time_or_none(leaf.due)) for leaf in waits(state)],
        result=lobby.result,
        imported=lobby.status == "finished" and house().records.past.is_imported(game),
    )


def _seat_shown(
    seating: Seating, people: dict[str, Person], points: tuple[int, ...] | None, viewer: Viewer
) -> SeatShown:
    person = people.get(seating.person or "")
    return SeatShown(
        seat=seating.seat,
        taken=seating.taken,
        name=None if person is None else person.name,
        player=None if person is None else person.player,
        bot=seating.bot,
        conceded=seating.conceded,
        asks_pause=seating.asks_pause,
        bank=seating.bank / 1000 if seating.seat == viewer else None,
        points=None if points is None else points[seating.seat],
    )
