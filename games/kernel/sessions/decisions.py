"""Decisions, the entries of a game's log, and the game that they lead to."""

from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from games.kernel.language.effects import Arg, Effect, Pending, Stack, Together, Wait
from games.kernel.language.facts import Fact
from games.kernel.language.fields import json_equal
from games.kernel.language.visibility import Seat
from games.kernel.sessions.session import Session, apply_facts

F = TypeVar("F")
S = TypeVar("S")
Actor = Seat | Literal["host", "clock", "system"]
"""Who decided: a seat, the host, the clock (timers, and seats that ran out of time), or the system (downtime)."""


class Decision(msgspec.Struct, Generic[F], frozen=True, gc=False, omit_defaults=True):
    """What one answer or command led to: one entry of the log.

    `at` is in milliseconds since the epoch. `choice`, `move` and `args` are the answer; a command has no `choice`.
    `facts` is what happened, in order. `flow` holds the stacks that changed, each with the path to it; a fold puts
    them back in this order. `last_choice` is the highest id of a choice so far.
    """

    number: int
    at: int
    by: Actor
    move: str
    last_choice: int
    facts: tuple[F, ...]
    flow: tuple[tuple[tuple[int, ...], tuple[Effect | Wait | Pending | Together[F] | F, ...]], ...] = ()
    choice: int | None = None
    args: dict[str, Arg] = {}

    def is_answer(self, seat: Seat, move: str, args: dict[str, Any]) -> bool:
        """Return whether this is the decision on exactly this answer of a seat."""
        if self.by != seat or self.move != move or self.args.keys() != args.keys():
            return False
        return all(json_equal(self.args[name], value) for name, value in args.items())


class Game(msgspec.Struct, Generic[F, S], frozen=True):
    """A game: its session, the state of its table (None before it starts) and its flow.

    `number` is the number of the last decision, the game's version; `at` is when it was made.
    """

    session: Session
    state: S | None
    flow: tuple[Effect | Wait | Pending | Together[F] | F, ...]
    number: int
    last_choice: int
    at: int


class Transition(NamedTuple):
    """A decision and the game after it."""

    decision: Decision[Any]
    game: Game[Any, Any]


def next_decision(
    game: Game[Any, Any],
    now: int,
    by: Actor,
    move: str,
    *facts: Fact,
    choice: int | None = None,
    args: dict[str, Any] | None = None,
) -> Decision[Any]:
    """Return the next decision of a game with the facts that it begins with; what follows may be added later."""
    return Decision(
        number=game.number + 1,
        at=now,
        by=by,
        move=move,
        last_choice=game.last_choice,
        facts=facts,
        choice=choice,
        args=args or {},
    )


def transition(game: Game[Any, Any], decision: Decision[Any], flow: Stack | None = None) -> Transition:
    """Complete a decision that changes only the session and, if given, the whole flow."""
    if flow is not None:
        decision = replace(decision, flow=(((), flow),))
    session = apply_facts(game.session, decision.facts, decision.at)
    return Transition(
        decision,
        Game(
            session=session,
            state=game.state,
            flow=game.flow if flow is None else flow,
            number=decision.number,
            last_choice=decision.last_choice,
            at=decision.at,
        ),
    )
