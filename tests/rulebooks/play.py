"""Games of any rulebook, played by its bots or at random. The same seed gives the same game on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from games.kernel import (
    Chance,
    Clock,
    Game,
    GameSetup,
    PendingChoice,
    Refusal,
    Rulebook,
    Transition,
    answer,
    create,
    fire_timers,
    next_alarm,
    observe,
    pending_choices,
    take_seat,
)
from games.kernel.effects import pending_leaves

A_SECOND = 1000
TRIES = 1000
UNTIMED = Clock()
LONGEST = 20_000
"""No game has more decisions: one that does never ends."""


def opening(
    rulebook: Rulebook[Any], seats: int, options: dict[str, Any], seed: str, clock: Clock = UNTIMED
) -> list[Transition]:
    """Create a game and let all seats be taken, so that it starts."""
    steps = [create(rulebook, GameSetup(seats), options, clock, seed, 0)]
    for seat in range(seats):
        steps.append(take_seat(rulebook, steps[-1].game, seat, f"player-{seat}", 0))
    return steps


def started(rulebook: Rulebook[Any], seats: int, options: dict[str, Any], seed: str) -> Game[Any, Any]:
    """Return a game that has just started."""
    return opening(rulebook, seats, options, seed)[-1].game


def asked_at_random(rulebook: Rulebook[Any], game: Game[Any, Any], chance: Chance) -> PendingChoice | None:
    """Return one of the questions that are asked now, each equally likely; None when no seat is asked anything."""
    waiting = [leaf for _, leaf in pending_leaves(game.flow) if leaf.effect is not None and not leaf.is_timer]
    if not waiting:
        return None
    leaf = chance.choice(waiting)
    assert leaf.effect is not None
    asked = pending_choices(rulebook, game, leaf.effect.seat)
    return next(question for question in asked if question.id == leaf.choice)


def answered_at_random(
    rulebook: Rulebook[Any], game: Game[Any, Any], question: PendingChoice, chance: Chance, now: int
) -> Transition:
    """Answer a question at random; answers that a declared check refuses are tried again."""
    for move, args in islice(question.choice.samples(chance), TRIES):
        try:
            return answer(rulebook, game, question.seat, question.id, move, args, now)
        except Refusal:
            if not any(offer.constraints for offer in question.choice.offers):
                raise
    raise AssertionError(f"no answer to “{question.choice.prompt_text}” is accepted")


def played_at_random(
    rulebook: Rulebook[Any], game: Game[Any, Any], seed: str, now: int = A_SECOND
) -> Iterator[Transition]:
    """Play a game that has started to its end, one second a decision; alarms ring when they are due."""
    chance = Chance(seed, 0)
    for _ in range(LONGEST):
        if game.session.status != "running":
            return
        alarm = next_alarm(game)
        question = asked_at_random(rulebook, game, chance)
        if alarm is not None and (question is None or alarm <= now):
            now = max(now, alarm)
            step = fire_timers(rulebook, game, now)
            assert step is not None
        else:
            assert question is not None, "nobody is asked anything, and no clock runs"
            step = answered_at_random(rulebook, game, question, chance, now)
            now += A_SECOND
        game = step.game
        yield step
    raise AssertionError(f"after {LONGEST} decisions the game still goes on")


def played_by_bots(
    rulebook: Rulebook[Any], game: Game[Any, Any], seed: str, bots: Mapping[int, str] | None = None
) -> Iterator[Transition]:
    """Play a game to its end by bots, `random` where a seat is not named; the oldest question is answered first."""
    chance = Chance(seed, 0)
    now = A_SECOND
    for _ in range(LONGEST):
        if game.session.status != "running":
            return
        alarm = next_alarm(game)
        seat = _seat_asked_first(game)
        if alarm is not None and (seat is None or alarm <= now):
            now = max(now, alarm)
            step = fire_timers(rulebook, game, now)
            assert step is not None
        else:
            assert seat is not None, "nobody is asked anything, and no clock runs"
            step = _bot_step(rulebook, game, seat, (bots or {}).get(seat, "random"), chance, now)
            now += A_SECOND
        game = step.game
        yield step
    raise AssertionError(f"after {LONGEST} decisions the game still goes on")


def _seat_asked_first(game: Game[Any, Any]) -> int | None:
    waiting = [leaf for _, leaf in pending_leaves(game.flow) if leaf.effect is not None and not leaf.is_timer]
    return min(waiting, key=lambda leaf: leaf.choice).effect.seat if waiting else None  # type: ignore[union-attr]


def _bot_step(
    rulebook: Rulebook[Any], game: Game[Any, Any], seat: int, bot: str, chance: Chance, now: int
) -> Transition:
    for _ in range(TRIES):
        command = rulebook.bots[bot](observe(rulebook, game, seat), chance)
        try:
            return answer(rulebook, game, seat, *command, now)
        except Refusal:
            if bot != "random":
                raise
    raise AssertionError(f"no answer of bot {bot} at seat {seat} is accepted")
