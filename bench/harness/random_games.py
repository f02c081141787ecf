"""Games played at random, for repeated measurements: every state, and the answer that followed."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from games.kernel import (
    Chance,
    Clock,
    Decision,
    Game,
    GameSetup,
    Refusal,
    Rulebook,
    Transition,
    answer,
    create,
    pending_choices,
    take_seat,
)

SEATS = 4
MAX_TRIES = 1000


class Turn(NamedTuple):
    """A state in which a seat has a choice, and an answer that was accepted."""

    game: Game[Any, Any]
    seat: int
    choice: int
    move: str
    args: dict[str, Any]


class RecordedGame(NamedTuple):
    """A game: its turns, and all its decisions, including those before the start."""

    turns: list[Turn]
    decisions: list[Decision[Any]]
    is_over: bool


def default_seats(rulebook: Rulebook[Any]) -> int:
    """Return four, or the nearest number of seats that the rulebook allows."""
    return min(rulebook.seats, key=lambda seats: abs(seats - SEATS))


def play_random_game(
    rulebook: Rulebook[Any], seed: str, max_answers: int = 5000, clock: Clock | None = None
) -> RecordedGame:
    """Play a game at random from a seed, to its end or until `max_answers` answers."""
    chance = Chance(f"{seed}/answers", 0)
    opened = list(opening(rulebook, seed, clock or Clock()))
    game = opened[-1].game
    decisions = [step.decision for step in opened]
    turns: list[Turn] = []
    while game.session.status == "running" and len(turns) < max_answers:
        turn, step = _turn(rulebook, game, chance)
        turns.append(turn)
        decisions.append(step.decision)
        game = step.game
    return RecordedGame(turns, decisions, game.session.status == "finished")


def opening(rulebook: Rulebook[Any], seed: str, clock: Clock) -> Iterator[Transition]:
    """Create a game and fill its seats, which starts it; yield each transition."""
    seats = default_seats(rulebook)
    step = create(rulebook, GameSetup(seats), {}, clock, seed, 0)
    yield step
    for seat in range(seats):
        step = take_seat(rulebook, step.game, seat, f"player-{seat}", 0)
        yield step


def _turn(rulebook: Rulebook[Any], game: Game[Any, Any], chance: Chance) -> tuple[Turn, Transition]:
    pending = chance.choice(pending_choices(rulebook, game))
    for move, args in islice(pending.choice.samples(chance), MAX_TRIES):
        try:
            step = answer(rulebook, game, pending.seat, pending.id, move, args, 0)
        except Refusal:  # a constraint between fields refuses it
            continue
        return Turn(game, pending.seat, pending.id, move, args), step
    raise RuntimeError(f"no answer to “{pending.choice.prompt_text}” was accepted in {MAX_TRIES} tries")
