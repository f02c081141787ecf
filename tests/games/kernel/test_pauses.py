"""Pauses: clocks stand still when all players wish it; and time that the service lost is given back."""

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import (
    Clock,
    OneOf,
    Outcome,
    Refusal,
    Wait,
    answer,
    choose,
    compensate_downtime,
    concede,
    fire_timers,
    move,
    msg,
    request_pause,
    rule,
    seat_bot,
    together,
)
from games.kernel.session import DowntimeCompensated, Paused, PauseRequested, Resumed
from tests.games.kernel.playing import Sitting
from tests.games.kernel.scene_rulebook import Said, Stage

Opens = Callable[..., Sitting]
A_MINUTE = Clock(seconds_per_choice=60)


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: Stage, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: Stage, prompt: str) -> Outcome:
    """Ask for one of two words."""
    return choose(msg(prompt), say.offer(word=OneOf(("sun", "moon"))))


@rule
def rounds(table: Stage, seats: int) -> Outcome:
    """All seats are asked at the same time, again and again."""
    return together(*(ask("A word?").by(seat) for seat in range(seats))), rounds(seats)


@rule
def a_clock_too(table: Stage) -> Outcome:
    """Seats and a clock of the rulebook."""
    return together(ask("A word?").by(0), ask("A word?").by(1), wait_two_minutes())


@rule
def wait_two_minutes(table: Stage) -> Outcome:
    """And tell."""
    return Wait(120_000), Said("two minutes")


# --- pauses ------------------------------------------------------------------------------------------------------


def test_a_game_is_paused_when_all_players_wish_it(opened: Opens) -> None:
    sitting = opened(rounds(2))
    assert sitting.does(request_pause, 0) == (PauseRequested(0),)
    assert sitting.game.session.paused_at is None
    sitting.now = 5000
    assert sitting.does(request_pause, 1) == (PauseRequested(1), Paused())
    assert sitting.game.session.paused_at == 5000


def test_who_wished_it_already_waits_for_the_others(opened: Opens) -> None:
    sitting = opened(rounds(2))
    sitting.does(request_pause, 0)
    assert sitting.refuses(request_pause, 0) == "pause-already-requested"
    assert sitting.refuses(request_pause, 2) == "no-such-seat"


def paused(sitting: Sitting, seats: int = 2) -> Sitting:
    """The same game, paused."""
    for seat in range(seats):
        sitting.does(request_pause, seat)
    return sitting


def test_in_a_pause_clocks_stand_still_and_no_answer_is_taken(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    asked = sitting.choice_for(0, "say")
    paused(sitting)
    assert sitting.questions() == []
    assert (sitting.alarm(), fire_timers(sitting.rulebook, sitting.game, 10**9)) == (None, None)
    with pytest.raises(Refusal, match="game-paused"):
        answer(sitting.rulebook, sitting.game, 0, asked, "say", {"word": "sun"}, 0)


def test_after_a_pause_clocks_go_on_with_what_was_left(opened: Opens) -> None:
    sitting = opened(a_clock_too(), clock=A_MINUTE)
    sitting.now = 20_000
    paused(sitting)
    sitting.now = 1_020_000
    sitting.does(request_pause, 0)
    assert sitting.does(request_pause, 1) == (PauseRequested(1), Resumed())
    assert sitting.deadlines() == [1_060_000, 1_060_000]
    sitting.rings(1_060_000)
    sitting.rings(1_060_000)
    assert sitting.alarm() == 1_120_000


def test_bots_and_those_who_gave_up_are_not_asked_for_a_pause(opened: Opens) -> None:
    sitting = opened(rounds(4), seats=4)
    sitting.does(seat_bot, 1, "random")
    sitting.does(concede, 2)
    sitting.does(request_pause, 0)
    assert sitting.does(request_pause, 3) == (PauseRequested(3), Paused())


@pytest.mark.parametrize(("step", "args"), [(concede, (1,)), (seat_bot, (1, "random"))])
def test_a_pause_can_be_ended_though_the_last_who_was_waited_for_is_gone(
    step: Any, args: tuple[Any, ...], opened: Opens
) -> None:
    sitting = paused(opened(rounds(3), seats=3), 3)
    sitting.does(request_pause, 0)
    sitting.does(request_pause, 2)
    assert sitting.refuses(request_pause, 0) == "pause-already-requested"
    sitting.does(step, *args)
    assert sitting.does(request_pause, 0) == (PauseRequested(0), Resumed())
    assert sitting.game.session.paused_at is None
    assert len(sitting.questions()) == 3


# --- time that was lost -----------------------------------------------------------------------------------------------


def test_running_clocks_get_the_time_back_for_which_the_service_was_away(opened: Opens) -> None:
    sitting = opened(a_clock_too(), clock=A_MINUTE)
    sitting.now = 500_000
    assert sitting.does(compensate_downtime, 450_000) == (DowntimeCompensated(450_000),)
    assert sitting.deadlines() == [510_000, 510_000]
    assert sitting.alarm() == 510_000
    assert sitting.decisions[-1].by == "system"


def test_choices_without_a_deadline_get_none(opened: Opens) -> None:
    sitting = opened(rounds(2))
    sitting.does(compensate_downtime, 450_000)
    assert sitting.deadlines() == [None, None]
