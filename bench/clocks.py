"""Section `clocks`: how late the clock answers, when a thousand alarms are due within ten seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from bench.harness import page
from bench.harness.measure import percentile, spread
from bench.harness.scripts import game_id
from bench.harness.servers import running, store_and_queue, temporary_folder
from events.games.command_handler import CommandHandler, now_ms
from events.games.commands import AnswerChoice, TakeSeat
from events.games.participants import new_person
from events.store.connection import connect
from events.store.log_store import LogStore
from games.kernel import Chance, Clock, Decision, GameSetup, pending_choices
from games.rulebooks import RULEBOOKS

RUNS = 5
ALARMS = 1000
PERIOD_MS = 10_000
THREADS = 20
TRIAL_GAMES = 50  # opened first, to estimate how long the others will take
TIMEOUT_SECONDS = 60.0  # after the last alarm was due
SEATS = 2
RULEBOOK = RULEBOOKS["six-nimmt"]

PROSE = f"""
## Clocks

{ALARMS:,} games of 6 nimmt! with one silent seat each; their alarms are due at even distances within
{PERIOD_MS // 1000} s. Croupier runs as with `make run`: store, one worker, web. *Late* is the time from the deadline of
a choice to the decision with which the clock answered it: the median of {RUNS} runs and, in brackets, the highest. The
budget is a p99 of 100 ms, and never early.
"""


def measure(alarms: int = ALARMS, runs: int = RUNS) -> str:
    """Measure; return the section."""
    figures = lateness(alarms, runs)
    row = [f"{middle:.0f} ({high:.0f})" for middle, _, high in map(spread, figures.values())]
    return "\n\n".join(
        (
            PROSE.strip(),
            page.table(("", *figures), [(f"{alarms:,} alarms, late by ms", *row)]),
            page.repeat_with("clocks"),
        )
    )


def lateness(alarms: int, runs: int) -> dict[str, list[float]]:
    """Return the p50, p99, minimum and maximum of the lateness in each run, in milliseconds."""
    figures: dict[str, list[float]] = {"p50": [], "p99": [], "minimum": [], "maximum": []}
    for number in range(runs):
        delays = sorted(_run(f"clocks {number}", alarms))
        figures["p50"].append(percentile(delays, 50))
        figures["p99"].append(percentile(delays, 99))
        figures["minimum"].append(delays[0])
        figures["maximum"].append(delays[-1])
    return figures


def _run(name: str, alarms: int) -> list[int]:
    with (
        temporary_folder() as folder,
        store_and_queue(folder) as (store, environ),
        running((sys.executable, "-m", "service.runtime.launcher"), folder, environ),
        connect(store.url) as client,
    ):
        games = CommandHandler(LogStore(client), RULEBOOKS)
        ids = [game_id(f"{name}, {number}") for number in range(alarms)]
        first_due = now_ms() + _milliseconds_to_open(games, alarms)
        _open_all(games, ids, [first_due + PERIOD_MS * number // alarms for number in range(alarms)])
        if now_ms() > first_due:
            raise RuntimeError("the games were not open before the first alarm was due")
        return list(_delays(games, ids, (first_due + PERIOD_MS) / 1000 + TIMEOUT_SECONDS))


def _milliseconds_to_open(games: CommandHandler, number: int) -> int:
    """Return about twice the milliseconds that opening `number` games takes, estimated by opening a few others."""
    began, far = now_ms(), now_ms() + 3_600_000
    _open_all(games, [game_id(f"trial {trial}") for trial in range(TRIAL_GAMES)], [far] * TRIAL_GAMES)
    return 3_000 + 2 * number * (now_ms() - began) // TRIAL_GAMES


def _open_all(games: CommandHandler, ids: list[str], dues: list[int]) -> None:
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(partial(_open, games), ids, dues))


def _open(games: CommandHandler, game: str, due: int) -> None:
    """Open a game in which one seat has answered, and the other has a choice that is due at about `due`."""
    clock = Clock(seconds_per_choice=(due - now_ms()) / 1000)
    games.create(game, RULEBOOK.id, GameSetup(SEATS), {}, clock, game)
    for seat in range(SEATS):
        result = games.handle(game, TakeSeat(new_person(f"player-{seat}", None), seat))
    pending = pending_choices(RULEBOOK, result.current.game, 0)[0]
    move, args = next(pending.choice.samples(Chance(game, 0)))
    result = games.handle(game, AnswerChoice(pending.seat, pending.id, move, args))
    games.store.end_projection(
        game, result.current.game.number
    )  # otherwise the worker would first do a thousand projections


def _delays(games: CommandHandler, ids: list[str], deadline: float) -> Iterator[int]:
    """Wait until `deadline` (seconds since the epoch) for the clock to answer in every game; yield the delays."""
    for game in ids:
        started = _wait_for_decision(games, game, lambda decision: bool(decision.flow), deadline)
        fired = _wait_for_decision(games, game, lambda decision: decision.by == "clock", deadline)
        seconds = games.read(game).session.created.clock.seconds_per_choice
        assert seconds is not None
        yield fired.at - (started.at + round(1000 * seconds))


def _wait_for_decision(
    games: CommandHandler, game: str, matches: Callable[[Decision[Any]], bool], deadline: float
) -> Decision[Any]:
    """Wait for the first decision of a game that matches, and return it."""
    while time.time() < deadline:
        for decision in games.decisions(game, 0, 50):
            if matches(decision):
                return decision
        time.sleep(0.2)
    raise RuntimeError(f"the clock did not answer in game {game}")
