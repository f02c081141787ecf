"""Fields: the values that a seat fills in for a move, and how clients receive them as JSON Schema."""

from typing import Any

from msgspec import Struct

from games.kernel.language.chance import Chance

JsonSchema = dict[str, Any]


class NotAnOption(Exception):
    """A value that is not among those that a field takes."""


def json_equal(option: Any, value: Any) -> bool:
    """Return whether a value read from JSON equals an option. True is not 1; 7.0 is 7; a list may equal a tuple."""
    if isinstance(option, tuple):
        return (
            isinstance(value, (list, tuple))
            and len(option) == len(value)
            and all(json_equal(inner, given) for inner, given in zip(option, value, strict=True))
        )
    return bool(option == value) and isinstance(option, bool) == isinstance(value, bool)


def index_of(options: tuple[Any, ...], value: Any) -> int:
    """Return the index of the option that `value`, read from JSON, names; raise NotAnOption if there is none."""
    if type(value) is not tuple and value in options:
        place = options.index(value)
        if type(options[place]) is type(value):
            return place
    for place, option in enumerate(options):
        if json_equal(option, value):
            return place
    raise NotAnOption


class OneOf(Struct, frozen=True):
    """Exactly one of the options."""

    options: tuple[Any, ...]

    @property
    def is_possible(self) -> bool:
        """Is there any answer?"""
        return bool(self.options)

    def parse(self, value: Any) -> Any:
        """Return the option that `value` names, or raise NotAnOption."""
        return self.options[index_of(self.options, value)]

    def schema(self) -> JsonSchema:
        """Render as JSON Schema."""
        return {"enum": self.options}

    def sample(self, chance: Chance) -> Any:
        """Return one of the answers, each equally likely."""
        return chance.choice(self.options)


class SomeOf(Struct, frozen=True):
    """From `minimum` to `maximum` different options, in an order that the seat chooses."""

    options: tuple[Any, ...]
    minimum: int
    maximum: int

    @property
    def is_possible(self) -> bool:
        """Is there any answer?"""
        return max(0, self.minimum) <= min(self.maximum, len(self.options))

    def parse(self, value: Any) -> Any:
        """Return the options that `value` names, or raise NotAnOption."""
        if not isinstance(value, (list, tuple)) or not self.minimum <= len(value) <= self.maximum:
            raise NotAnOption
        places = [index_of(self.options, item) for item in value]
        if len(set(places)) < len(places):
            raise NotAnOption
        return tuple([self.options[place] for place in places])

    def schema(self) -> JsonSchema:
        """Render as JSON Schema."""
        return {
            "type": "array",
            "items": {"enum": self.options} if self.options else {},
            "minItems": max(0, self.minimum),
            "maxItems": min(self.maximum, len(self.options)),
            "uniqueItems": True,
        }

    def sample(self, chance: Chance) -> Any:
        """Return a random answer, every number of options equally likely."""
        minimum, maximum = max(0, self.minimum), min(self.maximum, len(self.options))
        return chance.sample(self.options, minimum + chance.randbelow(maximum - minimum + 1))


class IntRange(Struct, frozen=True):
    """A whole number from `minimum` to `maximum`."""

    minimum: int
    maximum: int

    @property
    def is_possible(self) -> bool:
        """Is there any answer?"""
        return self.minimum <= self.maximum

    def parse(self, value: Any) -> Any:
        """Return the number that `value` names, or raise NotAnOption."""
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not self.minimum <= value <= self.maximum:
            raise NotAnOption
        if value != int(value):
            raise NotAnOption
        return int(value)

    def schema(self) -> JsonSchema:
        """Render as JSON Schema."""
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}

    def sample(self, chance: Chance) -> Any:
        """Return a random answer, each equally likely."""
        return self.minimum + chance.randbelow(self.maximum - self.minimum + 1)


Field = OneOf | SomeOf | IntRange
