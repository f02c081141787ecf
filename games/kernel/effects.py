"""Effects: rules still to be carried out, as data on a tree of stacks.

Calling a rule does not run it: it returns an :class:`Effect`, its name and arguments. The body runs when the flow
reaches it, and returns what follows, in order. This way, a game can be stored in the middle of any effect.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, Union

import msgspec

from games.kernel.facts import Fact
from games.kernel.moves import Choice, Constraint, Field, Offer
from games.kernel.visibility import Seat

Scalar = int | str | bool | None
Arg = Union[Scalar, "Effect", tuple[Union[Scalar, "Effect", tuple[Scalar | tuple[Scalar, ...], ...]], ...]]
"""What may be passed to a rule: whole numbers, strings, booleans, None, effects, and tuples of them."""


class _FlowItem(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type"):
    """Something on a stack of the flow."""


class Effect(_FlowItem, frozen=True, tag="effect"):
    """A rule still to be carried out, and the seat that carries it out."""

    rule: str
    args: tuple[Arg, ...] = ()
    seat: Seat | None = None

    def by(self, seat: Seat) -> "Effect":
        """Return the same effect, to be carried out by `seat`, as is everything that follows from it."""
        return Effect(self.rule, self.args, seat)


class Wait(_FlowItem, frozen=True, tag="wait"):
    """Ask the clock: what follows waits for this many milliseconds of the rulebook's time.

    A rule that returns just a `Wait` is asked again after every decision, like a question: if it no longer returns
    one, the wait ends early.
    """

    milliseconds: int


class Pending(_FlowItem, frozen=True, tag="pending"):
    """A leaf of the flow between two decisions: a choice that waits for a seat's answer, or a timer.

    `choice` is an id that is never reused in the game. `effect` asks the choice: its options are computed anew each
    time; None for a timer that no rule observes. `due` is when the clock acts, in milliseconds since the epoch;
    None: never.
    """

    choice: int
    effect: Effect | None = None
    due: int | None = None
    is_timer: bool = False

    @property
    def seat(self) -> Seat | None:
        """The seat that has to answer; None for a timer."""
        return None if self.is_timer or self.effect is None else self.effect.seat


F = TypeVar("F")


class Together(_FlowItem, Generic[F], frozen=True, tag="together"):
    """Strands that run in parallel; what follows waits for all of them. Rules create it with `together(…)`."""

    branches: tuple[tuple[Union[Effect, Wait, Pending, "Together[F]", F], ...], ...]


def together(*effects: Effect) -> Together[Any]:
    """Run effects in parallel: what follows waits for all of them."""
    return Together(tuple((effect,) for effect in effects))


Item = Effect | Wait | Pending | Together[Any] | Fact
Stack = tuple[Item, ...]
Path = tuple[int, ...]
"""The path to a stack: the index of the branch to follow at each group on the way."""


def pending_leaves(stack: Stack, path: Path = ()) -> list[tuple[Path, Pending]]:
    """Return every pending leaf of a flow between two decisions, each with the path to the stack it is on top of."""
    if not stack:
        return []
    top = stack[-1]
    if type(top) is Pending:
        return [(path, top)]
    leaves: list[tuple[Path, Pending]] = []
    if type(top) is Together:
        for index, branch in enumerate(top.branches):
            if branch:
                leaves += pending_leaves(branch, (*path, index))
    return leaves


def stack_at(flow: Stack, path: Path) -> Stack:
    """Return the stack at the end of a path."""
    for index in path:
        flow = flow[-1].branches[index]  # type: ignore[union-attr]
    return flow


def replace_stack(flow: Stack, path: Path, stack: Stack) -> Stack:
    """Return the flow with the stack at the end of a path replaced."""
    if not path:
        return stack
    group = flow[-1]
    assert isinstance(group, Together)
    index, branches = path[0], group.branches
    changed = replace_stack(branches[index], path[1:], stack)
    return (*flow[:-1], Together((*branches[:index], changed, *branches[index + 1 :])))


Outcome = Union[Fact, Effect, Wait, Together[Any], Choice, tuple["Outcome", ...], None]  # noqa: UP007 - names itself
"""What a rule returns: what follows, in order, or one thing that pauses."""

P = ParamSpec("P")

SCALAR_TYPES = frozenset((int, str, bool, type(None)))


def _is_storable(arg: object, depth: int) -> bool:
    """Tell whether a value nested `depth` tuples deep is an `Arg`: any other could be written, but not read back."""
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
            raise TypeError(f"{self.name}: arguments of a rule are given by place")
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

    def offer(self, *bound: Arg, constraints: tuple[Constraint, ...] = (), **fields: Field) -> Offer:
        """Offer this move to a seat: the `bound` arguments are fixed, the seat fills in the `fields`.

        An answer has to satisfy all `constraints`, which restrict combinations of values.

        Raises:
            TypeError: when bound arguments and fields are not the parameters of the rule, or a field has no title.
        """
        if (*self.parameters[: len(bound)], *fields) != self.parameters or len(bound) > len(self.parameters):
            raise TypeError(f"{self.name} takes {self.parameters}, offered {len(bound)} bound and {tuple(fields)}")
        if not fields.keys() <= self.arg_titles.keys():
            raise TypeError(f"{self.name} declares titles for {tuple(self.arg_titles)}, offered {tuple(fields)}")
        return Offer(self, bound, fields, constraints)


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
