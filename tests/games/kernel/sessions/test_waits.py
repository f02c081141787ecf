"""The rulebook's own clocks: `Wait` in a tuple, `Wait` alone, and the factor on both."""

from collections.abc import Callable

import pytest

from games.kernel import Clock, Outcome, Refusal, Wait, answer, choose, move, msg, rule, running_timers, together
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def may_say(table: SceneTable, word: str) -> Outcome:
    """May say a word."""
    return choose(msg(word), say.offer(word))


@rule
def wait_in_a_tuple(table: SceneTable) -> Outcome:
    """What comes after it waits."""
    return Said("before"), Wait(1000), Said("between"), Wait(500), say("after")


def test_what_comes_after_a_wait_waits_for_the_clock(start_scene: StartScene) -> None:
    driver = start_scene(wait_in_a_tuple())
    assert driver.state.said == ("before",)
    assert driver.alarm() == 1000
    assert driver.fire_timers(999) is None
    assert driver.fire_timers(1000) == (Said("between"),)
    assert driver.alarm() == 1500
    assert driver.fire_timers(1500) == (Said("after"),)
    assert driver.alarm() is None
    assert driver.fire_timers(10**9) is None


def test_the_decision_of_the_clock_names_what_it_answered(start_scene: StartScene) -> None:
    driver = start_scene(wait_in_a_tuple())
    driver.fire_timers(1200)
    decision = driver.decisions[-1]
    assert (decision.by, decision.move, decision.choice, decision.at, decision.args) == ("clock", "timer", 1, 1200, {})


@pytest.mark.parametrize(("factor", "due"), [(1.0, 1000), (2.0, 2000), (0.5, 500), (0.0333, 33)])
def test_the_factor_of_the_game_scales_the_clocks_of_its_rulebook(
    factor: float, due: int, start_scene: StartScene
) -> None:
    assert start_scene(wait_in_a_tuple(), clock=Clock(factor=factor)).alarm() == due


def test_with_the_factor_0_a_wait_is_never_due_and_still_waits(start_scene: StartScene) -> None:
    driver = start_scene(wait_in_a_tuple(), clock=Clock(factor=0))
    assert driver.alarm() is None
    assert driver.fire_timers(10**15) is None
    assert [(wait.choice, wait.due) for wait in running_timers(driver.game)] == [(1, None)]
    assert driver.state.said == ("before",)


@rule
def a_wait_alone(table: SceneTable) -> Outcome:
    """A rule that only waits, as long as it has to, beside somebody who may end it."""
    return together(strand_that_waits(), may_say("stop").by(0), may_say("go").by(1)), Said("all")


@rule
def strand_that_waits(table: SceneTable) -> Outcome:
    """The wait and what follows it."""
    return wait_until_stopped(), Said("the wait is over")


@rule
def wait_until_stopped(table: SceneTable) -> Outcome:
    """It is asked again after every decision, like a choice."""
    return Said("stopped") if "stop" in table.said else Wait(1000)


def test_a_rule_that_only_waits_is_over_early_when_it_waits_no_longer(start_scene: StartScene) -> None:
    driver = start_scene(a_wait_alone())
    driver.answer(1, "say")
    assert driver.alarm() == 1000
    assert driver.answer(0, "say") == (Said("stop", 0), Said("stopped"), Said("the wait is over"), Said("all"))
    assert driver.alarm() is None


def test_a_rule_that_only_waits_ends_when_the_clock_fires_and_is_not_asked_again(start_scene: StartScene) -> None:
    driver = start_scene(a_wait_alone())
    assert driver.fire_timers(1000) == (Said("the wait is over"),)
    driver.answer(0, "say")
    assert driver.answer(1, "say") == (Said("go", 1), Said("all"))


def test_with_the_factor_0_a_rule_that_only_waits_can_still_be_over_early(start_scene: StartScene) -> None:
    driver = start_scene(a_wait_alone(), clock=Clock(factor=0))
    assert driver.alarm() is None
    assert Said("the wait is over") in driver.answer(0, "say")


@rule
def a_wait_that_stays(table: SceneTable) -> Outcome:
    """A wait in a tuple does not look at the table."""
    return together(strand_with_a_tuple(), may_say("stop").by(0))


@rule
def strand_with_a_tuple(table: SceneTable) -> Outcome:
    """The tuple was returned before anybody said stop."""
    return None if "stop" in table.said else (Wait(1000), Said("after"))


def test_a_wait_in_a_tuple_is_not_over_early(start_scene: StartScene) -> None:
    driver = start_scene(a_wait_that_stays())
    driver.answer(0, "say")
    assert driver.alarm() == 1000
    assert driver.fire_timers(1000) == (Said("after"),)


@rule
def three_clocks(table: SceneTable) -> Outcome:
    """Three clocks side by side, two of them due at the same time."""
    return together(clock("late", 900), clock("first", 300), clock("second", 300)), Said("all")


@rule
def clock(table: SceneTable, name: str, milliseconds: int) -> Outcome:
    """Wait and tell."""
    return Wait(milliseconds), Said(name)


def test_what_is_due_first_fires_first_and_the_older_of_two(start_scene: StartScene) -> None:
    driver = start_scene(three_clocks())
    assert [wait.due for wait in running_timers(driver.game)] == [900, 300, 300]
    assert driver.alarm() == 300
    assert driver.fire_timers(5000) == (Said("first"),)
    assert driver.fire_timers(5000) == (Said("second"),)
    assert driver.fire_timers(5000) == (Said("late"), Said("all"))
    assert driver.fire_timers(5000) is None


@rule
def many_at_once(table: SceneTable) -> Outcome:
    """Waits that are due as soon as they begin."""
    return Wait(0), Said("a"), Wait(0), Said("b")


def test_each_wait_is_a_decision_of_its_own(start_scene: StartScene) -> None:
    driver = start_scene(many_at_once())
    assert driver.fire_timers(0) == (Said("a"),)
    assert driver.fire_timers(0) == (Said("b"),)


def test_nobody_answers_in_the_place_of_the_clock(start_scene: StartScene) -> None:
    driver = start_scene(a_wait_alone())
    waiting = running_timers(driver.game)[0].choice
    for seat in (0, 1):
        with pytest.raises(Refusal, match=f"stale-choice: choice {waiting} is not asked of seat {seat}"):
            answer(driver.rulebook, driver.game, seat, waiting, "timer", {}, 0)
    tuple_wait = start_scene(wait_in_a_tuple())
    with pytest.raises(Refusal, match="stale-choice"):
        answer(tuple_wait.rulebook, tuple_wait.game, 0, 1, "timer", {}, 0)


# --- a rule that waits for a seat, and then for the clock -------------------------------------------------


@rule
def wait_then_ask(table: SceneTable) -> Outcome:
    """Whom it waits for depends on what was said."""
    return together(clock_or_seat().by(0), may_say_anything().by(1)), Said("all")


@rule
def clock_or_seat(table: SceneTable) -> Outcome:
    """First the clock, then the seat, then the clock again."""
    if table.said[-1:] == ("ask",):
        return choose(msg("Now you."), say.offer("answered"))
    return Wait(1000) if "end" not in table.said else None


@rule
def may_say_anything(table: SceneTable) -> Outcome:
    """Say a word, and another one."""
    return choose(msg("?"), say_and_go_on.offer("ask"), say_and_end.offer("end"), say_another.offer("rest"))


@move(title="Say and go on", help="Say and go on.", args={"word": "Word"})
def say_and_go_on(table: SceneTable, word: str) -> Outcome:
    """Say it and be asked again."""
    return Said(word), may_say_anything()


@move(title="Say another", help="Say another.", args={"word": "Word"})
def say_another(table: SceneTable, word: str) -> Outcome:
    """Say it and be asked again."""
    return Said(word), may_say_anything()


@move(title="Say and end", help="Say and end.", args={"word": "Word"})
def say_and_end(table: SceneTable, word: str) -> Outcome:
    """Say it."""
    return Said(word)


def test_a_rule_may_wait_for_the_clock_and_then_for_its_seat_and_back(start_scene: StartScene) -> None:
    driver = start_scene(wait_then_ask())
    first = running_timers(driver.game)[0]
    assert driver.choices(0) == []
    driver.answer(1, "say_and_go_on")
    assert running_timers(driver.game) == []
    pending = driver.choices(0)[0]
    assert pending.id > first.choice
    driver.now = 500
    driver.answer(1, "say_another")
    assert driver.choices(0) == []
    second = running_timers(driver.game)[0]
    assert (second.due, second.choice > pending.id) == (1500, True)
    assert driver.answer(1, "say_and_end") == (Said("end"), Said("all"))


def test_a_choice_that_was_a_wait_is_answered_like_any_other(start_scene: StartScene) -> None:
    driver = start_scene(wait_then_ask())
    driver.answer(1, "say_and_go_on")
    assert driver.answer(0, "say") == (Said("answered", 0),)
