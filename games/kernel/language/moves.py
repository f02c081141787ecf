"""Rules and moves: the functions that a rulebook is made of, and the choices in which they are offered to seats."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Concatenate, Generic, ParamSpec, Union

from msgspec import Struct

from games.kernel.language.chance import Chance
from games.kernel.language.effects import Arg, Effect, Together, Wait
from games.kernel.language.facts import Fact
from games.kernel.language.fields import Field, JsonSchema, NotAnOption
from games.kernel.language.messages import Message, Refusal, msg
from games.kernel.language.visibility import Seat

P = ParamSpec("P")

Localize = Callable[[str | Message], str]
"""Renders a text in a language; `str` renders it in English."""


class Constraint(Struct, frozen=True):
    """A restriction on combinations of values, with the reason that a refusal gives.

    `holds(table, *args)` is called with the arguments that the rule would be given.
    """

    reason: Message
    holds: Callable[..., bool]


def constraint(reason: Message) -> Callable[[Callable[..., bool]], Constraint]:
    """Turn a function `(table, *args) -> bool` into a constraint; the reason says what must hold."""
    return lambda holds: Constraint(reason, holds)


SCALAR_TYPES = frozenset((int, str, bool, type(None)))


def _is_storable(arg: object, depth: int) -> bool:
    """Return whether a value nested `depth` tuples deep is an `Arg`: others could be encoded, but not decoded."""
    if type(arg) is tuple:
        return depth < 3 and all(_is_storable(inner, depth + 1) for inner in arg)
    return type(arg) in SCALAR_TYPES or (type(arg) is Effect and depth < 2)


class Rule(Generic[P]):
    """A verb of the rulebook: a named, pure function of the table. Calling it returns an effect."""

    def __init__(self, body: Callable[..., Any]) -> None:
        self.body = body
        self.name = body.__name__
        self.module = body.__module__
        self.__doc__ = body.__doc__
        self.parameters = tuple(inspect.signature(body).parameters)[1:]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Effect:
        """Return the effect of carrying out this rule with these arguments."""
        if kwargs:
            raise TypeError(f"{self.name}: arguments of a rule are positional")
        for arg in args:
            if type(arg) not in SCALAR_TYPES and not _is_storable(arg, 0):
                raise TypeError(f"{self.name}: {arg!r} cannot be stored; a rule is given numbers, words and effects")
        return Effect(self.name, args)  # type: ignore[arg-type] # checked above


class Move(Rule[P]):
    """A rule that may be offered to seats.

    `title` names it, as a button would; `help` says what it does; `arg_titles` has the title of each argument that a
    seat may fill in. These texts are in English, and are translated for whoever reads them.
    """

    def __init__(self, body: Callable[..., Any], title: str, help: str, arg_titles: Mapping[str, str]) -> None:
        super().__init__(body)
        if unknown := sorted(arg_titles.keys() - set(self.parameters)):
            raise TypeError(f"{self.name} takes {self.parameters}, not {', '.join(unknown)}")
        self.title = title
        self.help = help
        self.arg_titles = {name: arg_titles[name] for name in self.parameters if name in arg_titles}
        self._accepted: set[tuple[object, ...]] = set()
        """The shapes of offers that were found right: the number of bound arguments, and the names of the fields."""

    def offer(self, *bound: Arg, constraints: tuple[Constraint, ...] = (), **fields: Field) -> "Offer":
        """Offer this move to a seat: the `bound` arguments are fixed, the seat fills in the `fields`.

        An answer has to satisfy all `constraints`, which restrict combinations of values.

        Raises:
            TypeError: when bound arguments and fields are not the parameters of the rule, or a field has no title.
        """
        shape = (len(bound), *fields)
        if shape not in self._accepted:
            self._check_shape(len(bound), tuple(fields))
            self._accepted.add(shape)
        return Offer(self, bound, fields, constraints)

    def _check_shape(self, bound: int, fields: tuple[str, ...]) -> None:
        if (*self.parameters[:bound], *fields) != self.parameters or bound > len(self.parameters):
            raise TypeError(f"{self.name} takes {self.parameters}, offered {bound} bound and {fields}")
        if not set(fields) <= self.arg_titles.keys():
            raise TypeError(f"{self.name} declares titles for {tuple(self.arg_titles)}, offered {fields}")


def rule(body: Callable[Concatenate[Any, P], Any]) -> Rule[P]:
    """Turn a function `(table, *args)` into a rule.

    The body returns None, a fact, an effect, a tuple of these in order, or one thing that pauses: `choose(…)`,
    `together(…)`, `Wait(…)`. A choice must be returned alone: to let something precede it, give it a rule of its own.
    """
    return Rule(body)


def move(
    *, title: str, help: str, args: Mapping[str, str] | None = None
) -> Callable[[Callable[Concatenate[Any, P], Any]], Move[P]]:
    """Turn a function `(table, *args)` into a rule that may be offered to seats, like `rule` otherwise.

    `title` and `help` tell people what the move does; `args` has the title of each argument that a seat may fill in.
    """
    return lambda body: Move(body, title, help, args or {})


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
            Refusal: when they do, but a constraint refuses their combination.
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
    """What a seat has to decide: a prompt, and at least one offer. It is computed on demand, and never stored."""

    prompt: Message
    offers: tuple[Offer, ...]
    within: int | None = None

    @property
    def prompt_text(self) -> str:
        """The prompt in English."""
        return str(self.prompt)

    def schema(self, localize: Localize = str) -> JsonSchema:
        """Render everything that the seat may answer as one JSON Schema, with texts as `localize` returns them."""
        return {"oneOf": [offer.schema(localize) for offer in self.offers]}

    def parse(self, table: Any, move: str, values: Mapping[str, Any]) -> tuple[Effect, dict[str, Any]]:
        """Return the effect that an answer leads to, and its values as the fields read them.

        Raises:
            Refusal: `illegal-move`, when no offer takes this answer.
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
            message = msg("these arguments of “{move}” are not among those that are offered", move=move)
        else:
            message = msg("“{move}” is not among the moves that are offered", move=move)
        raise refusal or Refusal("illegal-move", message)

    def samples(self, chance: Chance) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield random answers endlessly: a move, and a value for each of its fields. A constraint may refuse some."""
        while True:
            offer = chance.choice(self.offers)
            yield offer.move, {name: field.sample(chance) for name, field in offer.fields.items()}


def choose(prompt: Message, *offers: Offer | None, within: int | None = None) -> Choice | None:
    """Ask the seat that carries out this rule. Offers that cannot be filled in are left out.

    Returns None if no offer is left: then nothing is asked, and the flow goes on. `within` is the rulebook's own time
    limit in milliseconds; without it, the game's clock policy applies. With `within=UNLIMITED` there is no limit while
    the rulebook's own clocks run: one of them ends the choice.
    """
    possible = tuple([offer for offer in offers if offer is not None and offer.is_possible])
    return Choice(prompt, possible, within) if possible else None


class PendingChoice(Struct, frozen=True):
    """A choice that waits for a seat's answer: its id, and when the clock will answer in its place."""

    id: int
    seat: Seat
    deadline: int | None
    choice: Choice


Outcome = Union[Fact, Effect, Wait, Together[Any], Choice, tuple["Outcome", ...], None]  # noqa: UP007 - names itself
"""What a rule returns: what follows, in order, or one thing that pauses."""
