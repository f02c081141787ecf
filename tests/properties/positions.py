"""Random games of any rulebook, and positions in them, for the property tests."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hypothesis import strategies as st

from games.kernel import Chance, Transition, Viewer, concede
from tests.rulebooks import DESCRIBED
from tests.rulebooks.kit import RulebookKit
from tests.rulebooks.play import opening, play_at_random

GAMES = 48
"""The number of games of each rulebook; variants and numbers of seats alternate."""


class WholeGame(NamedTuple):
    """A whole game that was played at random, from its creation on."""

    description: RulebookKit
    steps: list[Transition]

    @property
    def viewers(self) -> list[Viewer]:
        """Its seats and a spectator."""
        return [None, *range(len(self.steps[0].game.session.seats))]


class Position(NamedTuple):
    """A position in a game and who views it: the decision that led to it, the game after it, and the next decision."""

    description: RulebookKit
    step: Transition
    following: Transition | None
    viewer: Viewer


@lru_cache(maxsize=GAMES)
def whole_game(rulebook: str, variant: str, seats: int, number: int) -> WholeGame:
    """Play a game at random. In one of four games a seat concedes on the way."""
    description = DESCRIBED[rulebook]
    seed = f"{variant}, {seats} seats, {number}"
    steps = opening(description.rulebook, seats, description.variants[variant], seed)
    chance = Chance(seed, 1)
    steps_before_conceding = chance.randbelow(60) if number % 4 == 3 else None
    for step in play_at_random(description.rulebook, steps[-1].game, seed):
        steps.append(step)
        if steps_before_conceding is not None and len(steps) > steps_before_conceding:
            break
    last = steps[-1].game
    if steps_before_conceding is not None and last.session.status == "running":
        steps.append(concede(description.rulebook, last, chance.randbelow(seats), steps[-1].decision.at))
        steps += play_at_random(description.rulebook, steps[-1].game, seed, steps[-1].decision.at + 1)
    return WholeGame(description, steps)


@st.composite
def games(draw: st.DrawFn, rulebook: str) -> WholeGame:
    """Draw a whole game of a rulebook."""
    number = draw(st.integers(0, GAMES - 1))
    description = DESCRIBED[rulebook]
    variants, sizes = list(description.variants), description.rulebook.seats
    variant = variants[(number + number // len(sizes)) % len(variants)]
    return whole_game(rulebook, variant, sizes[number % len(sizes)], number)


@st.composite
def positions(draw: st.DrawFn, rulebook: str) -> Position:
    """Draw a position of a game that has started, and a viewer."""
    game = draw(games(rulebook))
    started = [number for number, step in enumerate(game.steps) if step.game.state is not None]
    number = draw(st.sampled_from(started))
    following = game.steps[number + 1] if number + 1 < len(game.steps) else None
    return Position(game.description, game.steps[number], following, draw(st.sampled_from(game.viewers)))
