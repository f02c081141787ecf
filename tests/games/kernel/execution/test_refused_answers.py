"""Answers that are refused: each with its code, and nothing has changed."""

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import (
    Clock,
    Finished,
    GameSetup,
    OneOf,
    Outcome,
    Refusal,
    Rulebook,
    Wait,
    answer,
    choose,
    create,
    fire_timers,
    move,
    msg,
    rule,
    running_timers,
    take_seat,
    together,
)
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: SceneTable) -> Outcome:
    """Ask for one of two words."""
    return choose(msg("A word?"), say.offer(word=OneOf(("sun", "moon"))))


@rule
def wait_alone(table: SceneTable) -> Outcome:
    """A clock of the rulebook."""
    return Wait(1000)


@rule
def two_and_a_clock(table: SceneTable) -> Outcome:
    """Two seats and a clock, then one seat, then the end."""
    return together(ask().by(0), ask().by(1), wait_alone()), ask().by(0), Finished((0, 0), (1, 1))


@pytest.fixture
def driver(start_scene: StartScene) -> GameDriver:
    """Two seats are asked, and a clock runs."""
    return start_scene(two_and_a_clock(), clock=Clock(seconds_per_choice=60))


def refused(driver: GameDriver, seat: int, choice: int, move: str = "say", **args: Any) -> str:
    """The refusal of an answer; that nothing changes is checked."""
    game, stored = driver.game, driver.rulebook.encode_game(driver.game)
    with pytest.raises(Refusal) as refusal:
        answer(driver.rulebook, game, seat, choice, move, args or {"word": "sun"}, 10)
    assert driver.rulebook.encode_game(game) == stored
    assert driver.game is game
    return str(refusal.value)


def test_a_choice_that_was_answered_is_stale(driver: GameDriver) -> None:
    first = driver.choice_for(0, "say")
    driver.answer(0, "say", word="sun")
    assert refused(driver, 0, first) == f"stale-choice: choice {first} is not asked of seat 0"
    assert refused(driver, 1, first) == f"stale-choice: choice {first} is not asked of seat 1"


def test_a_choice_that_was_never_asked_is_stale_too(driver: GameDriver) -> None:
    highest = driver.game.last_choice
    assert refused(driver, 0, highest + 1) == f"stale-choice: choice {highest + 1} is not asked of seat 0"
    assert refused(driver, 0, 0).startswith("stale-choice")
    assert refused(driver, 0, -1).startswith("stale-choice")


def test_the_same_answer_twice_is_refused_the_second_time_and_an_old_one_never_fits_a_new_choice(
    driver: GameDriver,
) -> None:
    first = driver.choice_for(0, "say")
    driver.send(0, first, "say", {"word": "sun"})
    driver.answer(1, "say", word="sun")
    driver.fire_timers(1000)
    assert driver.prompts(0) == ["A word?"]
    assert refused(driver, 0, first, word="sun").startswith("stale-choice")
    assert driver.choice_for(0, "say") != first


def test_of_all_choices_that_do_not_wait_for_a_seat_the_refusal_is_the_same(driver: GameDriver) -> None:
    """Else a seat could find out, one number after another, whether others have answered."""
    answered = driver.choice_for(0, "say")
    driver.send(0, answered, "say", {"word": "sun"})
    anothers = driver.choice_for(1, "say")
    the_clocks = running_timers(driver.game)[0].choice
    for choice in (answered, anothers, the_clocks, driver.game.last_choice + 1, 0, -1):
        assert refused(driver, 0, choice) == f"stale-choice: choice {choice} is not asked of seat 0"
        assert refused(driver, 7, choice) == f"stale-choice: choice {choice} is not asked of seat 7"


def test_a_move_that_is_not_offered_is_illegal(driver: GameDriver) -> None:
    choice_id = driver.choice_for(0, "say")
    assert refused(driver, 0, choice_id, "shout").startswith("illegal-move")
    assert refused(driver, 0, choice_id, "say", word="star").startswith("illegal-move")
    assert refused(driver, 0, choice_id, "ask").startswith("illegal-move")


def test_before_the_start_nothing_is_asked(make_rulebook: Callable[..., Rulebook[Any]]) -> None:
    rulebook = make_rulebook(two_and_a_clock())
    game = create(rulebook, GameSetup(2), {}, Clock(), "seed", 0).game
    for _ in range(2):
        with pytest.raises(Refusal, match="game-not-started"):
            answer(rulebook, game, 0, 1, "say", {"word": "sun"}, 0)
        assert fire_timers(rulebook, game, 10**9) is None
        game = take_seat(rulebook, game, 0, "person", 0).game if not game.session.seats[0].taken else game


def test_after_the_end_nothing_is_asked(driver: GameDriver) -> None:
    driver.answer(0, "say", word="sun")
    driver.answer(1, "say", word="sun")
    driver.fire_timers(1000)
    last = driver.choice_for(0, "say")
    driver.answer(0, "say", word="moon")
    assert driver.game.session.status == "finished"
    assert refused(driver, 0, last) == "game-over: this game is over"
    assert refused(driver, 0, 10**6) == "game-over: this game is over"


def test_after_any_refusal_the_right_answer_is_still_accepted(driver: GameDriver) -> None:
    choice_id = driver.choice_for(0, "say")
    for seat, choice, name in ((1, choice_id, "say"), (0, choice_id, "shout"), (0, choice_id + 9, "say")):
        refused(driver, seat, choice, name)
    assert driver.send(0, choice_id, "say", {"word": "sun"}) == (Said("sun", 0),)
