"""Events: what happened in a game, as pages or as a stream that goes on."""

from __future__ import annotations

from time import monotonic
from typing import Any

from flask import Blueprint, Response, request
from msgspec import Raw
from msgspec.structs import asdict

from events.games.repository import Current
from games.kernel import say
from service.api.commands import event_shown
from service.api.games import game_shown
from service.context import house
from service.http.auth import Bearer, admitted, viewer_of
from service.http.client_connection import Wire
from service.http.endpoint import Answer, operation
from service.http.problems import Problem
from service.http.rate_limits import who_asks
from service.http.responses import encode, reply, time_of
from service.i18n.translate import language
from service.schemas.requests import LARGEST, EventsQuerySchema
from service.schemas.responses import Choices, EventShown, EventsPage, GameFollowed, StreamEnd
from service.streaming.broadcast import Listener, TooManyStreams
from service.streaming.sse import FORMS, LINES, SERVER_SENT_EVENTS, Form, Stream, asked_of

bp = Blueprint("events", __name__)

RETRY_SECONDS = 15
"""The `Retry-After` when too many streams are open: by then, streams whose clients have gone are closed."""
JSON = "application/json"
EVENTS = {"game": GameFollowed, "decision": EventShown, "choices": Choices, "end": StreamEnd}
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "Streams: begin after this decision; goes before `after`. Browsers send it when they reconnect.",
    "schema": {"type": "string", "pattern": "^[0-9]{0,16}$"},
}


@operation(
    bp,
    "GET",
    "/games/<game>/events",
    summary="What happened, and what happens",
    access="any",
    query=EventsQuerySchema,
    parameters=(LAST_EVENT_ID,),
    answers={
        200: Answer(
            "A page of events, or a stream of them, as the bearer may see them.",
            EventsPage,
            streams={form.content_type: EVENTS for form in (SERVER_SENT_EVENTS, LINES)},
        ),
        204: Answer("The game is over and its last event was the one of `Last-Event-ID`: do not reconnect."),
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
    form = _wanted_form()
    resumed = _resumed_after(query)
    current = house().games.read(game)
    bearer = admitted(house().tokens, request, game, current.lobby)
    answer = (
        _page(game, current, bearer, query) if form is None else _stream(game, current, bearer, form, resumed, query)
    )
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Accept, Accept-Language, Authorization"
    return answer


def _wanted_form() -> Form | None:
    """Return the form of stream that the client asks for; None for a page.

    Raises:
        Problem: `not-acceptable`.
    """
    if not request.accept_mimetypes:
        return None
    wanted = request.accept_mimetypes.best_match([JSON, *FORMS])
    if wanted is None:
        raise Problem("not-acceptable", say("events are given as {types}", types=", ".join([JSON, *FORMS])))
    return FORMS.get(wanted)


def _resumed_after(query: dict[str, Any]) -> int | None:
    """Return the number of the decision after which a stream resumes; None: it begins with the game.

    Raises:
        Problem: `invalid`, for a header that is not the id of an event.
    """
    last = request.headers.get("Last-Event-ID", "").strip(" ")
    if not last:
        after: int | None = query.get("after")
        return after
    if not (last.isascii() and last.isdigit() and int(last[:17]) <= LARGEST):
        raise Problem("invalid", "Last-Event-ID: must be the id of an event of this game")
    return int(last)


def _page(game: str, current: Current, bearer: Bearer | None, query: dict[str, Any]) -> Response:
    after = query.get("after", 0)
    seconds = query.get("wait", 0)
    if seconds and current.game.number <= after and not current.lobby.is_over:
        _wait_for_news(game, current, bearer, after, seconds)
        current = house().games.read(game)
        bearer = admitted(house().tokens, request, game, current.lobby)
    viewer = viewer_of(bearer, current.lobby)
    decisions = house().games.decisions(game, after, query["limit"])
    last = decisions[-1].number if decisions else after
    version = max(current.game.number, last) if decisions else current.game.number
    events = [event_shown(current.rulebook, decision, viewer) for decision in decisions]
    return reply(EventsPage(events, version, more=last < version))


def _wait_for_news(game: str, current: Current, bearer: Bearer | None, after: int, seconds: int) -> None:
    """Wait until there is a decision after number `after`, the client has gone, or the time is up."""
    deadline = monotonic() + seconds
    wire = Wire(request.environ)
    with _listen(game, current, bearer, wire) as listener:
        while listener.feed.newest.number <= after and not listener.has_ended and monotonic() < deadline:
            listener.wait(deadline - monotonic())
        if listener.has_ended:
            wire.end()


def _listen(game: str, current: Current, bearer: Bearer | None, wire: Wire) -> Listener:
    """Start listening.

    Raises:
        Problem: `too-many-streams`.
    """
    news = house().news
    try:
        return news.listen(game, current, who_asks(), bearer, wire)
    except TooManyStreams:
        sentence = say("{number} of your streams are open already", number=news.most_streams)
        raise Problem("too-many-streams", sentence, {"Retry-After": str(RETRY_SECONDS)}) from None


def _stream(
    game: str, current: Current, bearer: Bearer | None, form: Form, after: int | None, query: dict[str, Any]
) -> Response:
    if current.lobby.is_over and after == current.game.number and "Last-Event-ID" in request.headers:
        nothing = Response(status=204)
        del nothing.headers["Content-Type"]
        return nothing
    headers = {"X-Accel-Buffering": "no"}
    if request.method == "HEAD":
        return Response(headers=headers, content_type=form.content_type)
    told = language()
    wire = Wire(request.environ)
    listener = _listen(game, current, bearer, wire)
    try:
        newest = max(current, listener.feed.newest.current, key=lambda known: known.game.number)
        opening, asked = form.heartbeat, None
        if after is None or after > newest.game.number:  # or the log has lost what this client knows
            after = newest.game.number
            asked = asked_of(newest, viewer_of(bearer, newest.lobby), told)
            opening = form.frame("game", after, _game_followed(game, newest, bearer, asked))
        listener.number = after
        wire.prepare()
        body = Stream(
            house().games, listener, wire, form, opening, query.get("wait"), house().news.heartbeat, asked, told
        )
    except BaseException:
        listener.close()
        raise
    return Response(body, headers=headers, content_type=form.content_type, direct_passthrough=True)


def _game_followed(game: str, current: Current, bearer: Bearer | None, asked: bytes) -> bytes:
    shown = asdict(game_shown(game, current, viewer_of(bearer, current.lobby)))
    return encode(GameFollowed(**shown, now=time_of(house().games.clock()), choices=Raw(asked)))  # type: ignore[arg-type]
