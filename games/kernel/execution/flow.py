"""The flow: what is still to happen in a game, as a tree of stacks, and the interpreter that carries it out.

A stack holds effects and facts to come; its top is the last item. The top may be a `Together`: a group of stacks that
run in parallel, each with a top of its own. Between two decisions, every leaf of the tree is a `Pending`.
"""

from typing import Any

from msgspec.structs import replace

from games.kernel.language.chance import Chance, RandomnessWhileAsking
from games.kernel.language.effects import (
    Effect,
    Item,
    Path,
    Pending,
    Stack,
    Together,
    Wait,
    pending_leaves,
    replace_stack,
    stack_at,
)
from games.kernel.language.facts import Fact
from games.kernel.language.moves import Choice
from games.kernel.language.visibility import Seat
from games.kernel.rulebook import Rulebook
from games.kernel.sessions.clock import choice_limit, timer_duration
from games.kernel.sessions.decisions import Decision, Game, Transition
from games.kernel.sessions.session import Finished, Session, apply_facts


class GameOver(Exception):
    """The fact that ends the game was reached: nothing more is carried out."""


class Interpreter:
    """Carries out effects until every leaf of the flow is pending again; records the facts and the changed stacks."""

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
        rulebook: Rulebook[Any],
        session: Session,
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
        self.session = session
        self.chance = chance
        self.now = now
        self.facts: list[Fact] = []
        self.changes: dict[Path, Stack] = {}
        self.evaluated: set[int] = set()
        """Ids of the choices and timers evaluated since the last fact: until the next one, they come out the same."""

    def evaluate(self, effect: Effect) -> Any:
        """Call the body of an effect's rule on the table as it is now, and return its outcome.

        Raises:
            RandomnessWhileAsking: the rule asks or waits after drawing from the chance of the game.
        """
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
        """Put a stack at a path and carry it out; then resolve the leaves that no longer ask or wait."""
        try:
            self._run_from(path, list(stack))
            self._resolve_pending()
        except GameOver:
            self.flow = ()
            self.changes = {(): ()}

    def run_aside(self, effect: Effect | None) -> None:
        """Carry out an effect, if any, beside the flow, where it may not wait; then resolve leaves as `resume` does."""
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
            path = path[:-1]  # all branches of the group have ended: what waited for them goes on
            self.flow = replace_stack(self.flow, path, self._run_stack(list(stack_at(self.flow, path))))
        if self.changes:
            for deeper in [other for other in self.changes if other[: len(path)] == path]:
                del self.changes[deeper]
        self.changes[path] = stack_at(self.flow, path)

    def _resolve_pending(self) -> None:
        """Carry on at every leaf whose rule no longer asks or waits, oldest first, until none is left."""
        while (resolved := self._first_resolved()) is not None:
            path, effect, outcome = resolved
            stack = list(stack_at(self.flow, path)[:-1])
            if isinstance(outcome, (Choice, Wait)):
                stack.append(effect)  # it now asks a seat instead of the clock, or vice versa
            else:
                self._push(stack, outcome, effect.seat)
            self._run_from(path, stack)

    def _first_resolved(self) -> tuple[Path, Effect, Any] | None:
        leaves = pending_leaves(self.flow)
        if len(leaves) > 1:
            leaves.sort(key=_by_age)
        for path, leaf in leaves:
            if leaf.effect is not None and leaf.choice not in self.evaluated:
                outcome = self.evaluate(leaf.effect)
                if type(outcome) is not (Wait if leaf.is_timer else Choice):
                    return path, leaf.effect, outcome
                self.evaluated.add(leaf.choice)
        return None

    def _run_stack(self, stack: list[Item]) -> Stack:
        """Carry out a stack from its top until its top is pending or it is empty."""
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
        trigger = self.rulebook.triggers.get(type(fact))
        if trigger is not None:
            self._push(stack, trigger(self.table(None), fact), None)

    def _suspend(self, effect: Effect | None, pause: Choice | Wait) -> Pending:
        """Return the leaf that waits for an answer to a choice, or for the clock."""
        self.last_choice += 1
        self.evaluated.add(self.last_choice)
        if isinstance(pause, Wait):
            limit = timer_duration(self.session, pause.milliseconds)
            return Pending(self.last_choice, effect, None if limit is None else self.now + limit, is_timer=True)
        assert effect is not None
        if effect.seat is None:
            raise TypeError(f"{effect.rule} asks, but no seat carries it out")
        limit = choice_limit(self.session, effect.seat, pause.within)
        return Pending(self.last_choice, effect, None if limit is None else self.now + limit)


def new_interpreter(rulebook: Rulebook[Any], game: Game[Any, Any], now: int) -> Interpreter:
    """Return an interpreter at the state of a game, with the chance of its next decision."""
    chance = Chance(game.session.seed, game.number + 1)
    return Interpreter(rulebook, game.session, game.state, game.flow, game.last_choice, chance, now)


def complete(game: Game[Any, Any], interpreter: Interpreter, decision: Decision[Any]) -> Transition:
    """Complete a decision on `game` with what the interpreter has done, after the facts that it has already."""
    decision = replace(
        decision,
        facts=(*decision.facts, *interpreter.facts),
        flow=tuple(interpreter.changes.items()),
        last_choice=interpreter.last_choice,
    )
    return Transition(
        decision,
        Game(
            session=apply_facts(game.session, decision.facts, decision.at),
            state=interpreter.state,
            flow=interpreter.flow,
            number=decision.number,
            last_choice=decision.last_choice,
            at=decision.at,
        ),
    )


def _inherit_seat(branch: Stack, seat: Seat) -> Stack:
    return tuple(item.by(seat) if isinstance(item, Effect) and item.seat is None else item for item in branch)


def _by_age(leaf: tuple[Path, Pending]) -> int:
    return leaf[1].choice
