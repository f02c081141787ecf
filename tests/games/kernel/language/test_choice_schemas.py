"""What a seat may answer, as JSON Schema: it says exactly what `answer` takes, in a small subset of the language."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from games.kernel import (
    Chance,
    Choice,
    IntRange,
    Offer,
    OneOf,
    Outcome,
    Refusal,
    Rulebook,
    SomeOf,
    answer,
    choices_view,
    choose,
    constraint,
    move,
    msg,
    rule,
)
from games.kernel.language.fields import Field, json_equal
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import SceneTable

KEYWORDS = {
    *("oneOf", "type", "const", "enum", "properties", "required", "additionalProperties", "items", "minItems"),
    *("maxItems", "uniqueItems", "minimum", "maximum", "title", "description"),
}

current_choice: list[Choice | None] = [None]
"""The choice that the rule `ask` gives; each test puts one here."""


@rule
def ask(table: SceneTable) -> Outcome:
    """Ask what the test put there."""
    return current_choice[0]


@move(title="Plain", help="No field.")
def plain(table: SceneTable) -> Outcome:
    """A move without fields."""
    return None


@move(title="Single", help="One field.", args={"first": "First"})
def single(table: SceneTable, first: Any) -> Outcome:
    """A move with one field."""
    return None


@move(title="Double", help="Two fields.", args={"first": "First", "second": "Second"})
def double(table: SceneTable, first: Any, second: Any) -> Outcome:
    """A move with two fields."""
    return None


def as_json(value: Any) -> Any:
    """A value as it comes out of JSON."""
    return json.loads(msgspec.json.encode(value))


def keywords(schema: dict[str, Any]) -> Iterator[str]:
    """Every keyword of a schema and of the schemas in it."""
    for keyword, value in schema.items():
        yield keyword
        inner: list[Any] = list(value.values()) if keyword == "properties" else value if keyword == "oneOf" else [value]
        for each in inner if keyword in ("properties", "oneOf", "items") else []:
            yield from keywords(each)


@cache
def new_driver(rulebook: Rulebook[Any]) -> GameDriver:
    """A game in which seat 0 is asked what the test put there."""
    current_choice[0] = choose(msg("?"), plain.offer())
    return GameDriver(rulebook, 1, stored=False)


def accepted(rulebook: Rulebook[Any], choice: Choice, command: dict[str, Any]) -> bool:
    """Does a game take this command as an answer to this choice?"""
    game = new_driver(rulebook).game
    current_choice[0] = choice
    try:
        step = answer(rulebook, game, 0, 1, command["move"], command["args"], 0)
    except Refusal as illegal:
        if illegal.code != "illegal-move":
            raise
        return False
    decision = rulebook.decode(rulebook.encode(step.decision))
    assert json_equal(tuple(decision.args.items()), [[name, command["args"][name]] for name in decision.args])
    return True


@pytest.fixture(scope="module")
def begun(make_rulebook: Callable[..., Rulebook[Any]]) -> Rulebook[Any]:
    """A rulebook that asks seat 0 what a test put there."""
    return make_rulebook(ask().by(0))


# --- an example -------------------------------------------------------------------------------------------


@constraint(msg("The two must differ."))
def differ(table: SceneTable, first: Any, second: Any) -> bool:
    """A check."""
    return bool(first != second)


@constraint(msg("The first must not be 2."))
def not_2(table: SceneTable, first: Any, second: Any) -> bool:
    """Another."""
    return bool(first != 2)


def test_a_choice_is_rendered_as_one_schema_of_the_whole_command(begun: Rulebook[Any]) -> None:
    driver = new_driver(begun)
    current_choice[0] = choose(msg("lay a card face down"), single.offer(first=OneOf((7, 31, 82))))
    assert as_json(choices_view(begun, driver.game, 0)) == [
        {
            "choice": 1,
            "seat": 0,
            "prompt": "lay a card face down",
            "deadline": None,
            "schema": {
                "oneOf": [
                    {
                        "title": "Single",
                        "description": "One field.",
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["move", "args"],
                        "properties": {
                            "move": {"const": "single"},
                            "args": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["first"],
                                "properties": {"first": {"title": "First", "enum": [7, 31, 82]}},
                            },
                        },
                    }
                ]
            },
        }
    ]


@pytest.mark.parametrize(
    ("field", "schema"),
    [
        (OneOf((1, "a", None, True, (1, 2))), {"enum": [1, "a", None, True, [1, 2]]}),
        (IntRange(2, 5), {"type": "integer", "minimum": 2, "maximum": 5}),
        (
            SomeOf((1, 2, 3), 1, 2),
            {"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
        ),
        (
            SomeOf((1, 2), 0, 9),
            {"type": "array", "items": {"enum": [1, 2]}, "minItems": 0, "maxItems": 2, "uniqueItems": True},
        ),
        (SomeOf((), -1, 9), {"type": "array", "items": {}, "minItems": 0, "maxItems": 0, "uniqueItems": True}),
    ],
)
def test_a_field_is_rendered_as_a_schema(field: Field, schema: dict[str, Any]) -> None:
    assert as_json(field.schema()) == schema


def test_a_move_is_described_by_its_help_and_the_reasons_of_its_constraints() -> None:
    offer = double.offer(first=IntRange(1, 2), second=IntRange(1, 2), constraints=(differ, not_2))
    assert offer.schema()["description"] == "Two fields. The two must differ. The first must not be 2."
    assert double.offer(first=IntRange(1, 2), second=IntRange(1, 2)).schema()["description"] == "Two fields."


def test_the_texts_of_a_schema_are_as_the_caller_localizes_them() -> None:
    schema = double.offer(3, second=IntRange(1, 2), constraints=(differ,)).schema(lambda text: str(text).upper())
    assert (schema["title"], schema["description"]) == ("DOUBLE", "TWO FIELDS. THE TWO MUST DIFFER.")
    assert schema["properties"]["args"]["properties"]["second"]["title"] == "SECOND"


def test_what_fits_the_schema_may_still_be_refused_by_a_constraint_and_nothing_else(begun: Rulebook[Any]) -> None:
    choice = choose(msg("?"), double.offer(first=IntRange(1, 3), second=IntRange(1, 3), constraints=(differ, not_2)))
    assert choice is not None
    taken = {
        (first, second)
        for first, second in product(range(5), repeat=2)
        if accepted(begun, choice, {"move": "double", "args": {"first": first, "second": second}})
    }
    assert taken == {(1, 2), (1, 3), (3, 1), (3, 2)}


# --- any choice -------------------------------------------------------------------------------------------

plain_values = st.one_of(
    st.integers(-2, 3),
    st.sampled_from(["", "a", "1", "True"]),
    st.booleans(),
    st.none(),
)
option = st.one_of(
    plain_values,
    st.lists(plain_values, max_size=2).map(tuple),
    st.lists(st.lists(plain_values, max_size=2).map(tuple), max_size=2).map(tuple),
)


def json_identity(value: Any) -> str:
    """Options are different when they are different in JSON: 1, True and "1" are."""
    return msgspec.json.encode(value).decode()


def options(least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    """Some different options."""
    return st.lists(option, min_size=least, max_size=4, unique_by=json_identity).map(tuple)


fields = st.one_of(
    st.builds(OneOf, options()),
    st.builds(SomeOf, options(), st.integers(-1, 3), st.integers(-1, 5)),
    st.builds(IntRange, st.integers(-2, 2), st.integers(-2, 4)),
)


@st.composite
def choices(draw: st.DrawFn) -> Choice | None:
    """A choice of any moves; several offers of one rule differ in their first field."""
    offers: list[Offer] = []
    if draw(st.booleans()):
        offers.append(plain.offer())
    if draw(st.booleans()):
        offers.append(single.offer(first=draw(fields)))
    firsts = draw(st.lists(option, max_size=4, unique_by=json_identity))
    split = draw(st.integers(0, len(firsts)))
    parts = (tuple(firsts[:split]), tuple(firsts[split:]))
    offers += [double.offer(first=OneOf(part), second=draw(fields)) for part in parts]
    if draw(st.booleans()):
        offers.append(double.offer(draw(option), second=draw(fields)))
    return choose(msg("?"), *draw(st.permutations(offers)))


odd_values = st.one_of(
    option,
    st.floats(-3, 4, allow_nan=False),
    st.sampled_from([1.0, 2.0, -1.0, 0.0, 2.5]),
    st.lists(option, max_size=3),
    st.dictionaries(st.sampled_from(["a", "0"]), plain_values, max_size=1),
)


@st.composite
def commands(draw: st.DrawFn, choice: Choice) -> dict[str, Any]:
    """A command that may fit a choice: mostly near the offers, sometimes anything."""
    offer = draw(st.sampled_from(choice.offers))
    args: dict[str, Any] = {}
    for name, field in offer.fields.items():
        near: list[st.SearchStrategy[Any]] = [odd_values]
        match field:
            case OneOf(taken) if taken:
                near += [st.sampled_from(taken)] * 3
            case SomeOf(taken, least, most) if taken:
                some = st.lists(st.sampled_from(taken) | option, max_size=5)
                exact = st.permutations(taken).map(lambda order: order[: max(0, least)])
                near += [some, exact, exact]
            case IntRange(least, most):
                near += [st.integers(least - 1, most + 1)] * 3
        args[name] = draw(st.one_of(near))
    for name in draw(st.sampled_from([(), (), (), (), ("third",), ("first",), ("second",)])):
        if args.pop(name, None) is None:
            args[name] = draw(odd_values)
    move = draw(st.sampled_from([offer.move] * 6 + ["plain", "double", "other", ""]))
    return {"move": move, "args": args}


@settings(max_examples=30, deadline=None)
@given(choice=choices().filter(lambda choice: choice is not None))
def test_a_schema_is_sound_and_uses_only_the_keywords_that_are_promised(choice: Choice) -> None:
    schema = as_json(choice.schema())
    Draft202012Validator.check_schema(schema)
    assert set(keywords(schema)) <= KEYWORDS


@settings(max_examples=90, deadline=None)
@given(data=st.data())
def test_a_command_is_accepted_exactly_when_it_fits_the_schema(data: st.DataObject, begun: Rulebook[Any]) -> None:
    choice = data.draw(choices().filter(lambda choice: choice is not None))
    assert choice is not None
    validator = Draft202012Validator(as_json(choice.schema()))
    for _ in range(4):
        command = as_json(data.draw(commands(choice)))
        assert accepted(begun, choice, command) is validator.is_valid(command)


@settings(max_examples=60, deadline=None)
@given(choice=choices().filter(lambda choice: choice is not None), number=st.integers(0, 2**32))
def test_every_move_that_is_offered_fits_the_schema_and_is_accepted(
    choice: Choice, number: int, begun: Rulebook[Any]
) -> None:
    validator = Draft202012Validator(as_json(choice.schema()))
    for (name, args), _ in zip(choice.samples(Chance("picks", number)), range(4), strict=False):
        command = as_json({"move": name, "args": args})
        assert validator.is_valid(command)
        assert accepted(begun, choice, command)


@pytest.mark.parametrize(
    "choice",
    [
        choose(msg("?"), single.offer(first=OneOf((1, True, "1", None, (1,), (True,))))),
        choose(msg("?"), single.offer(first=SomeOf((1, True, 2), 0, 2)), plain.offer()),
        choose(msg("?"), double.offer(first=IntRange(-1, 1), second=SomeOf(((1, 2), "a"), 1, 5))),
    ],
)
def test_every_combination_of_small_values_is_accepted_exactly_when_it_fits_the_schema(
    choice: Choice, begun: Rulebook[Any]
) -> None:
    validator = Draft202012Validator(as_json(choice.schema()))
    small: list[Any] = [-2, -1, 0, 1, 2, 1.0, 1.5, True, "1", "a", None, [1], [True], [1, 2], [], {}]
    values = [*small, *([first, second] for first, second in product(small, repeat=2))]
    names = list(choice.offers[0].fields)
    taken = 0
    for combination in product(*([small[:8]] * (len(names) - 1)), values):
        command = {"move": choice.offers[0].move, "args": dict(zip(names, combination, strict=True))}
        fits = validator.is_valid(command)
        assert accepted(begun, choice, command) is fits, command
        taken += fits
    assert taken > 0
