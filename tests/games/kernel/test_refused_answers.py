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
from tests.games.kernel.playing import Sitting
from tests.games.kernel.scene_rulebook import Said, Stage

Opens = Callable[..., Sitting]


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: Stage, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: Stage) -> Outcome:
    """Ask for one of two words."""
    return choose(msg("A word?"), say.offer(word=OneOf(("sun", "moon"))))


@rule
def wait_alone(table: Stage) -> Outcome:
    """A clock of the rulebook."""
    return Wait(1000)


@rule
def two_and_a_clock(table: Stage) -> Outcome:
    """Two seats and a clock, then one seat, then the end."""
    return together(ask().by(0), ask().by(1), wait_alone()), ask().by(0), Finished((0, 0), (1, 1))


@pytest.fixture
def sitting(opened: Opens) -> Sitting:
    """Two seats are asked, and a clock runs."""
    return opened(two_and_a_clock(), clock=Clock(seconds_per_choice=60))


def refused(sitting: Sitting, seat: int, choice: int, move: str = "say", **args: Any) -> str:
    """The refusal of an answer; that nothing changes is checked."""
    game, stored = sitting.game, sitting.rulebook.encode_game(sitting.game)
    with pytest.raises(Refusal) as refusal:
        answer(sitting.rulebook, game, seat, choice, move, args or {"word": "sun"}, 10)
    assert sitting.rulebook.encode_game(game) == stored
    assert sitting.game is game
    return str(refusal.value)


def test_a_choice_that_was_answered_is_stale(sitting: Sitting) -> None:
    first = sitting.choice_for(0, "say")
    sitting.answers(0, "say", word="sun")
    assert refused(sitting, 0, first) == f"stale-choice: choice {first} is not asked of seat 0"
    assert refused(sitting, 1, first) == f"stale-choice: choice {first} is not asked of seat 1"


def test_a_choice_that_was_never_asked_is_stale_too(sitting: Sitting) -> None:
    highest = sitting.game.last_choice
    assert refused(sitting, 0, highest + 1) == f"stale-choice: choice {highest + 1} is not asked of seat 0"
    assert refused(sitting, 0, 0).startswith("stale-choice")
    assert refused(sitting, 0, -1).startswith("stale-choice")


def test_the_same_answer_twice_is_refused_the_second_time_and_an_old_one_never_fits_a_new_choice(
    sitting: Sitting,
) -> None:
    first = sitting.choice_for(0, "say")
    sitting.sends(0, first, "say", {"word": "sun"})
    sitting.answers(1, "say", word="sun")
    sitting.rings(1000)
    assert sitting.asked(0) == ["A word?"]
    assert refused(sitting, 0, first, word="sun").startswith("stale-choice")
    assert sitting.choice_for(0, "say") != first


def test_of_all_choices_that_do_not_wait_for_a_seat_it_is_told_the_same(sitting: Sitting) -> None:
    """Else a seat could find out, one number after another, whether others have answered."""
    answered = sitting.choice_for(0, "say")
    sitting.sends(0, answered, "say", {"word": "sun"})
    anothers = sitting.choice_for(1, "say")
    the_clocks = running_timers(sitting.game)[0].choice
    for choice in (answered, anothers, the_clocks, sitting.game.last_choice + 1, 0, -1):
        assert refused(sitting, 0, choice) == f"stale-choice: choice {choice} is not asked of seat 0"
        assert refused(sitting, 7, choice) == f"stale-choice: choice {choice} is not asked of seat 7"


def test_a_move_that_is_not_offered_is_illegal(sitting: Sitting) -> None:
    asked = sitting.choice_for(0, "say")
    assert refused(sitting, 0, asked, "shout").startswith("illegal-move")
    assert refused(sitting, 0, asked, "say", word="star").startswith("illegal-move")
    assert refused(sitting, 0, asked, "ask").startswith("illegal-move")


def test_before_the_start_nothing_is_asked(rulebook_of: Callable[..., Rulebook[Any]]) -> None:
    rulebook = rulebook_of(two_and_a_clock())
    game = create(rulebook, GameSetup(2), {}, Clock(), "seed", 0).game
    for _ in range(2):
        with pytest.raises(Refusal, match="game-not-started"):
            answer(rulebook, game, 0, 1, "say", {"word": "sun"}, 0)
        assert fire_timers(rulebook, game, 10**9) is None
        game = take_seat(rulebook, game, 0, "person", 0).game if not game.session.seats[0].taken else game


def test_after_the_end_nothing_is_asked(sitting: Sitting) -> None:
    sitting.answers(0, "say", word="sun")
    sitting.answers(1, "say", word="sun")
    sitting.rings(1000)
    last = sitting.choice_for(0, "say")
    sitting.answers(0, "say", word="moon")
    assert sitting.game.session.status == "finished"
    assert refused(sitting, 0, last) == "game-over: this game is over"
    assert refused(sitting, 0, 10**6) == "game-over: this game is over"


def test_after_any_refusal_the_right_answer_is_still_taken(sitting: Sitting) -> None:
    asked = sitting.choice_for(0, "say")
    for seat, choice, name in ((1, asked, "say"), (0, asked, "shout"), (0, asked + 9, "say")):
        refused(sitting, seat, choice, name)
    assert sitting.sends(0, asked, "say", {"word": "sun"}) == (Said("sun", 0),)
