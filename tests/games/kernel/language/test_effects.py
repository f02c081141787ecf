"""Facts, effects and rules: calling a rule gives data, and a body runs only when the flow reaches it."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import msgspec
import pytest

from games.kernel import (
    Effect,
    Everyone,
    Fact,
    IntRange,
    OneOf,
    Outcome,
    Seat,
    Wait,
    choose,
    move,
    msg,
    rule,
    together,
)
from games.kernel.language.effects import Together
from games.kernel.language.facts import snake_case
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]


class LaidFaceDown(Fact, frozen=True):
    """A fact of the tests."""

    seat: Everyone[Seat]


class Suit(StrEnum):
    """Written as a word, and read as one."""

    CLUBS = "clubs"


@rule
def take(table: SceneTable, first: Any, second: Any) -> Outcome:
    """Take two arguments."""
    return None


@rule
def explode(table: SceneTable) -> Outcome:
    """A rule whose body must not run."""
    raise RuntimeError("the body ran")


@move(title="Deal", help="Deal.", args={"number": "Number", "kind": "Kind"})
def deal(table: SceneTable, number: int, kind: str) -> Outcome:
    """Deal so many of a kind."""
    return Said(f"{number} {kind}", table.seat)


@rule
def ask_then_explode(table: SceneTable) -> Outcome:
    """The second is reached only after the answer."""
    return ask_once().by(1), explode()


@rule
def ask_once(table: SceneTable) -> Outcome:
    """Ask for anything."""
    return choose(msg("Go on?"), go_on.offer(), deal.offer(number=IntRange(1, 3), kind=OneOf(("clubs", "hearts"))))


@move(title="Go on", help="Go on.")
def go_on(table: SceneTable) -> Outcome:
    """Nothing follows."""
    return None


@rule
def deal_twice(table: SceneTable) -> Outcome:
    """Effects are given as arguments."""
    return repeat(deal(2, "clubs"), (deal(3, "hearts"), deal(1, "spades")))


@rule
def repeat(table: SceneTable, first: Effect, text: tuple[Effect, ...]) -> Outcome:
    """Carry out what was given, twice."""
    return first, *text, first, *text


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("LaidFaceDown", "laid_face_down"),
        ("TookRow", "took_row"),
        ("Finished", "finished"),
        ("Drew2Cards", "drew2_cards"),
        ("ABC", "abc"),
    ],
)
def test_the_name_of_a_fact_is_stored_in_small_letters(name: str, stored: str) -> None:
    assert snake_case(name) == stored


def test_a_fact_is_stored_with_its_name() -> None:
    assert msgspec.json.encode(LaidFaceDown(2)) == b'{"type":"laid_face_down","seat":2}'
    assert msgspec.json.decode(b'{"type":"laid_face_down","seat":2}', type=LaidFaceDown) == LaidFaceDown(2)


def test_a_fact_cannot_be_changed() -> None:
    fact = LaidFaceDown(2)
    with pytest.raises(AttributeError):
        fact.seat = 3  # type: ignore[misc]


def test_calling_a_rule_gives_its_name_and_arguments_as_data() -> None:
    assert deal(3, "clubs") == Effect("deal", (3, "clubs"))
    assert msgspec.json.encode(deal(3, "clubs")) == b'{"type":"effect","rule":"deal","args":[3,"clubs"]}'


def test_calling_a_rule_does_not_run_its_body() -> None:
    assert explode() == Effect("explode")


def test_arguments_of_a_rule_are_positional() -> None:
    with pytest.raises(TypeError, match="deal: arguments of a rule are positional"):
        deal(3, kind="clubs")


def test_a_rule_keeps_its_docstring_and_its_parameters() -> None:
    assert deal.__doc__ == "Deal so many of a kind."
    assert deal.name == "deal"
    assert deal.parameters == ("number", "kind")


def test_an_effect_is_given_to_a_seat_and_the_other_stays_as_it_was() -> None:
    effect = deal(3, "clubs")
    assert effect.by(0) == Effect("deal", (3, "clubs"), 0)
    assert effect.by(0).by(2).seat == 2
    assert effect.seat is None


def test_branches_are_data_too() -> None:
    assert together(deal(1, "clubs").by(0), explode()) == Together(((Effect("deal", (1, "clubs"), 0),), (explode(),)))


def test_a_body_runs_only_when_the_flow_reaches_it(start_scene: StartScene) -> None:
    driver = start_scene(ask_then_explode())
    before = driver.game
    with pytest.raises(RuntimeError, match="the body ran"):
        driver.answer(1, "go_on")
    assert driver.game == before


def test_a_seat_fills_in_what_an_offer_leaves_open(start_scene: StartScene) -> None:
    driver = start_scene(ask_once().by(1))
    assert driver.answer(1, "deal", number=2, kind="hearts") == (Said("2 hearts", 1),)
    assert driver.decisions[-1].args == {"number": 2, "kind": "hearts"}


def test_an_offer_settles_the_first_arguments_and_leaves_the_rest_open_in_their_order() -> None:
    offer = deal.offer(2, kind=OneOf(("clubs",)))
    assert offer.move == "deal"
    assert offer.effect(None, {"kind": "clubs"}) == deal(2, "clubs")
    wrong: list[dict[str, Any]] = [{}, {"kinds": OneOf(("clubs",))}, {"kind": OneOf(("clubs",)), "more": OneOf((1,))}]
    for fields in wrong:
        with pytest.raises(TypeError, match="deal takes"):
            deal.offer(2, **fields)
    with pytest.raises(TypeError, match="deal takes"):
        deal.offer(kind=OneOf(("clubs",)), number=IntRange(1, 2))
    with pytest.raises(TypeError, match="deal takes"):
        deal.offer(1, "clubs", "more")


@move(title="Draw cards", help="Draw cards of a suit.", args={"suit": "Suit"})
def draw(table: SceneTable, number: int, suit: str) -> Outcome:
    """Draw so many of a suit."""
    return None


def test_an_offer_leaves_to_the_seat_only_arguments_with_a_title() -> None:
    assert draw.offer(2, suit=OneOf(("clubs",))).effect(None, {"suit": "clubs"}) == draw(2, "clubs")
    with pytest.raises(TypeError, match="draw declares titles for"):
        draw.offer(number=IntRange(1, 2), suit=OneOf(("clubs",)))


def test_a_move_has_titles_for_its_own_arguments_only() -> None:
    with pytest.raises(TypeError, match=r"draw takes .+ not colour"):
        move(title="Draw", help="Draw.", args={"colour": "Colour"})(draw.body)


def test_effects_may_be_given_to_a_rule(start_scene: StartScene) -> None:
    driver = start_scene(deal_twice())
    assert driver.state.said == ("2 clubs", "3 hearts", "1 spades") * 2


def test_a_wait_is_data() -> None:
    assert msgspec.json.encode(Wait(7)) == b'{"type":"wait","milliseconds":7}'


@pytest.mark.parametrize(
    "arg",
    [
        *(7, "seven", None, True, ()),
        (1, "a", None, False),
        ((1, 2), (("a", "b"), 3)),
        deal(1, "clubs"),
        (deal(2, "clubs").by(0), 5),
    ],
    ids=repr,
)
def test_what_a_rule_may_be_given_is_read_as_it_was_written(arg: Any) -> None:
    effect = take(1, arg)
    assert msgspec.json.decode(msgspec.json.encode(effect), type=Effect) == effect


@pytest.mark.parametrize(
    "arg",
    [1.5, [1, 2], {"a": 1}, {1, 2}, LaidFaceDown(1), b"a", ((((1,),),),), (((deal(1, "a"),),),), (1, [2]), Suit.CLUBS],
    ids=repr,
)
def test_what_could_not_be_stored_is_no_argument_of_a_rule(arg: Any) -> None:
    with pytest.raises(TypeError, match=r"take: .* cannot be stored"):
        take(1, arg)
