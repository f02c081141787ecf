"""Pauses: clocks stand still when all players ask for it; and running clocks get the time of an outage back."""

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
from games.kernel.sessions.session import DowntimeCompensated, Paused, PauseRequested, Resumed
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]
A_MINUTE = Clock(seconds_per_choice=60)


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: SceneTable, prompt: str) -> Outcome:
    """Ask for one of two words."""
    return choose(msg(prompt), say.offer(word=OneOf(("sun", "moon"))))


@rule
def rounds(table: SceneTable, seats: int) -> Outcome:
    """All seats are asked at the same time, again and again."""
    return together(*(ask("A word?").by(seat) for seat in range(seats))), rounds(seats)


@rule
def a_clock_too(table: SceneTable) -> Outcome:
    """Seats and a clock of the rulebook."""
    return together(ask("A word?").by(0), ask("A word?").by(1), wait_two_minutes())


@rule
def wait_two_minutes(table: SceneTable) -> Outcome:
    """And tell."""
    return Wait(120_000), Said("two minutes")


# --- pauses ------------------------------------------------------------------------------------------------------


def test_a_game_is_paused_when_all_players_ask_for_it(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2))
    assert driver.command(request_pause, 0) == (PauseRequested(0),)
    assert driver.game.session.paused_at is None
    driver.now = 5000
    assert driver.command(request_pause, 1) == (PauseRequested(1), Paused())
    assert driver.game.session.paused_at == 5000


def test_a_seat_that_asked_already_waits_for_the_others(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2))
    driver.command(request_pause, 0)
    assert driver.command_refusal(request_pause, 0) == "pause-already-requested"
    assert driver.command_refusal(request_pause, 2) == "no-such-seat"


def paused(driver: GameDriver, seats: int = 2) -> GameDriver:
    """The same game, paused."""
    for seat in range(seats):
        driver.command(request_pause, seat)
    return driver


def test_in_a_pause_clocks_stand_still_and_no_answer_is_accepted(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2), clock=A_MINUTE)
    choice_id = driver.choice_for(0, "say")
    paused(driver)
    assert driver.choices() == []
    assert (driver.alarm(), fire_timers(driver.rulebook, driver.game, 10**9)) == (None, None)
    with pytest.raises(Refusal, match="game-paused"):
        answer(driver.rulebook, driver.game, 0, choice_id, "say", {"word": "sun"}, 0)


def test_after_a_pause_clocks_go_on_with_what_was_left(start_scene: StartScene) -> None:
    driver = start_scene(a_clock_too(), clock=A_MINUTE)
    driver.now = 20_000
    paused(driver)
    driver.now = 1_020_000
    driver.command(request_pause, 0)
    assert driver.command(request_pause, 1) == (PauseRequested(1), Resumed())
    assert driver.deadlines() == [1_060_000, 1_060_000]
    driver.fire_timers(1_060_000)
    driver.fire_timers(1_060_000)
    assert driver.alarm() == 1_120_000


def test_bots_and_those_who_conceded_are_not_asked_for_a_pause(start_scene: StartScene) -> None:
    driver = start_scene(rounds(4), seats=4)
    driver.command(seat_bot, 1, "random")
    driver.command(concede, 2)
    driver.command(request_pause, 0)
    assert driver.command(request_pause, 3) == (PauseRequested(3), Paused())


@pytest.mark.parametrize(("step", "args"), [(concede, (1,)), (seat_bot, (1, "random"))])
def test_a_pause_can_be_ended_though_the_last_seat_to_ask_has_left(
    step: Any, args: tuple[Any, ...], start_scene: StartScene
) -> None:
    driver = paused(start_scene(rounds(3), seats=3), 3)
    driver.command(request_pause, 0)
    driver.command(request_pause, 2)
    assert driver.command_refusal(request_pause, 0) == "pause-already-requested"
    driver.command(step, *args)
    assert driver.command(request_pause, 0) == (PauseRequested(0), Resumed())
    assert driver.game.session.paused_at is None
    assert len(driver.choices()) == 3


# --- time that was lost -----------------------------------------------------------------------------------------------


def test_running_clocks_get_the_time_back_for_which_the_service_was_down(start_scene: StartScene) -> None:
    driver = start_scene(a_clock_too(), clock=A_MINUTE)
    driver.now = 500_000
    assert driver.command(compensate_downtime, 450_000) == (DowntimeCompensated(450_000),)
    assert driver.deadlines() == [510_000, 510_000]
    assert driver.alarm() == 510_000
    assert driver.decisions[-1].by == "system"


def test_choices_without_a_deadline_get_none(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2))
    driver.command(compensate_downtime, 450_000)
    assert driver.deadlines() == [None, None]
