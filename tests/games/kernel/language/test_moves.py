"""Moves: what a field takes, how a value from JSON is understood, and what a refusal says."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import Chance, IntRange, OneOf, Outcome, Refusal, SomeOf, choose, constraint, move, msg, rule
from games.kernel.language.fields import Field, NotAnOption, json_equal
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]


def takes(field: Field, value: Any) -> bool:
    """Does a field take a value?"""
    try:
        field.parse(value)
    except NotAnOption:
        return False
    return True


# --- values -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (7, 7),
        (7, 7.0),
        ("a", "a"),
        (None, None),
        (True, True),
        (False, False),
        ((1, 2), [1, 2]),
        ((1, 2), (1, 2)),
        ((1, (2, "b")), [1.0, [2, "b"]]),
        ((), []),
    ],
)
def test_a_value_from_json_is_the_option_that_it_is_equal_to(option: Any, value: Any) -> None:
    assert json_equal(option, value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (1, True),
        (0, False),
        (True, 1),
        (False, 0),
        (False, 0.0),
        (1, "1"),
        ("1", 1),
        (7, 7.5),
        (None, False),
        (None, 0),
        (None, []),
        ("", None),
        ("ab", ["a", "b"]),
        ((1, 2), [1, 2, 3]),
        ((1, 2), [2, 1]),
        ((1,), [True]),
        ((1, 2), {"0": 1, "1": 2}),
        ((), {}),
        ((), None),
        (7, math.nan),
        (7, {"a": 7}),
    ],
)
def test_true_is_not_1_and_other_values_are_not_the_option_either(option: Any, value: Any) -> None:
    assert not json_equal(option, value)


# --- fields -----------------------------------------------------------------------------------------------


def test_one_takes_exactly_one_of_its_options_and_gives_the_option() -> None:
    field = OneOf((7, "seven", (1, 2)))
    assert field.parse(7.0) == 7
    assert type(field.parse(7.0)) is int
    assert field.parse([1, 2]) == (1, 2)
    assert [value for value in (7, 8, "seven", "eight", None, True, [1, 2], [1]) if takes(field, value)] == [
        *(7, "seven", [1, 2]),
    ]


def test_one_knows_true_and_1_apart_when_both_are_options() -> None:
    field = OneOf((1, True))
    assert field.parse(True) is True
    assert field.parse(1.0) == 1
    assert field.parse(1.0) is not True


def test_some_takes_different_options_in_the_order_of_the_seat() -> None:
    field = SomeOf((1, 2, 3, 4), 1, 3)
    assert field.parse([4, 1.0]) == (4, 1)
    values: list[Any] = [
        [1],
        [1, 2, 3],
        [],
        [1, 2, 3, 4],
        [1, 1],
        [1, 1.0],
        [5],
        [1, 5],
        1,
        "1",
        None,
        {"0": 1},
        [True],
    ]
    assert [value for value in values if takes(field, value)] == [[1], [1, 2, 3]]


def test_some_may_take_none_at_all() -> None:
    assert SomeOf((1, 2), 0, 2).parse([]) == ()
    assert SomeOf((), 0, 2).parse([]) == ()


def test_some_knows_true_and_1_apart_when_both_are_options() -> None:
    assert SomeOf((1, True), 2, 2).parse([True, 1]) == (True, 1)
    assert not takes(SomeOf((1, True), 2, 2), [True, True])
    assert not takes(SomeOf(((1,), (True,)), 2, 2), [[1], [1.0]])


def test_an_amount_is_a_whole_number_within_its_limits() -> None:
    field = IntRange(-1, 3)
    assert [field.parse(value) for value in (-1, 0, 3, 2.0)] == [-1, 0, 3, 2]
    assert type(field.parse(2.0)) is int
    values: list[Any] = [-2, 4, 1.5, True, False, "1", None, [1], math.nan, math.inf, -math.inf, 10**400]
    assert [value for value in values if takes(field, value)] == []


@pytest.mark.parametrize(
    ("field", "possible"),
    [
        (OneOf(()), False),
        (OneOf((None,)), True),
        (IntRange(0, 0), True),
        (IntRange(1, 0), False),
        (SomeOf((), 0, 3), True),
        (SomeOf((1, 2), 2, 2), True),
        (SomeOf((1, 2), 2, 9), True),
        (SomeOf((1, 2), 3, 9), False),
        (SomeOf((1, 2, 3), 2, 1), False),
        (SomeOf((1, 2, 3), 1, 0), False),
        (SomeOf((1, 2, 3), 0, -1), False),
        (SomeOf((1, 2, 3), -2, -1), False),
        (SomeOf((1, 2, 3), -1, 1), True),
    ],
)
def test_a_field_is_possible_when_there_is_an_answer(field: Field, possible: bool) -> None:
    assert field.is_possible is possible
    if possible:
        assert all(takes(field, field.sample(Chance("pick", number))) for number in range(50))


def test_every_answer_to_a_field_is_sampled_sometimes() -> None:
    picks = {SomeOf((1, 2), 0, 5).sample(Chance("pick", number)) for number in range(200)}
    assert picks == {(), (1,), (2,), (1, 2), (2, 1)}
    assert {IntRange(2, 4).sample(Chance("pick", number)) for number in range(100)} == {2, 3, 4}
    assert {OneOf((1, "a")).sample(Chance("pick", number)) for number in range(100)} == {1, "a"}


# --- choices ----------------------------------------------------------------------------------------------


@constraint(msg("The cards must be worth exactly the price."))
def pays_exactly(table: SceneTable, price: int, cards: tuple[int, ...]) -> bool:
    """Paying exactly."""
    return sum(cards) == price


@constraint(msg("The first card must not be the table's."))
def is_free(table: SceneTable, price: int, cards: tuple[int, ...]) -> bool:
    """A check may look at the table, and knows whose it is."""
    return cards[0] != len(table.said) and table.seat == 1


@move(title="Pay", help="Pay.", args={"price": "Price", "cards": "Cards"})
def pay(table: SceneTable, price: int, cards: tuple[int, ...]) -> Outcome:
    """Pay a price."""
    return Said(f"{price} by {cards}", table.seat)


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def shop(table: SceneTable) -> Outcome:
    """Pay one of some prices exactly."""
    return choose(
        msg("Pay."), pay.offer(price=OneOf((3, 5)), cards=SomeOf((1, 2, 3), 1, 3), constraints=(pays_exactly, is_free))
    )


def test_a_constraint_across_fields_lets_pass_what_holds(start_scene: StartScene) -> None:
    assert start_scene(shop().by(1)).answer(1, "pay", price=5, cards=[3, 2]) == (Said("5 by (3, 2)", 1),)


def test_a_constraint_across_fields_gives_its_reason_when_it_refuses(start_scene: StartScene) -> None:
    driver = start_scene(shop().by(1))
    refusal = driver.refusal(1, "pay", price=5, cards=[1, 2])
    assert refusal == "illegal-move: The cards must be worth exactly the price."


def test_every_constraint_must_hold_and_is_asked_of_the_table_of_the_seat(start_scene: StartScene) -> None:
    driver = start_scene(say_then_shop().by(1))
    assert driver.refusal(1, "pay", price=3, cards=[1, 2]) == "illegal-move: The first card must not be the table's."
    driver.answer(1, "pay", price=3, cards=[2, 1])


@rule
def say_then_shop(table: SceneTable) -> Outcome:
    """One word is said when the shop opens."""
    return Said("one word"), shop()


@rule
def pay_a_settled_price(table: SceneTable) -> Outcome:
    """A check sees what is settled as well as what the seat fills in."""
    return choose(msg("Pay 3."), pay.offer(3, cards=SomeOf((1, 2, 3), 1, 3), constraints=(pays_exactly,)))


def test_a_constraint_is_given_all_that_the_rule_would_be_given(start_scene: StartScene) -> None:
    driver = start_scene(pay_a_settled_price().by(0))
    assert "exactly" in driver.refusal(0, "pay", cards=[1])
    assert driver.answer(0, "pay", cards=[3]) == (Said("3 by (3,)", 0),)


@rule
def two_shops(table: SceneTable) -> Outcome:
    """Several offers of one rule: the first is checked, the others take other prices."""
    return choose(
        msg("Pay."),
        pay.offer(price=OneOf((3,)), cards=SomeOf((1, 2, 3), 1, 3), constraints=(pays_exactly,)),
        pay.offer(price=OneOf((4,)), cards=SomeOf((1, 3), 2, 2)),
        pay.offer(5, cards=SomeOf((2, 3), 2, 2)),
    )


def test_an_answer_may_fit_any_of_several_offers_of_one_rule(start_scene: StartScene) -> None:
    for args, said in (
        ({"price": 3, "cards": [1, 2]}, "3 by (1, 2)"),
        ({"price": 4, "cards": [3, 1]}, "4 by (3, 1)"),
        ({"cards": [2, 3]}, "5 by (2, 3)"),
    ):
        assert start_scene(two_shops().by(0)).answer(0, "pay", **args) == (Said(said, 0),)


def test_an_answer_that_fits_none_of_several_offers_is_refused(start_scene: StartScene) -> None:
    driver = start_scene(two_shops().by(0))
    for args in ({"price": 4, "cards": [1, 2]}, {"price": 5, "cards": [2, 3]}, {"cards": [2]}, {"price": 4}, {}):
        assert "these arguments of “pay” are not among those that are offered" in driver.refusal(0, "pay", **args)


def test_the_reason_of_a_constraint_is_given_also_when_other_offers_do_not_fit_at_all(start_scene: StartScene) -> None:
    driver = start_scene(two_shops().by(0))
    assert "exactly" in driver.refusal(0, "pay", price=3, cards=[1])


@pytest.mark.parametrize(
    ("move", "args"),
    [
        ("buy", {"price": 5, "cards": [3, 2]}),
        ("", {}),
        ("pay", {}),
        ("pay", {"price": 5}),
        ("pay", {"price": 5, "cards": [3, 2], "tip": 1}),
        ("pay", {"price": 5, "card": [3, 2]}),
        ("pay", {"price": 6, "cards": [3, 2, 1]}),
        ("pay", {"price": [5], "cards": [3, 2]}),
        ("pay", {"price": 5, "cards": 5}),
        ("pay", {"price": 5, "cards": [5]}),
        ("pay", {"price": 5, "cards": None}),
        ("pay", {"price": None, "cards": [3, 2]}),
    ],
)
def test_an_answer_with_an_unknown_move_or_unknown_missing_or_odd_fields_is_refused(
    move: str, args: dict[str, Any], start_scene: StartScene
) -> None:
    assert start_scene(shop().by(1)).refusal(1, move, **args).startswith("illegal-move: ")


def test_a_refusal_names_the_move_that_is_not_offered(start_scene: StartScene) -> None:
    assert "“steal” is not among the moves that are offered" in start_scene(shop().by(1)).refusal(1, "steal")


@rule
def ask_anything(table: SceneTable) -> Outcome:
    """An offer without fields, and one with each kind of field."""
    return choose(
        msg("Anything?"), nothing.offer(), anything.offer(one=OneOf(((1, 2), None)), some=SomeOf(("a",), 0, 1))
    )


@move(title="Nothing", help="Nothing.")
def nothing(table: SceneTable) -> Outcome:
    """Nothing follows."""
    return None


@move(title="Anything", help="Anything.", args={"one": "One", "some": "Some"})
def anything(table: SceneTable, one: Any, some: tuple[str, ...]) -> Outcome:
    """Tell of what type the arguments are."""
    return Said(f"{one} {some}")


def test_the_decision_keeps_the_values_as_they_were_understood(start_scene: StartScene) -> None:
    driver = start_scene(ask_anything().by(0))
    assert driver.answer(0, "anything", one=[1.0, 2], some=["a"]) == (Said("(1, 2) ('a',)"),)
    assert driver.decisions[-1].args == {"one": (1, 2), "some": ("a",)}


def test_a_move_without_fields_takes_no_arguments(start_scene: StartScene) -> None:
    driver = start_scene(ask_anything().by(0))
    driver.refusal(0, "nothing", one=1)
    assert driver.answer(0, "nothing") == ()


def test_offers_that_cannot_be_filled_in_are_left_out() -> None:
    choice = choose(
        msg("?"), say.offer(word=OneOf(())), None, nothing.offer(), pay.offer(price=IntRange(2, 1), cards=OneOf((1,)))
    )
    assert choice is not None
    assert [offer.move for offer in choice.offers] == ["nothing"]
    assert choose(msg("?"), say.offer(word=OneOf(())), None) is None
    assert choose(msg("?")) is None


def test_a_refusal_has_a_stable_code_and_a_message() -> None:
    refusal = Refusal("stale-choice", "choice 3 is not asked any more")
    assert (refusal.code, refusal.text) == ("stale-choice", "choice 3 is not asked any more")
    assert str(refusal) == "stale-choice: choice 3 is not asked any more"
