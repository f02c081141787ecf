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
from games.kernel.language.effects import pending_leaves

A_SECOND = 1000
MAX_ATTEMPTS = 1000
UNTIMED = Clock()
MAX_DECISIONS = 20_000
"""The maximum number of decisions: a game with more is taken to be endless."""


def opening(
    rulebook: Rulebook[Any], seats: int, options: dict[str, Any], seed: str, clock: Clock = UNTIMED
) -> list[Transition]:
    """Create a game and take all its seats, so that it starts."""
    steps = [create(rulebook, GameSetup(seats), options, clock, seed, 0)]
    for seat in range(seats):
        steps.append(take_seat(rulebook, steps[-1].game, seat, f"player-{seat}", 0))
    return steps


def started(rulebook: Rulebook[Any], seats: int, options: dict[str, Any], seed: str) -> Game[Any, Any]:
    """Return a game that has just started."""
    return opening(rulebook, seats, options, seed)[-1].game


def random_pending_choice(rulebook: Rulebook[Any], game: Game[Any, Any], chance: Chance) -> PendingChoice | None:
    """Return one of the pending choices, each equally likely; None when there is none."""
    waiting = [leaf for _, leaf in pending_leaves(game.flow) if leaf.seat is not None]
    if not waiting:
        return None
    leaf = chance.choice(waiting)
    assert leaf.effect is not None
    choices = pending_choices(rulebook, game, leaf.effect.seat)
    return next(pending for pending in choices if pending.id == leaf.choice)


def answer_at_random(
    rulebook: Rulebook[Any], game: Game[Any, Any], pending: PendingChoice, chance: Chance, now: int
) -> Transition:
    """Answer a choice at random; answers that a constraint refuses are tried again."""
    for move, args in islice(pending.choice.samples(chance), MAX_ATTEMPTS):
        try:
            return answer(rulebook, game, pending.seat, pending.id, move, args, now)
        except Refusal:
            if not any(offer.constraints for offer in pending.choice.offers):
                raise
    raise AssertionError(f"no answer to “{pending.choice.prompt_text}” is accepted")


def play_at_random(
    rulebook: Rulebook[Any], game: Game[Any, Any], seed: str, now: int = A_SECOND
) -> Iterator[Transition]:
    """Play a started game to its end, one second per decision; timers fire when they are due."""
    chance = Chance(seed, 0)
    for _ in range(MAX_DECISIONS):
        if game.session.status != "running":
            return
        alarm = next_alarm(game)
        pending = random_pending_choice(rulebook, game, chance)
        if alarm is not None and (pending is None or alarm <= now):
            now = max(now, alarm)
            step = fire_timers(rulebook, game, now)
            assert step is not None
        else:
            assert pending is not None, "no choice is pending, and no timer runs"
            step = answer_at_random(rulebook, game, pending, chance, now)
            now += A_SECOND
        game = step.game
        yield step
    raise AssertionError(f"after {MAX_DECISIONS} decisions the game still goes on")


def play_by_bots(
    rulebook: Rulebook[Any], game: Game[Any, Any], seed: str, bots: Mapping[int, str] | None = None
) -> Iterator[Transition]:
    """Play a game to its end by bots, `random` where a seat is not named; the oldest choice is answered first."""
    chance = Chance(seed, 0)
    now = A_SECOND
    for _ in range(MAX_DECISIONS):
        if game.session.status != "running":
            return
        alarm = next_alarm(game)
        seat = _first_seat_to_answer(game)
        if alarm is not None and (seat is None or alarm <= now):
            now = max(now, alarm)
            step = fire_timers(rulebook, game, now)
            assert step is not None
        else:
            assert seat is not None, "no choice is pending, and no timer runs"
            step = _bot_step(rulebook, game, seat, (bots or {}).get(seat, "random"), chance, now)
            now += A_SECOND
        game = step.game
        yield step
    raise AssertionError(f"after {MAX_DECISIONS} decisions the game still goes on")


def _first_seat_to_answer(game: Game[Any, Any]) -> int | None:
    waiting = [leaf for _, leaf in pending_leaves(game.flow) if leaf.seat is not None]
    return min(waiting, key=lambda leaf: leaf.choice).effect.seat if waiting else None  # type: ignore[union-attr]


def _bot_step(
    rulebook: Rulebook[Any], game: Game[Any, Any], seat: int, bot: str, chance: Chance, now: int
) -> Transition:
    for _ in range(MAX_ATTEMPTS):
        command = rulebook.bots[bot](observe(rulebook, game, seat), chance)
        try:
            return answer(rulebook, game, seat, *command, now)
        except Refusal:
            if bot != "random":
                raise
    raise AssertionError(f"no answer of bot {bot} at seat {seat} is accepted")
