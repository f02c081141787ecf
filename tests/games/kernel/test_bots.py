"""The bot that knows no rulebook: it answers from the schema of a choice alone."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from games.kernel import Answer, Chance, Observation, observe, random_bot
from games.kernel.bots import sample_value
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.market import MARKET
from tests.games.kernel.rulebooks.secrets import SECRETS
from tests.games.kernel.rulebooks.throne_room import THRONE_ROOM


def sight_of(*choices: dict[str, Any]) -> Observation:
    """What a bot is given when there is nothing but choices."""
    return Observation(0, {}, {}, list(choices))


def choice_of(choice: int, *moves: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """A choice of moves, each with the schemas of its fields."""
    shapes = [
        {
            "title": move,
            "type": "object",
            "additionalProperties": False,
            "required": ["move", "args"],
            "properties": {
                "move": {"const": move},
                "args": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": list(fields),
                    "properties": fields,
                },
            },
        }
        for move, fields in moves
    ]
    return {"choice": choice, "seat": 0, "prompt": "?", "deadline": None, "schema": {"oneOf": shapes}}


fields = st.one_of(
    st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True).map(lambda options: {"enum": options}),
    st.tuples(st.integers(-3, 3), st.integers(0, 3)).map(
        lambda limits: {"type": "integer", "minimum": limits[0], "maximum": limits[0] + limits[1]}
    ),
    st.tuples(st.lists(st.sampled_from("abcd"), min_size=1, unique=True), st.integers(0, 4), st.integers(0, 4)).map(
        lambda drawn: {
            "type": "array",
            "items": {"enum": drawn[0]},
            "minItems": min(drawn[1], len(drawn[0])),
            "maxItems": min(max(drawn[1:]), len(drawn[0])),
            "uniqueItems": True,
        }
    ),
    st.just({"type": "array", "items": {}, "minItems": 0, "maxItems": 0, "uniqueItems": True}),
)


@settings(max_examples=60, deadline=None)
@given(
    moves=st.lists(st.dictionaries(st.sampled_from(["card", "row", "side"]), fields), min_size=1, max_size=3),
    number=st.integers(0, 2**32),
)
def test_its_answer_fits_the_schema(moves: list[dict[str, Any]], number: int) -> None:
    choice = choice_of(41, *((f"move {place}", each) for place, each in enumerate(moves)))
    command = random_bot(sight_of(choice), Chance("bot", number))
    assert command.choice == 41
    Draft202012Validator(choice["schema"]).validate({"move": command.move, "args": command.args})


def test_it_answers_the_oldest_of_its_choices() -> None:
    sight = sight_of(choice_of(7, ("a", {})), choice_of(9, ("b", {})))
    assert random_bot(sight, Chance("bot", 1)) == Answer(7, "a", {})


def test_it_makes_every_move_and_fills_in_every_value_sometimes() -> None:
    number = {"type": "integer", "minimum": 1, "maximum": 3}
    choice = choice_of(1, ("a", {"number": number}), ("b", {"word": {"enum": ["u", "v"]}}))
    commands = {str(random_bot(sight_of(choice), Chance("bot", number))) for number in range(100)}
    assert len(commands) == 5


def test_the_same_chance_gives_the_same_answer() -> None:
    driver = GameDriver(MARKET, 2)
    sight = observe(MARKET, driver.game, 0)
    assert random_bot(sight, Chance("bot", 5)) == random_bot(sight, Chance("bot", 5))


def test_every_sample_is_drawn_sometimes() -> None:
    schema = {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 0, "maxItems": 2, "uniqueItems": True}
    drawn = {tuple(sample_value(schema, Chance("bot", number))) for number in range(100)}
    assert drawn == {(), ("a",), ("b",), ("a", "b"), ("b", "a")}


@pytest.mark.parametrize("rulebook", [MARKET, THRONE_ROOM, SECRETS], ids=lambda rulebook: rulebook.id)
def test_bots_play_any_game_to_its_end_from_the_schema_alone(rulebook: Any) -> None:
    driver = GameDriver(rulebook, 3, seed="bots", stored=False)
    for number in range(400):
        waiting = sorted({pending.seat for pending in driver.choices()})
        if not waiting:
            break
        seat = waiting[number % len(waiting)]
        choice, move, args = random_bot(observe(rulebook, driver.game, seat), Chance("bots", number))
        asked = next(pending.choice for pending in driver.choices(seat) if pending.id == choice)
        if not any(offer.constraints for offer in asked.offers):
            driver.send(seat, choice, move, args)
        else:
            driver.send(seat, choice, move, args | {"cards": []})
        alarm = driver.alarm()
        if alarm is not None and number % 20 == 0:
            driver.fire_timers(alarm)
    assert driver.game.session.status == "finished"
