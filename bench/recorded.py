"""Games played at random, for repeated measurements: every state, and the answer that came next."""

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
TRIES = 1000


class Turn(NamedTuple):
    """A state in which a seat is asked something, and an answer that was accepted."""

    game: Game[Any, Any]
    seat: int
    choice: int
    move: str
    args: dict[str, Any]


class Recorded(NamedTuple):
    """A game: its turns, and all its decisions, those of the lobby too."""

    turns: list[Turn]
    decisions: list[Decision[Any]]
    is_over: bool


def usual_seats(rulebook: Rulebook[Any]) -> int:
    """Four seats, or the nearest number that the rulebook allows."""
    return min(rulebook.seats, key=lambda seats: abs(seats - SEATS))


def played(rulebook: Rulebook[Any], seed: str, most: int = 5000, clock: Clock | None = None) -> Recorded:
    """Play a game at random from a seed, to its end or until `most` answers have been given."""
    chance = Chance(f"{seed}/answers", 0)
    opened = list(opening(rulebook, seed, clock or Clock()))
    game = opened[-1].game
    decisions = [step.decision for step in opened]
    turns: list[Turn] = []
    while game.session.status == "running" and len(turns) < most:
        turn, step = _turn(rulebook, game, chance)
        turns.append(turn)
        decisions.append(step.decision)
        game = step.game
    return Recorded(turns, decisions, game.session.status == "finished")


def opening(rulebook: Rulebook[Any], seed: str, clock: Clock) -> Iterator[Transition]:
    """Create a game and fill its seats, which starts it."""
    seats = usual_seats(rulebook)
    step = create(rulebook, GameSetup(seats), {}, clock, seed, 0)
    yield step
    for seat in range(seats):
        step = take_seat(rulebook, step.game, seat, f"player-{seat}", 0)
        yield step


def _turn(rulebook: Rulebook[Any], game: Game[Any, Any], chance: Chance) -> tuple[Turn, Transition]:
    asked = chance.choice(pending_choices(rulebook, game))
    for move, args in islice(asked.choice.samples(chance), TRIES):
        try:
            step = answer(rulebook, game, asked.seat, asked.id, move, args, 0)
        except Refusal:  # a check across fields refuses it
            continue
        return Turn(game, asked.seat, asked.id, move, args), step
    raise RuntimeError(f"no answer to “{asked.choice.prompt_text}” was found in {TRIES} tries")
