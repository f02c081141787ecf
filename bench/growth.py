"""Section `growth`: how costs grow when the size grows tenfold."""

import gc
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from bench.clocks import lateness
from bench.harness import page
from bench.harness.measure import RUNS, interleaved
from bench.harness.random_games import Turn
from bench.harness.scripts import game_id, open_games
from bench.harness.servers import temporary_folder
from bench.log import write_log
from bench.records import endless_rulebook, long_log
from events.games.command_handler import CommandHandler
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.log_store import LogStore
from games.kernel import Chance, Decision, Game, Rulebook, answer, fold, pending_choices
from games.rulebooks import RULEBOOKS

SIX_NIMMT = RULEBOOKS["six-nimmt"]
DECISIONS = (1_000, 10_000)
STORED = (200, 2_000)
CARDS = (10, 100)
ALARMS = (100, 1_000)
MEASURED = 200

PROSE = f"""
## Growth

Each cost at one size and at ten times that size, measured alternately (median of {RUNS} runs, processor time of this
process unless a row says otherwise). *Grows by* is the second cost divided by the first: 1 means independent of the
size, 10 means proportional to it.
"""


class Row(NamedTuple):
    """A cost at two sizes."""

    cost: str
    sizes: tuple[int, int]
    values: tuple[float, float]
    unit: str


def measure() -> str:
    """Measure; return the section."""
    rows = [*_decisions_in_a_game(), *_games_stored(), *_cards_in_a_zone(), *_alarms()]
    cells = [
        (
            row.cost,
            " → ".join(f"{size:,}" for size in row.sizes),
            *(f"{page.number(value)} {row.unit}" for value in row.values),
            f"{row.values[1] / row.values[0]:.2f}" if row.values[0] else "",
        )
        for row in rows
    ]
    return "\n\n".join(
        (
            PROSE.strip(),
            page.table(("cost", "size", "at one size", "at ten times", "grows by"), cells),
            page.repeat_with("growth"),
        )
    )


def _compare(cost: str, sizes: tuple[int, int], works: list[Callable[[], object]], items: int) -> Row:
    measurements = interleaved({str(size): (work, items) for size, work in zip(sizes, works, strict=True)})
    return Row(cost, sizes, (measurements[str(sizes[0])].microseconds, measurements[str(sizes[1])].microseconds), "µs")


def _decisions_in_a_game() -> Iterator[Row]:
    """Measure deciding and cold loading late in a long game."""
    endless = endless_rulebook()
    decisions = list(long_log(endless, DECISIONS[1]))
    states = {size: _turns_before(endless, decisions, size) for size in DECISIONS}
    yield _compare(
        "decide, by decisions in the game",
        DECISIONS,
        [_deciding(endless, states[n]) for n in DECISIONS],
        MEASURED,
    )
    with temporary_folder() as folder, EmbeddedServer(Path(folder)) as server, connect(server.url) as client:
        for size in DECISIONS:
            write_log(client, game_id(f"cold {size}"), endless, decisions[:size])
        cold = [_loading(client, endless, f"cold {size}") for size in DECISIONS]
        yield _compare("cold load without snapshot, by decisions", DECISIONS, cold, 1)
        for size in DECISIONS:
            CommandHandler(LogStore(client), {endless.id: endless}).save_snapshot(game_id(f"cold {size}"))
        yield _compare("cold load with snapshot, by decisions", DECISIONS, cold, 1)


def _turns_before(rulebook: Rulebook[Any], decisions: list[Decision[Any]], size: int) -> list[Turn]:
    """Return the last states of a log cut off near a size, each with an answer to its first pending choice."""
    game: Game[Any, Any] | None = None
    states: deque[Game[Any, Any]] = deque(maxlen=MEASURED)
    for decision in decisions[: size - 10]:
        game = fold(rulebook, game, decision)
        states.append(game)
    return [turn_in(rulebook, state) for state in states]


def turn_in(rulebook: Rulebook[Any], game: Game[Any, Any]) -> Turn:
    """Return a state together with an answer to its first pending choice."""
    pending = pending_choices(rulebook, game)[0]
    move, args = next(pending.choice.samples(Chance("growth", game.number)))
    return Turn(game, pending.seat, pending.id, move, args)


def _deciding(rulebook: Rulebook[Any], turns: list[Turn]) -> Callable[[], object]:
    def decide() -> None:
        for turn in turns:
            pending_choices(rulebook, turn.game)
            answer(rulebook, turn.game, turn.seat, turn.choice, turn.move, turn.args, 0)

    return decide


def _loading(client: Any, rulebook: Rulebook[Any], name: str) -> Callable[[], object]:
    store = LogStore(client)
    return lambda: CommandHandler(store, {rulebook.id: rulebook}).read(game_id(name))


def _games_stored() -> Iterator[Row]:
    """Measure reading a game by the number of games that a process caches, and the memory per game."""
    memory, reading = [], []
    everysec = ("--appendfsync", "everysec")
    with (
        temporary_folder() as folder,
        EmbeddedServer(Path(folder), flags=everysec) as server,
        connect(server.url) as client,
    ):
        for size in STORED:
            names = [f"stored {size} {number}" for number in range(size)]
            open_games(CommandHandler(LogStore(client), RULEBOOKS), SIX_NIMMT, names)
            gc.collect()
            tracemalloc.start()
            games = CommandHandler(LogStore(client), RULEBOOKS)
            for name in names:
                games.read(game_id(name))
            memory.append(tracemalloc.get_traced_memory()[0] / size)
            tracemalloc.stop()
            reading.append(_reading(games, names[:100]))
        yield _compare("read a cached game, by cached games", STORED, reading, 100)
        yield Row("memory of a process per cached game", STORED, (memory[0], memory[1]), "bytes")


def _reading(games: CommandHandler, names: list[str]) -> Callable[[], object]:
    def read() -> None:
        for name in names:
            games.read(game_id(name))

    return read


def _cards_in_a_zone() -> Iterator[Row]:
    """Measure deciding by the number of cards in each hand."""
    endless = endless_rulebook()
    opened = list(long_log(endless, 20))
    turns = []
    for size in CARDS:
        game: Game[Any, Any] | None = None
        for decision in opened[:6]:
            game = fold(endless, game, decision)
        assert game is not None
        turns.append([turn_in(endless, _with_hands(game, size))] * MEASURED)
    yield _compare(
        "decide, by cards in each hand", CARDS, [_deciding(endless, turns_of_size) for turns_of_size in turns], MEASURED
    )


def _with_hands(game: Game[Any, Any], cards: int) -> Game[Any, Any]:
    """Return the game with hands of another size. All hands hold the same cards, which no rule checks."""
    state: Any = game.state
    hand = tuple(range(1, cards + 1))
    return replace(game, state=replace(state, players=tuple(replace(player, hand=hand) for player in state.players)))


def _alarms() -> Iterator[Row]:
    """Measure how late the clock is with more alarms in the same time, in one run each."""
    delays = [lateness(alarms, 1)["p99"][0] for alarms in ALARMS]
    yield Row("p99 of the delay, by alarms within ten seconds", ALARMS, (delays[0], delays[1]), "ms")
