"""Streams: a game sent as it goes on, as Server-Sent Events or as lines of JSON.

A stream begins with a view of the game, or after a decision that the client names. Then it sends every decision as the
bearer may see it, in order and exactly once, and the choices of the bearer's seat whenever they change. Each decision
is encoded once for all who see the same of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from time import monotonic
from typing import Any, Literal, NamedTuple

import msgspec

from events.games.command_handler import CommandHandler
from events.games.repository import GameNotFound, LoadedGame
from events.store.errors import StoreUnavailable
from games.kernel import Decision, Rulebook, Viewer
from service.http.auth import verify_bearer, viewer_for
from service.http.client_connection import ClientConnection
from service.http.content_types import EVENT_STREAM, NDJSON
from service.http.problems import Problem
from service.http.responses import encode
from service.i18n.translate import ENGLISH
from service.presenters import build_choice_views, build_event_view
from service.schemas.responses import StreamEnd
from service.schemas.times import rfc3339
from service.streaming.broadcast import LatestState, Notification, Subscriber

RETRY_SECONDS = 1.0
"""The pause between attempts to read the past of a game while the store is unavailable."""
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


SERVER_SENT_EVENTS = StreamFormat(EVENT_STREAM, b":\n\n", _server_sent)
LINES = StreamFormat(NDJSON, b"\n", _line)
STREAM_FORMATS = {stream_format.content_type: stream_format for stream_format in (SERVER_SENT_EVENTS, LINES)}


class EventStream:
    """The body of an answer that goes on as long as the game does. It must be closed at the end, as WSGI servers do.

    Args:
        games: for reading decisions that the subscriber's channel no longer has.
        subscriber: its `number` is the decision after which the stream begins.
        connection: the client's.
        stream_format: how events are written.
        opening: the first bytes.
        idle_seconds: the seconds without events after which the stream ends; None: it does not end for that.
        heartbeat: the seconds without any bytes after which a heartbeat is sent.
        choices: the choices of the seat in the opening, as `encode_choices` encodes them; None: the opening has none.
        language: the language of the choices.
    """

    def __init__(
        self,
        games: CommandHandler,
        subscriber: Subscriber,
        connection: ClientConnection,
        stream_format: StreamFormat,
        opening: bytes,
        idle_seconds: float | None,
        heartbeat: float,
        choices: bytes | None = None,
        language: str = ENGLISH,
    ) -> None:
        self._games = games
        self._subscriber = subscriber
        self._connection = connection
        self._format = stream_format
        self._idle_seconds = idle_seconds
        self._choices = choices
        self._language = language
        self._heartbeat = heartbeat
        self._chunks = self._event_frames(opening)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        self._subscriber.written()
        chunk = next(self._chunks)
        self._subscriber.writing()
        return chunk

    def close(self) -> None:
        """Unsubscribe. The connection is not reused, since the service may be waiting to stop."""
        self._chunks.close()
        self._subscriber.close()
        self._connection.close()

    def _event_frames(self, opening: bytes) -> Generator[bytes, None, None]:
        yield opening
        self._last_event = self._last_bytes = monotonic()
        while not self._subscriber.has_ended:
            latest = self._subscriber.channel.latest
            reason: Reason | None = self._end_reason(latest.current)
            try:
                frames = [] if reason == "token-revoked" else self._frames(latest)
            except StoreUnavailable:
                frames = []
            except GameNotFound:
                return
            if frames:
                yield b"".join(frames)
                self._last_event = self._last_bytes = monotonic()
                continue
            is_behind = self._subscriber.number < latest.number and reason != "token-revoked"
            if not is_behind and reason is None and self._is_limit_reached():
                reason = "nothing-new"
            if not is_behind and reason is not None:
                yield self._format.frame("end", None, encode(StreamEnd(reason, self._subscriber.number)))
                return
            if monotonic() - self._last_bytes >= self._heartbeat:
                yield self._format.heartbeat
                self._last_bytes = monotonic()
            self._subscriber.wait(RETRY_SECONDS if is_behind else self._seconds_to_wait())

    def _is_limit_reached(self) -> bool:
        return self._idle_seconds is not None and monotonic() - self._last_event >= self._idle_seconds

    def _seconds_to_wait(self) -> float:
        until = self._last_bytes + self._heartbeat
        if self._idle_seconds is not None:
            until = min(until, self._last_event + self._idle_seconds)
        return until - monotonic()

    def _end_reason(self, current: LoadedGame) -> Reason | None:
        """The reason why nothing more will come once everything has been sent; None if more may come."""
        bearer = self._subscriber.bearer
        if bearer is not None:
            try:
                verify_bearer(bearer, self._subscriber.channel.game, current.session)
            except Problem:
                return "token-revoked"
        return "game-over" if current.session.is_over else None

    def _frames(self, latest: LatestState) -> list[bytes]:
        """Return what the client has not been sent yet or, if that is too much, the first page of it."""
        subscriber = self._subscriber
        viewer = viewer_for(subscriber.bearer, latest.current.session)
        notifications = latest.since(subscriber.number)
        if notifications is None:
            return self._backlog(latest, viewer)
        frames = [self._decision_frame(latest.current.rulebook, notification, viewer) for notification in notifications]
        subscriber.number = max(subscriber.number, latest.number)
        if subscriber.has_seat and subscriber.number == latest.number:
            language = self._language
            choices = _cached(
                latest.choices, (viewer, language), lambda: encode_choices(latest.current, viewer, language)
            )
            if choices != self._choices:
                frames.append(self._choices_frame(latest, choices, viewer))
            self._choices = choices
        return frames

    def _backlog(self, latest: LatestState, viewer: Viewer) -> list[bytes]:
        """Read a page of the log and return its frames.

        Raises:
            StoreUnavailable: when the log cannot be read.
            GameNotFound: when the log is no longer there.
        """
        subscriber = self._subscriber
        limit = min(PAGE, latest.number - subscriber.number)
        decisions = self._games.decisions(subscriber.channel.game, subscriber.number, limit)
        if not decisions:
            raise GameNotFound(subscriber.channel.game)
        subscriber.number = decisions[-1].number
        rulebook = latest.current.rulebook
        return [
            self._format.frame("decision", decision.number, encode_event(rulebook, decision, viewer))
            for decision in decisions
        ]

    def _decision_frame(self, rulebook: Rulebook[Any], notification: Notification, viewer: Viewer) -> bytes:
        stream_format, decision = self._format, notification.decision
        return _cached(
            notification.encoded,
            (stream_format.content_type, viewer),
            lambda: stream_format.frame("decision", decision.number, encode_event(rulebook, decision, viewer)),
        )

    def _choices_frame(self, latest: LatestState, choices: bytes, viewer: Viewer) -> bytes:
        stream_format = self._format
        body = {"version": latest.number, "now": rfc3339(self._games.clock()), "choices": msgspec.Raw(choices)}
        return _cached(
            latest.choices,
            (stream_format.content_type, viewer, self._language),
            lambda: stream_format.frame("choices", None, encode(body)),
        )


def encode_event(rulebook: Rulebook[Any], decision: Decision[Any], viewer: Viewer) -> bytes:
    """Return a decision as a viewer may see it, as JSON."""
    return encode(build_event_view(rulebook, decision, viewer))


def encode_choices(current: LoadedGame, viewer: Viewer, language: str = ENGLISH) -> bytes:
    """Return the choices of a viewer, in a language, as JSON; an empty list for a spectator."""
    return encode(build_choice_views(current.rulebook, current.game, viewer, language))


def _cached(cache: dict[Any, bytes], key: Any, make: Callable[[], bytes]) -> bytes:
    value = cache.get(key)
    if value is None:
        value = cache[key] = make()
    return value
