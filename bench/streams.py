"""Section `streams`: what a thousand clients that listen to games in progress cost."""

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

from bench import page
from bench.load import CREATED, Generator, Line, Playing
from bench.measure import percentile, spread
from bench.recorded import usual_seats
from bench.scripts import Script, game_id, open_games, script
from bench.servers import SECRET, Server, running, store_and_queue, temporary_folder
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
KEPT = 200  # bytes; no event has a longer head
TOKENS = Tokens(SECRET)

PROSE = f"""
## Streams

The whole table as `make run` starts it, without limits on callers. {CLIENTS} clients listen (`text/event-stream`),
while commands are sent over HTTP at a steady rate, whether or not the last one was answered; one thread sends and
listens. *Event*: milliseconds from the decision's own time (`at`, taken before it is written to the disk, in whole
milliseconds) until a client has it. *Command*: from sending to answer. *KiB a client*: what the gunicorn processes
grew by. Figures are medians of {RUNS} runs of {SECONDS:.0f} s, the highest p99 in brackets; *lost* are events that did
not reach a client.
"""


class Case(NamedTuple):
    """A number of games, of clients that listen to them, and of events per second (`rate`) in all games together."""

    title: str
    games: int
    clients: int
    rate: float


CASES = (
    Case("nobody listens, 100 events/s", 250, 0, 100.0),
    Case("**1,000 clients, the seats of 250 games, 100 events/s**", 250, CLIENTS, 100.0),
    Case("1,000 clients of one game, 5 events/s", 1, CLIENTS, 5.0),
)


class Run(NamedTuple):
    """The latency in milliseconds of every delivery and every command, and how many deliveries are missing."""

    events: list[float]
    commands: list[float]
    lost: int
    web_microseconds: float


class Listeners:
    """Listening clients, spread over games and seats."""

    def __init__(self, port: int, games: Sequence[str], clients: int) -> None:
        self.selector = selectors.DefaultSelector()
        self.heads: dict[socket.socket, bytes] = {}
        self.count = clients
        for client in range(clients):
            game, seat = games[client % len(games)], client // len(games) % usual_seats(RULEBOOK)
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
        """Hang up."""
        for connected in self.heads:
            connected.close()
        self.selector.close()

    def read(self, connected: socket.socket) -> list[float]:
        """Read what has arrived; return for each decision in it how many milliseconds it was under way."""
        received = connected.recv(65536)
        if not received:
            raise RuntimeError("the server closed a stream")
        now = time.time()
        text = self.heads[connected] + received
        latencies, end = [], 0
        for found in DECISION.finditer(text):
            latencies.append(1000 * (now - datetime.fromisoformat(found[1].decode()).timestamp()))
            end = found.end()
        self.heads[connected] = text[max(end, len(text) - KEPT) :]
        return latencies


def measure() -> str:
    """Measure; return the section."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with temporary_folder() as folder, store_and_queue(folder) as (store, common):
        table = (sys.executable, "-m", "service.runtime.launcher")
        with running(table, folder, common | {"CROUPIER_LIMITS": "0"}) as server:
            games = CommandHandler(LogStore(connect(store.url)), RULEBOOKS)
            rows = [_row(server, games, case) for case in CASES]
            ratio = _full_speed(server, games)
    head = ("", "event p50 ms", "event p99 ms", "command p50 ms", "command p99 ms", "KiB a client", "web µs", "lost")
    return "\n\n".join((PROSE.strip(), page.table(head, rows), ratio, page.repeat_with("streams")))


def _row(server: Server, games: CommandHandler, case: Case) -> Sequence[object]:
    scripts = _new_games(games, case.title, case.games, int(case.rate * SECONDS * RUNS / case.games) + 8)
    before = _memory(server)
    with _listening(server, [each.game for each in scripts], case.clients) as listeners:
        grown = (_memory(server) - before) / 1024 / max(1, case.clients)
        commands = deque(_in_turn(scripts))
        runs = [_run(server, case, listeners, commands) for _ in range(RUNS)]
    return (
        case.title,
        *(
            _median_and_highest([percentile(run.events, hundredths) for run in runs if run.events], hundredths)
            for hundredths in (50, 99)
        ),
        *(
            _median_and_highest([percentile(run.commands, hundredths) for run in runs], hundredths)
            for hundredths in (50, 99)
        ),
        page.number(grown) if case.clients else "",
        page.number(statistics.median(run.web_microseconds for run in runs)),
        sum(run.lost for run in runs),
    )


def _median_and_highest(values: list[float], hundredths: int) -> str:
    if not values:
        return ""
    middle = page.number(statistics.median(values))
    return middle if hundredths == 50 else f"{middle} ({page.number(max(values))})"


@contextmanager
def _listening(server: Server, games: Sequence[str], clients: int) -> Iterator[Listeners]:
    listeners = Listeners(server.port, games, clients)
    try:
        time.sleep(SETTLE_SECONDS)
        yield listeners
    finally:
        listeners.close()


def _run(server: Server, case: Case, listeners: Listeners, commands: deque[bytes]) -> Run:
    """Send commands at the rate of the case, over as many connections as needed, while listening."""
    number = int(case.rate * SECONDS)
    expected = number * case.clients // case.games
    events: list[float] = []
    answered: list[float] = []
    idle: list[Line] = []
    busy: set[Line] = set()
    spent, begin = server.web_seconds(), time.perf_counter()
    sent = 0
    while (len(events) < expected or len(answered) < number) and time.perf_counter() < begin + 2 * SECONDS:
        while sent < number and time.perf_counter() >= begin + sent / case.rate:
            line = idle.pop() if idle else _new_line(server, listeners)
            line.send(commands.popleft(), time.perf_counter())
            busy.add(line)
            sent += 1
        for key, _ in listeners.selector.select(0.5 / case.rate):
            line = key.data
            if line is None:
                connected = key.fileobj
                assert isinstance(connected, socket.socket)
                events += listeners.read(connected)
            elif (status := line.status()) is not None:
                if status != CREATED:
                    raise RuntimeError(f"a command was answered with {status}: at this rate they overtook each other")
                answered.append(1000 * (time.perf_counter() - line.sent_at))
                busy.remove(line)
                idle.append(line)
    for line in (*idle, *busy):
        listeners.selector.unregister(line.socket)
        line.socket.close()
    return Run(events, answered, expected - len(events), 1e6 * (server.web_seconds() - spent) / number)


def _new_line(server: Server, listeners: Listeners) -> Line:
    line = Line(server.port)
    listeners.selector.register(line.socket, selectors.EVENT_READ, line)
    return line


def _full_speed(server: Server, games: CommandHandler) -> str:
    """Compare commands at full speed, in games without listeners, without and with idle streams of other games."""
    listened = _new_games(games, "idle", 250, 1)
    ratios = []
    for run in range(RUNS):
        alone = _commands_per_second(server, games, f"alone {run}")
        with _listening(server, [each.game for each in listened], CLIENTS):
            beside = _commands_per_second(server, games, f"beside {run}")
        ratios.append(beside / alone)
    middle, low, high = spread(ratios)
    return (
        f"At full speed ({FULL_SPEED_GAMES} other games, all seats at once), {CLIENTS:,} open streams leave commands "
        f"**{middle:.2f}** ({low:.2f}–{high:.2f}) of their rate without."
    )


def _commands_per_second(server: Server, games: CommandHandler, name: str) -> float:
    scripts = _new_games(games, name, FULL_SPEED_GAMES + SPARE_GAMES, FULL_SPEED_COMMANDS)
    supply = iter(scripts)  # a place whose game ends early goes on with a spare one
    playing = [Playing(scripts[0].seats, supply) for _ in range(FULL_SPEED_GAMES)]
    return Generator(server.port, playing).run(FULL_SPEED_SECONDS).per_second


def _new_games(games: CommandHandler, name: str, number: int, commands: int) -> list[Script]:
    names = [f"{name} {count}" for count in range(number)]
    open_games(games, RULEBOOK, names)
    made = [script(RULEBOOK, each, TOKENS, commands) for each in names]
    assert [each.game for each in made] == [game_id(each) for each in names]
    return made


def _in_turn(scripts: list[Script]) -> Iterator[bytes]:
    """Yield the commands of all games, one command of each game in turn."""
    rest = [deque(sent.request for wave in each.waves for sent in wave) for each in scripts]
    while all(rest):
        for requests in rest:
            yield requests.popleft()


def _memory(server: Server) -> int:
    """Return the bytes that all gunicorn processes together take."""
    processes = psutil.Process(server.process.pid).children(recursive=True)
    return sum(each.memory_info().rss for each in processes if "gunicorn" in " ".join(each.cmdline()))
