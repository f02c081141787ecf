"""The flow: what is still to happen in a game, as a tree of stacks, and how it is carried out.

A stack holds effects and facts to come; its top is the last item. The top may be a `Together`: a group of stacks, each
with a top of its own. Every leaf of a flow at rest is a `Pending`: for a seat or for the clock.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from games.kernel.chance import Chance, RandomnessWhileAsking
from games.kernel.effects import Effect, Item, Pending, Stack, Together, Wait
from games.kernel.facts import Fact
from games.kernel.moves import UNLIMITED, Choice
from games.kernel.session import Finished, Session
from games.kernel.visibility import Seat

if TYPE_CHECKING:
    from games.kernel.rulebook import Rulebook

Path = tuple[int, ...]
"""The path to a stack: the index of the strand to follow at each group on the way."""


class GameOver(Exception):
    """The fact that ends the game was reached: nothing more is carried out."""


def pending_leaves(stack: Stack, path: Path = ()) -> list[tuple[Path, Pending]]:
    """Return each waiting leaf of a flow at rest, with the path to the stack that it is on top of."""
    if not stack:
        return []
    top = stack[-1]
    if type(top) is Pending:
        return [(path, top)]
    found: list[tuple[Path, Pending]] = []
    if type(top) is Together:
        for place, branch in enumerate(top.branches):
            if branch:
                found += pending_leaves(branch, (*path, place))
    return found


def stack_at(flow: Stack, path: Path) -> Stack:
    """Return the stack at the end of a path."""
    for place in path:
        flow = flow[-1].branches[place]  # type: ignore[union-attr]
    return flow


def replace_stack(flow: Stack, path: Path, stack: Stack) -> Stack:
    """Return the flow with the stack at the end of a path replaced."""
    if not path:
        return stack
    group = flow[-1]
    assert isinstance(group, Together)
    place, branches = path[0], group.branches
    changed = replace_stack(branches[place], path[1:], stack)
    return (*flow[:-1], Together((*branches[:place], changed, *branches[place + 1 :])))


class Interpreter:
    """Carries out effects until every leaf of the flow waits again; records the facts and the stacks that changed."""

    __slots__ = (
        "chance",
        "changes",
        "evaluated",
        "evolve",
        "facts",
        "flow",
        "last_choice",
        "now",
        "rulebook",
        "rules",
        "session",
        "state",
    )

    def __init__(
        self,
        rulebook: "Rulebook[Any]",
        lobby: Session,
        state: Any,
        flow: Stack,
        last_choice: int,
        chance: Chance,
        now: int,
    ) -> None:
        self.rulebook = rulebook
        self.rules = rulebook.rules
        self.evolve = rulebook.evolve
        self.state = state
        self.flow = flow
        self.last_choice = last_choice
        self.session = lobby
        self.chance = chance
        self.now = now
        self.facts: list[Fact] = []
        self.changes: dict[Path, Stack] = {}
        self.evaluated: set[int] = set()
        """Choices already computed on the table as it is now: until the next fact, they would ask the same again."""

    def evaluate(self, effect: Effect) -> Any:
        """Call the body of an effect's rule on the table as it is now; return its outcome."""
        chance = self.chance
        drawn = chance.drawn
        table = self.rulebook.table(self.state, effect.seat, chance, self.session)  # type: ignore[arg-type]
        outcome = self.rules[effect.rule].body(table, *effect.args)
        if chance.drawn != drawn and isinstance(outcome, (Choice, Wait)):
            raise RandomnessWhileAsking(effect.rule)
        return outcome

    def table(self, seat: Seat | None) -> Any:
        """Return the table as the rules of a seat see it."""
        return self.rulebook.table(self.state, seat, self.chance, self.session)  # type: ignore[arg-type]

    def resume(self, path: Path, stack: Stack | list[Item]) -> None:
        """Put a stack at a path and carry it out; then move on every waiting question that no longer asks anything."""
        try:
            self._run_from(path, list(stack))
            self._resolve_pending()
        except GameOver:
            self.flow = ()
            self.changes = {(): ()}

    def run_aside(self, effect: Effect | None) -> None:
        """Carry out an effect, if any, beside the flow: it must not wait. Then go on as `resume` does."""
        try:
            if effect is not None and self._run_stack([effect]):
                raise TypeError(f"{effect.rule} is carried out aside, and may not wait")
            self._resolve_pending()
        except GameOver:
            self.flow = ()
            self.changes = {(): ()}

    def _run_from(self, path: Path, stack: list[Item]) -> None:
        self.flow = replace_stack(self.flow, path, self._run_stack(stack))
        while path and not any(stack_at(self.flow, path[:-1])[-1].branches):  # type: ignore[union-attr]
            path = path[:-1]  # all strands of the group have ended: what waited for them goes on
            self.flow = replace_stack(self.flow, path, self._run_stack(list(stack_at(self.flow, path))))
        if self.changes:
            for deeper in [other for other in self.changes if other[: len(path)] == path]:
                del self.changes[deeper]
        self.changes[path] = stack_at(self.flow, path)

    def _resolve_pending(self) -> None:
        """Move on every waiting question that no longer asks anything, oldest first, until none is left."""
        while (gone := self._first_resolved()) is not None:
            path, effect, outcome = gone
            stack = list(stack_at(self.flow, path)[:-1])
            if isinstance(outcome, (Choice, Wait)):
                stack.append(effect)  # it now waits for a seat instead of the clock, or vice versa
            else:
                self._push(stack, outcome, effect.seat)
            self._run_from(path, stack)

    def _first_resolved(self) -> tuple[Path, Effect, Any] | None:
        for path, leaf in sorted(pending_leaves(self.flow), key=_by_age):
            if leaf.effect is not None and leaf.choice not in self.evaluated:
                outcome = self.evaluate(leaf.effect)
                if type(outcome) is not (Wait if leaf.is_timer else Choice):
                    return path, leaf.effect, outcome
                self.evaluated.add(leaf.choice)
        return None

    def _run_stack(self, stack: list[Item]) -> Stack:
        """Carry out a stack from its top until it waits or is empty."""
        while stack:
            item = stack.pop()
            if type(item) is Effect:
                outcome = self.evaluate(item)
                if type(outcome) is Choice or type(outcome) is Wait:
                    stack.append(self._suspend(item, outcome))
                    break
                self._push(stack, outcome, item.seat)
            elif type(item) is Pending:
                stack.append(item)
                break
            elif type(item) is Wait:
                stack.append(self._suspend(None, item))
                break
            elif type(item) is Together:
                branches = tuple([self._run_stack(list(branch)) for branch in item.branches])
                if any(branches):
                    stack.append(Together(branches))
                    break
            else:
                self._emit(stack, item)  # type: ignore[arg-type] # a fact, of whatever type
        return tuple(stack)

    def _push(self, stack: list[Item], outcome: Any, seat: Seat | None) -> None:
        """Push what a rule returned, its first item on top; effects without a seat inherit the rule's."""
        kind = type(outcome)
        if kind is Effect:
            stack.append(outcome if outcome.seat is not None or seat is None else outcome.by(seat))
        elif kind is tuple:
            for part in reversed(outcome):
                self._push(stack, part, seat)
        elif kind is Wait or kind in self.rulebook.fact_types:
            stack.append(outcome)
        elif kind is Together:
            branches = outcome.branches
            stack.append(
                outcome if seat is None else Together(tuple(_inherit_seat(branch, seat) for branch in branches))
            )
        elif isinstance(outcome, Fact):
            raise TypeError(f"{kind.__name__} is not among the facts of {self.rulebook.id}")
        elif outcome is not None:
            raise TypeError(
                f"a rule returned {outcome!r}: a choice stands alone, and everything else is a fact or an effect"
            )

    def _emit(self, stack: list[Item], fact: Fact) -> None:
        self.facts.append(fact)
        if type(fact) is Finished:
            raise GameOver
        self.state = self.evolve(self.state, fact)
        self.evaluated.clear()
        follows = self.rulebook.triggers.get(type(fact))
        if follows is not None:
            self._push(stack, follows(self.table(None), fact), None)

    def _suspend(self, effect: Effect | None, pause: Choice | Wait) -> Pending:
        if effect is not None and effect.seat is None and isinstance(pause, Choice):
            raise TypeError(f"{effect.rule} asks, but no seat carries it out")
        self.last_choice += 1
        factor = self.session.created.clock.factor
        if isinstance(pause, Wait):
            limit = round(pause.milliseconds * factor) if factor else None
        elif pause.within is not None and factor:
            limit = None if pause.within == UNLIMITED else round(pause.within * factor)
        else:
            assert effect is not None
            assert effect.seat is not None
            limit = time_limit(self.session, effect.seat)
        due = None if limit is None else self.now + limit
        self.evaluated.add(self.last_choice)
        return Pending(self.last_choice, effect, due, is_timer=isinstance(pause, Wait))


def time_limit(lobby: Session, seat: Seat) -> int | None:
    """Return the milliseconds that the clock policy allows a seat for a choice, bank included; None: no limit."""
    seconds = lobby.created.clock.seconds_per_choice
    if seconds is None or lobby.seats[seat].bot is not None:
        return None
    return round(seconds * 1000) + lobby.seats[seat].bank


def with_new_limits(stack: Stack, due: Callable[[Pending], int | None]) -> Stack:
    """Return a flow at rest with every leaf's `due` replaced by what the function returns for it."""
    if not stack:
        return stack
    top = stack[-1]
    if isinstance(top, Together):
        return (*stack[:-1], Together(tuple(with_new_limits(branch, due) for branch in top.branches)))
    assert isinstance(top, Pending)
    return (*stack[:-1], replace(top, due=due(top)))


def delayed(stack: Stack, milliseconds: int) -> Stack:
    """Return a flow at rest in which every leaf is due this many milliseconds later."""
    return with_new_limits(stack, lambda leaf: None if leaf.due is None else leaf.due + milliseconds)


def _inherit_seat(branch: Stack, seat: Seat) -> Stack:
    return tuple(item.by(seat) if isinstance(item, Effect) and item.seat is None else item for item in branch)


def _by_age(found: tuple[Path, Pending]) -> int:
    return found[1].choice
