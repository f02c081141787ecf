"""Effects: rules still to be carried out, as data on a tree of stacks.

Calling a rule does not run it: it gives an :class:`Effect`, its name and arguments. The body runs when the flow
reaches it, and returns what follows, in order. So a game can be stored in the middle of any effect.
"""

import inspect
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, Union

import msgspec

from games.kernel.facts import Fact
from games.kernel.moves import Check, Choice, Field, Offer
from games.kernel.sight import Seat

Plain = int | str | bool | None
Arg = Union[Plain, "Effect", tuple[Union[Plain, "Effect", tuple[Plain | tuple[Plain, ...], ...]], ...]]
"""What a rule may be given: numbers, words, effects, and tuples of them."""


class _Item(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type"):
    """Something on a stack of the flow."""


class Effect(_Item, frozen=True, tag="effect"):
    """A rule still to be carried out, and the seat that carries it out."""

    rule: str
    args: tuple[Arg, ...] = ()
    seat: Seat | None = None

    def by(self, seat: Seat) -> "Effect":
        """Give the same effect, carried out by `seat`. What follows from it is carried out by that seat as well."""
        return Effect(self.rule, self.args, seat)


class Wait(_Item, frozen=True, tag="wait"):
    """Ask the clock: what follows waits for so many milliseconds of the rulebook's time.

    A rule that returns a `Wait` alone is asked again after every decision, like a question: when it no longer
    returns one, the wait is over early.
    """

    milliseconds: int


class Waiting(_Item, frozen=True, tag="waiting"):
    """A leaf of a flow at rest: it waits for a seat's answer, or for the clock.

    `choice` is an id that is never used again in the game. `effect` is the question, which gives its options afresh
    whenever it is asked; None for a plain wait. `due` is when the clock answers, in milliseconds since the epoch.
    """

    choice: int
    effect: Effect | None = None
    due: int | None = None
    clock: bool = False


F = TypeVar("F")


class Together(_Item, Generic[F], frozen=True, tag="together"):
    """Strands that run side by side; what follows waits for all of them. Written `together(…)` in rules."""

    strands: tuple[tuple[Union[Effect, Wait, Waiting, "Together[F]", F], ...], ...]


def together(*effects: Effect) -> Together[Any]:
    """Run effects side by side: what follows waits for all of them."""
    return Together(tuple((effect,) for effect in effects))


Item = Effect | Wait | Waiting | Together[Any] | Fact
Stack = tuple[Item, ...]

Outcome = Union[Fact, Effect, Wait, Together[Any], Choice, tuple["Outcome", ...], None]  # noqa: UP007 - names itself
"""What a rule returns: what follows, in order, or one thing that pauses."""

P = ParamSpec("P")

PLAIN = frozenset((int, str, bool, type(None)))


def _can_be_stored(arg: object, depth: int) -> bool:
    """Tell whether a value, found so deep in tuples, is an `Arg`: what is not could be written, but not read again."""
    if type(arg) is tuple:
        return depth < 3 and all(_can_be_stored(inner, depth + 1) for inner in arg)
    return type(arg) in PLAIN or (type(arg) is Effect and depth < 2)


class Rule(Generic[P]):
    """A verb of the rulebook: a pure function of the table, named. Calling it gives an effect."""

    def __init__(self, body: Callable[..., Any]) -> None:
        self.body = body
        self.name = body.__name__
        self.module = body.__module__
        self.__doc__ = body.__doc__
        self.parameters = tuple(inspect.signature(body).parameters)[1:]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Effect:
        """Give the effect of carrying out this rule with these arguments."""
        if kwargs:
            raise TypeError(f"{self.name}: arguments of a rule are given by place")
        for arg in args:
            if type(arg) not in PLAIN and not _can_be_stored(arg, 0):
                raise TypeError(f"{self.name}: {arg!r} cannot be stored; a rule is given numbers, words and effects")
        return Effect(self.name, args)  # type: ignore[arg-type] # what they may be was looked at

    def offer(self, *bound: Arg, must: tuple[Check, ...] = (), **fields: Field) -> Offer:
        """Offer this rule to a seat as a move: `bound` is settled already, the seat fills in the `fields`.

        `must` are the checks across the fields that an answer has to pass.
        """
        if (*self.parameters[: len(bound)], *fields) != self.parameters or len(bound) > len(self.parameters):
            raise TypeError(f"{self.name} takes {self.parameters}, offered {len(bound)} bound and {tuple(fields)}")
        return Offer(self, bound, fields, must)


def rule(body: Callable[Concatenate[Any, P], Any]) -> Rule[P]:
    """Make a rule of a function `(table, *args)`.

    The body returns None, a fact, an effect, a tuple of such things in order, or one thing that pauses:
    `choose(…)`, `together(…)`, `Wait(…)`. A choice stands alone: wrap it in a rule of its own to let others precede.
    """
    return Rule(body)
