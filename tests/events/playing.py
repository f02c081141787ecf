"""Games on a store, played straight through `CommandHandler`."""

from __future__ import annotations

import contextlib
import random
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from events.games.command_handler import CommandHandler, CommandResult
from events.games.commands import AnswerChoice, Command, TakeSeat
from events.games.participants import new_person
from events.games.repository import LoadedGame
from events.store import chain, keys
from events.store.errors import StoreUnavailable
from games.kernel import Clock, Game, GameSetup, PendingChoice, Transition, fold, pending_choices
from games.rulebooks import RULEBOOKS
from tests.service.players import matching_value
from tests.stores import until

SIX_NIMMT = "six-nimmt"
SEED = "7" * 64
MINUTE = Clock(seconds_per_choice=60.0)
UNTIMED = Clock()


T = TypeVar("T")
Answer = tuple[int, str, dict[str, Any]]


def created_game(games: CommandHandler, seats: int = 2, clock: Clock = UNTIMED, begins: str = "when_full") -> str:
    """Create a game whose seats are free; return its id."""
    game = secrets.token_hex(8)
    games.create(game, SIX_NIMMT, GameSetup(seats, "public", begins), {}, clock, SEED)  # type: ignore[arg-type]
    return game


def sit(games: CommandHandler, game: str, name: str = "Ana") -> CommandResult:
    person = new_person(name, None)
    return games.handle(game, TakeSeat(person))


def started_game(games: CommandHandler, seats: int = 2, clock: Clock = UNTIMED) -> str:
    """Create a game and take all of its seats; return its id."""
    game = created_game(games, seats, clock)
    for _ in range(seats):
        sit(games, game)
    return game


def pending(games: CommandHandler, game: str) -> list[PendingChoice]:
    """Return the pending choices, the oldest first."""
    rulebook, state, _ = games.read(game)
    return pending_choices(rulebook, state)


def command(games: CommandHandler, game: str, seat: int) -> Answer:
    """Return an answer that a seat may give now, always the same."""
    return answer_to(next(choice for choice in pending(games, game) if choice.seat == seat))


def answer_to(choice: PendingChoice) -> Answer:
    """Return an answer to a choice, always the same."""
    given = matching_value(choice.choice.schema(), random.Random(f"{choice.id}"))
    return choice.id, given["move"], given["args"]


def play(games: CommandHandler, game: str, moves: int) -> None:
    """Play a number of moves, fewer if the game ends."""
    for _ in range(moves):
        waiting = pending(games, game)
        if not waiting:
            return
        games.handle(game, AnswerChoice(waiting[0].seat, *answer_to(waiting[0])))


def log(games: CommandHandler, game: str) -> list[bytes]:
    return [entry.decision for entry in games.store.read_after(game, 0)]


def folded(games: CommandHandler, game: str) -> Game[Any, Any] | None:
    """Verify the chain of a game and return the game folded from its log."""
    entries = games.store.read_after(game, 0)
    chain.verify(game, entries)
    rulebook, state = RULEBOOKS[SIX_NIMMT], None
    for entry in entries:
        state = fold(rulebook, state, rulebook.decode(entry.decision))
    return state


def lose_last_decision(games: CommandHandler, game: str) -> None:
    """Remove the last decision of a log, as happens when a store is restored from a backup."""
    *kept, _ = games.store.read_after(game, 0)
    with games.store.client.pipeline(transaction=True) as restored:
        restored.delete(keys.log(game))
        for number, decision, chain_hash in kept:
            restored.xadd(keys.log(game), {"d": decision, "h": chain_hash}, id=f"{number}-0")
        restored.execute()


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Call all at the same moment, each in a thread of its own; return their results, in no order."""
    barrier = threading.Barrier(len(calls))
    given: list[T] = []

    def run(call: Callable[[], T]) -> None:
        barrier.wait(10)
        given.append(call())

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(given) == len(calls), "each of them ends well"
    return given


class _Released(Exception):
    """The command that blocked a game ends without a decision."""


def run_concurrently(games: CommandHandler, game: str, calls: Sequence[Callable[[], T]]) -> list[T | Exception]:
    """Block a game until all calls wait for it, in this order; return what each returned or raised.

    The games need a long `batch_timeout`.
    """
    is_blocked, let_go = threading.Event(), threading.Event()
    given: dict[int, T | Exception] = {}

    class Block(Command, frozen=True):
        def decide(self, current: LoadedGame, now: int) -> Transition:
            is_blocked.set()
            assert let_go.wait(20)
            raise _Released

    def block() -> None:
        with contextlib.suppress(_Released, StoreUnavailable):
            games.handle(game, Block())

    def run(place: int) -> None:
        try:
            given[place] = calls[place]()
        except Exception as error:  # noqa: BLE001 - looked at by the test
            given[place] = error

    threads = [threading.Thread(target=block)]
    threads[0].start()
    assert is_blocked.wait(20), "the game is blocked"
    for place in range(len(calls)):
        threads.append(threading.Thread(target=run, args=(place,)))
        threads[-1].start()
        until(lambda expected=place + 1: games._batcher.number_waiting(game) == expected, "one more waits")  # type: ignore[misc]
    let_go.set()
    for thread in threads:
        thread.join(20)
    assert len(given) == len(calls), "each of them ends"
    return [given[place] for place in range(len(calls))]
