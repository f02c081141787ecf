"""Moves: what a seat is asked, what it may answer, and how clients are told that as JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from games.kernel.chance import Chance
from games.kernel.messages import Message, msg

if TYPE_CHECKING:
    from games.kernel.effects import Arg, Effect, Move
    from games.kernel.visibility import Seat

JsonSchema = dict[str, Any]

Localize = Callable[[str | Message], str]
"""Renders a text in a language; `str` renders it in English."""


class Refusal(Exception):
    """An answer or command is refused; nothing has changed.

    `code` is stable (`illegal-move`, `stale-choice`, …). `message` tells people why; it may be given as a template and
    its values: `Refusal("seat-taken", "seat {seat} is taken", seat=3)`.
    """

    def __init__(self, code: str, message: str | Message, **values: Any) -> None:
        self.code = code
        self.message = Message(message, values) if isinstance(message, str) else message
        super().__init__(f"{code}: {self.message}")

    @property
    def text(self) -> str:
        """The reason, in English."""
        return str(self.message)


class NotAnOption(Exception):
    """A value that is not among those that a field takes."""


def json_equal(option: Any, value: Any) -> bool:
    """Tell whether a value read from JSON equals an option. True is not 1; 7.0 is 7; a list may equal a tuple."""
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
    """From `least` to `most` different options, in an order of the seat's choice."""

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
        least, most = max(0, self.minimum), min(self.maximum, len(self.options))
        return chance.sample(self.options, least + chance.randbelow(most - least + 1))


class IntRange(Struct, frozen=True):
    """A whole number from `least` to `most`."""

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


class Constraint(Struct, frozen=True):
    """A restriction on combinations of values, with the reason to give when it refuses one.

    `holds(table, *args)` is called with the arguments that the rule would be given.
    """

    reason: Message
    holds: Callable[..., bool]


def constraint(reason: Message) -> Callable[[Callable[..., bool]], Constraint]:
    """Turn a function `(table, *args) -> bool` into a check; the reason says what must hold."""
    return lambda holds: Constraint(reason, holds)


class Offer(Struct, frozen=True):
    """A move that a seat may make: a rule, the arguments that are fixed, and the fields that the seat fills in.

    Several offers of a choice may name the same rule: an answer need only fit one of them.
    """

    rule: Move[Any]
    bound: tuple[Arg, ...]
    fields: Mapping[str, Field]
    constraints: tuple[Constraint, ...] = ()

    @property
    def move(self) -> str:
        """The name that a command gives to this move."""
        return self.rule.name

    @property
    def is_possible(self) -> bool:
        """Is there at least one value for each of its fields?"""
        for field in self.fields.values():
            if not field.is_possible:
                return False
        return True

    def effect(self, table: Any, values: Mapping[str, Any]) -> Effect:
        """Return the effect that an answer leads to.

        Raises:
            NotAnOption: when the values do not fit the fields.
            Illegal: when they do, but a check refuses their combination.
        """
        if values.keys() != self.fields.keys():
            raise NotAnOption
        args = (*self.bound, *[field.parse(values[name]) for name, field in self.fields.items()])
        for restriction in self.constraints:
            if not restriction.holds(table, *args):
                raise Refusal("illegal-move", restriction.reason)
        return self.rule(*args)

    def schema(self, localize: Localize = str) -> JsonSchema:
        """Render the command's `move` and `args` as JSON Schema, with texts as `localize` returns them."""
        titles = self.rule.arg_titles
        args = {
            "type": "object",
            "additionalProperties": False,
            "required": list(self.fields),
            "properties": {
                name: {"title": localize(titles[name]), **field.schema()} for name, field in self.fields.items()
            },
        }
        return {
            "title": localize(self.rule.title),
            "description": " ".join([localize(self.rule.help), *map(localize, self._reasons)]),
            "type": "object",
            "additionalProperties": False,
            "required": ["move", "args"],
            "properties": {"move": {"const": self.move}, "args": args},
        }

    @property
    def _reasons(self) -> tuple[Message, ...]:
        return tuple([restriction.reason for restriction in self.constraints])


class Choice(Struct, frozen=True):
    """What a seat is asked: a prompt, and at least one offer. Computed when asked, never stored."""

    prompt: Message
    offers: tuple[Offer, ...]
    within: int | None = None

    @property
    def prompt_text(self) -> str:
        """What is asked, in English."""
        return str(self.prompt)

    def schema(self, localize: Localize = str) -> JsonSchema:
        """Render everything that the seat may answer as one JSON Schema, with texts as `localize` returns them."""
        return {"oneOf": [offer.schema(localize) for offer in self.offers]}

    def parse(self, table: Any, move: str, values: Mapping[str, Any]) -> tuple[Effect, dict[str, Any]]:
        """Return the effect that an answer leads to, and its values as the fields read them.

        Raises:
            Illegal: `illegal-move`, when no offer takes this answer.
        """
        refusal: Refusal | None = None
        is_offered = False
        for offer in self.offers:
            if offer.rule.name == move:
                is_offered = True
                try:
                    effect = offer.effect(table, values)
                except NotAnOption:
                    continue
                except Refusal as reason:
                    refusal = refusal or reason
                else:
                    return effect, dict(zip(offer.fields, effect.args[len(offer.bound) :], strict=True))
        if is_offered:
            sentence = msg("these arguments of “{move}” are not among those that are offered", move=move)
        else:
            sentence = msg("“{move}” is not among the moves that are offered", move=move)
        raise refusal or Refusal("illegal-move", sentence)

    def samples(self, chance: Chance) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield random answers endlessly: a move, and a value for each of its fields. A check may refuse some."""
        while True:
            offer = chance.choice(self.offers)
            yield offer.move, {name: field.sample(chance) for name, field in offer.fields.items()}


def choose(prompt: Message, *offers: Offer | None, within: int | None = None) -> Choice | None:
    """Ask the seat that carries out this rule. Offers that cannot be filled in are left out.

    Returns None if no offer is left: then nothing is asked, and the flow goes on. `within` is the rulebook's own time
    limit in milliseconds; without it, the game's clock policy applies. With `within=UNLIMITED` there is no limit while
    the rulebook's own clocks run: one of them ends the question.
    """
    possible = tuple([offer for offer in offers if offer is not None and offer.is_possible])
    return Choice(prompt, possible, within) if possible else None


class PendingChoice(Struct, frozen=True):
    """A choice that waits for a seat's answer: its id, and when the clock will answer in its place."""

    id: int
    seat: Seat
    deadline: int | None
    choice: Choice
