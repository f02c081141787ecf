"""Section `clocks`: how late the clock answers, with a thousand alarms due within ten seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from bench import page
from bench.measure import percentile, spread
from bench.scripts import game_id
from bench.servers import running, store_and_queue, temporary_folder
from events.games.command_handler import CommandHandler, now_ms
from events.games.commands import AnswerChoice, TakeSeat
from events.games.participants import new_person
from events.store.connection import connect
from events.store.log_store import LogStore
from games.kernel import Chance, Clock, Decision, GameSetup, pending_choices
from games.rulebooks import RULEBOOKS

RUNS = 5
ALARMS = 1000
WITHIN = 10_000  # milliseconds
HANDS = 20
TRIED = 50  # games opened first, to estimate how long the others will take
LATEST = 60.0  # seconds after the last alarm was due
SEATS = 2
RULEBOOK = RULEBOOKS["six-nimmt"]

PROSE = f"""
## Clocks

{ALARMS:,} games of 6 nimmt!, in each of which one seat is silent; their alarms are due at even distances within
{WITHIN // 1000} s. The whole table runs as `make run` starts it: store, one worker, web. *Late* is from the time at
which a choice was due until the time of the decision by which the clock answered it; {RUNS} runs, median and, in
brackets, the highest. The budget is a p99 of 100 ms, and never early.
"""


def measure(alarms: int = ALARMS, runs: int = RUNS) -> str:
    """Measure; return the section."""
    figures = lateness(alarms, runs)
    shown = [f"{middle:.0f} ({high:.0f})" for middle, _, high in map(spread, figures.values())]
    return "\n\n".join(
        (
            PROSE.strip(),
            page.table(("", *figures), [(f"{alarms:,} alarms, late by ms", *shown)]),
            page.repeat_with("clocks"),
        )
    )


def lateness(alarms: int, runs: int) -> dict[str, list[float]]:
    """Return the p50, p99, minimum and maximum of the lateness in each run, in milliseconds."""
    figures: dict[str, list[float]] = {"p50": [], "p99": [], "least": [], "most": []}
    for number in range(runs):
        late = sorted(_run(f"clocks {number}", alarms))
        figures["p50"].append(percentile(late, 50))
        figures["p99"].append(percentile(late, 99))
        figures["least"].append(late[0])
        figures["most"].append(late[-1])
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
        first_due = now_ms() + _time_to_open(games, alarms)
        _open_all(games, ids, [first_due + WITHIN * number // alarms for number in range(alarms)])
        if now_ms() > first_due:
            raise RuntimeError("the games were not open before the first alarm was due")
        return list(_late(games, ids, (first_due + WITHIN) / 1000 + LATEST))


def _time_to_open(games: CommandHandler, number: int) -> int:
    """Return about twice the milliseconds that opening `number` games takes, estimated by opening a few others."""
    began, far = now_ms(), now_ms() + 3_600_000
    _open_all(games, [game_id(f"tried {place}") for place in range(TRIED)], [far] * TRIED)
    return 3_000 + 2 * number * (now_ms() - began) // TRIED


def _open_all(games: CommandHandler, ids: list[str], dues: list[int]) -> None:
    with ThreadPoolExecutor(HANDS) as hands:
        list(hands.map(partial(_open, games), ids, dues))


def _open(games: CommandHandler, game: str, due: int) -> None:
    """Open a game in which one seat has answered, and the other is asked something that is due at about `due`."""
    clock = Clock(seconds_per_choice=(due - now_ms()) / 1000)
    games.create(game, RULEBOOK.id, GameSetup(SEATS), {}, clock, game)
    for seat in range(SEATS):
        decided = games.handle(game, TakeSeat(new_person(f"player-{seat}", None), seat))
    asked = pending_choices(RULEBOOK, decided.current.game, 0)[0]
    move, args = next(asked.choice.samples(Chance(game, 0)))
    answered = games.handle(game, AnswerChoice(asked.seat, asked.id, move, args))
    games.store.end_projection(game, answered.current.game.number)  # else the worker has a thousand to do first


def _late(games: CommandHandler, ids: list[str], deadline: float) -> Iterator[int]:
    """Wait for the clock to answer in every game; yield how late it was. `deadline` is in seconds since the epoch."""
    for game in ids:
        started = _decision(games, game, lambda decision: bool(decision.flow), deadline)
        rung = _decision(games, game, lambda decision: decision.by == "clock", deadline)
        seconds = games.read(game).session.created.clock.seconds_per_choice
        assert seconds is not None
        yield rung.at - (started.at + round(1000 * seconds))


def _decision(
    games: CommandHandler, game: str, is_wanted: Callable[[Decision[Any]], bool], deadline: float
) -> Decision[Any]:
    """Wait for the first decision of a game that is wanted, and return it."""
    while time.time() < deadline:
        for decision in games.decisions(game, 0, 50):
            if is_wanted(decision):
                return decision
        time.sleep(0.2)
    raise RuntimeError(f"the clock did not answer in game {game}")
