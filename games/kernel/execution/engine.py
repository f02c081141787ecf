"""The engine: how answers and timers become decisions, and decisions a game.

All functions are pure. Those that decide return the decision and the game after it; `fold` arrives at the same game
from the decision alone, without running any rule.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from games.kernel.execution.flow import complete, new_interpreter
from games.kernel.execution.lifecycle import check_running, concede, start, with_new_deadlines
from games.kernel.language.chance import FORBIDDEN_CHANCE, Chance
from games.kernel.language.effects import Effect, Path, Pending, Stack, pending_leaves, replace_stack, stack_at
from games.kernel.language.facts import Fact
from games.kernel.language.messages import Refusal
from games.kernel.language.moves import Choice, PendingChoice
from games.kernel.language.visibility import Seat
from games.kernel.rulebook import Rulebook
from games.kernel.sessions.clock import bank_after_answer, first_due, seed_reveal_deadline, with_deadlines
from games.kernel.sessions.decisions import Actor, Decision, Game, Transition, next_decision, transition
from games.kernel.sessions.session import (
    SESSION_FACT_TYPES,
    BankChanged,
    BotSeated,
    Session,
    Started,
    TimeRanOut,
    apply_facts,
    evolve_session,
    new_session,
)

MAX_TIMEOUT_ATTEMPTS = 1000
"""At most this many answers are tried for a seat that ran out of time: constraints may refuse some of them."""


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
    """Decide on a seat's answer to a pending choice. `by` is "clock" if the clock answers for the seat.

    Raises:
        Refusal: `game-over`, `game-not-started`, `game-paused`, `stale-choice`, `illegal-move`.
    """
    path, leaf, effect = _pending_leaf(game, seat, choice)
    interpreter = new_interpreter(rulebook, game, now)
    choice_now = interpreter.evaluate(effect)
    if not isinstance(choice_now, Choice):
        raise TypeError(f"{effect.rule} waits, but asks nothing")
    move_effect, values = choice_now.parse(interpreter.table(seat), move, args)
    facts: tuple[Fact, ...] = (TimeRanOut(seat),) if by == "clock" else ()
    bank = bank_after_answer(game.session, seat, leaf, choice_now.within, now)
    if bank is not None:
        facts += (BankChanged(seat, bank),)
        interpreter.session = apply_facts(game.session, facts, now)
    interpreter.resume(path, (*stack_at(game.flow, path)[:-1], move_effect.by(seat)))
    decision = next_decision(game, now, seat if by is None else by, move, *facts, choice=choice, args=values)
    return complete(game, interpreter, decision)


def fire_timers(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Transition | None:
    """Let the clock act on what is due first by `now`; None when nothing is due.

    A timer of the rulebook ends. For a seat that ran out of time, the game's clock policy applies: one of its moves is
    made, drawn with the chance of this decision; or a bot plays the seat from now on; or the seat concedes. A full game
    that has waited long enough for parts of the seed starts without them.
    """
    deadline = seed_reveal_deadline(game.session)
    if deadline is not None and deadline <= now:
        return start(rulebook, game, now, by="clock")
    due = first_due(game, now)
    if due is None:
        return None
    path, leaf = due
    if leaf.seat is not None:
        return _time_out(rulebook, game, leaf, leaf.seat, now)
    interpreter = new_interpreter(rulebook, game, now)
    interpreter.resume(path, stack_at(game.flow, path)[:-1])
    return complete(game, interpreter, next_decision(game, now, "clock", "timer", choice=leaf.choice))


def _time_out(rulebook: Rulebook[Any], game: Game[Any, Any], leaf: Pending, seat: Seat, now: int) -> Transition:
    """Apply the clock policy to a seat that ran out of time. If a bot plays it, the clock answers in any case."""
    match "answer" if game.session.seats[seat].bot else game.session.clock.on_timeout:
        case "bot":
            facts = (TimeRanOut(seat), BotSeated(seat, rulebook.best_bot))
            flow = with_new_deadlines(rulebook, game, apply_facts(game.session, facts, now), seat, now)
            flow = with_deadlines(flow, lambda other: None if other.choice == leaf.choice else other.due)
            return transition(game, next_decision(game, now, "clock", "seat_bot", *facts), flow)
        case "concede":
            return concede(rulebook, game, seat, now, before=(TimeRanOut(seat),))
    return _answer_for_seat(rulebook, game, leaf, seat, now)


def _answer_for_seat(rulebook: Rulebook[Any], game: Game[Any, Any], leaf: Pending, seat: Seat, now: int) -> Transition:
    """Answer a choice for a seat that ran out of time: as the rulebook says, or else at random."""
    assert leaf.effect is not None
    interpreter = new_interpreter(rulebook, game, now)
    choice = interpreter.evaluate(leaf.effect)
    # The answer is drawn apart from what follows it: the number of attempts must not change the draws of the rules.
    interpreter.chance = Chance(f"{game.session.seed}/timeout", game.number + 1)
    table = interpreter.table(seat)
    if rulebook.timeout_answers is None:
        answers = choice.samples(interpreter.chance)
    else:
        answers = rulebook.timeout_answers(table, choice)
    for move, args in islice(answers, MAX_TIMEOUT_ATTEMPTS):
        try:
            choice.parse(table, move, args)
        except Refusal:
            continue
        return answer(rulebook, game, seat, leaf.choice, move, args, now, by="clock")
    raise RuntimeError(f"{leaf.effect.rule}: no answer was found for a seat that ran out of time")


def fold(rulebook: Rulebook[Any], game: Game[Any, Any] | None, decision: Decision[Any]) -> Game[Any, Any]:
    """Return the game after a decision of its log; `game` is the one before it, None for the first decision.

    No rule runs: facts are applied, and the stacks of the flow that changed are put back.
    """
    facts = decision.facts
    if game is None:
        session: Session = new_session(facts[0], decision.at)
        state: Any = None
        flow: Stack = ()
        facts = facts[1:]
    else:
        session, state, flow = game.session, game.state, game.flow
    evolve = rulebook.evolve
    for fact in facts:
        if type(fact) in SESSION_FACT_TYPES:
            session = evolve_session(session, fact, decision.at)
            if isinstance(fact, Started):
                state = rulebook.initial_state(session)
        else:
            state = evolve(state, fact)
    for path, stack in decision.flow:
        flow = replace_stack(flow, path, stack)
    return Game(session, state, flow, decision.number, decision.last_choice, decision.at)


def pending_choices(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat | None = None) -> list[PendingChoice]:
    """Return the choices that wait for one seat, or for all; oldest first, with the options as they are now."""
    if game.session.paused_at is not None:
        return []
    return sorted(_pending_choices(rulebook, game, seat), key=lambda pending: pending.id)


def _pending_choices(rulebook: Rulebook[Any], game: Game[Any, Any], seat: Seat | None) -> Iterator[PendingChoice]:
    interpreter = new_interpreter(rulebook, game, 0)
    interpreter.chance = FORBIDDEN_CHANCE
    for _, leaf in pending_leaves(game.flow):
        pending_seat = leaf.seat
        if pending_seat is not None and (seat is None or pending_seat == seat):
            assert leaf.effect is not None
            yield PendingChoice(leaf.choice, pending_seat, leaf.due, interpreter.evaluate(leaf.effect))


def bots_to_move(game: Game[Any, Any]) -> list[Seat]:
    """Return the seats that are played by a bot and have to answer now."""
    if game.session.paused_at is not None:
        return []
    bots = {seat_info.seat for seat_info in game.session.seats if seat_info.bot is not None}
    return sorted(bots & {leaf.seat for _, leaf in pending_leaves(game.flow)}) if bots else []


def _pending_leaf(game: Game[Any, Any], seat: Seat, choice: int) -> tuple[Path, Pending, Effect]:
    """Return the leaf of a choice that waits for a seat, with its path and the effect that asks.

    All other choices are refused alike: whether another seat has answered a choice of its own may be secret.
    """
    check_running(game.session)
    for path, leaf in pending_leaves(game.flow):
        if leaf.choice == choice and leaf.seat == seat and leaf.effect is not None:
            if game.session.paused_at is not None:
                raise Refusal("game-paused", "this game is paused")
            return path, leaf, leaf.effect
    raise Refusal("stale-choice", "choice {choice} is not asked of seat {seat}", choice=choice, seat=seat)
