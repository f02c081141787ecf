"""Section `streams`: the cost of a thousand clients that follow running games."""

import re
import selectors
import signal
import socket
import statistics
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

import psutil

from bench.harness import page
from bench.harness.load import CREATED, Connection, Generator, ScriptQueue
from bench.harness.measure import percentile, spread
from bench.harness.random_games import default_seats
from bench.harness.scripts import Script, game_id, open_games, script
from bench.harness.servers import SECRET, Server, running, store_and_queue, temporary_folder
from events.games.command_handler import CommandHandler
from events.store.connection import connect
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from service.http.auth import Bearer, Tokens

CLIENTS = 1000
RUNS = 5
SECONDS = 8.0
FULL_SPEED_SECONDS = 2.0
FULL_SPEED_GAMES = 50
FULL_SPEED_COMMANDS = 140  # of each game and run
SPARE_GAMES = 25
SETTLE_SECONDS = 2.0
RULEBOOK = RULEBOOKS["six-nimmt"]
DECISION = re.compile(rb'event: decision\ndata: {"number":\d+,"at":"([^"]+)"')
MAX_HEAD_BYTES = 200  # no event has a longer head
TOKENS = Tokens(SECRET)

PROSE = f"""
## Streams

Croupier runs as with `make run`, without rate limits. {CLIENTS} clients follow games (`text/event-stream`) while
commands are sent over HTTP at a constant rate, whether or not the last one was answered; one thread sends and listens.
*Event*: milliseconds from the time of the decision (`at`, in whole milliseconds, before it is written to disk) until a
client has it. *Command*: from request to response. *KiB per client*: growth of the gunicorn processes. Figures are
medians of {RUNS} runs of {SECONDS:.0f} s, with the highest p99 in brackets; *lost* are events that did not reach a
client.
"""


class Case(NamedTuple):
    """The number of games, of clients that follow them, and of events per second (`rate`) in all games together."""

    title: str
    games: int
    clients: int
    rate: float


CASES = (
    Case("no clients, 100 events/s", 250, 0, 100.0),
    Case("**1,000 clients, the seats of 250 games, 100 events/s**", 250, CLIENTS, 100.0),
    Case("1,000 clients of one game, 5 events/s", 1, CLIENTS, 5.0),
)


class Run(NamedTuple):
    """The latency in milliseconds of every delivery and every command, and the number of missing deliveries."""

    events: list[float]
    commands: list[float]
    lost: int
    web_microseconds: float


class Subscribers:
    """Clients that follow games, spread over games and seats."""

    def __init__(self, port: int, games: Sequence[str], clients: int) -> None:
        self.selector = selectors.DefaultSelector()
        self.heads: dict[socket.socket, bytes] = {}
        self.count = clients
        for client in range(clients):
            game, seat = games[client % len(games)], client // len(games) % default_seats(RULEBOOK)
            token = TOKENS.issue(Bearer(game, seat, 1))
            connected = socket.create_connection(("127.0.0.1", port), timeout=30)
            connected.sendall(
                f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
                f"Authorization: Bearer {token}\r\n\r\n".encode()
            )
            begin = b""
            while b"event: game" not in begin:
                begin += connected.recv(65536)
            connected.setblocking(False)
            self.heads[connected] = b""
            self.selector.register(connected, selectors.EVENT_READ)

    def close(self) -> None:
        """Close all connections."""
        for connected in self.heads:
            connected.close()
        self.selector.close()

    def read(self, connected: socket.socket) -> list[float]:
        """Read what has arrived; return the delay of each decision in it, in milliseconds."""
        received = connected.recv(65536)
        if not received:
            raise RuntimeError("the server closed a stream")
        now = time.time()
        text = self.heads[connected] + received
        latencies, end = [], 0
        for match in DECISION.finditer(text):
            latencies.append(1000 * (now - datetime.fromisoformat(match[1].decode()).timestamp()))
            end = match.end()
        self.heads[connected] = text[max(end, len(text) - MAX_HEAD_BYTES) :]
        return latencies


def measure() -> str:
    """Measure; return the section."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with temporary_folder() as folder, store_and_queue(folder) as (store, common):
        launcher = (sys.executable, "-m", "service.runtime.launcher")
        with running(launcher, folder, common | {"CROUPIER_LIMITS": "0"}) as server:
            games = CommandHandler(LogStore(connect(store.url)), RULEBOOKS)
            rows = [_row(server, games, case) for case in CASES]
            ratio = _full_speed(server, games)
    head = ("", "event p50 ms", "event p99 ms", "command p50 ms", "command p99 ms", "KiB per client", "web µs", "lost")
    return "\n\n".join((PROSE.strip(), page.table(head, rows), ratio, page.repeat_with("streams")))


def _row(server: Server, games: CommandHandler, case: Case) -> Sequence[object]:
    scripts = _new_games(games, case.title, case.games, int(case.rate * SECONDS * RUNS / case.games) + 8)
    before = _memory(server)
    with _subscribed(server, [game.game for game in scripts], case.clients) as subscribers:
        grown = (_memory(server) - before) / 1024 / max(1, case.clients)
        commands = deque(_interleave(scripts))
        runs = [_run(server, case, subscribers, commands) for _ in range(RUNS)]
    return (
        case.title,
        *(
            _median_and_highest([percentile(run.events, percent) for run in runs if run.events], percent)
            for percent in (50, 99)
        ),
        *(_median_and_highest([percentile(run.commands, percent) for run in runs], percent) for percent in (50, 99)),
        page.number(grown) if case.clients else "",
        page.number(statistics.median(run.web_microseconds for run in runs)),
        sum(run.lost for run in runs),
    )


def _median_and_highest(values: list[float], percent: int) -> str:
    if not values:
        return ""
    middle = page.number(statistics.median(values))
    return middle if percent == 50 else f"{middle} ({page.number(max(values))})"


@contextmanager
def _subscribed(server: Server, games: Sequence[str], clients: int) -> Iterator[Subscribers]:
    subscribers = Subscribers(server.port, games, clients)
    try:
        time.sleep(SETTLE_SECONDS)
        yield subscribers
    finally:
        subscribers.close()


def _run(server: Server, case: Case, subscribers: Subscribers, commands: deque[bytes]) -> Run:
    """Send commands at the rate of the case, over as many connections as needed, and read the event streams."""
    number = int(case.rate * SECONDS)
    expected = number * case.clients // case.games
    events: list[float] = []
    commands_ms: list[float] = []
    idle: list[Connection] = []
    busy: set[Connection] = set()
    spent, begin = server.web_seconds(), time.perf_counter()
    sent = 0
    while (len(events) < expected or len(commands_ms) < number) and time.perf_counter() < begin + 2 * SECONDS:
        while sent < number and time.perf_counter() >= begin + sent / case.rate:
            connection = idle.pop() if idle else _new_connection(server, subscribers)
            connection.send(commands.popleft(), time.perf_counter())
            busy.add(connection)
            sent += 1
        for key, _ in subscribers.selector.select(0.5 / case.rate):
            connection = key.data
            if connection is None:
                connected = key.fileobj
                assert isinstance(connected, socket.socket)
                events += subscribers.read(connected)
            elif (status := connection.status()) is not None:
                if status != CREATED:
                    raise RuntimeError(f"a command was answered with {status}: at this rate they overtook each other")
                commands_ms.append(1000 * (time.perf_counter() - connection.sent_at))
                busy.remove(connection)
                idle.append(connection)
    for connection in (*idle, *busy):
        subscribers.selector.unregister(connection.socket)
        connection.socket.close()
    return Run(events, commands_ms, expected - len(events), 1e6 * (server.web_seconds() - spent) / number)


def _new_connection(server: Server, subscribers: Subscribers) -> Connection:
    connection = Connection(server.port)
    subscribers.selector.register(connection.socket, selectors.EVENT_READ, connection)
    return connection


def _full_speed(server: Server, games: CommandHandler) -> str:
    """Compare commands at full speed, in games without subscribers, without and with idle streams of other games."""
    followed = _new_games(games, "idle", 250, 1)
    ratios = []
    for run in range(RUNS):
        alone = _commands_per_second(server, games, f"alone {run}")
        with _subscribed(server, [idle.game for idle in followed], CLIENTS):
            beside = _commands_per_second(server, games, f"beside {run}")
        ratios.append(beside / alone)
    middle, low, high = spread(ratios)
    return (
        f"At full speed ({FULL_SPEED_GAMES} other games, all seats at once), the rate of commands with {CLIENTS:,} "
        f"open streams is **{middle:.2f}** ({low:.2f}–{high:.2f}) of the rate without."
    )


def _commands_per_second(server: Server, games: CommandHandler, name: str) -> float:
    scripts = _new_games(games, name, FULL_SPEED_GAMES + SPARE_GAMES, FULL_SPEED_COMMANDS)
    supply = iter(scripts)  # a queue whose game ends early continues with a spare one
    queues = [ScriptQueue(scripts[0].seats, supply) for _ in range(FULL_SPEED_GAMES)]
    return Generator(server.port, queues).run(FULL_SPEED_SECONDS).per_second


def _new_games(games: CommandHandler, prefix: str, number: int, commands: int) -> list[Script]:
    names = [f"{prefix} {count}" for count in range(number)]
    open_games(games, RULEBOOK, names)
    scripts = [script(RULEBOOK, name, TOKENS, commands) for name in names]
    assert [game.game for game in scripts] == [game_id(name) for name in names]
    return scripts


def _interleave(scripts: list[Script]) -> Iterator[bytes]:
    """Yield the commands of all games, one command of each game in turn."""
    queues = [deque(request.request for wave in game.waves for request in wave) for game in scripts]
    while all(queues):
        for requests in queues:
            yield requests.popleft()


def _memory(server: Server) -> int:
    """Return the memory of all gunicorn processes in bytes."""
    processes = psutil.Process(server.process.pid).children(recursive=True)
    return sum(process.memory_info().rss for process in processes if "gunicorn" in " ".join(process.cmdline()))
