"""The flow: what follows from what, in which order, and by whom."""

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import (
    Everyone,
    Fact,
    Finished,
    Outcome,
    Seat,
    Wait,
    choose,
    move,
    msg,
    next_alarm,
    rule,
    running_timers,
    together,
)
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Echoed, Said, SceneTable

StartScene = Callable[..., GameDriver]


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: SceneTable, prompt: str) -> Outcome:
    """Ask whether to go on."""
    return choose(msg(prompt), go_on.offer(), say.offer("answered"))


@move(title="Go on", help="Go on.")
def go_on(table: SceneTable) -> Outcome:
    """Nothing follows."""
    return None


# --- order ------------------------------------------------------------------------------------------------


@rule
def in_order(table: SceneTable) -> Outcome:
    """Facts and effects, and tuples in tuples."""
    return Said("1"), say_two("2", "3"), (Said("4"), (say("5"), None, Said("6"))), (), say("7")


@rule
def say_two(table: SceneTable, first: str, second: str) -> Outcome:
    """An effect that is carried out whole before what comes after it."""
    return say(first), Said(second)


def test_what_a_rule_returns_is_carried_out_in_order_and_each_part_whole(start_scene: StartScene) -> None:
    assert start_scene(in_order()).state.said == ("1", "2", "3", "4", "5", "6", "7")


@rule
def question_in_between(table: SceneTable) -> Outcome:
    """What comes after a choice waits for its answer, facts as well."""
    return Said("before"), ask("Go on?").by(1), Said("after"), say("last")


def test_what_comes_after_a_choice_waits_for_its_answer(start_scene: StartScene) -> None:
    driver = start_scene(question_in_between())
    assert driver.state.said == ("before",)
    assert driver.answer(1, "say") == (Said("answered", 1), Said("after"), Said("last"))


@rule
def sees_what_happened(table: SceneTable) -> Outcome:
    """A rule sees the table as it is when it is reached, not when it was called."""
    return Said("one"), count_the_words(), Said("two"), count_the_words()


@rule
def count_the_words(table: SceneTable) -> Outcome:
    """Say how many words were said."""
    return Said(str(len(table.said)))


def test_a_rule_sees_the_table_as_it_is_when_it_is_reached(start_scene: StartScene) -> None:
    assert start_scene(sees_what_happened()).state.said == ("one", "1", "two", "3")


@rule
def nothing_at_all(table: SceneTable) -> Outcome:
    """Nothing follows."""
    return None


def test_none_means_that_nothing_follows(start_scene: StartScene) -> None:
    driver = start_scene(nothing_at_all())
    assert driver.game.flow == ()
    assert driver.facts() == []


# --- what may not be returned -----------------------------------------------------------------------------


@rule
def choice_beside_a_fact(table: SceneTable) -> Outcome:
    """Its options would be computed before the fact happened."""
    return Said("before"), choose(msg("Too early?"), go_on.offer())


@rule
def choice_in_a_tuple_alone(table: SceneTable) -> Outcome:
    """A tuple of one is a tuple."""
    return (choose(msg("Too early?"), go_on.offer()),)


@rule
def returns_a_word(table: SceneTable) -> Any:
    """A word is no fact."""
    return "a word"


@rule
def returns_a_list(table: SceneTable) -> Any:
    """A list is no tuple."""
    return [Said("a word")]


@rule
def returns_the_rule_itself(table: SceneTable) -> Any:
    """The rule was not called."""
    return say


@pytest.mark.parametrize(
    "wrong",
    [
        choice_beside_a_fact(),
        choice_in_a_tuple_alone(),
        returns_a_word(),
        returns_a_list(),
        returns_the_rule_itself(),
    ],
    ids=lambda effect: effect.rule,
)
def test_a_choice_stands_alone_and_everything_else_is_a_fact_or_an_effect(wrong: Any, start_scene: StartScene) -> None:
    with pytest.raises(TypeError, match="a choice stands alone, and everything else is a fact or an effect"):
        start_scene(wrong)


@rule
def goes_wrong_later(table: SceneTable) -> Outcome:
    """The mistake is reached only after an answer."""
    return ask("Go on?").by(0), choice_beside_a_fact()


def test_a_decision_that_goes_wrong_leaves_the_game_as_it_was(start_scene: StartScene) -> None:
    driver = start_scene(goes_wrong_later())
    before = driver.game
    with pytest.raises(TypeError, match="a choice stands alone"):
        driver.answer(0, "go_on")
    assert driver.game == before
    assert driver.prompts(0) == ["Go on?"]


@rule
def ask_nobody(table: SceneTable) -> Outcome:
    """A choice that no seat was given."""
    return Said("before"), ask("Who?")


def test_a_choice_that_is_asked_of_no_seat_is_refused_when_it_is_reached(start_scene: StartScene) -> None:
    with pytest.raises(TypeError, match="ask asks, but no seat carries it out"):
        start_scene(ask_nobody())


class Unlisted(Fact, frozen=True):
    """A fact that its rulebook does not list: the log could not be read again."""

    word: Everyone[str]


@rule
def an_unlisted_fact(table: SceneTable) -> Outcome:
    """Give a fact that the rulebook does not know, after a choice."""
    return ask("Go on?").by(0), Unlisted("oops")


def test_a_fact_that_the_rulebook_does_not_list_is_refused_before_it_is_stored(start_scene: StartScene) -> None:
    with pytest.raises(TypeError, match="Unlisted is not among the facts of scene"):
        start_scene(an_unlisted_fact(), evolve=lambda state, fact: state)


# --- by whom ----------------------------------------------------------------------------------------------


@rule
def seats_speak(table: SceneTable) -> Outcome:
    """Each in its turn; the last is nobody."""
    return say_two_and_ask("a").by(2), say("nobody")


@rule
def say_two_and_ask(table: SceneTable, word: str) -> Outcome:
    """Everything that follows is this seat's, but for what is given to another."""
    return say(word), say("guest").by(0), (say_two(word, "fact"), ask("More?"))


def test_what_follows_from_an_effect_of_a_seat_is_carried_out_by_that_seat(start_scene: StartScene) -> None:
    driver = start_scene(seats_speak(), seats=3)
    assert driver.facts() == [Said("a", 2), Said("guest", 0), Said("a", 2), Said("fact")]
    assert [pending.seat for pending in driver.choices()] == [2]
    assert driver.answer(2, "say") == (Said("answered", 2), Said("nobody", None))


@rule
def group_of_a_seat(table: SceneTable) -> Outcome:
    """Strands without a seat are their caller's."""
    return together(say("mine"), say("guest").by(0), ask("Yours?"))


def test_branches_are_carried_out_by_the_seat_that_began_them(start_scene: StartScene) -> None:
    driver = start_scene(group_of_a_seat().by(1))
    assert driver.facts() == [Said("mine", 1), Said("guest", 0)]
    assert [pending.seat for pending in driver.choices()] == [1]


# --- whenever ---------------------------------------------------------------------------------------------


def echo(table: SceneTable, said: Said) -> Outcome:
    """Every word but an echo comes back, right after it was said."""
    return Echoed(said.word)


@rule
def say_three(table: SceneTable) -> Outcome:
    """Three words in a row."""
    return Said("a"), say("b"), Said("c")


def test_what_a_trigger_adds_comes_right_after_its_fact(start_scene: StartScene) -> None:
    driver = start_scene(say_three().by(1), triggers={Said: echo})
    assert driver.state.said == ("a", "(a)", "b", "(b)", "c", "(c)")


def how_many(table: SceneTable, echoed: Echoed) -> Outcome:
    """Followers see the table after the fact, and are carried out by no seat of their own."""
    return (say("three!"), say("by one").by(1)) if len(table.said) == 3 else None


@rule
def echo_three(table: SceneTable) -> Outcome:
    """Three echoes in a row."""
    return Echoed("a"), Echoed("b"), Echoed("c"), Echoed("d")


def test_triggered_effects_see_the_table_after_the_fact_and_belong_to_no_seat(start_scene: StartScene) -> None:
    driver = start_scene(echo_three().by(0), triggers={Echoed: how_many})
    assert driver.facts()[2:] == [Echoed("c"), Said("three!", None), Said("by one", 1), Echoed("d")]


def ask_the_other(table: SceneTable, said: Said) -> Outcome:
    """A follower may ask."""
    return ask(f"{said.word}?").by(1) if said.word in ("a", "c") else None


def test_a_triggered_effect_may_ask_and_the_rest_waits(start_scene: StartScene) -> None:
    driver = start_scene(say_three().by(0), triggers={Said: ask_the_other})
    assert driver.facts() == [Said("a")]
    assert driver.answer(1, "go_on") == (Said("b", 0), Said("c"))
    assert driver.prompts(1) == ["c?"]


def echo_of_an_echo(table: SceneTable, echoed: Echoed) -> Outcome:
    """Followers of followers, while it is worth it."""
    return Echoed(echoed.word[:-1]) if len(echoed.word) > 1 else None


@rule
def say_long(table: SceneTable) -> Outcome:
    """A long word, then a short one."""
    return Said("abc"), Said("d")


def test_triggered_effects_may_trigger_others(start_scene: StartScene) -> None:
    driver = start_scene(say_long(), triggers={Said: echo, Echoed: echo_of_an_echo})
    assert driver.state.said == ("abc", "(abc)", "(ab)", "(a)", "d", "(d)")


# --- the end ----------------------------------------------------------------------------------------------


@rule
def end_in_the_middle(table: SceneTable) -> Outcome:
    """One branch ends the game while the others wait."""
    return together(ask("A?").by(0), ask_then_end().by(1), wait_a_minute()), say("never")


@rule
def wait_a_minute(table: SceneTable) -> Outcome:
    """The clock waits in this game."""
    return Wait(60_000), Said("never")


@rule
def ask_then_end(table: SceneTable) -> Outcome:
    """The answer ends the game."""
    return ask("End?"), Said("last"), Finished((3, 5), (2, 1)), Said("never")


def test_the_end_of_the_game_empties_the_flow(start_scene: StartScene) -> None:
    driver = start_scene(end_in_the_middle())
    assert next_alarm(driver.game) == 60_000
    assert driver.answer(1, "go_on") == (Said("last"), Finished((3, 5), (2, 1)))
    assert driver.game.flow == ()
    assert driver.choices() == []
    assert running_timers(driver.game) == []
    assert next_alarm(driver.game) is None
    assert driver.fire_timers(10**9) is None
    assert "never" not in driver.state.said


def test_the_session_keeps_the_result(start_scene: StartScene) -> None:
    driver = start_scene(end_in_the_middle())
    assert (driver.game.session.status, driver.game.session.result) == ("running", None)
    driver.answer(1, "go_on")
    result = driver.game.session.result
    assert driver.game.session.status == "finished"
    assert result is not None
    assert (result.points, result.places) == ((3, 5), (2, 1))


@rule
def end_at_once(table: SceneTable) -> Outcome:
    """A game that is over as soon as it starts."""
    return Finished((0, 0), (1, 1))


def test_a_game_may_be_over_as_soon_as_it_starts(start_scene: StartScene) -> None:
    driver = start_scene(end_at_once())
    assert driver.game.session.status == "finished"
    assert [type(fact).__name__ for fact in driver.decisions[-1].facts] == ["SeatTaken", "Started", "Finished"]


# --- what is stored of it ---------------------------------------------------------------------------------


@rule
def long_stack(table: SceneTable) -> Outcome:
    """A choice with much below it, and a neighbour."""
    return together(ask_often(3).by(0), ask_often(3).by(1)), say("x"), say("y"), say("z")


@rule
def ask_often(table: SceneTable, times: int) -> Outcome:
    """Ask so many times."""
    return (ask("Go on?"), ask_often(times - 1)) if times else None


def test_a_decision_stores_only_the_stacks_that_changed(start_scene: StartScene) -> None:
    driver = start_scene(long_stack())
    driver.answer(1, "go_on")
    assert [path for path, _ in driver.decisions[-1].flow] == [(1,)]
    driver.answer(0, "go_on")
    assert [path for path, _ in driver.decisions[-1].flow] == [(0,)]


def test_a_group_that_ends_is_stored_as_the_stack_that_it_was_on(start_scene: StartScene) -> None:
    driver = start_scene(long_stack())
    for _ in range(3):
        driver.answer(0, "go_on")
        facts = driver.answer(1, "go_on")
    assert facts == (Said("x"), Said("y"), Said("z"))
    assert driver.decisions[-1].flow == (((), ()),)


@rule
def seat_of_the_rule(table: SceneTable) -> Outcome:
    """A rule knows its seat."""
    seat: Seat | None = table.seat
    return Said(f"{seat}", seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_rule_knows_the_seat_that_carries_it_out(seat: Seat, start_scene: StartScene) -> None:
    assert start_scene(seat_of_the_rule().by(seat)).facts() == [Said(str(seat), seat)]
    assert start_scene(seat_of_the_rule()).facts() == [Said("None", None)]
