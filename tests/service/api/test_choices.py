"""Choices as JSON Schema: an answer is accepted if and only if it is valid."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import jsonschema  # type: ignore[import-untyped]
import pytest

from events.games.command_handler import CommandHandler
from games.kernel import Game, Refusal, Rulebook, answer
from tests.service.players import HttpResponse, Table, Transport, full_table

KEYWORDS = {
    "oneOf",
    "type",
    "const",
    "enum",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minimum",
    "maximum",
    "title",
    "description",
}
VARIANTS: list[dict[str, Any]] = [
    {"seats": 3},
    {"seats": 4, "options": {"professional": True}},
    {"seats": 3, "options": {"logic": True, "logic_rows": "dealt_first"}},
]
LOOKS = 20
"""The number of positions of a game that are tested, or fewer if the game ends."""

ODD_VALUES: list[Any] = [None, True, False, 0, -1, 1.0, 0.5, 105, 2**53, 10**30, "", "1", "left", "right", [], [1], {}]


class Moment(NamedTuple):
    """A pending choice: the game at that time, the choice, a valid answer, and its result."""

    rulebook: Rulebook[Any]
    state: Game[Any, Any]
    seat: int
    choice: dict[str, Any]
    command: dict[str, Any]
    answer: HttpResponse


@pytest.fixture(scope="module", params=VARIANTS, ids=str)
def table(api: Transport, request: pytest.FixtureRequest) -> Table:
    return full_table(api, **request.param)


@pytest.fixture(scope="module")
def moments(games: CommandHandler, table: Table) -> list[Moment]:
    """Some positions of a game, spread over its first two rounds."""
    return list(_moments(games, table, random.Random("moments")))


def _moments(games: CommandHandler, table: Table, chance: random.Random) -> Iterator[Moment]:
    for _ in range(LOOKS):
        table.play(moves=chance.randint(0, 3))
        rulebook, state, _ = games.read(table.game)
        pending = list(table.pending())
        if not pending:
            return
        player, choice = chance.choice(pending)
        command = chance.choice([given for given in tried(choice["schema"], chance) if fits(choice, given)])
        answer = player.send({"choice": choice["choice"], **command})
        yield Moment(rulebook, state, player.seat, choice, command, answer)


def fits(choice: dict[str, Any], given: dict[str, Any]) -> bool:
    """Whether an answer matches the schema of a choice, according to an independent library."""
    return bool(jsonschema.Draft202012Validator(choice["schema"]).is_valid(given))


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all schemas inside it."""
    yield schema
    inside = [*schema.get("oneOf", ()), *schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]
    for inner in inside:
        yield from objects(inner)


def tried(schema: dict[str, Any], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Answers to a choice, some valid and many nearly valid."""
    cards = [float(card) if chance.random() < 0.3 else card for card in chance.sample(range(1, 105), 12)]
    for shape in schema["oneOf"]:
        move = shape["properties"]["move"]["const"]
        fields = shape["properties"]["args"]["properties"]
        offered = [list(field.get("enum", ())) for field in fields.values()]
        for values in itertools.product(*offered):
            yield {"move": move, "args": dict(zip(fields, values, strict=True))}
        for value in [*ODD_VALUES, *cards]:
            for odd in fields:
                args = {name: options[0] for name, options in zip(fields, offered, strict=True)}
                yield {"move": move, "args": args | {odd: value}}
        yield {"move": move, "args": {}}
        yield {
            "move": move,
            "args": {name: options[0] for name, options in zip(fields, offered, strict=True)} | {"x": 1},
        }
        yield {"move": move.upper(), "args": {}}


def is_accepted(moment: Moment, given: dict[str, Any]) -> bool:
    """Whether the answer would be accepted. Nothing is decided."""
    try:
        answer(moment.rulebook, moment.state, moment.seat, moment.choice["choice"], given["move"], given["args"], 0)
    except Refusal as refusal:
        if refusal.code != "illegal-move":
            raise
        return False
    return True


def test_an_answer_is_accepted_if_and_only_if_it_matches_the_schema(moments: list[Moment]) -> None:
    chance = random.Random("exactly")
    fitted = refused = 0
    for moment in moments:
        for given in tried(moment.choice["schema"], chance):
            is_fit = fits(moment.choice, given)
            assert is_accepted(moment, given) == is_fit, given
            fitted, refused = fitted + is_fit, refused + (not is_fit)
    assert fitted > len(moments) > 5
    assert refused > len(moments)


def test_a_valid_answer_is_accepted(moments: list[Moment]) -> None:
    assert [(moment.command, moment.answer.body) for moment in moments if moment.answer.status != 201] == []


def test_an_invalid_answer_is_refused_and_changes_nothing(games: CommandHandler, api: Transport) -> None:
    table = full_table(api, seats=2)
    player, choice = next(table.pending())
    before = games.store.read_after(table.game, 0)
    misfits = [given for given in tried(choice["schema"], random.Random("misfit")) if not fits(choice, given)]
    assert misfits
    for given in misfits:
        assert player.send({"choice": choice["choice"], **given}).refusal == (409, "illegal-move"), given
    assert games.store.read_after(table.game, 0) == before


def test_only_the_keywords_of_the_contract_appear(moments: list[Moment]) -> None:
    for moment in moments:
        jsonschema.Draft202012Validator.check_schema(moment.choice["schema"])
        for schema in objects(moment.choice["schema"]):
            assert schema.keys() <= KEYWORDS
            assert ("properties" in schema) == ("additionalProperties" in schema) == ("required" in schema)
            assert schema.get("additionalProperties", False) is False


def test_a_choice_names_its_seat_and_has_a_prompt(moments: list[Moment]) -> None:
    for moment in moments:
        assert moment.choice.keys() == {"choice", "seat", "prompt", "deadline", "schema"}
        assert moment.choice["seat"] == moment.seat
        assert moment.choice["prompt"]


def test_the_id_of_a_choice_is_never_used_again(moments: list[Moment]) -> None:
    answered = [moment.choice["choice"] for moment in moments]
    assert len(set(answered)) == len(answered)
