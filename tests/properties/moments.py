"""Games to look at: random ones of any rulebook, whole, and moments of them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hypothesis import strategies as st

from games.kernel import Chance, Transition, Viewer, concede
from tests.rulebooks import DESCRIBED
from tests.rulebooks.kit import RulebookKit
from tests.rulebooks.play import opening, played_at_random

GAMES = 48
"""So many games of each rulebook are there to look at; variants and numbers of seats alternate."""


class Whole(NamedTuple):
    """A whole game that was played at random, from its creation on."""

    description: RulebookKit
    steps: list[Transition]

    @property
    def viewers(self) -> list[Viewer]:
        """Its seats and a spectator."""
        return [None, *range(len(self.steps[0].game.session.seats))]


class Moment(NamedTuple):
    """A moment of a game as one viewer meets it: the decision that led to it, the game after it, what comes next."""

    description: RulebookKit
    step: Transition
    following: Transition | None
    viewer: Viewer


@lru_cache(maxsize=GAMES)
def whole(rulebook: str, variant: str, seats: int, number: int) -> Whole:
    """Play a game at random. In one of four games a seat gives up on the way."""
    description = DESCRIBED[rulebook]
    seed = f"{variant}, {seats} seats, {number}"
    steps = opening(description.rulebook, seats, description.variants[variant], seed)
    chance = Chance(seed, 1)
    before_giving_up = chance.randbelow(60) if number % 4 == 3 else None
    for step in played_at_random(description.rulebook, steps[-1].game, seed):
        steps.append(step)
        if before_giving_up is not None and len(steps) > before_giving_up:
            break
    last = steps[-1].game
    if before_giving_up is not None and last.session.status == "running":
        steps.append(concede(description.rulebook, last, chance.randbelow(seats), steps[-1].decision.at))
        steps += played_at_random(description.rulebook, steps[-1].game, seed, steps[-1].decision.at + 1)
    return Whole(description, steps)


@st.composite
def games(draw: st.DrawFn, rulebook: str) -> Whole:
    """Draw a whole game of a rulebook."""
    number = draw(st.integers(0, GAMES - 1))
    description = DESCRIBED[rulebook]
    variants, sizes = list(description.variants), description.rulebook.seats
    variant = variants[(number + number // len(sizes)) % len(variants)]
    return whole(rulebook, variant, sizes[number % len(sizes)], number)


@st.composite
def moments(draw: st.DrawFn, rulebook: str) -> Moment:
    """Draw a moment of a game that has started, and who looks."""
    game = draw(games(rulebook))
    started = [number for number, step in enumerate(game.steps) if step.game.state is not None]
    number = draw(st.sampled_from(started))
    following = game.steps[number + 1] if number + 1 < len(game.steps) else None
    return Moment(game.description, game.steps[number], following, draw(st.sampled_from(game.viewers)))
