"""The events of a game, as pages or as a stream."""

from __future__ import annotations

from time import monotonic
from typing import Any

from flask import Response, request
from msgspec import Raw
from msgspec.structs import asdict

from events.games.repository import LoadedGame
from games.kernel import msg
from service.api.games import game_view
from service.context import services
from service.http.auth import Bearer, require_access, viewer_for
from service.http.client_connection import ClientConnection
from service.http.content_types import JSON
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.problems import Problem
from service.http.rate_limits import client_key
from service.http.responses import encode, json_response
from service.i18n.translate import language
from service.presenters import build_event_view
from service.schemas.requests import MAX_INTEGER, EventsQuerySchema
from service.schemas.responses import Choices, EventsPage, EventView, GameUpdate, StreamEnd
from service.schemas.times import rfc3339
from service.streaming.broadcast import Subscriber, TooManyStreams
from service.streaming.sse import LINES, SERVER_SENT_EVENTS, STREAM_FORMATS, EventStream, StreamFormat, encode_choices

bp = ApiBlueprint("events")

RETRY_SECONDS = 15
"""The `Retry-After` when too many streams are open: by then, streams whose clients have gone are closed."""
EVENTS = {"game": GameUpdate, "decision": EventView, "choices": Choices, "end": StreamEnd}
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The number of a decision, after which a stream resumes; overrides `after`. Browsers send it.",
    "schema": {"type": "string", "pattern": "^[0-9]{0,16}$"},
}


@endpoint(
    bp,
    "GET",
    "/games/<game>/events",
    operation="list_events",
    summary="Get or stream the events of a game",
    description="""Return the decisions of a game as the bearer may see them: as a page or as a stream, by `Accept`.

    **`application/json`**: a page with the decisions after number `after`, oldest first, at most `limit` of them. With
    `wait`, if there are none yet, the response comes as soon as there is one, or after that many seconds.

    **`text/event-stream`** (Server-Sent Events) and **`application/x-ndjson`** (the same events as one JSON object per
    line, with the name of the event in the member `type`): a stream of these events:

    - `game`, the first event: the game as the bearer sees it, with the choices of the bearer's seat.

    - `decision`, for each decision from then on, in order and exactly once.

    - `choices`, after a decision that changed the choices of the bearer's seat.

    - `end`, the last event, with a `reason`: the game is over, the token is no longer valid, or there was no event for
      `wait` seconds. A stream without `wait` does not end for lack of events.

    After an `end`, reconnect only if the reason was `nothing-new`. After a stream that broke off without an `end`,
    reconnect with `Last-Event-ID` (or `after`): the last `id` that you received, which is the `version` of a `game` or
    the `number` of a `decision`. The stream then begins with the decisions that you missed, instead of a `game`, and
    with `choices`. If the game has not reached that number, it begins with a `game`.

    A comment line (in lines of JSON: an empty line) is a heartbeat. It is sent when a stream resumes, and every 15
    seconds without events. A client that does not read for ten seconds is disconnected. To try a stream in the
    interactive documentation, set `wait`: the page shows the stream when it has ended.
    """,
    access="any",
    query=EventsQuerySchema,
    parameters=(LAST_EVENT_ID,),
    responses={
        200: ResponseSpec(
            "A page of events, or a stream of them, as the bearer may see them.",
            EventsPage,
            streams={stream_format.content_type: EVENTS for stream_format in (SERVER_SENT_EVENTS, LINES)},
        ),
        204: ResponseSpec("The game is over and `Last-Event-ID` is its last event: do not reconnect."),
    },
    problems=("bad-token", "not-your-seat", "no-such-game", "not-acceptable", "too-many-streams"),
)
def list_events(game: str, query: dict[str, Any]) -> Response:
    stream_format = _requested_format()
    after = _resume_after(query)
    current = services().games.read(game)
    bearer = require_access(services().tokens, game, current.session)
    if stream_format is None:
        response = _page(game, current, bearer, query)
    else:
        response = _stream(game, current, bearer, stream_format, after, query.get("wait"))
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Accept, Accept-Language, Authorization"
    return response


def _requested_format() -> StreamFormat | None:
    """Return the format of the stream that the client asks for; None for a page.

    Raises:
        Problem: `not-acceptable`.
    """
    if not request.accept_mimetypes:
        return None
    types = [JSON, *STREAM_FORMATS]
    accepted = request.accept_mimetypes.best_match(types)
    if accepted is None:
        raise Problem("not-acceptable", msg("events are available as {types}", types=", ".join(types)))
    return STREAM_FORMATS.get(accepted)


def _resume_after(query: dict[str, Any]) -> int | None:
    """Return the number of the decision after which a stream resumes; None: it begins with the game.

    Raises:
        Problem: `invalid`, for a header that is not the id of an event.
    """
    last = request.headers.get("Last-Event-ID", "").strip(" ")
    if not last:
        after: int | None = query.get("after")
        return after
    if not (last.isascii() and last.isdigit() and int(last[:17]) <= MAX_INTEGER):
        raise Problem("invalid", "Last-Event-ID: must be the id of an event of this game")
    return int(last)


def _page(game: str, current: LoadedGame, bearer: Bearer | None, query: dict[str, Any]) -> Response:
    after = query.get("after", 0)
    seconds = query.get("wait", 0)
    if seconds and current.game.number <= after and not current.session.is_over:
        _long_poll(game, current, bearer, after, seconds)
        current = services().games.read(game)
        bearer = require_access(services().tokens, game, current.session)
    viewer = viewer_for(bearer, current.session)
    decisions = services().games.decisions(game, after, query["limit"])
    last = decisions[-1].number if decisions else after
    version = max(current.game.number, last) if decisions else current.game.number
    events = [build_event_view(current.rulebook, decision, viewer) for decision in decisions]
    return json_response(EventsPage(events, version, more=last < version))


def _long_poll(game: str, current: LoadedGame, bearer: Bearer | None, after: int, seconds: int) -> None:
    """Wait until there is a decision after number `after`, the client has gone, or the time is up."""
    deadline = monotonic() + seconds
    connection = ClientConnection(request.environ)
    with _subscribe(game, current, bearer, connection) as subscriber:
        while subscriber.channel.latest.number <= after and not subscriber.has_ended and monotonic() < deadline:
            subscriber.wait(deadline - monotonic())
        if subscriber.has_ended:
            connection.close()


def _subscribe(game: str, current: LoadedGame, bearer: Bearer | None, connection: ClientConnection) -> Subscriber:
    """Subscribe to a game.

    Raises:
        Problem: `too-many-streams`.
    """
    broadcaster = services().broadcaster
    try:
        return broadcaster.subscribe(game, current, client_key(), bearer, connection)
    except TooManyStreams:
        detail = msg("you have {number} open streams already", number=broadcaster.max_streams)
        raise Problem("too-many-streams", detail, {"Retry-After": str(RETRY_SECONDS)}) from None


def _stream(
    game: str,
    current: LoadedGame,
    bearer: Bearer | None,
    stream_format: StreamFormat,
    after: int | None,
    idle_seconds: int | None,
) -> Response:
    if current.session.is_over and after == current.game.number and "Last-Event-ID" in request.headers:
        response = Response(status=204)
        del response.headers["Content-Type"]
        return response
    headers = {"X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(headers=headers, content_type=stream_format.content_type)
    to = language()
    connection = ClientConnection(request.environ)
    subscriber = _subscribe(game, current, bearer, connection)
    try:
        latest = max(current, subscriber.channel.latest.current, key=lambda loaded: loaded.game.number)
        opening, choices = stream_format.heartbeat, None
        if after is None or after > latest.game.number:  # or the log has lost what this client knows
            after = latest.game.number
            choices = encode_choices(latest, viewer_for(bearer, latest.session), to)
            opening = stream_format.frame("game", after, _game_update(game, latest, bearer, choices))
        subscriber.number = after
        connection.configure()
        body = EventStream(
            services().games,
            subscriber,
            connection,
            stream_format,
            opening,
            idle_seconds,
            services().broadcaster.heartbeat,
            choices,
            to,
        )
    except BaseException:
        subscriber.close()
        raise
    return Response(body, headers=headers, content_type=stream_format.content_type, direct_passthrough=True)


def _game_update(game: str, current: LoadedGame, bearer: Bearer | None, choices: bytes) -> bytes:
    view = asdict(game_view(game, current, viewer_for(bearer, current.session)))
    now = rfc3339(services().games.clock())
    return encode(GameUpdate(**view, now=now, choices=Raw(choices)))  # type: ignore[arg-type]
