"""Section `http`: durable commands per second over HTTP, compared with the floor."""

import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from typing import NamedTuple

from bench import page
from bench.load import Generator, Load, Playing
from bench.measure import percentile, spread
from bench.recorded import usual_seats
from bench.scripts import Script, open_games, script
from bench.servers import SECRET, Installation, Server, installation
from events.games.command_handler import CommandHandler
from events.store.connection import connect
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from service.http.auth import Tokens

RUNS = 5
SECONDS = 2.0
WARMING_SECONDS = 1.0
THINKING_SECONDS = 1.0
MOST_PER_SECOND = 5000
LONGEST_SCRIPT = 120
RULEBOOK = RULEBOOKS["six-nimmt"]

PROSE = f"""
## Commands over HTTP

The whole table runs as `make run` starts it (store with `appendfsync always`, one worker, gunicorn with two gevent
processes), and beside it, on the same store and with the same gunicorn configuration, the *floor*: a bare Flask view
that parses the command's JSON and does one `XADD` (`bench/baseline.py`). Both are sent the same bytes by the same
generator (`bench/load.py`: one thread, kept-open connections), in turn, {RUNS} times {SECONDS} s each; the figures are
medians, the ratio is that of one pair of runs next to each other, with the lowest and the highest in brackets. Games
of 6 nimmt! with four seats. *At once*: each seat has a connection of its own and answers as soon as it is asked, so
four commands for one game arrive together. *In turn*: one connection a game. *Web µs*: processor time of all
gunicorn processes for a command. Generator, store, worker and web share the processors.
"""


class Case(NamedTuple):
    """A number of games played at a time, and how their seats send commands."""

    games: int
    how: str

    @property
    def one_at_a_time(self) -> bool:
        """Does each game use a single connection?"""
        return self.how == "in turn"

    @property
    def title(self) -> str:
        """Name the case in the table."""
        return f"{self.games} {'game' if self.games == 1 else 'games'}, {self.how}"

    @property
    def clients(self) -> int:
        """How many connections there are."""
        return self.games * (1 if self.one_at_a_time else usual_seats(RULEBOOK))


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
    with installation() as place:
        rows = [row for case in CASES for row in _rows(place, case)]
        thinking = _thinking_row(place)
    head = ("", "clients", "commands/s", "of the floor", "p50 ms", "p99 ms", "web µs", "refused")
    pensive = ("", "commands/s", "p50 ms", "p99 ms", "refused")
    return "\n\n".join(
        (
            PROSE.strip(),
            page.table(head, rows),
            f"With {THINKING_SECONDS:.0f} s of thinking on average (half to one and a half):",
            page.table(pensive, [thinking]),
            page.repeat_with("http"),
        )
    )


def _rows(place: Installation, case: Case) -> Iterator[Sequence[object]]:
    pairs = [(floor, ours) for floor, ours in _pairs(place, case)]
    floors, tables = [floor for floor, _ in pairs], [ours for _, ours in pairs]
    ratio, low, high = spread([ours.load.per_second / floor.load.per_second for floor, ours in pairs])
    yield (f"floor: {case.title}", case.clients, *_figures(floors, "1"))
    yield (f"**Croupier: {case.title}**", case.clients, *_figures(tables, f"**{ratio:.2f}** ({low:.2f}–{high:.2f})"))


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


def _pairs(place: Installation, case: Case) -> Iterator[tuple[Run, Run]]:
    """Run floor and table in turn, after a warm-up run of each that is not counted. Both get the same games."""
    games = Supply(place, case)
    _run(place.floor, games.for_floor(), WARMING_SECONDS)
    last = _run(place.table, games.for_table(MOST_PER_SECOND * WARMING_SECONDS), WARMING_SECONDS)
    for _ in range(RUNS):
        floor = _run(place.floor, games.for_floor(), SECONDS)
        last = _run(place.table, games.for_table(1.5 * last.load.per_second * SECONDS), SECONDS)
        yield floor, last


def _run(server: Server, games: list[Playing], seconds: float, thinking: Callable[[], float] | None = None) -> Run:
    before = server.web_seconds()
    load = Generator(server.port, games, thinking).run(seconds)
    return Run(load, server.web_seconds() - before)


class Supply:
    """Works out games as needed, opens them in the store, and hands them to the places of a case."""

    def __init__(self, place: Installation, case: Case) -> None:
        self._case = case
        self._games = CommandHandler(LogStore(connect(place.store.url)), RULEBOOKS)
        self._tokens = Tokens(SECRET)
        self._made: list[Script] = []
        self._taken = 0
        self._places = self._new_places(self._take_games())

    def for_table(self, commands: float) -> list[Playing]:
        """Return the places, after adding games for this many more commands."""
        while len(self._made) - self._taken < self._case.games + commands / LONGEST_SCRIPT:
            self._new_game()
        return self._places

    def for_floor(self) -> list[Playing]:
        """Return the same kind of places for the floor, which accepts the same bytes any number of times."""
        return self._new_places(cycle(self._made or [self._new_game()]))

    def _new_places(self, scripts: Iterator[Script]) -> list[Playing]:
        seats, one_at_a_time = usual_seats(RULEBOOK), self._case.one_at_a_time
        return [Playing(seats, scripts, one_at_a_time=one_at_a_time) for _ in range(self._case.games)]

    def _take_games(self) -> Iterator[Script]:
        while self._taken < len(self._made):
            self._taken += 1
            yield self._made[self._taken - 1]

    def _new_game(self) -> Script:
        name = f"{self._case.title}, {len(self._made)}"
        open_games(self._games, RULEBOOK, [name])
        self._made.append(script(RULEBOOK, name, self._tokens, LONGEST_SCRIPT))
        return self._made[-1]


def _thinking_row(place: Installation) -> Sequence[object]:
    supply, dice = Supply(place, Case(200, "thinking")), random.Random("thinking")
    expected = 200 * usual_seats(RULEBOOK) / THINKING_SECONDS

    def thinking() -> float:
        return THINKING_SECONDS * dice.uniform(0.5, 1.5)

    def run(seconds: float) -> Run:
        return _run(place.table, supply.for_table(2 * expected * seconds), seconds, thinking)

    run(WARMING_SECONDS + THINKING_SECONDS)
    rate, _, p50, p99, _, refused = _figures([run(SECONDS) for _ in range(RUNS)], "")
    return "Croupier: 200 games", rate, p50, p99, refused
