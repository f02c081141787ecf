"""Events: what happened in a game, as pages or as a stream that goes on."""

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
JSON = "application/json"
EVENTS = {"game": GameUpdate, "decision": EventView, "choices": Choices, "end": StreamEnd}
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "Streams: begin after this decision; goes before `after`. Browsers send it when they reconnect.",
    "schema": {"type": "string", "pattern": "^[0-9]{0,16}$"},
}


@endpoint(
    bp,
    "GET",
    "/games/<game>/events",
    summary="What happened, and what happens",
    access="any",
    query=EventsQuerySchema,
    parameters=(LAST_EVENT_ID,),
    responses={
        200: ResponseSpec(
            "A page of events, or a stream of them, as the bearer may see them.",
            EventsPage,
            streams={form.content_type: EVENTS for form in (SERVER_SENT_EVENTS, LINES)},
        ),
        204: ResponseSpec("The game is over and its last event was the one of `Last-Event-ID`: do not reconnect."),
    },
    problems=("bad-token", "not-your-seat", "no-such-game", "not-acceptable", "too-many-streams"),
)
def list_events(game: str, query: dict[str, Any]) -> Response:
    """Return the decisions of a game as the bearer may see them, by `Accept` as a page or as a stream.

    **`application/json`**: a page of the decisions after number `after`, oldest first, at most `limit` of them. With
    `wait`, when there are none yet, the answer comes as soon as there is one, or after so many seconds.

    **`text/event-stream`** (Server-Sent Events) and **`application/x-ndjson`** (the same, one JSON object a line, with
    the event's name as its member `type`): a stream of these events:

    - `game`, first of all: the game as the bearer sees it, and what its seat is asked.

    - `decision`, for each decision from there on, none left out and none twice.

    - `choices`, after a decision that changed what the bearer's seat is asked, so that nothing needs to be polled.

    - `end`, last of all, with its `reason`: the game is over, the token is not good any more, or nothing new has come
      for the seconds of `wait`. Without `wait`, a stream does not end for that.

    After an `end` do not reconnect, but for `nothing-new`, when you like. After a stream that breaks off without one,
    do: with `Last-Event-ID` (or `after`), the `id` of the last event that had one, which is the `version` of a `game`
    or the `number` of a `decision`, it goes on after that decision. It then begins with the decisions that were missed
    instead of a `game`, and with `choices`; after a number that the game has not reached, with a `game` all the same.

    A comment line, or an empty line, says that the connection stands: when a stream goes on, and every 15 seconds
    without news. A client that takes nothing for ten seconds is cut off. To try a stream out on a page that shows this
    document, set `wait`: it is shown there once it has ended.
    """
    form = _requested_format()
    resumed = _resume_after(query)
    current = services().games.read(game)
    bearer = require_access(services().tokens, request, game, current.session)
    answer = (
        _page(game, current, bearer, query) if form is None else _stream(game, current, bearer, form, resumed, query)
    )
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Accept, Accept-Language, Authorization"
    return answer


def _requested_format() -> StreamFormat | None:
    """Return the form of stream that the client asks for; None for a page.

    Raises:
        Problem: `not-acceptable`.
    """
    if not request.accept_mimetypes:
        return None
    wanted = request.accept_mimetypes.best_match([JSON, *STREAM_FORMATS])
    if wanted is None:
        raise Problem("not-acceptable", msg("events are given as {types}", types=", ".join([JSON, *STREAM_FORMATS])))
    return STREAM_FORMATS.get(wanted)


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
        bearer = require_access(services().tokens, request, game, current.session)
    viewer = viewer_for(bearer, current.session)
    decisions = services().games.decisions(game, after, query["limit"])
    last = decisions[-1].number if decisions else after
    version = max(current.game.number, last) if decisions else current.game.number
    events = [build_event_view(current.rulebook, decision, viewer) for decision in decisions]
    return json_response(EventsPage(events, version, more=last < version))


def _long_poll(game: str, current: LoadedGame, bearer: Bearer | None, after: int, seconds: int) -> None:
    """Wait until there is a decision after number `after`, the client has gone, or the time is up."""
    deadline = monotonic() + seconds
    wire = ClientConnection(request.environ)
    with _listen(game, current, bearer, wire) as listener:
        while listener.feed.newest.number <= after and not listener.has_ended and monotonic() < deadline:
            listener.wait(deadline - monotonic())
        if listener.has_ended:
            wire.close()


def _listen(game: str, current: LoadedGame, bearer: Bearer | None, wire: ClientConnection) -> Subscriber:
    """Start listening.

    Raises:
        Problem: `too-many-streams`.
    """
    news = services().broadcaster
    try:
        return news.subscribe(game, current, client_key(services().tokens, request), bearer, wire)
    except TooManyStreams:
        sentence = msg("{number} of your streams are open already", number=news.max_streams)
        raise Problem("too-many-streams", sentence, {"Retry-After": str(RETRY_SECONDS)}) from None


def _stream(
    game: str, current: LoadedGame, bearer: Bearer | None, form: StreamFormat, after: int | None, query: dict[str, Any]
) -> Response:
    if current.session.is_over and after == current.game.number and "Last-Event-ID" in request.headers:
        nothing = Response(status=204)
        del nothing.headers["Content-Type"]
        return nothing
    headers = {"X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(headers=headers, content_type=form.content_type)
    told = language()
    wire = ClientConnection(request.environ)
    listener = _listen(game, current, bearer, wire)
    try:
        newest = max(current, listener.feed.newest.current, key=lambda known: known.game.number)
        opening, asked = form.heartbeat, None
        if after is None or after > newest.game.number:  # or the log has lost what this client knows
            after = newest.game.number
            asked = encode_choices(newest, viewer_for(bearer, newest.session), told)
            opening = form.frame("game", after, _game_update(game, newest, bearer, asked))
        listener.number = after
        wire.configure()
        body = EventStream(
            services().games,
            listener,
            wire,
            form,
            opening,
            query.get("wait"),
            services().broadcaster.heartbeat,
            asked,
            told,
        )
    except BaseException:
        listener.close()
        raise
    return Response(body, headers=headers, content_type=form.content_type, direct_passthrough=True)


def _game_update(game: str, current: LoadedGame, bearer: Bearer | None, asked: bytes) -> bytes:
    shown = asdict(game_view(game, current, viewer_for(bearer, current.session)))
    return encode(GameUpdate(**shown, now=rfc3339(services().games.clock()), choices=Raw(asked)))  # type: ignore[arg-type]
