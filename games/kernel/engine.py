"""Playing: how answers become decisions, and decisions a game.

All functions here are pure. Those that decide return the decision and the game after it; `fold` arrives at the same
game from the decision alone, without running any rule.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from games.kernel.chance import FORBIDDEN_CHANCE, Chance
from games.kernel.decisions import Actor, Decision, Game, Transition
from games.kernel.effects import Effect, Pending, Stack
from games.kernel.facts import Fact
from games.kernel.flow import Path, pending_leaves, replace_stack, stack_at, time_limit, with_new_limits
from games.kernel.lifecycle import (
    check_running,
    complete,
    concede,
    new_interpreter,
    retimed_flow,
    reveal_deadline,
    session_transition,
    start,
    uses_game_limit,
)
from games.kernel.moves import Choice, PendingChoice, Refusal
from games.kernel.rulebook import Rulebook
from games.kernel.session import (
    SESSION_FACT_TYPES,
    BankChanged,
    BotSeated,
    Session,
    Started,
    TimeRanOut,
    evolve_session,
    new_session,
)
from games.kernel.visibility import Seat

MAX_TIMEOUT_ATTEMPTS = 1000
"""At most this many answers are tried for a silent seat, since checks across fields may refuse some."""


def answer(
    rulebook: Rulebook[Any],
    game: Game[Any, Any],
    seat: Seat,
    choice: int,
    move: str,
    args: dict[str, Any],
    now: int,
    by: Actor | None = None,
) -> Transition:
    """Decide on a seat's answer to a choice that waits for it. `by` is "clock" if the clock answers for the seat.

    Raises:
        Illegal: `game-over`, `game-not-started`, `game-paused`, `stale-choice`, `illegal-move`.
    """
    path, leaf, asks = _pending_leaf(game, seat, choice)
    run = new_interpreter(rulebook, game, now)
    asked = run.evaluate(asks)
    if not isinstance(asked, Choice):
        raise TypeError(f"{asks.rule} waits, but asks nothing")
    effect, values = asked.parse(run.table(seat), move, args)
    facts: tuple[Fact, ...] = (TimeRanOut(seat),) if by == "clock" else ()
    clock = game.session.created.clock
    if (clock.bank or clock.increment) and uses_game_limit(game.session, asked):
        bank = _bank_changed(game.session, leaf, seat, now)
        facts += bank
        run.session = _with_facts(game.session, bank, now)
    run.resume(path, (*stack_at(game.flow, path)[:-1], effect.by(seat)))
    return complete(
        game, run, Decision(game.number + 1, now, seat if by is None else by, move, 0, facts, (), choice, values)
    )


def fire_timers(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Transition | None:
    """Let the clock answer the first choice that is due by `now`; None when nothing is due.

    A wait simply ends. For a silent seat, the game's clock policy applies: one of its moves is made, drawn with the
    chance of this decision; or a bot plays the seat from now on; or the seat concedes.
    """
    opens = reveal_deadline(game.session)
    if opens is not None and opens <= now:
        return start(rulebook, game, now, by="clock")
    if game.session.paused_at is not None or game.session.status != "running":
        return None
    due = [
        (leaf.due, leaf.choice, path)
        for path, leaf in pending_leaves(game.flow)
        if leaf.due is not None and leaf.due <= now
    ]
    if not due:
        return None
    _, choice, path = min(due)
    leaf = stack_at(game.flow, path)[-1]
    assert isinstance(leaf, Pending)
    if leaf.effect is not None and not leaf.is_timer:
        assert leaf.effect.seat is not None
        return _answer_for_silent_seat(rulebook, game, leaf, leaf.effect.seat, now)
    run = new_interpreter(rulebook, game, now)
    run.resume(path, stack_at(game.flow, path)[:-1])
    return complete(game, run, Decision(game.number + 1, now, "clock", "ring", 0, (), (), choice))


def _answer_for_silent_seat(
    rulebook: Rulebook[Any], game: Game[Any, Any], leaf: Pending, seat: Seat, now: int
) -> Transition:
    """Decide what happens to a seat whose time ran out. If a bot plays it, an answer is given for it in any case."""
    match "answer" if game.session.seats[seat].bot else game.session.created.clock.on_timeout:
        case "bot":
            facts = (TimeRanOut(seat), BotSeated(seat, rulebook.best_bot))
            flow = retimed_flow(rulebook, game, _with_facts(game.session, facts, now), seat, now)
            flow = with_new_limits(flow, lambda other: None if other.choice == leaf.choice else other.due)
            return session_transition(game, Decision(game.number + 1, now, "clock", "seat_bot", 0, facts), flow)
        case "concede":
            return concede(rulebook, game, seat, now, before=(TimeRanOut(seat),))
    run = new_interpreter(rulebook, game, now)
    assert leaf.effect is not None
    asked = run.evaluate(leaf.effect)
    run.chance = Chance(f"{game.session.seed}/silent", game.number + 1)  # separate from the chance of what follows
    table = run.table(seat)
    picks = asked.samples(run.chance) if rulebook.timeout_answers is None else rulebook.timeout_answers(table, asked)
    for move, args in islice(picks, MAX_TIMEOUT_ATTEMPTS):
        try:
            asked.parse(table, move, args)
        except Refusal:
            continue
        return answer(rulebook, game, seat, leaf.choice, move, args, now, by="clock")
    raise RuntimeError(f"{leaf.effect.rule}: no answer for a silent seat was found")


def fold(rulebook: Rulebook[Any], game: Game[Any, Any] | None, decision: Decision[Any]) -> Game[Any, Any]:
    """Return the game after a decision of its log. No rule runs: facts are applied and stacks are put back."""
    facts = decision.facts
    if game is None:
        lobby: Session = new_session(facts[0], decision.at)
        table: Any = None
        flow: Stack = ()
        facts = facts[1:]
    else:
        lobby, table, flow = game.session, game.state, game.flow
    evolve = rulebook.evolve
    for fact in facts:
        if type(fact) in SESSION_FACT_TYPES:
            lobby = evolve_session(lobby, fact, decision.at)
            if isinstance(fact, Started):
                table = rulebook.initial_state(lobby)
        else:
            table = evolve(table, fact)
    for path, stack in decision.flow:
        flow = replace_stack(flow, path, stack)
    return Game(lobby, table, flow, decision.number, decision.last_choice, decision.at)


def pending_choices(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat | None = None) -> list[PendingChoice]:
    """Return what is asked now, of one seat or of all, oldest first, with the options as they are at this moment."""
    if game.session.paused_at is not None:
        return []
    return sorted(_pending_choices(rulebook, game, seat), key=lambda question: question.id)


def _pending_choices(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat | None) -> Iterator[PendingChoice]:
    run = new_interpreter(rulebook, game, 0)
    run.chance = FORBIDDEN_CHANCE
    for _, leaf in pending_leaves(game.flow):
        if leaf.effect is not None and not leaf.is_timer and (seat is None or leaf.effect.seat == seat):
            assert leaf.effect.seat is not None
            yield PendingChoice(leaf.choice, leaf.effect.seat, leaf.due, run.evaluate(leaf.effect))


def running_timers(game: Game[Any, Any]) -> list[Pending]:
    """Return the rulebook's own clocks that run now, oldest first."""
    return sorted((leaf for _, leaf in pending_leaves(game.flow) if leaf.is_timer), key=lambda leaf: leaf.choice)


def next_alarm(game: Game[Any, Any]) -> int | None:
    """The time at which the clock must answer next, in milliseconds since the epoch; None when it need not."""
    if game.session.status == "open":
        return reveal_deadline(game.session)
    if game.session.paused_at is not None:
        return None
    return min((leaf.due for _, leaf in pending_leaves(game.flow) if leaf.due is not None), default=None)


def bots_to_move(game: Game[Any, Any]) -> list[Seat]:
    """Return the seats that are played by a bot and are asked something now."""
    if game.session.paused_at is not None:
        return []
    bots = {seating.seat for seating in game.session.seats if seating.bot is not None}
    if not bots:
        return []
    asked = {leaf.effect.seat for _, leaf in pending_leaves(game.flow) if leaf.effect is not None and not leaf.is_timer}
    return sorted(bots & asked)


def _pending_leaf(game: Game[Any, Any], seat: Seat, choice: int) -> tuple[Path, Pending, Effect]:
    """Find the choice that waits for a seat, and the effect that asks it.

    All other choices are refused alike: whether another seat has answered a choice of its own may be secret.
    """
    check_running(game.session)
    for path, leaf in pending_leaves(game.flow):
        if leaf.choice == choice and not leaf.is_timer and leaf.effect is not None and leaf.effect.seat == seat:
            if game.session.paused_at is not None:
                raise Refusal("game-paused", "this game is paused")
            return path, leaf, leaf.effect
    raise Refusal("stale-choice", "choice {choice} is not asked of seat {seat}", choice=choice, seat=seat)


def _bank_changed(lobby: Session, leaf: Pending, seat: Seat, now: int) -> tuple[Fact, ...]:
    """Return how an answer changes a seat's time bank: minus the overrun, plus the increment; empty if not at all."""
    clock, seating = lobby.created.clock, lobby.seats[seat]
    if leaf.due is None or time_limit(lobby, seat) is None:
        return ()
    overrun = max(0, now - (leaf.due - seating.bank))
    left = max(0, seating.bank - overrun) + round(clock.increment * 1000)
    return (BankChanged(seat, left),) if left != seating.bank else ()


def _with_facts(lobby: Session, facts: tuple[Fact, ...], at: int) -> Session:
    for fact in facts:
        lobby = evolve_session(lobby, fact, at)
    return lobby
