"""Playing: how answers become decisions, and decisions a game.

All functions here are pure. Those that decide give the decision and the game after it; `fold` gives the same game
from the decision alone, and runs no rule.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from games.kernel.chance import NO_CHANCE, Chance, commitment_to
from games.kernel.decisions import By, Decision, Game
from games.kernel.effects import Stack, Waiting
from games.kernel.facts import Fact
from games.kernel.flow import Run, leaves, put, stack_at
from games.kernel.lobby import (
    Clock,
    Created,
    Lobby,
    LobbyFact,
    SeatLeft,
    SeatTaken,
    Started,
    TimeRanOut,
    evolve_lobby,
    open_lobby,
)
from games.kernel.moves import Choice, Illegal, Question
from games.kernel.rulebook import Rulebook
from games.kernel.sight import Seat

TRIES_FOR_THE_SILENT = 1000
"""So many random answers are tried for a silent seat where checks across fields refuse some."""


class Step(NamedTuple):
    """A decision and the game after it."""

    decision: Decision[Any]
    game: Game[Any, Any]


class Seats(NamedTuple):
    """How a new game is set up: how many sit at it, who may watch it, and how it starts."""

    number: int
    visibility: Literal["public", "private"] = "public"
    start: Literal["host", "when_full"] = "when_full"


def create(rulebook: Rulebook[Any], seats: Seats, options: dict[str, Any], clock: Clock, seed: str, now: int) -> Step:
    """Create a game. `options` as a client gave them; `seed` is kept secret until the game is over.

    Raises:
        Illegal: `bad-options`, when the options or the number of seats are not among those of the rulebook.
    """
    settled = msgspec.to_builtins(rulebook.settle(options, seats.number))
    created = Created(
        rulebook.id,
        rulebook.edition,
        seats.number,
        settled,
        clock,
        seats.visibility,
        seats.start,
        commitment_to(seed),
        seed,
    )
    decision: Decision[Any] = Decision(1, now, "host", "create", 0, (created,))
    return Step(decision, Game(open_lobby(created, now), None, (), 1, 0))


def take_seat(
    rulebook: Rulebook[Any],
    game: Game[Any, Any],
    seat: Seat | None,
    name: str,
    player: str | None,
    now: int,
    bot: str | None = None,
) -> Step:
    """Sit down at `seat`, or at the first free one. The last seat taken starts a game that starts when full.

    Raises:
        Illegal: `seats-full`, `seat-taken`, `no-such-seat`, or `game-started`.
    """
    lobby = game.lobby
    if lobby.status != "open":
        raise Illegal("game-started", "seats are taken before a game starts")
    if not lobby.free_seats:
        raise Illegal("seats-full", "every seat of this game is taken")
    place = lobby.free_seats[0] if seat is None else seat
    if not 0 <= place < len(lobby.seatings):
        raise Illegal("no-such-seat", f"the seats of this game are 0 to {len(lobby.seatings) - 1}")
    if place not in lobby.free_seats:
        raise Illegal("seat-taken", f"seat {place} is taken")
    taken = SeatTaken(place, name, player, bot)
    last = lobby.created.start == "when_full" and len(lobby.free_seats) == 1
    return _lobby_step(rulebook, game, place, "take_seat", taken, now, start=last)


def leave_seat(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat, now: int) -> Step:
    """Stand up before the game starts.

    Raises:
        Illegal: `game-started` or `seat-free`.
    """
    if game.lobby.status != "open":
        raise Illegal("game-started", "a seat can be left only before the game starts")
    if seat in game.lobby.free_seats:
        raise Illegal("seat-free", f"nobody sits at seat {seat}")
    return _lobby_step(rulebook, game, seat, "leave_seat", SeatLeft(seat), now)


def start(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Step:
    """Start a game whose seats are all taken.

    Raises:
        Illegal: `game-started` or `seats-open`.
    """
    if game.lobby.status != "open":
        raise Illegal("game-started", "this game has started already")
    if not game.lobby.is_full:
        raise Illegal("seats-open", f"seats {list(game.lobby.free_seats)} are still free")
    return _lobby_step(rulebook, game, "host", "start", None, now, start=True)


def answer(
    rulebook: Rulebook[Any],
    game: Game[Any, Any],
    seat: Seat,
    choice: int,
    move: str,
    args: dict[str, Any],
    now: int,
    by: By | None = None,
) -> Step:
    """Decide on a seat's answer to a choice that waits for it. `by` is the clock when it answers for the seat.

    Raises:
        Illegal: `game-over`, `game-not-started`, `stale-choice`, `not-your-choice`, `illegal-move`.
    """
    path, leaf = _waiting_leaf(game, choice)
    if leaf.clock or leaf.effect is None:
        raise Illegal("not-your-choice", f"choice {choice} waits for the clock")
    if leaf.effect.seat != seat:
        raise Illegal("not-your-choice", f"choice {choice} is not asked of seat {seat}")
    run = _run(rulebook, game, now)
    asked = run.ask(leaf.effect)
    if not isinstance(asked, Choice):
        raise TypeError(f"{leaf.effect.rule} waits, but asks nothing")
    effect, values = asked.read(run.table(seat), move, args)
    facts: tuple[Fact, ...] = () if by is None else (TimeRanOut(seat),)
    run.resume(path, (*stack_at(game.flow, path)[:-1], effect.by(seat)))
    return _step(
        game,
        run,
        Decision(game.number + 1, now, seat if by is None else by, move, 0, facts, (), choice, values),
    )


def ring(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Step | None:
    """Let the clock answer the first choice that is due by `now`; None when nothing is due.

    A wait simply ends. A silent seat's choice gets one of its moves, drawn by the chance of this decision.
    """
    due = [
        (leaf.due, leaf.choice, path, leaf)
        for path, leaf in leaves(game.flow)
        if leaf.due is not None and leaf.due <= now
    ]
    if not due:
        return None
    _, choice, path, leaf = min(due, key=lambda found: found[:2])
    run = _run(rulebook, game, now)
    if leaf.effect is not None and not leaf.clock:
        assert leaf.effect.seat is not None
        asked = run.ask(leaf.effect)
        table = run.table(leaf.effect.seat)
        silent = rulebook.when_silent
        picks = (
            asked.picks(Chance(f"{game.lobby.created.seed}/silent", game.number + 1))
            if silent is None
            else silent(table, asked)
        )
        for move, args in islice(picks, TRIES_FOR_THE_SILENT):
            try:
                asked.read(table, move, args)
            except Illegal:
                continue
            return answer(rulebook, game, leaf.effect.seat, choice, move, args, now, by="clock")
        raise RuntimeError(f"{leaf.effect.rule}: no answer for a silent seat was found")
    run.resume(path, stack_at(game.flow, path)[:-1])
    return _step(game, run, Decision(game.number + 1, now, "clock", "ring", 0, (), (), choice))


def fold(rulebook: Rulebook[Any], game: Game[Any, Any] | None, decision: Decision[Any]) -> Game[Any, Any]:
    """Give the game after a decision of its log. No rule runs: facts are applied and stacks are put back."""
    facts = decision.facts
    if game is None:
        lobby: Lobby = open_lobby(facts[0], decision.at)
        table: Any = None
        flow: Stack = ()
        facts = facts[1:]
    else:
        lobby, table, flow = game.lobby, game.table, game.flow
    evolve = rulebook.evolve
    for fact in facts:
        if isinstance(fact, LobbyFact):
            lobby = evolve_lobby(lobby, fact)
            if isinstance(fact, Started):
                table = rulebook.set_up(lobby)
        else:
            table = evolve(table, fact)
    for path, stack in decision.flow:
        flow = put(flow, path, stack)
    return Game(lobby, table, flow, decision.number, decision.last_choice)


def questions(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat | None = None) -> list[Question]:
    """Give what is asked now, of one seat or of all, the oldest first, with the options as they are at this moment."""
    return sorted(_questions(rulebook, game, seat), key=lambda question: question.choice)


def _questions(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat | None) -> Iterator[Question]:
    run = _run(rulebook, game, 0)
    run.chance = NO_CHANCE
    for _, leaf in leaves(game.flow):
        if leaf.effect is not None and not leaf.clock and (seat is None or leaf.effect.seat == seat):
            assert leaf.effect.seat is not None
            yield Question(leaf.choice, leaf.effect.seat, leaf.due, run.ask(leaf.effect))


def waits(game: Game[Any, Any]) -> list[Waiting]:
    """Give the rulebook's clocks that run now, the oldest first."""
    return sorted((leaf for _, leaf in leaves(game.flow) if leaf.clock), key=lambda leaf: leaf.choice)


def next_alarm(game: Game[Any, Any]) -> int | None:
    """When the clock has to answer next, in milliseconds since the epoch; None when it need not."""
    return min((leaf.due for _, leaf in leaves(game.flow) if leaf.due is not None), default=None)


def _waiting_leaf(game: Game[Any, Any], choice: int) -> tuple[tuple[int, ...], Waiting]:
    if game.lobby.status == "open":
        raise Illegal("game-not-started", "this game has not started")
    if game.lobby.status != "running":
        raise Illegal("game-over", "this game is over")
    for path, leaf in leaves(game.flow):
        if leaf.choice == choice:
            return path, leaf
    raise Illegal(
        "stale-choice",
        f"choice {choice} is not asked any more" if choice <= game.last_choice else f"there is no choice {choice}",
    )


def _run(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Run:
    created = game.lobby.created
    chance = Chance(created.seed, game.number + 1)
    return Run(rulebook, game.table, game.flow, game.last_choice, created.clock, chance, now)


def _step(game: Game[Any, Any], run: Run, answered: Decision[Any]) -> Step:
    """Complete a decision with what the run led to."""
    decision = replace(
        answered,
        facts=(*answered.facts, *run.facts),
        flow=tuple(run.changes.items()),
        last_choice=run.last_choice,
    )
    lobby = game.lobby
    for fact in decision.facts:
        if isinstance(fact, LobbyFact):
            lobby = evolve_lobby(lobby, fact)
    return Step(decision, Game(lobby, run.state, run.flow, decision.number, run.last_choice))


def _lobby_step(
    rulebook: Rulebook[Any],
    game: Game[Any, Any],
    by: By,
    move: str,
    fact: Fact | None,
    now: int,
    start: bool = False,
) -> Step:
    """Decide on a step of the lobby; with `start`, play begins in the same decision."""
    facts = () if fact is None else (fact,)
    if not start:
        return _step(game, _run(rulebook, game, now), Decision(game.number + 1, now, by, move, 0, facts))
    started = replace(game, table=rulebook.set_up(game.lobby))
    run = _run(rulebook, started, now)
    run.resume((), (rulebook.begin,))
    return _step(started, run, Decision(game.number + 1, now, by, move, 0, (*facts, Started())))
