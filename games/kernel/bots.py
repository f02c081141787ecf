"""Bots: players that see exactly what a client sees: the view of their seat and its choices, as JSON."""

from collections.abc import Callable
from typing import Any, NamedTuple

from games.kernel.language.chance import Chance


class Observation(NamedTuple):
    """Everything a bot receives: its seat, the state and derived values as that seat sees them, and its choices."""

    seat: int
    state: dict[str, Any]
    derived: dict[str, Any]
    choices: list[dict[str, Any]]


class Answer(NamedTuple):
    """An answer to a choice, as a client would send it."""

    choice: int
    move: str
    args: dict[str, Any]


Bot = Callable[[Observation, Chance], Answer]


def random_bot(observation: Observation, chance: Chance) -> Answer:
    """Answer the oldest choice with one of its listed moves at random. Works for any rulebook."""
    choice = observation.choices[0]
    shape = chance.choice(choice["schema"]["oneOf"])["properties"]
    args = {name: sample_value(schema, chance) for name, schema in shape["args"]["properties"].items()}
    return Answer(choice["choice"], shape["move"]["const"], args)


def sample_value(schema: dict[str, Any], chance: Chance) -> Any:
    """Return a random value that fits the schema of a field, as `games.kernel.language.fields` makes them."""
    if "enum" in schema:
        return chance.choice(schema["enum"])
    if schema["type"] == "integer":
        return schema["minimum"] + chance.randbelow(schema["maximum"] - schema["minimum"] + 1)
    number = schema["minItems"] + chance.randbelow(schema["maxItems"] - schema["minItems"] + 1)
    return list(chance.sample(schema["items"]["enum"], number)) if number else []
