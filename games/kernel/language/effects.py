"""Effects: rules still to be carried out, as data on a tree of stacks.

Calling a rule does not run it: it returns an :class:`Effect`, its name and arguments. The body runs when the flow
reaches it, and returns what follows, in order. This way, a game can be stored in the middle of any effect.
"""

from typing import Any, Generic, TypeVar, Union

import msgspec

from games.kernel.language.facts import Fact
from games.kernel.language.visibility import Seat

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
    """A timer: what follows waits for this many milliseconds of the rulebook's time.

    A rule that returns just a `Wait` is evaluated again after every decision, like a choice: if it no longer returns
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
    """Branches that run in parallel; what follows waits for all of them. Rules create it with `together(…)`."""

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
