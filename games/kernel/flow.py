"""The flow: what is still to happen in a game, as a tree of stacks, and how it is carried out.

A stack holds effects and facts to come, its top last. The top may be a `Together`: a group of stacks, each again
with a top. Every leaf of a flow at rest is a `Waiting`: for a seat or for the clock.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from games.kernel.chance import Chance, DrawnWhileAsking
from games.kernel.effects import Effect, Item, Stack, Together, Wait, Waiting
from games.kernel.facts import Fact
from games.kernel.lobby import Finished, Lobby
from games.kernel.moves import NO_LIMIT, Choice
from games.kernel.sight import Seat

if TYPE_CHECKING:
    from games.kernel.rulebook import Rulebook

Path = tuple[int, ...]
Change = tuple[Path, Stack]
"""A stack that changed, and the way to it: which strand to follow from each group to the next."""


class GameOver(Exception):
    """The fact that ends the game was reached: nothing more is carried out."""


def leaves(stack: Stack, path: Path = ()) -> Iterator[tuple[Path, Waiting]]:
    """Give each waiting leaf of a flow at rest, with the way to the stack that it is on top of."""
    if stack:
        top = stack[-1]
        if isinstance(top, Waiting):
            yield path, top
        elif isinstance(top, Together):
            for place, strand in enumerate(top.strands):
                yield from leaves(strand, (*path, place))


def stack_at(flow: Stack, path: Path) -> Stack:
    """Give the stack at the end of a path."""
    for place in path:
        flow = flow[-1].strands[place]  # type: ignore[union-attr]
    return flow


def put(flow: Stack, path: Path, stack: Stack) -> Stack:
    """Give the flow with another stack at the end of a path."""
    if not path:
        return stack
    group = flow[-1]
    assert isinstance(group, Together)
    place, strands = path[0], group.strands
    changed = put(strands[place], path[1:], stack)
    return (*flow[:-1], Together((*strands[:place], changed, *strands[place + 1 :])))


class Run:
    """Carries out effects until every leaf of the flow waits again; notes the facts and the stacks that changed."""

    __slots__ = (
        "chance",
        "changes",
        "evolve",
        "facts",
        "flow",
        "last_choice",
        "lobby",
        "now",
        "rulebook",
        "state",
    )

    def __init__(
        self,
        rulebook: "Rulebook[Any]",
        lobby: Lobby,
        state: Any,
        flow: Stack,
        last_choice: int,
        chance: Chance,
        now: int,
    ) -> None:
        self.rulebook = rulebook
        self.evolve = rulebook.evolve
        self.state = state
        self.flow = flow
        self.last_choice = last_choice
        self.lobby = lobby
        self.chance = chance
        self.now = now
        self.facts: list[Fact] = []
        self.changes: dict[Path, Stack] = {}

    def ask(self, effect: Effect) -> Any:
        """Call the body of an effect's rule on the table as it is now; give what it returns."""
        drawn = self.chance.drawn
        outcome = self.rulebook.rules[effect.rule].body(self.table(effect.seat), *effect.args)
        if self.chance.drawn != drawn and isinstance(outcome, (Choice, Wait)):
            raise DrawnWhileAsking(effect.rule)
        return outcome

    def table(self, seat: Seat | None) -> Any:
        """Give the table as the rules of a seat see it."""
        return self.rulebook.table(self.state, seat, self.chance, self.lobby)  # type: ignore[arg-type]

    def resume(self, path: Path, stack: Stack | list[Item]) -> None:
        """Put a stack at a path and carry on from there, then with all waiting questions that ask nothing any more."""
        try:
            self._carry_on(path, list(stack))
            self._settle()
        except GameOver:
            self.flow = ()
            self.changes = {(): ()}

    def carry_out_aside(self, effect: Effect | None) -> None:
        """Carry out an effect that asks nothing, if any, while all else waits; then go on as `resume` does."""
        try:
            if effect is not None and self._carry_out([effect]):
                raise TypeError(f"{effect.rule} is carried out aside, and may not wait")
            self._settle()
        except GameOver:
            self.flow = ()
            self.changes = {(): ()}

    def _carry_on(self, path: Path, stack: list[Item]) -> None:
        self.flow = put(self.flow, path, self._carry_out(stack))
        while path and not any(stack_at(self.flow, path[:-1])[-1].strands):  # type: ignore[union-attr]
            path = path[:-1]  # the last strand of a group has ended: what waited for it goes on
            self.flow = put(self.flow, path, self._carry_out(list(stack_at(self.flow, path))))
        deeper = [other for other in self.changes if other[: len(path)] == path]
        for other in deeper:
            del self.changes[other]
        self.changes[path] = stack_at(self.flow, path)

    def _settle(self) -> None:
        """Let every waiting question that no longer asks anything go on, the oldest first, until none is left."""
        while (gone := self._first_that_asks_nothing()) is not None:
            path, effect, outcome = gone
            stack = list(stack_at(self.flow, path)[:-1])
            if isinstance(outcome, (Choice, Wait)):
                stack.append(effect)  # it waited for the clock and waits for a seat now, or the other way round
            else:
                self._push(stack, outcome, effect.seat)
            self._carry_on(path, stack)

    def _first_that_asks_nothing(self) -> tuple[Path, Effect, Any] | None:
        for path, leaf in sorted(leaves(self.flow), key=lambda found: found[1].choice):
            if leaf.effect is not None:
                outcome = self.ask(leaf.effect)
                if not isinstance(outcome, Wait if leaf.clock else Choice):
                    return path, leaf.effect, outcome
        return None

    def _carry_out(self, stack: list[Item]) -> Stack:
        """Carry out a stack from its top until it waits or is empty."""
        while stack:
            item = stack.pop()
            if isinstance(item, Effect):
                outcome = self.ask(item)
                if isinstance(outcome, (Choice, Wait)):
                    stack.append(self._waiting(item, outcome))
                    break
                self._push(stack, outcome, item.seat)
            elif isinstance(item, Fact):
                self._happen(stack, item)
            elif isinstance(item, Waiting):
                stack.append(item)
                break
            elif isinstance(item, Wait):
                stack.append(self._waiting(None, item))
                break
            else:
                strands = tuple(self._carry_out(list(strand)) for strand in item.strands)
                if any(strands):
                    stack.append(Together(strands))
                    break
        return tuple(stack)

    def _push(self, stack: list[Item], outcome: Any, seat: Seat | None) -> None:
        """Put what a rule returned on the stack, the first of it on top; effects of a seat stay that seat's."""
        if outcome is None:
            return
        if isinstance(outcome, tuple):
            for part in reversed(outcome):
                self._push(stack, part, seat)
        elif isinstance(outcome, Effect):
            stack.append(outcome if outcome.seat is not None or seat is None else outcome.by(seat))
        elif isinstance(outcome, Together):
            stack.append(
                outcome if seat is None else Together(tuple(_inherit(strand, seat) for strand in outcome.strands))
            )
        elif isinstance(outcome, Fact):
            if type(outcome) not in self.rulebook.may_happen:
                raise TypeError(f"{type(outcome).__name__} is not among the facts of {self.rulebook.id}")
            stack.append(outcome)
        elif isinstance(outcome, Wait):
            stack.append(outcome)
        else:
            raise TypeError(
                f"a rule returned {outcome!r}: a choice stands alone, and everything else is a fact or an effect"
            )

    def _happen(self, stack: list[Item], fact: Fact) -> None:
        self.facts.append(fact)
        if isinstance(fact, Finished):
            raise GameOver
        self.state = self.evolve(self.state, fact)
        follows = self.rulebook.whenever.get(type(fact))
        if follows is not None:
            self._push(stack, follows(self.table(None), fact), None)

    def _waiting(self, effect: Effect | None, pause: Choice | Wait) -> Waiting:
        if effect is not None and effect.seat is None and isinstance(pause, Choice):
            raise TypeError(f"{effect.rule} asks, but no seat carries it out")
        self.last_choice += 1
        factor = self.lobby.created.clock.factor
        if isinstance(pause, Wait):
            limit = round(pause.milliseconds * factor) if factor else None
        elif pause.within is not None and factor:
            limit = None if pause.within == NO_LIMIT else round(pause.within * factor)
        else:
            assert effect is not None
            assert effect.seat is not None
            limit = choice_limit(self.lobby, effect.seat)
        due = None if limit is None else self.now + limit
        return Waiting(self.last_choice, effect, due, clock=isinstance(pause, Wait))


def choice_limit(lobby: Lobby, seat: Seat) -> int | None:
    """Give how long a seat has for a choice by the clock policy, its time bank included; None: a bot, or no limit."""
    seconds = lobby.created.clock.seconds_per_choice
    if seconds is None or lobby.seatings[seat].bot is not None:
        return None
    return round(seconds * 1000) + lobby.seatings[seat].bank


def retimed(stack: Stack, due: Callable[[Waiting], int | None]) -> Stack:
    """Give a flow at rest in which every leaf is due when the function says."""
    if not stack:
        return stack
    top = stack[-1]
    if isinstance(top, Together):
        return (*stack[:-1], Together(tuple(retimed(strand, due) for strand in top.strands)))
    assert isinstance(top, Waiting)
    return (*stack[:-1], replace(top, due=due(top)))


def shifted(stack: Stack, milliseconds: int) -> Stack:
    """Give a flow at rest in which every clock rings so much later."""
    return retimed(stack, lambda leaf: None if leaf.due is None else leaf.due + milliseconds)


def _inherit(strand: Stack, seat: Seat) -> Stack:
    return tuple(item.by(seat) if isinstance(item, Effect) and item.seat is None else item for item in strand)
