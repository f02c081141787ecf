"""The load: sends the commands of scripts over kept-open connections, and measures how long the answers take.

It uses one thread and non-blocking sockets, and does as little as possible with an answer: it reads only the status.
It is bounded in time, and by the number of commands in the scripts.
"""

import heapq
import selectors
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bench.scripts import Script, Sent

CREATED = 201
DRAIN_SECONDS = 10.0
CHUNK = 65536
HEAD_END = b"\r\n\r\n"
LENGTH = b"content-length:"


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
        """How many were not answered with 201."""
        return sum(number for status, number in self.statuses.items() if status != CREATED)


class Playing:
    """A place where one script is played after another, for as long as needed; it resumes where it stopped.

    Args:
        seats: how many seats the scripts have.
        scripts: the source of the scripts, which may be shared with other places.
        one_at_a_time: whether only one command is under way at a time.
    """

    def __init__(self, seats: int, scripts: Iterator[Script], *, one_at_a_time: bool = False) -> None:
        self.lines = 1 if one_at_a_time else seats
        self._scripts = scripts
        self._one_at_a_time = one_at_a_time
        self._waves: deque[list[Sent]] = deque()

    def next_wave(self) -> list[Sent] | None:
        """Return the commands to send next; None when there are no more scripts."""
        if not self._waves:
            taken = next(self._scripts, None)
            if taken is None:
                return None
            for wave in taken.waves:
                self._waves.extend([[sent._replace(seat=0)] for sent in wave] if self._one_at_a_time else [wave])
        return self._waves.popleft()


class Line:
    """A connection, and the request under way on it."""

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
        """Read what has arrived; return the status of the answer once it is complete."""
        chunk = self.socket.recv(CHUNK)
        if not chunk:
            raise RuntimeError("the server closed a connection")
        self._received += chunk
        head, end, body = self._received.partition(HEAD_END)
        if not end:
            return None
        _, _, rest = head.lower().partition(LENGTH)
        if len(body) < int(rest.partition(b"\r\n")[0]):
            return None
        self._received = b""
        return int(head[9:12])


class _SeatLine(Line):
    """The connection of a seat of a table."""

    def __init__(self, port: int, table: "_Table") -> None:
        super().__init__(port)
        self.table = table


class _Table:
    """A game: its connections, and how many answers of the wave are still to come."""

    __slots__ = ("awaited", "lines", "playing")

    def __init__(self, playing: Playing) -> None:
        self.playing = playing
        self.lines: list[_SeatLine] = []
        self.awaited = 0


class Generator:
    """Plays scripts against a server until the time is up, then waits for what is under way.

    `thinking` returns the seconds that a seat takes before it answers; None: all answer at once.
    """

    def __init__(self, port: int, games: Sequence[Playing], thinking: Callable[[], float] | None = None) -> None:
        self._port = port
        self._tables = [_Table(playing) for playing in games]
        self._thinking = thinking
        self._selector = selectors.DefaultSelector()
        self._timers: list[tuple[float, int, _SeatLine, bytes]] = []
        self._order = 0
        self._under_way = 0

    def run(self, seconds: float) -> Load:
        """Send commands, and measure those answered within `seconds`."""
        try:
            self._connect()
            return self._measure(seconds)
        finally:
            for table in self._tables:
                for line in table.lines:
                    line.socket.close()
            self._selector.close()

    def _connect(self) -> None:
        for table in self._tables:
            for _ in range(table.playing.lines):
                line = _SeatLine(self._port, table)
                table.lines.append(line)
                self._selector.register(line.socket, selectors.EVENT_READ, line)

    def _measure(self, seconds: float) -> Load:
        latencies: list[float] = []
        statuses: Counter[int] = Counter()
        begin = now = time.perf_counter()
        end = begin + seconds
        for table in self._tables:
            self._send_wave(table, now)
        while self._under_way and now < end + DRAIN_SECONDS:
            wait = max(0.0, self._timers[0][0] - now) if self._timers else DRAIN_SECONDS
            for key, _ in self._selector.select(wait):
                line: _SeatLine = key.data
                status = line.status()
                if status is None:
                    continue
                now = time.perf_counter()
                statuses[status] += 1
                if now <= end and status == CREATED:
                    latencies.append(now - line.sent_at)
                self._answered(line.table, now, stop=now >= end)
            now = time.perf_counter()
            self._send_what_is_due(now)
        if self._under_way:
            raise RuntimeError(f"{self._under_way} commands were not answered in {DRAIN_SECONDS} s")
        return Load(seconds, latencies, statuses)

    def _answered(self, table: _Table, now: float, *, stop: bool) -> None:
        self._under_way -= 1
        table.awaited -= 1
        if table.awaited == 0 and not stop:
            self._send_wave(table, now)

    def _send_wave(self, table: _Table, now: float) -> None:
        wave = table.playing.next_wave()
        if wave is None:
            raise RuntimeError("the games ended before the time did")
        table.awaited = len(wave)
        self._under_way += len(wave)
        for sent in wave:
            line = table.lines[sent.seat]
            if self._thinking is None:
                line.send(sent.request, now)
            else:
                self._order += 1
                heapq.heappush(self._timers, (now + self._thinking(), self._order, line, sent.request))

    def _send_what_is_due(self, now: float) -> None:
        while self._timers and self._timers[0][0] <= now:
            _, _, line, request = heapq.heappop(self._timers)
            line.send(request, now)
