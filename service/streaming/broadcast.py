"""The news of a process: one reader of the store wakes everybody who listens to a game when it goes on.

Every append publishes game and number on the channel of its shard. One thread of the process (under gunicorn, a
greenlet) receives them all; if somebody here listens to the game, it reads the log once and wakes the listeners. These
take what they send to their clients from the game's feed at their own pace: a slow one holds up neither the reader nor
the others. While the store is away, listeners sleep; once it is back, the reader catches up.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Hashable
from time import monotonic
from typing import Any, NamedTuple, Self

from redis.client import PubSub
from redis.exceptions import RedisError

from events.games.commands import CommandHandler
from events.games.repository import LoadedGame
from events.metrics import STREAMS
from events.store import keys
from events.store.errors import StoreUnavailable
from events.store.log_store import read_notice
from games.kernel import Decision
from service.http.auth import Bearer
from service.http.client_connection import ClientConnection

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
RECENT_EVENTS = 256
RECENT_SECONDS = 5.0
"""A feed keeps at most this many decisions, for at most this long; a listener that is further behind reads the log."""
PAGE = 128
MAX_LAG = 512
STALLED_SECONDS = 10.0
"""A client that does not take what it is sent is cut off once it is this many decisions behind, or after this long."""
CHECK_SECONDS = 1.0
PING_SECONDS = 5.0
SILENCE_SECONDS = 15.0
STORE_RETRY_SECONDS = 0.2
IDLE_TTL_SECONDS = 10.0
"""The reader ends once nobody has listened for this long."""


class TooManyStreams(Exception):
    """A caller already has as many streams open as allowed."""


class Notification(NamedTuple):
    """A decision, when it was read here (monotonic seconds), and its encoded events, by form of stream and viewer."""

    decision: Decision[Any]
    at: float
    encoded: dict[Hashable, bytes]


class LatestState(NamedTuple):
    """A game as a feed knows it: its state, its latest decisions, and what each seat is asked, encoded."""

    current: LoadedGame
    recent: tuple[Notification, ...]
    asked: dict[Hashable, bytes]

    @property
    def number(self) -> int:
        """The number of the last decision."""
        return self.current.game.number

    def since(self, number: int) -> tuple[Notification, ...] | None:
        """Return the decisions after a number; None if they are not all kept here."""
        missing = self.number - number
        if missing <= 0:
            return ()
        return self.recent[-missing:] if missing <= len(self.recent) else None


class GameChannel:
    """A game that somebody listens to. `newest` is replaced as a whole, so it can be read without a lock."""

    def __init__(self, game: str, current: LoadedGame) -> None:
        self.game = game
        self.newest = LatestState(current, (), {})
        self.listeners: set[Subscriber] = set()
        self._reading = threading.Lock()

    def read(self, games: CommandHandler) -> bool:
        """Read what is new in the log, and wake the listeners; return False if it has become a different log.

        Raises:
            StoreAway: when the log cannot be read.
        """
        with self._reading:
            while True:
                followed = games.follow(self.game, self.newest.current, PAGE)
                if followed is None:
                    return False
                if followed.decisions:
                    self._publish(followed.current, followed.decisions)
                if len(followed.decisions) < PAGE:
                    return True

    def _publish(self, current: LoadedGame, decisions: list[Decision[Any]]) -> None:
        now = monotonic()
        kept = (happened for happened in self.newest.recent if now - happened.at < RECENT_SECONDS)
        recent = (*kept, *(Notification(decision, now, {}) for decision in decisions))
        self.newest = LatestState(current, recent[-RECENT_EVENTS:], {})
        for listener in self.listeners.copy():
            listener.wake(current.game.number)


class Subscriber:
    """One that listens to a game: an open stream, or a waiting request. It must be closed at the end.

    `number` is the last decision that it has taken; `has_ended` tells it to stop.
    """

    def __init__(
        self, news: Broadcaster, feed: GameChannel, who: str, bearer: Bearer | None, number: int, wire: ClientConnection
    ) -> None:
        self.feed = feed
        self.who = who
        self.bearer = bearer
        self.number = number
        self.has_ended = False
        self._news = news
        self._wire = wire
        self._woken = threading.Event()
        self._writing_since: float | None = None

    @property
    def has_seat(self) -> bool:
        """Does it listen for a seat?"""
        return self.bearer is not None and self.bearer.seat is not None

    def wait(self, seconds: float) -> bool:
        """Wait until there may be something new; return False if the time is up."""
        woken = self._woken.wait(max(0.0, seconds))
        self._woken.clear()
        return woken

    def writing(self) -> None:
        """Note that bytes were handed over to be sent to the client."""
        self._writing_since = monotonic()

    def written(self) -> None:
        """Note that the client has taken all of them."""
        self._writing_since = None

    def wake(self, number: int) -> None:
        """Wake it because the game has reached a number; cut off a client that is far behind and takes nothing."""
        if self._writing_since is not None and number - self.number > MAX_LAG:
            self.close_stream()
        self._woken.set()

    def check_alive(self, now: float) -> None:
        """Cut the client off if it has gone, or has taken nothing for too long."""
        is_stalled = self._writing_since is not None and now - self._writing_since > STALLED_SECONDS
        if is_stalled or self._wire.is_closed():
            self.close_stream()

    def close_stream(self) -> None:
        """Cut the client off."""
        self.has_ended = True
        self._wire.abort()
        self._woken.set()

    def finish(self) -> None:
        """Tell it to end gracefully."""
        self.has_ended = True
        self._woken.set()

    def close(self) -> None:
        """Stop listening."""
        self._news.forget(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Broadcaster:
    """All listeners of this process, and the reader that wakes them. Nothing runs while nobody listens.

    `heartbeat`: the seconds without news after which a stream sends a heartbeat. `max_streams`: how many streams one
    caller may have open at a time in this process; None: any number.
    """

    def __init__(
        self, games: CommandHandler, heartbeat: float = HEARTBEAT_SECONDS, max_streams: int | None = None
    ) -> None:
        self.heartbeat = heartbeat
        self.max_streams = max_streams
        self._games = games
        self._feeds: dict[str, GameChannel] = {}
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None
        self._needed_at = 0.0
        self._closing = threading.Event()

    def open_stream_count(self, who: str) -> int:
        """How many streams and waiting requests of a caller are open in this process."""
        return self._open[who]

    @property
    def subscribers(self) -> int:
        """How many streams and waiting requests are open in this process."""
        return self._open.total()

    def subscribe(
        self, game: str, known: LoadedGame, who: str, bearer: Bearer | None, wire: ClientConnection
    ) -> Subscriber:
        """Start listening to a game, from the state just read. `who` identifies the caller, who sees it as `bearer`.

        Raises:
            TooManyStreams: when the caller has too many streams open.
            StoreAway: when the store went away meanwhile.
        """
        with self._lock:
            if self.max_streams is not None and self._open[who] >= self.max_streams:
                raise TooManyStreams(self.max_streams)
            feed = self._feeds.get(game)
            is_first = feed is None
            if feed is None:
                feed = self._feeds[game] = GameChannel(game, known)
            listener = Subscriber(self, feed, who, bearer, known.game.number, wire)
            feed.listeners.add(listener)
            self._open[who] += 1
            STREAMS.inc()
            if self._closing.is_set():
                listener.finish()
            elif self._reader is None:
                self._needed_at = monotonic()
                self._reader = threading.Thread(target=self._run, name="news", daemon=True)
                self._reader.start()
        if is_first:
            try:
                self._read(feed)  # nobody has heard the news since `known` was read
            except BaseException:
                self.forget(listener)
                raise
        return listener

    def forget(self, listener: Subscriber) -> None:
        """Remove a listener; harmless if it has been removed already."""
        with self._lock:
            feed = listener.feed
            if listener not in feed.listeners:
                return
            feed.listeners.remove(listener)
            self._open[listener.who] -= 1
            if not self._open[listener.who]:
                del self._open[listener.who]
            STREAMS.dec()
            if not feed.listeners and self._feeds.get(feed.game) is feed:
                del self._feeds[feed.game]

    def close(self) -> None:
        """End all streams; their clients reconnect to another process, or to this one once it has restarted."""
        with self._lock:
            self._closing.set()
            listeners = [listener for feed in self._feeds.values() for listener in feed.listeners]
        for listener in listeners:
            listener.finish()

    # The reader.

    def _run(self) -> None:
        while self._is_needed():
            try:
                self._handle_notice()
            except (StoreUnavailable, RedisError, OSError) as error:
                log.warning("the news of the store cannot be heard: %s", error)
                self._check_subscribers()
            except Exception:
                log.exception("the reader of the news failed, and begins again")
            else:
                return
            self._closing.wait(STORE_RETRY_SECONDS)

    def _is_needed(self) -> bool:
        """Is anybody listening, or was until recently? If not, the next listener starts another reader."""
        with self._lock:
            if self._feeds:
                self._needed_at = monotonic()
            is_needed = not self._closing.is_set() and monotonic() - self._needed_at <= IDLE_TTL_SECONDS
            if not is_needed:
                self._reader = None
        return is_needed

    def _handle_notice(self) -> None:
        """Subscribe, read what was missed, and receive news until nobody listens any more."""
        news: PubSub
        with self._games.store.listener() as news:
            news.subscribe(*(keys.channel(shard) for shard in range(keys.SHARDS)))
            _await_subscription(news)
            for feed in list(self._feeds.values()):
                self._read_or_drop(feed)
            heard = pinged = glanced = monotonic()
            while True:
                message = news.get_message(timeout=CHECK_SECONDS)
                now = monotonic()
                if message is not None:
                    heard = now
                    self._notify(message)
                elif now - heard > SILENCE_SECONDS:
                    raise StoreUnavailable(f"it has said nothing for {SILENCE_SECONDS:.0f} s")
                if now - pinged > PING_SECONDS:
                    pinged = now
                    news.ping()
                if now - glanced > CHECK_SECONDS:
                    glanced = now
                    self._check_subscribers()
                    if not self._is_needed():
                        return

    def _read(self, feed: GameChannel) -> None:
        """Read what a feed has missed. If the log is a different one now, end the feed: clients start anew."""
        if feed.read(self._games):
            return
        log.error("game %s: its log is not the one that was told here", feed.game)
        self._drop(feed)

    def _read_or_drop(self, feed: GameChannel) -> None:
        """Read what a feed has missed. If that fails, end only this feed, so that the others go on."""
        try:
            self._read(feed)
        except (StoreUnavailable, RedisError, OSError):
            raise
        except Exception:
            log.exception("game %s cannot be read here", feed.game)
            self._drop(feed)

    def _drop(self, feed: GameChannel) -> None:
        """Cut off all listeners of a feed: their clients reconnect and start anew."""
        with self._lock:
            if self._feeds.get(feed.game) is feed:
                del self._feeds[feed.game]
        for listener in feed.listeners.copy():
            listener.close_stream()

    def _notify(self, message: dict[str, Any]) -> None:
        if message["type"] == "message":
            game, number = read_notice(message["data"])
            feed = self._feeds.get(game)
            if feed is not None and number > feed.newest.number:
                self._read_or_drop(feed)

    def _check_subscribers(self) -> None:
        now = monotonic()
        for feed in list(self._feeds.values()):
            for listener in feed.listeners.copy():
                listener.check_alive(now)


def _await_subscription(news: PubSub) -> None:
    """Wait until the server has confirmed every subscription: from then on, nothing is missed."""
    deadline = monotonic() + SILENCE_SECONDS
    confirmed = 0
    while confirmed < keys.SHARDS:
        message = news.get_message(timeout=CHECK_SECONDS)
        if message is not None and message["type"] == "subscribe":
            confirmed += 1
        elif monotonic() > deadline:
            raise StoreUnavailable("it does not let us hear its news")
