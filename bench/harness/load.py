"""The load generator: sends the commands of scripts over persistent connections, and measures the response times.

It uses one thread and non-blocking sockets, and reads only the status of a response. It is limited in time, and by the
number of commands in the scripts.
"""

import heapq
import selectors
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bench.harness.scripts import Script, SeatRequest

CREATED = 201
DRAIN_SECONDS = 10.0
CHUNK_BYTES = 65536
HEAD_END = b"\r\n\r\n"
LENGTH_HEADER = b"content-length:"


class Load(NamedTuple):
    """The result: the latency in seconds of each command accepted within the measured time, and all statuses."""

    seconds: float
    latencies: list[float]
    statuses: Counter[int]

    @property
    def per_second(self) -> float:
        """Commands accepted per second."""
        return len(self.latencies) / self.seconds

    @property
    def refused(self) -> int:
        """The number of commands whose status was not 201."""
        return sum(number for status, number in self.statuses.items() if status != CREATED)


class ScriptQueue:
    """Plays one script after another; the next run continues where the last one stopped.

    Args:
        seats: how many seats the scripts have.
        scripts: the source of the scripts, which other queues may share.
        one_at_a_time: whether only one command is sent at a time.
    """

    def __init__(self, seats: int, scripts: Iterator[Script], *, one_at_a_time: bool = False) -> None:
        self.connections = 1 if one_at_a_time else seats
        self._scripts = scripts
        self._one_at_a_time = one_at_a_time
        self._waves: deque[list[SeatRequest]] = deque()

    def next_wave(self) -> list[SeatRequest] | None:
        """Return the commands to send next; None when there are no more scripts."""
        if not self._waves:
            script = next(self._scripts, None)
            if script is None:
                return None
            for wave in script.waves:
                self._waves.extend([[request._replace(seat=0)] for request in wave] if self._one_at_a_time else [wave])
        return self._waves.popleft()


class Connection:
    """A connection, and the request that was sent on it."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.sent_at = 0.0
        self._received = b""

    def send(self, request: bytes, now: float) -> None:
        """Send a request; `now` is the time by `time.perf_counter`."""
        self.sent_at = now
        self.socket.send(request)

    def status(self) -> int | None:
        """Read what has arrived; return the status of the response once it is complete."""
        chunk = self.socket.recv(CHUNK_BYTES)
        if not chunk:
            raise RuntimeError("the server closed a connection")
        self._received += chunk
        head, end, body = self._received.partition(HEAD_END)
        if not end:
            return None
        _, _, rest = head.lower().partition(LENGTH_HEADER)
        if len(body) < int(rest.partition(b"\r\n")[0]):
            return None
        self._received = b""
        return int(head[9:12])


class _SeatConnection(Connection):
    """The connection of a seat of a game."""

    def __init__(self, port: int, game: "_Game") -> None:
        super().__init__(port)
        self.game = game


class _Game:
    """A game: its connections, and the number of responses of its wave that are still missing."""

    __slots__ = ("connections", "missing", "scripts")

    def __init__(self, scripts: ScriptQueue) -> None:
        self.scripts = scripts
        self.connections: list[_SeatConnection] = []
        self.missing = 0


class Generator:
    """Plays scripts against a server until the time is up, then waits for the missing responses.

    `thinking` returns the seconds that a seat takes before it answers; None: all answer at once.
    """

    def __init__(self, port: int, games: Sequence[ScriptQueue], thinking: Callable[[], float] | None = None) -> None:
        self._port = port
        self._games = [_Game(scripts) for scripts in games]
        self._thinking = thinking
        self._selector = selectors.DefaultSelector()
        self._timers: list[tuple[float, int, _SeatConnection, bytes]] = []
        self._order = 0
        self._outstanding = 0

    def run(self, seconds: float) -> Load:
        """Send commands, and measure those with a response within `seconds`."""
        try:
            self._connect()
            return self._measure(seconds)
        finally:
            for game in self._games:
                for connection in game.connections:
                    connection.socket.close()
            self._selector.close()

    def _connect(self) -> None:
        for game in self._games:
            for _ in range(game.scripts.connections):
                connection = _SeatConnection(self._port, game)
                game.connections.append(connection)
                self._selector.register(connection.socket, selectors.EVENT_READ, connection)

    def _measure(self, seconds: float) -> Load:
        latencies: list[float] = []
        statuses: Counter[int] = Counter()
        begin = now = time.perf_counter()
        end = begin + seconds
        for game in self._games:
            self._send_wave(game, now)
        while self._outstanding and now < end + DRAIN_SECONDS:
            wait = max(0.0, self._timers[0][0] - now) if self._timers else DRAIN_SECONDS
            for key, _ in self._selector.select(wait):
                connection: _SeatConnection = key.data
                status = connection.status()
                if status is None:
                    continue
                now = time.perf_counter()
                statuses[status] += 1
                if now <= end and status == CREATED:
                    latencies.append(now - connection.sent_at)
                self._on_response(connection.game, now, stop=now >= end)
            now = time.perf_counter()
            self._send_due(now)
        if self._outstanding:
            raise RuntimeError(f"{self._outstanding} commands had no response within {DRAIN_SECONDS} s")
        return Load(seconds, latencies, statuses)

    def _on_response(self, game: _Game, now: float, *, stop: bool) -> None:
        self._outstanding -= 1
        game.missing -= 1
        if game.missing == 0 and not stop:
            self._send_wave(game, now)

    def _send_wave(self, game: _Game, now: float) -> None:
        wave = game.scripts.next_wave()
        if wave is None:
            raise RuntimeError("the games ended before the time was up")
        game.missing = len(wave)
        self._outstanding += len(wave)
        for request in wave:
            connection = game.connections[request.seat]
            if self._thinking is None:
                connection.send(request.request, now)
            else:
                self._order += 1
                heapq.heappush(self._timers, (now + self._thinking(), self._order, connection, request.request))

    def _send_due(self, now: float) -> None:
        while self._timers and self._timers[0][0] <= now:
            _, _, connection, request = heapq.heappop(self._timers)
            connection.send(request, now)
