"""The flow: what is still to happen in a game, as a tree of stacks, and how it is carried out.

A stack holds effects and facts to come; its top is the last item. The top may be a `Together`: a group of stacks, each
with a top of its own. Every leaf of a flow at rest is a `Waiting`: for a seat or for the clock.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from games.kernel.chance import Chance, DrawnWhileAsking
from games.kernel.effects import Effect, Item, Stack, Together, Wait, Waiting
from games.kernel.facts import Fact
from games.kernel.moves import NO_LIMIT, Choice
from games.kernel.session import Finished, Lobby
from games.kernel.visibility import Seat

if TYPE_CHECKING:
    from games.kernel.rulebook import Rulebook

Path = tuple[int, ...]
"""The path to a stack: the index of the strand to follow at each group on the way."""


class GameOver(Exception):
    """The fact that ends the game was reached: nothing more is carried out."""


def leaves(stack: Stack, path: Path = ()) -> list[tuple[Path, Waiting]]:
    """Return each waiting leaf of a flow at rest, with the path to the stack that it is on top of."""
    if not stack:
        return []
    top = stack[-1]
    if type(top) is Waiting:
        return [(path, top)]
    found: list[tuple[Path, Waiting]] = []
    if type(top) is Together:
        for place, strand in enumerate(top.strands):
            if strand:
                found += leaves(strand, (*path, place))
    return found


def stack_at(flow: Stack, path: Path) -> Stack:
    """Return the stack at the end of a path."""
    for place in path:
        flow = flow[-1].strands[place]  # type: ignore[union-attr]
    return flow


def put(flow: Stack, path: Path, stack: Stack) -> Stack:
    """Return the flow with the stack at the end of a path replaced."""
    if not path:
        return stack
    group = flow[-1]
    assert isinstance(group, Together)
    place, strands = path[0], group.strands
    changed = put(strands[place], path[1:], stack)
    return (*flow[:-1], Together((*strands[:place], changed, *strands[place + 1 :])))


class Run:
    """Carries out effects until every leaf of the flow waits again; records the facts and the stacks that changed."""

    __slots__ = (
        "chance",
        "changes",
        "current",
        "evolve",
        "facts",
        "flow",
        "last_choice",
        "lobby",
        "now",
        "rulebook",
        "rules",
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
        self.rules = rulebook.rules
        self.evolve = rulebook.evolve
        self.state = state
        self.flow = flow
        self.last_choice = last_choice
        self.lobby = lobby
        self.chance = chance
        self.now = now
        self.facts: list[Fact] = []
        self.changes: dict[Path, Stack] = {}
        self.current: set[int] = set()
        """Choices already computed on the table as it is now: until the next fact, they would ask the same again."""

    def ask(self, effect: Effect) -> Any:
        """Call the body of an effect's rule on the table as it is now; return its outcome."""
        chance = self.chance
        drawn = chance.drawn
        table = self.rulebook.table(self.state, effect.seat, chance, self.lobby)  # type: ignore[arg-type]
        outcome = self.rules[effect.rule].body(table, *effect.args)
        if chance.drawn != drawn and isinstance(outcome, (Choice, Wait)):
            raise DrawnWhileAsking(effect.rule)
        return outcome

    def table(self, seat: Seat | None) -> Any:
        """Return the table as the rules of a seat see it."""
        return self.rulebook.table(self.state, seat, self.chance, self.lobby)  # type: ignore[arg-type]

    def resume(self, path: Path, stack: Stack | list[Item]) -> None:
        """Put a stack at a path and carry it out; then move on every waiting question that no longer asks anything."""
        try:
            self._carry_on(path, list(stack))
            self._settle()
        except GameOver:
            self.flow = ()
            self.changes = {(): ()}

    def carry_out_aside(self, effect: Effect | None) -> None:
        """Carry out an effect, if any, beside the flow: it must not wait. Then go on as `resume` does."""
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
            path = path[:-1]  # all strands of the group have ended: what waited for them goes on
            self.flow = put(self.flow, path, self._carry_out(list(stack_at(self.flow, path))))
        if self.changes:
            for deeper in [other for other in self.changes if other[: len(path)] == path]:
                del self.changes[deeper]
        self.changes[path] = stack_at(self.flow, path)

    def _settle(self) -> None:
        """Move on every waiting question that no longer asks anything, oldest first, until none is left."""
        while (gone := self._first_that_asks_nothing()) is not None:
            path, effect, outcome = gone
            stack = list(stack_at(self.flow, path)[:-1])
            if isinstance(outcome, (Choice, Wait)):
                stack.append(effect)  # it now waits for a seat instead of the clock, or vice versa
            else:
                self._push(stack, outcome, effect.seat)
            self._carry_on(path, stack)

    def _first_that_asks_nothing(self) -> tuple[Path, Effect, Any] | None:
        for path, leaf in sorted(leaves(self.flow), key=_by_age):
            if leaf.effect is not None and leaf.choice not in self.current:
                outcome = self.ask(leaf.effect)
                if type(outcome) is not (Wait if leaf.clock else Choice):
                    return path, leaf.effect, outcome
                self.current.add(leaf.choice)
        return None

    def _carry_out(self, stack: list[Item]) -> Stack:
        """Carry out a stack from its top until it waits or is empty."""
        while stack:
            item = stack.pop()
            if type(item) is Effect:
                outcome = self.ask(item)
                if type(outcome) is Choice or type(outcome) is Wait:
                    stack.append(self._waiting(item, outcome))
                    break
                self._push(stack, outcome, item.seat)
            elif type(item) is Waiting:
                stack.append(item)
                break
            elif type(item) is Wait:
                stack.append(self._waiting(None, item))
                break
            elif type(item) is Together:
                strands = tuple([self._carry_out(list(strand)) for strand in item.strands])
                if any(strands):
                    stack.append(Together(strands))
                    break
            else:
                self._happen(stack, item)  # type: ignore[arg-type] # a fact, of whatever type
        return tuple(stack)

    def _push(self, stack: list[Item], outcome: Any, seat: Seat | None) -> None:
        """Push what a rule returned, its first item on top; effects without a seat inherit the rule's."""
        kind = type(outcome)
        if kind is Effect:
            stack.append(outcome if outcome.seat is not None or seat is None else outcome.by(seat))
        elif kind is tuple:
            for part in reversed(outcome):
                self._push(stack, part, seat)
        elif kind is Wait or kind in self.rulebook.may_happen:
            stack.append(outcome)
        elif kind is Together:
            strands = outcome.strands
            stack.append(outcome if seat is None else Together(tuple(_inherit(strand, seat) for strand in strands)))
        elif isinstance(outcome, Fact):
            raise TypeError(f"{kind.__name__} is not among the facts of {self.rulebook.id}")
        elif outcome is not None:
            raise TypeError(
                f"a rule returned {outcome!r}: a choice stands alone, and everything else is a fact or an effect"
            )

    def _happen(self, stack: list[Item], fact: Fact) -> None:
        self.facts.append(fact)
        if type(fact) is Finished:
            raise GameOver
        self.state = self.evolve(self.state, fact)
        self.current.clear()
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
        self.current.add(self.last_choice)
        return Waiting(self.last_choice, effect, due, clock=isinstance(pause, Wait))


def choice_limit(lobby: Lobby, seat: Seat) -> int | None:
    """Return the milliseconds that the clock policy allows a seat for a choice, bank included; None: no limit."""
    seconds = lobby.created.clock.seconds_per_choice
    if seconds is None or lobby.seatings[seat].bot is not None:
        return None
    return round(seconds * 1000) + lobby.seatings[seat].bank


def retimed(stack: Stack, due: Callable[[Waiting], int | None]) -> Stack:
    """Return a flow at rest with every leaf's `due` replaced by what the function returns for it."""
    if not stack:
        return stack
    top = stack[-1]
    if isinstance(top, Together):
        return (*stack[:-1], Together(tuple(retimed(strand, due) for strand in top.strands)))
    assert isinstance(top, Waiting)
    return (*stack[:-1], replace(top, due=due(top)))


def shifted(stack: Stack, milliseconds: int) -> Stack:
    """Return a flow at rest in which every leaf is due this many milliseconds later."""
    return retimed(stack, lambda leaf: None if leaf.due is None else leaf.due + milliseconds)


def _inherit(strand: Stack, seat: Seat) -> Stack:
    return tuple(item.by(seat) if isinstance(item, Effect) and item.seat is None else item for item in strand)


def _by_age(found: tuple[Path, Waiting]) -> int:
    return found[1].choice
