"""Choices are computed on demand, and resolve when there is nothing left to choose."""

from collections.abc import Callable

from games.kernel import OneOf, Outcome, choose, move, msg, rule, together
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]
WORDS = ("sun", "moon", "comet")


@rule
def ask_for_a_word(table: SceneTable) -> Outcome:
    """Any of the words that nobody said yet."""
    return choose(msg("Say a word."), say.offer(word=OneOf(tuple(word for word in WORDS if word not in table.said))))


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def four_seats(table: SceneTable) -> Outcome:
    """Three words for four seats."""
    return together(*(ask_for_a_word().by(seat) for seat in range(4))), Said("all")


def test_the_options_are_those_of_this_moment(start_scene: StartScene) -> None:
    driver = start_scene(four_seats(), seats=4)
    assert driver.options(3, "say", "word") == ("sun", "moon", "comet")
    driver.answer(1, "say", word="moon")
    assert driver.options(3, "say", "word") == ("sun", "comet")
    assert "are not among those that are offered" in driver.refusal(3, "say", word="moon")


def test_the_options_are_not_stored(start_scene: StartScene) -> None:
    driver = start_scene(four_seats(), seats=4)
    assert b"comet" not in driver.rulebook.encode_game(driver.game)
    assert all(b"comet" not in driver.rulebook.encode(decision) for decision in driver.decisions)


def test_a_choice_with_nothing_left_to_ask_resolves_and_what_comes_next_goes_on(start_scene: StartScene) -> None:
    driver = start_scene(four_seats(), seats=4)
    evaporated = driver.choice_for(0, "say")
    driver.answer(1, "say", word="moon")
    driver.answer(2, "say", word="sun")
    assert driver.answer(3, "say", word="comet") == (Said("comet", 3), Said("all"))
    assert driver.game.flow == ()
    assert evaporated < driver.game.last_choice


@rule
def nothing_to_ask(table: SceneTable) -> Outcome:
    """Nothing can be answered, so nothing is asked."""
    return ask_for_nothing().by(0), Said("after"), ask_with_some().by(0)


@rule
def ask_for_nothing(table: SceneTable) -> Outcome:
    """No offer can be filled in."""
    return choose(msg("Impossible."), say.offer(word=OneOf(())), None)


@rule
def ask_with_some(table: SceneTable) -> Outcome:
    """Only the offers that can be filled in are asked."""
    return choose(msg("Possible."), say.offer(word=OneOf(())), None, say.offer("hello"))


def test_a_choice_without_a_legal_move_asks_nothing_and_the_rule_goes_on(start_scene: StartScene) -> None:
    driver = start_scene(nothing_to_ask())
    assert driver.facts() == [Said("after")]
    assert driver.game.last_choice == 1
    assert [len(pending.choice.offers) for pending in driver.choices()] == [1]
    driver.answer(0, "say")
    assert driver.game.flow == ()


# --- the rest of a branch, and the order of evaporation ---------------------------------------------------


@rule
def until_stopped(table: SceneTable) -> Outcome:
    """Three seats wait until a fact says stop; the last one says it."""
    return together(wait_for_stop("a").by(0), wait_for_stop("b").by(1), tell().by(2)), Said("all")


@rule
def wait_for_stop(table: SceneTable, name: str) -> Outcome:
    """A choice, and what follows it in the same branch."""
    return ask_until_stopped(name), Said(f"{name} went on", table.seat), ask_until_stopped(f"{name} again")


@rule
def ask_until_stopped(table: SceneTable, name: str) -> Outcome:
    """After the word stop, it says so instead of asking."""
    if "stop" in table.said:
        return Said(f"{name} stopped", table.seat), Said("once")
    return choose(msg(name), say.offer(f"{name} answered"))


@rule
def tell(table: SceneTable) -> Outcome:
    """One may tell the others to stop."""
    return choose(msg("Stop them?"), say.offer(word=OneOf(("stop", "go"))))


def test_what_a_choice_returns_in_place_of_asking_is_carried_out_and_then_the_rest_of_its_branch(
    start_scene: StartScene,
) -> None:
    driver = start_scene(until_stopped(), seats=3)
    words = [fact.word for fact in driver.answer(2, "say", word="stop") if isinstance(fact, Said)]
    assert words == [
        *("stop", "a stopped", "once", "a went on", "a again stopped", "once"),
        *("b stopped", "once", "b went on", "b again stopped", "once"),
        "all",
    ]


def test_the_oldest_choice_resolves_first_wherever_it_stands(start_scene: StartScene) -> None:
    driver = start_scene(until_stopped(), seats=3)
    driver.answer(0, "say")  # now the question of seat 0 is younger than that of seat 1
    words = [fact.word for fact in driver.answer(2, "say", word="stop") if isinstance(fact, Said)]
    assert words == [
        "stop",
        *("b stopped", "once", "b went on", "b again stopped", "once"),
        *("a again stopped", "once"),
        "all",
    ]


@rule
def in_a_row(table: SceneTable) -> Outcome:
    """Each waits for the word of the one after it."""
    return together(
        ask_unless("1", "2").by(0), ask_unless("2", "3").by(1), ask_unless("3", "0").by(2), tell_zero().by(0)
    )


@rule
def ask_unless(table: SceneTable, name: str, other: str) -> Outcome:
    """Stop asking once another word was said, and say one's own."""
    if other in table.said:
        return Said(name, table.seat)
    return choose(msg(name), say.offer(f"{name} answered"))


@rule
def tell_zero(table: SceneTable) -> Outcome:
    """Begin."""
    return choose(msg("Begin?"), say.offer("0"))


def test_one_choice_that_resolves_may_make_an_older_one_resolve(start_scene: StartScene) -> None:
    driver = start_scene(in_a_row(), seats=3)
    last = driver.choices(0)[-1]
    assert driver.send(0, last.id, "say", {}) == (Said("0", 0), Said("3", 2), Said("2", 1), Said("1", 0))
    assert driver.game.flow == ()


@rule
def while_opening(table: SceneTable) -> Outcome:
    """The second branch answers the choice of the first before anybody sees it."""
    return together(ask_until_stopped("a").by(0), stop().by(1))


@rule
def stop(table: SceneTable) -> Outcome:
    """Tell them to stop without being asked."""
    return Said("stop")


def test_a_choice_may_resolve_in_the_decision_that_asked_it(start_scene: StartScene) -> None:
    driver = start_scene(while_opening())
    assert driver.facts() == [Said("stop"), Said("a stopped", 0), Said("once")]
    assert driver.game.flow == ()
    assert driver.game.last_choice == 1


@rule
def asks_something_else(table: SceneTable) -> Outcome:
    """A choice that becomes another one keeps its id: it is the same effect that asks."""
    return together(ask_by_the_words().by(0), tell().by(1))


@rule
def ask_by_the_words(table: SceneTable) -> Outcome:
    """The prompt and the moves depend on the table."""
    if "stop" in table.said:
        return choose(msg("Why?"), say.offer("because"))
    return choose(msg("What?"), say.offer(word=OneOf(WORDS)))


def test_a_choice_that_changes_is_still_the_same_choice(start_scene: StartScene) -> None:
    driver = start_scene(asks_something_else())
    before = driver.choices(0)[0]
    driver.answer(1, "say", word="stop")
    after = driver.choices(0)[0]
    assert (before.id, before.choice.prompt_text) == (after.id, "What?")
    assert after.choice.prompt_text == "Why?"
    assert "illegal-move" in driver.refusal(0, "say", word="sun")
    assert driver.answer(0, "say") == (Said("because", 0),)
