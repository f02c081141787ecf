"""Section `http`: durable commands per second over HTTP, compared with the baseline."""

import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from typing import NamedTuple

from bench.harness import page
from bench.harness.load import Generator, Load, ScriptQueue
from bench.harness.measure import percentile, spread
from bench.harness.random_games import default_seats
from bench.harness.scripts import Script, open_games, script
from bench.harness.servers import SECRET, Server, Servers, run_servers
from events.games.command_handler import CommandHandler
from events.store.connection import connect
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from service.http.auth import Tokens

RUNS = 5
SECONDS = 2.0
WARMUP_SECONDS = 1.0
THINKING_SECONDS = 1.0
MAX_COMMANDS_PER_SECOND = 5000
SCRIPT_COMMANDS = 120
RULEBOOK = RULEBOOKS["six-nimmt"]

PROSE = f"""
## Commands over HTTP

Croupier runs as with `make run` (store with `appendfsync always`, one worker, gunicorn with two gevent processes).
Beside it, on the same store and with the same gunicorn configuration, runs the *baseline*: a bare Flask view that
parses the JSON of a command and does one `XADD` (`bench/harness/baseline.py`). The same generator sends both the same
bytes (`bench/harness/load.py`: one thread, persistent connections), alternately, {RUNS} times {SECONDS} s each. Figures
are medians; the ratio is that of two consecutive runs, with the lowest and the highest in brackets. Games of 6 nimmt!
with four seats. *At once*: each seat has a connection of its own and answers at once, so four commands for one game
arrive together. *In turn*: one connection per game. *Web µs*: processor time of all gunicorn processes per command.
Generator, store, worker and web share the processors.
"""


class Case(NamedTuple):
    """The number of games at a time, and how their seats send commands."""

    games: int
    mode: str

    @property
    def one_at_a_time(self) -> bool:
        """Does each game use a single connection?"""
        return self.mode == "in turn"

    @property
    def title(self) -> str:
        """Name the case in the table."""
        return f"{self.games} {'game' if self.games == 1 else 'games'}, {self.mode}"

    @property
    def clients(self) -> int:
        """The number of connections."""
        return self.games * (1 if self.one_at_a_time else default_seats(RULEBOOK))


CASES = (Case(1, "at once"), Case(50, "in turn"), Case(50, "at once"), Case(200, "at once"))


class Run(NamedTuple):
    """One run against one server."""

    load: Load
    web_seconds: float

    @property
    def web_microseconds(self) -> float:
        """The processor time of gunicorn per command."""
        return 1e6 * self.web_seconds / max(1, self.load.statuses.total())


def measure() -> str:
    """Measure all cases; return the section."""
    with run_servers() as servers:
        rows = [row for case in CASES for row in _rows(servers, case)]
        thinking = _thinking_row(servers)
    head = ("", "clients", "commands/s", "÷ baseline", "p50 ms", "p99 ms", "web µs", "refused")
    thinking_head = ("", "commands/s", "p50 ms", "p99 ms", "refused")
    return "\n\n".join(
        (
            PROSE.strip(),
            page.table(head, rows),
            f"Each seat thinks for {THINKING_SECONDS:.0f} s on average (half to one and a half) before it answers:",
            page.table(thinking_head, [thinking]),
            page.repeat_with("http"),
        )
    )


def _rows(servers: Servers, case: Case) -> Iterator[Sequence[object]]:
    pairs = list(_pairs(servers, case))
    baselines, ours = [baseline for baseline, _ in pairs], [croupier for _, croupier in pairs]
    ratio, low, high = spread([croupier.load.per_second / baseline.load.per_second for baseline, croupier in pairs])
    yield (f"baseline: {case.title}", case.clients, *_figures(baselines, "1"))
    yield (f"**Croupier: {case.title}**", case.clients, *_figures(ours, f"**{ratio:.2f}** ({low:.2f}–{high:.2f})"))


def _figures(runs: list[Run], ratio: str) -> tuple[object, ...]:
    def median(figure: Callable[[Run], float]) -> str:
        return page.number(statistics.median(map(figure, runs)))

    return (
        median(lambda run: run.load.per_second),
        ratio,
        median(lambda run: 1000 * percentile(run.load.latencies, 50)),
        median(lambda run: 1000 * percentile(run.load.latencies, 99)),
        median(lambda run: run.web_microseconds),
        sum(run.load.refused for run in runs),
    )


def _pairs(servers: Servers, case: Case) -> Iterator[tuple[Run, Run]]:
    """Run baseline and Croupier alternately, with the same games, after a warm-up run of each that is not counted."""
    games = GamePool(servers, case)
    _run(servers.baseline, games.for_baseline(), WARMUP_SECONDS)
    last = _run(servers.croupier, games.for_croupier(MAX_COMMANDS_PER_SECOND * WARMUP_SECONDS), WARMUP_SECONDS)
    for _ in range(RUNS):
        baseline = _run(servers.baseline, games.for_baseline(), SECONDS)
        last = _run(servers.croupier, games.for_croupier(1.5 * last.load.per_second * SECONDS), SECONDS)
        yield baseline, last


def _run(server: Server, games: list[ScriptQueue], seconds: float, thinking: Callable[[], float] | None = None) -> Run:
    before = server.web_seconds()
    load = Generator(server.port, games, thinking).run(seconds)
    return Run(load, server.web_seconds() - before)


class GamePool:
    """Generates scripts as needed, opens their games in the store, and gives them to the queues of a case."""

    def __init__(self, servers: Servers, case: Case) -> None:
        self._case = case
        self._games = CommandHandler(LogStore(connect(servers.store.url)), RULEBOOKS)
        self._tokens = Tokens(SECRET)
        self._scripts: list[Script] = []
        self._used = 0
        self._queues = self._new_queues(self._unused_scripts())

    def for_croupier(self, commands: float) -> list[ScriptQueue]:
        """Return the queues, after adding games for this many more commands."""
        while len(self._scripts) - self._used < self._case.games + commands / SCRIPT_COMMANDS:
            self._new_script()
        return self._queues

    def for_baseline(self) -> list[ScriptQueue]:
        """Return queues for the baseline, which accepts the same bytes any number of times."""
        return self._new_queues(cycle(self._scripts or [self._new_script()]))

    def _new_queues(self, scripts: Iterator[Script]) -> list[ScriptQueue]:
        seats, one_at_a_time = default_seats(RULEBOOK), self._case.one_at_a_time
        return [ScriptQueue(seats, scripts, one_at_a_time=one_at_a_time) for _ in range(self._case.games)]

    def _unused_scripts(self) -> Iterator[Script]:
        while self._used < len(self._scripts):
            self._used += 1
            yield self._scripts[self._used - 1]

    def _new_script(self) -> Script:
        name = f"{self._case.title}, {len(self._scripts)}"
        open_games(self._games, RULEBOOK, [name])
        self._scripts.append(script(RULEBOOK, name, self._tokens, SCRIPT_COMMANDS))
        return self._scripts[-1]


def _thinking_row(servers: Servers) -> Sequence[object]:
    pool, dice = GamePool(servers, Case(200, "thinking")), random.Random("thinking")
    expected = 200 * default_seats(RULEBOOK) / THINKING_SECONDS

    def thinking() -> float:
        return THINKING_SECONDS * dice.uniform(0.5, 1.5)

    def run(seconds: float) -> Run:
        return _run(servers.croupier, pool.for_croupier(2 * expected * seconds), seconds, thinking)

    run(WARMUP_SECONDS + THINKING_SECONDS)
    rate, _, p50, p99, _, refused = _figures([run(SECONDS) for _ in range(RUNS)], "")
    return "Croupier: 200 games", rate, p50, p99, refused
