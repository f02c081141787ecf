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


def created(games: CommandHandler, seats: int = 2, clock: Clock = UNTIMED, begins: str = "when_full") -> str:
    """Create a game whose seats are free; give its id."""
    game = secrets.token_hex(8)
    games.create(game, SIX_NIMMT, GameSetup(seats, "public", begins), {}, clock, SEED)  # type: ignore[arg-type]
    return game


def sit(games: CommandHandler, game: str, name: str = "Ana") -> CommandResult:
    person = new_person(name, None)
    return games.handle(game, TakeSeat(person))


def started(games: CommandHandler, seats: int = 2, clock: Clock = UNTIMED) -> str:
    """Create a game and let its seats be taken."""
    game = created(games, seats, clock)
    for _ in range(seats):
        sit(games, game)
    return game


def asked(games: CommandHandler, game: str) -> list[PendingChoice]:
    """All that is asked now, the oldest first."""
    rulebook, state, _ = games.read(game)
    return pending_choices(rulebook, state)


def command(games: CommandHandler, game: str, seat: int) -> Answer:
    """An answer that a seat may give now, always the same."""
    return answer_to(next(question for question in asked(games, game) if question.seat == seat))


def answer_to(question: PendingChoice) -> Answer:
    """An answer to a question, always the same."""
    given = matching_value(question.choice.schema(), random.Random(f"{question.id}"))
    return question.id, given["move"], given["args"]


def play(games: CommandHandler, game: str, moves: int) -> None:
    """Play so many moves, fewer when the game ends."""
    for _ in range(moves):
        waiting = asked(games, game)
        if not waiting:
            return
        games.handle(game, AnswerChoice(waiting[0].seat, *answer_to(waiting[0])))


def log(games: CommandHandler, game: str) -> list[bytes]:
    return [entry.decision for entry in games.store.read_after(game, 0)]


def folded(games: CommandHandler, game: str) -> Game[Any, Any] | None:
    """The game that its log leads to, with the chain verified on the way."""
    entries = games.store.read_after(game, 0)
    chain.verify(game, entries)
    rulebook, state = RULEBOOKS[SIX_NIMMT], None
    for entry in entries:
        state = fold(rulebook, state, rulebook.decode(entry.decision))
    return state


def lose_last_decision(games: CommandHandler, game: str) -> None:
    """What becomes of a log in a store that was restored as it was a moment ago."""
    *kept, _ = games.store.read_after(game, 0)
    with games.store.client.pipeline(transaction=True) as restored:
        restored.delete(keys.log(game))
        for number, decision, chain_hash in kept:
            restored.xadd(keys.log(game), {"d": decision, "h": chain_hash}, id=f"{number}-0")
        restored.execute()


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Call all at the same moment, each in a thread of its own; give what they gave, in no order."""
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


class _LetGo(Exception):
    """Whoever held a game wants nothing of it."""


def run_concurrently(games: CommandHandler, game: str, calls: Sequence[Callable[[], T]]) -> list[T | Exception]:
    """Let somebody hold a game until all calls wait for it, in this order; give what each gave or raised.

    The games need a long `batch_timeout`.
    """
    holds, let_go = threading.Event(), threading.Event()
    given: dict[int, T | Exception] = {}

    class Hold(Command, frozen=True):
        def decide(self, current: LoadedGame, now: int) -> Transition:
            holds.set()
            assert let_go.wait(20)
            raise _LetGo

    def held() -> None:
        with contextlib.suppress(_LetGo, StoreUnavailable):
            games.handle(game, Hold())

    def run(place: int) -> None:
        try:
            given[place] = calls[place]()
        except Exception as error:  # noqa: BLE001 - looked at by the test
            given[place] = error

    threads = [threading.Thread(target=held)]
    threads[0].start()
    assert holds.wait(20), "the game is held"
    for place in range(len(calls)):
        threads.append(threading.Thread(target=run, args=(place,)))
        threads[-1].start()
        until(lambda expected=place + 1: games._batcher.number_waiting(game) == expected, "one more waits")  # type: ignore[misc]
    let_go.set()
    for thread in threads:
        thread.join(20)
    assert len(given) == len(calls), "each of them ends"
    return [given[place] for place in range(len(calls))]
