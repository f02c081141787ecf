"""Bots: players that see exactly what a client sees: the view of their seat and its choices, as JSON."""

from collections.abc import Callable
from typing import Any, NamedTuple

from games.kernel.chance import Chance


class BotSight(NamedTuple):
    """Everything a bot is given: its seat, the table and computed values as that seat sees them, and its choices."""

    seat: int
    table: dict[str, Any]
    computed: dict[str, Any]
    choices: list[dict[str, Any]]


class Command(NamedTuple):
    """An answer to a choice, as a client would send it."""

    choice: int
    move: str
    args: dict[str, Any]


Bot = Callable[[BotSight, Chance], Command]


def random_bot(sight: BotSight, chance: Chance) -> Command:
    """Answer the oldest choice with one of its listed moves at random. Works for any rulebook."""
    choice = sight.choices[0]
    shape = chance.one_of(choice["schema"]["oneOf"])["properties"]
    args = {name: value_fitting(schema, chance) for name, schema in shape["args"]["properties"].items()}
    return Command(choice["choice"], shape["move"]["const"], args)


def value_fitting(schema: dict[str, Any], chance: Chance) -> Any:
    """Return a random value that fits the schema of a field; it need only handle the schemas that choices use."""
    if "enum" in schema:
        return chance.one_of(schema["enum"])
    if schema["type"] == "integer":
        return schema["minimum"] + chance.below(schema["maximum"] - schema["minimum"] + 1)
    number = schema["minItems"] + chance.below(schema["maxItems"] - schema["minItems"] + 1)
    return list(chance.some_of(schema["items"]["enum"], number)) if number else []
