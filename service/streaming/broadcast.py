"""The broadcaster of a process: one reader of the store wakes everybody key subscribes to a game when it goes on.

Every append publishes game and number on the channel of its shard in the store. One thread of the process (under
gunicorn, a greenlet) receives these notices; if somebody here subscribes to the game, it reads the log once and wakes
the subscribers. They take what they send to their clients from the game's channel at their own pace: a slow one delays
neither the reader nor the others. While the store is unavailable, subscribers sleep; afterwards the reader catches up.
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

from events.games.command_handler import CommandHandler
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
"""A channel keeps at most this many decisions, for at most this long; a subscriber further behind reads the log."""
PAGE = 128
MAX_LAG = 512
STALLED_SECONDS = 10.0
"""A client that does not read is disconnected once it is this many decisions behind, or after this long."""
CHECK_SECONDS = 1.0
PING_SECONDS = 5.0
SILENCE_SECONDS = 15.0
STORE_RETRY_SECONDS = 0.2
IDLE_TTL_SECONDS = 10.0
"""The reader ends once nobody has subscribed for this long."""


class TooManyStreams(Exception):
    """A caller already has as many streams open as allowed."""


class Notification(NamedTuple):
    """A decision, when it was read here (monotonic seconds), and its encoded events, by form of stream and viewer."""

    decision: Decision[Any]
    at: float
    encoded: dict[Hashable, bytes]


class LatestState(NamedTuple):
    """A game as a channel knows it: its state, its latest decisions, and the choices of each seat, encoded."""

    current: LoadedGame
    recent: tuple[Notification, ...]
    choices: dict[Hashable, bytes]

    @property
    def number(self) -> int:
        """The number of the last decision."""
        return self.current.game.number

    def since(self, number: int) -> tuple[Notification, ...] | None:
        """Return the decisions after a number; None if the channel no longer has all of them."""
        missing = self.number - number
        if missing <= 0:
            return ()
        return self.recent[-missing:] if missing <= len(self.recent) else None


class GameChannel:
    """A game with subscribers. `latest` is replaced as a whole, so it can be read without a lock."""

    def __init__(self, game: str, current: LoadedGame) -> None:
        self.game = game
        self.latest = LatestState(current, (), {})
        self.subscribers: set[Subscriber] = set()
        self._reading = threading.Lock()

    def read(self, games: CommandHandler) -> bool:
        """Read what is new in the log, and wake the subscribers; return False if it has become a different log.

        Raises:
            StoreUnavailable: when the log cannot be read.
        """
        with self._reading:
            while True:
                followed = games.follow(self.game, self.latest.current, PAGE)
                if followed is None:
                    return False
                if followed.decisions:
                    self._publish(followed.current, followed.decisions)
                if len(followed.decisions) < PAGE:
                    return True

    def _publish(self, current: LoadedGame, decisions: list[Decision[Any]]) -> None:
        now = monotonic()
        recent = (item for item in self.latest.recent if now - item.at < RECENT_SECONDS)
        notifications = (*recent, *(Notification(decision, now, {}) for decision in decisions))
        self.latest = LatestState(current, notifications[-RECENT_EVENTS:], {})
        for subscriber in self.subscribers.copy():
            subscriber.wake(current.game.number)


class Subscriber:
    """An open stream of a game, or a waiting request. It must be closed at the end.

    `key` identifies the caller. `number` is the last decision that the subscriber has taken; `has_ended` tells it to
    stop.
    """

    def __init__(
        self,
        broadcaster: Broadcaster,
        channel: GameChannel,
        key: str,
        bearer: Bearer | None,
        number: int,
        connection: ClientConnection,
    ) -> None:
        self.channel = channel
        self.key = key
        self.bearer = bearer
        self.number = number
        self.has_ended = False
        self._broadcaster = broadcaster
        self._connection = connection
        self._woken = threading.Event()
        self._unread_since: float | None = None

    @property
    def has_seat(self) -> bool:
        """Is it the stream of a seat?"""
        return self.bearer is not None and self.bearer.seat is not None

    def wait(self, seconds: float) -> bool:
        """Wait until there may be something new; return False if the time is up."""
        woken = self._woken.wait(max(0.0, seconds))
        self._woken.clear()
        return woken

    def writing(self) -> None:
        """Note that bytes were handed over to be sent to the client."""
        self._unread_since = monotonic()

    def written(self) -> None:
        """Note that the client has taken all of them."""
        self._unread_since = None

    def wake(self, number: int) -> None:
        """Wake it because the game has reached a number; disconnect a client that is far behind and does not read."""
        if self._unread_since is not None and number - self.number > MAX_LAG:
            self.disconnect()
        self._woken.set()

    def check_alive(self, now: float) -> None:
        """Disconnect the client if it has gone, or has not read for too long."""
        is_stalled = self._unread_since is not None and now - self._unread_since > STALLED_SECONDS
        if is_stalled or self._connection.is_closed():
            self.disconnect()

    def disconnect(self) -> None:
        """Disconnect the client."""
        self.has_ended = True
        self._connection.abort()
        self._woken.set()

    def finish(self) -> None:
        """Tell it to end gracefully."""
        self.has_ended = True
        self._woken.set()

    def close(self) -> None:
        """Unsubscribe."""
        self._broadcaster.unsubscribe(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Broadcaster:
    """All subscribers of this process, and the reader that wakes them. Nothing runs while there are none.

    `heartbeat`: the seconds without events after which a stream sends a heartbeat. `max_streams`: how many streams one
    caller may have open at a time in this process; None: any number.
    """

    def __init__(
        self, games: CommandHandler, heartbeat: float = HEARTBEAT_SECONDS, max_streams: int | None = None
    ) -> None:
        self.heartbeat = heartbeat
        self.max_streams = max_streams
        self._games = games
        self._channels: dict[str, GameChannel] = {}
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None
        self._needed_at = 0.0
        self._closing = threading.Event()

    def open_stream_count(self, key: str) -> int:
        """Return how many streams and waiting requests of a caller are open in this process."""
        return self._open[key]

    @property
    def subscriber_count(self) -> int:
        """The number of streams and waiting requests that are open in this process."""
        return self._open.total()

    def subscribe(
        self, game: str, current: LoadedGame, key: str, bearer: Bearer | None, connection: ClientConnection
    ) -> Subscriber:
        """Subscribe to a game, from the state just read. `key` identifies the caller, key sees it as `bearer`.

        Raises:
            TooManyStreams: when the caller has too many streams open.
            StoreUnavailable: when the store became unavailable meanwhile.
        """
        with self._lock:
            if self.max_streams is not None and self._open[key] >= self.max_streams:
                raise TooManyStreams(self.max_streams)
            channel = self._channels.get(game)
            is_first = channel is None
            if channel is None:
                channel = self._channels[game] = GameChannel(game, current)
            subscriber = Subscriber(self, channel, key, bearer, current.game.number, connection)
            channel.subscribers.add(subscriber)
            self._open[key] += 1
            STREAMS.inc()
            if self._closing.is_set():
                subscriber.finish()
            elif self._reader is None:
                self._needed_at = monotonic()
                self._reader = threading.Thread(target=self._run, name="broadcaster", daemon=True)
                self._reader.start()
        if is_first:
            try:
                self._read(channel)  # nobody has received notices since `current` was read
            except BaseException:
                self.unsubscribe(subscriber)
                raise
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a subscriber; harmless if it has been removed already."""
        with self._lock:
            channel = subscriber.channel
            if subscriber not in channel.subscribers:
                return
            channel.subscribers.remove(subscriber)
            self._open[subscriber.key] -= 1
            if not self._open[subscriber.key]:
                del self._open[subscriber.key]
            STREAMS.dec()
            if not channel.subscribers and self._channels.get(channel.game) is channel:
                del self._channels[channel.game]

    def close(self) -> None:
        """End all streams; their clients reconnect to another process, or to this one once it has restarted."""
        with self._lock:
            self._closing.set()
            subscribers = [subscriber for channel in self._channels.values() for subscriber in channel.subscribers]
        for subscriber in subscribers:
            subscriber.finish()

    # The reader.

    def _run(self) -> None:
        while self._is_needed():
            try:
                self._receive_notices()
            except (StoreUnavailable, RedisError, OSError) as error:
                log.warning("notices of the store cannot be received: %s", error)
                self._check_subscribers()
            except Exception:
                log.exception("the reader of notices failed, and starts again")
            else:
                return
            self._closing.wait(STORE_RETRY_SECONDS)

    def _is_needed(self) -> bool:
        """Is there a subscriber, or was there until recently? If not, the next one starts another reader."""
        with self._lock:
            if self._channels:
                self._needed_at = monotonic()
            is_needed = not self._closing.is_set() and monotonic() - self._needed_at <= IDLE_TTL_SECONDS
            if not is_needed:
                self._reader = None
        return is_needed

    def _receive_notices(self) -> None:
        """Subscribe, read what was missed, and receive notices until there are no subscribers any more."""
        pubsub: PubSub
        with self._games.store.listener() as pubsub:
            pubsub.subscribe(*(keys.append_channel(shard) for shard in range(keys.SHARDS)))
            _await_subscription(pubsub)
            for channel in list(self._channels.values()):
                self._read_or_drop(channel)
            received = pinged = checked = monotonic()
            while True:
                message = pubsub.get_message(timeout=CHECK_SECONDS)
                now = monotonic()
                if message is not None:
                    received = now
                    self._notify(message)
                elif now - received > SILENCE_SECONDS:
                    raise StoreUnavailable(f"it has sent nothing for {SILENCE_SECONDS:.0f} s")
                if now - pinged > PING_SECONDS:
                    pinged = now
                    pubsub.ping()
                if now - checked > CHECK_SECONDS:
                    checked = now
                    self._check_subscribers()
                    if not self._is_needed():
                        return

    def _read(self, channel: GameChannel) -> None:
        """Read what a channel has missed. If the log is a different one now, end the channel: clients start anew."""
        if channel.read(self._games):
            return
        log.error("game %s: its log is not the one that was sent from here", channel.game)
        self._drop(channel)

    def _read_or_drop(self, channel: GameChannel) -> None:
        """Read what a channel has missed. If that fails, end only this channel, so that the others go on."""
        try:
            self._read(channel)
        except (StoreUnavailable, RedisError, OSError):
            raise
        except Exception:
            log.exception("game %s cannot be read here", channel.game)
            self._drop(channel)

    def _drop(self, channel: GameChannel) -> None:
        """Disconnect all subscribers of a channel: their clients reconnect and start anew."""
        with self._lock:
            if self._channels.get(channel.game) is channel:
                del self._channels[channel.game]
        for subscriber in channel.subscribers.copy():
            subscriber.disconnect()

    def _notify(self, message: dict[str, Any]) -> None:
        if message["type"] == "message":
            game, number = read_notice(message["data"])
            channel = self._channels.get(game)
            if channel is not None and number > channel.latest.number:
                self._read_or_drop(channel)

    def _check_subscribers(self) -> None:
        now = monotonic()
        for channel in list(self._channels.values()):
            for subscriber in channel.subscribers.copy():
                subscriber.check_alive(now)


def _await_subscription(pubsub: PubSub) -> None:
    """Wait until the server has confirmed every subscription: from then on, nothing is missed."""
    deadline = monotonic() + SILENCE_SECONDS
    confirmed = 0
    while confirmed < keys.SHARDS:
        message = pubsub.get_message(timeout=CHECK_SECONDS)
        if message is not None and message["type"] == "subscribe":
            confirmed += 1
        elif monotonic() > deadline:
            raise StoreUnavailable("it does not confirm subscriptions")
