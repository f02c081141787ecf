"""Streams: a game sent as it goes on, as Server-Sent Events or as lines of JSON.

A stream begins with a view of the game, or after a decision that the client names. Then it sends every decision as the
bearer may see it, in order and exactly once, and what the bearer's seat is asked whenever that changes. Each decision
is encoded once for all who see the same of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from time import monotonic
from typing import Any, Literal, NamedTuple

import msgspec

from events.games.commands import CommandHandler
from events.games.repository import GameNotFound, LoadedGame
from events.store.errors import StoreUnavailable
from games.kernel import Decision, Rulebook, Viewer
from service.http.auth import verify_bearer, viewer_for
from service.http.client_connection import ClientConnection
from service.http.problems import Problem
from service.http.responses import encode
from service.i18n.translate import ENGLISH
from service.presenters import build_choice_views, build_event_view
from service.schemas.responses import StreamEnd
from service.schemas.times import rfc3339
from service.streaming.broadcast import LatestState, Notification, Subscriber

RETRY_SECONDS = 1.0
"""The pause between attempts to read the past of a game while the store is away."""
PAGE = 100
"""At most this many past decisions are read and sent at a time."""

Reason = Literal["game-over", "token-revoked", "nothing-new"]
EventName = Literal["game", "decision", "choices", "end"]


class StreamFormat(NamedTuple):
    """How events are written: the content type, a heartbeat, and a function that frames an event.

    `frame` is given the event's name, the number of the decision after which a client would resume (None: unchanged),
    and the event's body, a JSON object.
    """

    content_type: str
    heartbeat: bytes
    frame: Callable[[EventName, int | None, bytes], bytes]


def _server_sent(name: EventName, number: int | None, body: bytes) -> bytes:
    head = b"" if number is None else b"id: %d\n" % number
    return b"%sevent: %s\ndata: %s\n\n" % (head, name.encode(), body)


def _line(name: EventName, number: int | None, body: bytes) -> bytes:
    return b'{"type":"%s",%s\n' % (name.encode(), body[1:])


SERVER_SENT_EVENTS = StreamFormat("text/event-stream", b":\n\n", _server_sent)
LINES = StreamFormat("application/x-ndjson", b"\n", _line)
STREAM_FORMATS = {form.content_type: form for form in (SERVER_SENT_EVENTS, LINES)}


class EventStream:
    """The body of an answer that goes on as long as the game does. It must be closed at the end, as WSGI servers do.

    Args:
        games: for reading decisions that the listener's feed no longer keeps.
        listener: the listener; its `number` is the decision after which the stream begins.
        form: how events are written.
        opening: the first bytes.
        patience: the seconds without anything new after which the stream ends; None: it does not end for that.
        heartbeat: the seconds without any bytes after which a heartbeat is sent.
        told: the language of what the seat is asked.
        asked: what the seat is asked according to the opening, as `encode_choices` encodes it; None: it says nothing of that.
    """

    def __init__(
        self,
        games: CommandHandler,
        listener: Subscriber,
        wire: ClientConnection,
        form: StreamFormat,
        opening: bytes,
        patience: float | None,
        heartbeat: float,
        asked: bytes | None = None,
        told: str = ENGLISH,
    ) -> None:
        self._games = games
        self._listener = listener
        self._wire = wire
        self._form = form
        self._patience = patience
        self._asked = asked
        self._language = told
        self._heartbeat = heartbeat
        self._chunks = self._event_frames(opening)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        self._listener.written()
        chunk = next(self._chunks)
        self._listener.writing()
        return chunk

    def close(self) -> None:
        """Stop listening. The connection is not reused, since the service may be waiting to stop."""
        self._chunks.close()
        self._listener.close()
        self._wire.close()

    def _event_frames(self, opening: bytes) -> Generator[bytes, None, None]:
        yield opening
        self._last_news = self._last_bytes = monotonic()
        while not self._listener.has_ended:
            newest = self._listener.feed.newest
            reason: Reason | None = self._end_reason(newest.current)
            try:
                frames = [] if reason == "token-revoked" else self._frames(newest)
            except StoreUnavailable:
                frames = []
            except GameNotFound:
                return
            if frames:
                yield b"".join(frames)
                self._last_news = self._last_bytes = monotonic()
                continue
            is_behind = self._listener.number < newest.number and reason != "token-revoked"
            if not is_behind and reason is None and self._is_limit_reached():
                reason = "nothing-new"
            if not is_behind and reason is not None:
                yield self._form.frame("end", None, encode(StreamEnd(reason, self._listener.number)))
                return
            if monotonic() - self._last_bytes >= self._heartbeat:
                yield self._form.heartbeat
                self._last_bytes = monotonic()
            self._listener.wait(RETRY_SECONDS if is_behind else self._seconds_to_wait())

    def _is_limit_reached(self) -> bool:
        return self._patience is not None and monotonic() - self._last_news >= self._patience

    def _seconds_to_wait(self) -> float:
        until = self._last_bytes + self._heartbeat
        if self._patience is not None:
            until = min(until, self._last_news + self._patience)
        return until - monotonic()

    def _end_reason(self, current: LoadedGame) -> Reason | None:
        """The reason why nothing more will come once everything has been sent; None if more may come."""
        bearer = self._listener.bearer
        if bearer is not None:
            try:
                verify_bearer(bearer, self._listener.feed.game, current.session)
            except Problem:
                return "token-revoked"
        return "game-over" if current.session.is_over else None

    def _frames(self, newest: LatestState) -> list[bytes]:
        """Return what the client has not been sent yet or, if that is too much, the first page of it."""
        listener = self._listener
        viewer = viewer_for(listener.bearer, newest.current.session)
        happened = newest.since(listener.number)
        if happened is None:
            return self._backlog(newest, viewer)
        frames = [self._decision_frame(newest.current.rulebook, each, viewer) for each in happened]
        listener.number = max(listener.number, newest.number)
        if listener.has_seat and listener.number == newest.number:
            told = self._language
            asked = _remembered(newest.asked, (viewer, told), lambda: encode_choices(newest.current, viewer, told))
            if asked != self._asked:
                frames.append(self._choices_frame(newest, asked, viewer))
            self._asked = asked
        return frames

    def _backlog(self, newest: LatestState, viewer: Viewer) -> list[bytes]:
        """Read a page of the log and return its frames.

        Raises:
            StoreAway: when the log cannot be read.
            UnknownGame: when the log is no longer there.
        """
        listener = self._listener
        limit = min(PAGE, newest.number - listener.number)
        decisions = self._games.decisions(listener.feed.game, listener.number, limit)
        if not decisions:
            raise GameNotFound(listener.feed.game)
        listener.number = decisions[-1].number
        rulebook = newest.current.rulebook
        return [
            self._form.frame("decision", decision.number, encode_event(rulebook, decision, viewer))
            for decision in decisions
        ]

    def _decision_frame(self, rulebook: Rulebook[Any], happened: Notification, viewer: Viewer) -> bytes:
        form, decision = self._form, happened.decision
        return _remembered(
            happened.encoded,
            (form.content_type, viewer),
            lambda: form.frame("decision", decision.number, encode_event(rulebook, decision, viewer)),
        )

    def _choices_frame(self, newest: LatestState, asked: bytes, viewer: Viewer) -> bytes:
        form = self._form
        body = {"version": newest.number, "now": rfc3339(self._games.clock()), "choices": msgspec.Raw(asked)}
        return _remembered(
            newest.asked,
            (form.content_type, viewer, self._language),
            lambda: form.frame("choices", None, encode(body)),
        )


def encode_event(rulebook: Rulebook[Any], decision: Decision[Any], viewer: Viewer) -> bytes:
    """Return a decision as a viewer may see it, as JSON."""
    return encode(build_event_view(rulebook, decision, viewer))


def encode_choices(current: LoadedGame, viewer: Viewer, told: str = ENGLISH) -> bytes:
    """Return what a viewer is asked, in a language, as JSON; an empty list for a spectator."""
    return encode(build_choice_views(current.rulebook, current.game, viewer, told))


def _remembered(kept: dict[Any, bytes], key: Any, make: Callable[[], bytes]) -> bytes:
    found = kept.get(key)
    if found is None:
        found = kept[key] = make()
    return found
