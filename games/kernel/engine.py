"""Playing: how answers become decisions, and decisions a game.

All functions here are pure. Those that decide return the decision and the game after it; `fold` arrives at the same
game from the decision alone, without running any rule.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from games.kernel.chance import NO_CHANCE, Chance
from games.kernel.decisions import By, Decision, Game, Step
from games.kernel.effects import Effect, Stack, Waiting
from games.kernel.facts import Fact
from games.kernel.flow import Path, choice_limit, leaves, put, retimed, stack_at
from games.kernel.lifecycle import (
    check_running,
    complete,
    concede,
    flow_of_seat,
    has_limit_of_game,
    lobby_step,
    opening_ends,
    start,
    start_run,
)
from games.kernel.moves import Choice, Illegal, Question
from games.kernel.rulebook import Rulebook
from games.kernel.session import (
    IN_THE_LOBBY,
    BankChanged,
    BotSeated,
    Lobby,
    Started,
    TimeRanOut,
    evolve_lobby,
    open_lobby,
)
from games.kernel.visibility import Seat

TRIES_FOR_THE_SILENT = 1000
"""At most this many answers are tried for a silent seat, since checks across fields may refuse some."""


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
    """Decide on a seat's answer to a choice that waits for it. `by` is "clock" if the clock answers for the seat.

    Raises:
        Illegal: `game-over`, `game-not-started`, `game-paused`, `stale-choice`, `illegal-move`.
    """
    path, leaf, asks = _waiting_leaf(game, seat, choice)
    run = start_run(rulebook, game, now)
    asked = run.ask(asks)
    if not isinstance(asked, Choice):
        raise TypeError(f"{asks.rule} waits, but asks nothing")
    effect, values = asked.read(run.table(seat), move, args)
    facts: tuple[Fact, ...] = (TimeRanOut(seat),) if by == "clock" else ()
    clock = game.lobby.created.clock
    if (clock.bank or clock.increment) and has_limit_of_game(game.lobby, asked):
        bank = _bank_changed(game.lobby, leaf, seat, now)
        facts += bank
        run.lobby = _with_facts(game.lobby, bank, now)
    run.resume(path, (*stack_at(game.flow, path)[:-1], effect.by(seat)))
    return complete(
        game, run, Decision(game.number + 1, now, seat if by is None else by, move, 0, facts, (), choice, values)
    )


def ring(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Step | None:
    """Let the clock answer the first choice that is due by `now`; None when nothing is due.

    A wait simply ends. For a silent seat, the game's clock policy applies: one of its moves is made, drawn with the
    chance of this decision; or a bot plays the seat from now on; or the seat concedes.
    """
    opens = opening_ends(game.lobby)
    if opens is not None and opens <= now:
        return start(rulebook, game, now, by="clock")
    if game.lobby.paused_at is not None or game.lobby.status != "running":
        return None
    due = [
        (leaf.due, leaf.choice, path) for path, leaf in leaves(game.flow) if leaf.due is not None and leaf.due <= now
    ]
    if not due:
        return None
    _, choice, path = min(due)
    leaf = stack_at(game.flow, path)[-1]
    assert isinstance(leaf, Waiting)
    if leaf.effect is not None and not leaf.clock:
        assert leaf.effect.seat is not None
        return _silent(rulebook, game, leaf, leaf.effect.seat, now)
    run = start_run(rulebook, game, now)
    run.resume(path, stack_at(game.flow, path)[:-1])
    return complete(game, run, Decision(game.number + 1, now, "clock", "ring", 0, (), (), choice))


def _silent(rulebook: Rulebook[Any], game: Game[Any, Any], leaf: Waiting, seat: Seat, now: int) -> Step:
    """Decide what happens to a seat whose time ran out. If a bot plays it, an answer is given for it in any case."""
    match "answer" if game.lobby.seatings[seat].bot else game.lobby.created.clock.when_out:
        case "bot":
            facts = (TimeRanOut(seat), BotSeated(seat, rulebook.best_bot))
            flow = flow_of_seat(rulebook, game, _with_facts(game.lobby, facts, now), seat, now)
            flow = retimed(flow, lambda other: None if other.choice == leaf.choice else other.due)
            return lobby_step(game, Decision(game.number + 1, now, "clock", "seat_bot", 0, facts), flow)
        case "concede":
            return concede(rulebook, game, seat, now, before=(TimeRanOut(seat),))
    run = start_run(rulebook, game, now)
    assert leaf.effect is not None
    asked = run.ask(leaf.effect)
    run.chance = Chance(f"{game.lobby.seed}/silent", game.number + 1)  # separate from the chance of what follows
    table = run.table(seat)
    picks = asked.picks(run.chance) if rulebook.when_silent is None else rulebook.when_silent(table, asked)
    for move, args in islice(picks, TRIES_FOR_THE_SILENT):
        try:
            asked.read(table, move, args)
        except Illegal:
            continue
        return answer(rulebook, game, seat, leaf.choice, move, args, now, by="clock")
    raise RuntimeError(f"{leaf.effect.rule}: no answer for a silent seat was found")


def fold(rulebook: Rulebook[Any], game: Game[Any, Any] | None, decision: Decision[Any]) -> Game[Any, Any]:
    """Return the game after a decision of its log. No rule runs: facts are applied and stacks are put back."""
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
        if type(fact) in IN_THE_LOBBY:
            lobby = evolve_lobby(lobby, fact, decision.at)
            if isinstance(fact, Started):
                table = rulebook.set_up(lobby)
        else:
            table = evolve(table, fact)
    for path, stack in decision.flow:
        flow = put(flow, path, stack)
    return Game(lobby, table, flow, decision.number, decision.last_choice, decision.at)


def questions(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat | None = None) -> list[Question]:
    """Return what is asked now, of one seat or of all, oldest first, with the options as they are at this moment."""
    if game.lobby.paused_at is not None:
        return []
    return sorted(_questions(rulebook, game, seat), key=lambda question: question.choice)


def _questions(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat | None) -> Iterator[Question]:
    run = start_run(rulebook, game, 0)
    run.chance = NO_CHANCE
    for _, leaf in leaves(game.flow):
        if leaf.effect is not None and not leaf.clock and (seat is None or leaf.effect.seat == seat):
            assert leaf.effect.seat is not None
            yield Question(leaf.choice, leaf.effect.seat, leaf.due, run.ask(leaf.effect))


def waits(game: Game[Any, Any]) -> list[Waiting]:
    """Return the rulebook's own clocks that run now, oldest first."""
    return sorted((leaf for _, leaf in leaves(game.flow) if leaf.clock), key=lambda leaf: leaf.choice)


def next_alarm(game: Game[Any, Any]) -> int | None:
    """The time at which the clock must answer next, in milliseconds since the epoch; None when it need not."""
    if game.lobby.status == "open":
        return opening_ends(game.lobby)
    if game.lobby.paused_at is not None:
        return None
    return min((leaf.due for _, leaf in leaves(game.flow) if leaf.due is not None), default=None)


def bots_to_move(game: Game[Any, Any]) -> list[Seat]:
    """Return the seats that are played by a bot and are asked something now."""
    if game.lobby.paused_at is not None:
        return []
    bots = {seating.seat for seating in game.lobby.seatings if seating.bot is not None}
    if not bots:
        return []
    asked = {leaf.effect.seat for _, leaf in leaves(game.flow) if leaf.effect is not None and not leaf.clock}
    return sorted(bots & asked)


def _waiting_leaf(game: Game[Any, Any], seat: Seat, choice: int) -> tuple[Path, Waiting, Effect]:
    """Find the choice that waits for a seat, and the effect that asks it.

    All other choices are refused alike: whether another seat has answered a choice of its own may be secret.
    """
    check_running(game.lobby)
    for path, leaf in leaves(game.flow):
        if leaf.choice == choice and not leaf.clock and leaf.effect is not None and leaf.effect.seat == seat:
            if game.lobby.paused_at is not None:
                raise Illegal("game-paused", "this game is paused")
            return path, leaf, leaf.effect
    raise Illegal("stale-choice", "choice {choice} is not asked of seat {seat}", choice=choice, seat=seat)


def _bank_changed(lobby: Lobby, leaf: Waiting, seat: Seat, now: int) -> tuple[Fact, ...]:
    """Return how an answer changes a seat's time bank: minus the overrun, plus the increment; empty if not at all."""
    clock, seating = lobby.created.clock, lobby.seatings[seat]
    if leaf.due is None or choice_limit(lobby, seat) is None:
        return ()
    overrun = max(0, now - (leaf.due - seating.bank))
    left = max(0, seating.bank - overrun) + round(clock.increment * 1000)
    return (BankChanged(seat, left),) if left != seating.bank else ()


def _with_facts(lobby: Lobby, facts: tuple[Fact, ...], at: int) -> Lobby:
    for fact in facts:
        lobby = evolve_lobby(lobby, fact, at)
    return lobby
