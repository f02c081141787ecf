"""The rulebook's own clocks: `Wait` in a tuple, `Wait` alone, and the factor on both."""

from collections.abc import Callable

import pytest

from games.kernel import Clock, Outcome, Refusal, Wait, answer, choose, move, msg, rule, running_timers, together
from tests.games.kernel.playing import Sitting
from tests.games.kernel.scene_rulebook import Said, Stage

Opens = Callable[..., Sitting]


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: Stage, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def may_say(table: Stage, word: str) -> Outcome:
    """May say a word."""
    return choose(msg(word), say.offer(word))


@rule
def wait_in_a_tuple(table: Stage) -> Outcome:
    """What comes after it waits."""
    return Said("before"), Wait(1000), Said("between"), Wait(500), say("after")


def test_what_comes_after_a_wait_waits_for_the_clock(opened: Opens) -> None:
    sitting = opened(wait_in_a_tuple())
    assert sitting.table.said == ("before",)
    assert sitting.alarm() == 1000
    assert sitting.rings(999) is None
    assert sitting.rings(1000) == (Said("between"),)
    assert sitting.alarm() == 1500
    assert sitting.rings(1500) == (Said("after"),)
    assert sitting.alarm() is None
    assert sitting.rings(10**9) is None


def test_the_decision_of_the_clock_names_what_it_answered(opened: Opens) -> None:
    sitting = opened(wait_in_a_tuple())
    sitting.rings(1200)
    decision = sitting.decisions[-1]
    assert (decision.by, decision.move, decision.choice, decision.at, decision.args) == ("clock", "timer", 1, 1200, {})


@pytest.mark.parametrize(("factor", "due"), [(1.0, 1000), (2.0, 2000), (0.5, 500), (0.0333, 33)])
def test_the_factor_of_the_game_scales_the_clocks_of_its_rulebook(factor: float, due: int, opened: Opens) -> None:
    assert opened(wait_in_a_tuple(), clock=Clock(factor=factor)).alarm() == due


def test_with_the_factor_0_a_wait_is_never_due_and_still_waits(opened: Opens) -> None:
    sitting = opened(wait_in_a_tuple(), clock=Clock(factor=0))
    assert sitting.alarm() is None
    assert sitting.rings(10**15) is None
    assert [(wait.choice, wait.due) for wait in running_timers(sitting.game)] == [(1, None)]
    assert sitting.table.said == ("before",)


@rule
def a_wait_alone(table: Stage) -> Outcome:
    """A rule that only waits, as long as it has to, beside somebody who may end it."""
    return together(strand_that_waits(), may_say("stop").by(0), may_say("go").by(1)), Said("all")


@rule
def strand_that_waits(table: Stage) -> Outcome:
    """The wait and what follows it."""
    return wait_until_stopped(), Said("the wait is over")


@rule
def wait_until_stopped(table: Stage) -> Outcome:
    """It is asked again after every decision, like a question."""
    return Said("stopped") if "stop" in table.said else Wait(1000)


def test_a_rule_that_only_waits_is_over_early_when_it_waits_no_longer(opened: Opens) -> None:
    sitting = opened(a_wait_alone())
    sitting.answers(1, "say")
    assert sitting.alarm() == 1000
    assert sitting.answers(0, "say") == (Said("stop", 0), Said("stopped"), Said("the wait is over"), Said("all"))
    assert sitting.alarm() is None


def test_a_rule_that_only_waits_ends_when_the_clock_rings_and_is_not_asked_again(opened: Opens) -> None:
    sitting = opened(a_wait_alone())
    assert sitting.rings(1000) == (Said("the wait is over"),)
    sitting.answers(0, "say")
    assert sitting.answers(1, "say") == (Said("go", 1), Said("all"))


def test_with_the_factor_0_a_rule_that_only_waits_can_still_be_over_early(opened: Opens) -> None:
    sitting = opened(a_wait_alone(), clock=Clock(factor=0))
    assert sitting.alarm() is None
    assert Said("the wait is over") in sitting.answers(0, "say")


@rule
def a_wait_that_stays(table: Stage) -> Outcome:
    """A wait in a tuple does not look at the table."""
    return together(strand_with_a_tuple(), may_say("stop").by(0))


@rule
def strand_with_a_tuple(table: Stage) -> Outcome:
    """The tuple was returned before anybody said stop."""
    return None if "stop" in table.said else (Wait(1000), Said("after"))


def test_a_wait_in_a_tuple_is_not_over_early(opened: Opens) -> None:
    sitting = opened(a_wait_that_stays())
    sitting.answers(0, "say")
    assert sitting.alarm() == 1000
    assert sitting.rings(1000) == (Said("after"),)


@rule
def three_clocks(table: Stage) -> Outcome:
    """Three clocks side by side, two of them due at the same time."""
    return together(clock("late", 900), clock("first", 300), clock("second", 300)), Said("all")


@rule
def clock(table: Stage, name: str, milliseconds: int) -> Outcome:
    """Wait and tell."""
    return Wait(milliseconds), Said(name)


def test_what_is_due_first_rings_first_and_the_older_of_two(opened: Opens) -> None:
    sitting = opened(three_clocks())
    assert [wait.due for wait in running_timers(sitting.game)] == [900, 300, 300]
    assert sitting.alarm() == 300
    assert sitting.rings(5000) == (Said("first"),)
    assert sitting.rings(5000) == (Said("second"),)
    assert sitting.rings(5000) == (Said("late"), Said("all"))
    assert sitting.rings(5000) is None


@rule
def many_at_once(table: Stage) -> Outcome:
    """Waits that are due as soon as they begin."""
    return Wait(0), Said("a"), Wait(0), Said("b")


def test_each_wait_is_a_decision_of_its_own(opened: Opens) -> None:
    sitting = opened(many_at_once())
    assert sitting.rings(0) == (Said("a"),)
    assert sitting.rings(0) == (Said("b"),)


def test_nobody_answers_in_the_place_of_the_clock(opened: Opens) -> None:
    sitting = opened(a_wait_alone())
    waiting = running_timers(sitting.game)[0].choice
    for seat in (0, 1):
        with pytest.raises(Refusal, match=f"stale-choice: choice {waiting} is not asked of seat {seat}"):
            answer(sitting.rulebook, sitting.game, seat, waiting, "timer", {}, 0)
    tuple_wait = opened(wait_in_a_tuple())
    with pytest.raises(Refusal, match="stale-choice"):
        answer(tuple_wait.rulebook, tuple_wait.game, 0, 1, "timer", {}, 0)


# --- a rule that waits for a seat, and then for the clock -------------------------------------------------


@rule
def wait_then_ask(table: Stage) -> Outcome:
    """Whom it waits for depends on what was said."""
    return together(clock_or_seat().by(0), may_say_anything().by(1)), Said("all")


@rule
def clock_or_seat(table: Stage) -> Outcome:
    """First the clock, then the seat, then the clock again."""
    if table.said[-1:] == ("ask",):
        return choose(msg("Now you."), say.offer("answered"))
    return Wait(1000) if "end" not in table.said else None


@rule
def may_say_anything(table: Stage) -> Outcome:
    """Say a word, and another one."""
    return choose(msg("?"), say_and_go_on.offer("ask"), say_and_end.offer("end"), say_another.offer("rest"))


@move(title="Say and go on", help="Say and go on.", args={"word": "Word"})
def say_and_go_on(table: Stage, word: str) -> Outcome:
    """Say it and be asked again."""
    return Said(word), may_say_anything()


@move(title="Say another", help="Say another.", args={"word": "Word"})
def say_another(table: Stage, word: str) -> Outcome:
    """Say it and be asked again."""
    return Said(word), may_say_anything()


@move(title="Say and end", help="Say and end.", args={"word": "Word"})
def say_and_end(table: Stage, word: str) -> Outcome:
    """Say it."""
    return Said(word)


def test_a_rule_may_wait_for_the_clock_and_then_for_its_seat_and_back(opened: Opens) -> None:
    sitting = opened(wait_then_ask())
    first = running_timers(sitting.game)[0]
    assert sitting.questions(0) == []
    sitting.answers(1, "say_and_go_on")
    assert running_timers(sitting.game) == []
    question = sitting.questions(0)[0]
    assert question.id > first.choice
    sitting.now = 500
    sitting.answers(1, "say_another")
    assert sitting.questions(0) == []
    second = running_timers(sitting.game)[0]
    assert (second.due, second.choice > question.id) == (1500, True)
    assert sitting.answers(1, "say_and_end") == (Said("end"), Said("all"))


def test_a_question_that_was_a_wait_is_answered_like_any_other(opened: Opens) -> None:
    sitting = opened(wait_then_ask())
    sitting.answers(1, "say_and_go_on")
    assert sitting.answers(0, "say") == (Said("answered", 0),)
