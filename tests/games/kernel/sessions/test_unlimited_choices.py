"""A choice may stand for as long as the rulebook's own clocks run, whatever the clock policy of the game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.kernel import UNLIMITED, Clock, Outcome, Table, choose, move, msg, rule
from tests.games.kernel.driver import GameDriver

StartScene = Callable[..., GameDriver]


@rule
def ask_at_leisure(table: Table[object]) -> Outcome:
    """Take as long as you like."""
    return choose(msg("At leisure."), go_on.offer(), within=UNLIMITED)


@move(title="Go on", help="Go on.")
def go_on(table: Table[object]) -> Outcome:
    """Nothing follows."""
    return None


@pytest.mark.parametrize(
    ("clock", "deadline"),
    [
        (Clock(), None),
        (Clock(seconds_per_choice=60), None),
        (Clock(seconds_per_choice=60, factor=0.5), None),
        (Clock(seconds_per_choice=60, factor=0), 60_000),
        (Clock(factor=0), None),
    ],
)
def test_a_choice_without_limit_is_never_answered_by_the_clock_while_the_rulebooks_clocks_run(
    clock: Clock, deadline: int | None, start_scene: StartScene
) -> None:
    (pending,) = start_scene(ask_at_leisure().by(0), clock=clock).choices()
    assert pending.deadline == deadline
