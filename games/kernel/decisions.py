"""Decisions, the entries of a game's log, and the game that they lead to."""

from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from games.kernel.effects import Arg, Effect, Pending, Together, Wait
from games.kernel.moves import json_equal
from games.kernel.session import Session
from games.kernel.visibility import Seat

F = TypeVar("F")
S = TypeVar("S")
Actor = Seat | Literal["host", "clock", "system"]
"""Who decided: a seat, the host, the clock in a seat's place, or the system."""


class Decision(msgspec.Struct, Generic[F], frozen=True, gc=False, omit_defaults=True):
    """What one answer led to: one entry of the log.

    `at` is in milliseconds since the epoch. `choice`, `move` and `args` are the answer. `facts` is what followed, in
    order. `flow` holds the stacks that changed, each with the path to it; they are to be put back in this order.
    `last_choice` is the highest id of a choice so far.
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
        """Tell whether this is the decision on exactly this answer of a seat."""
        if self.by != seat or self.move != move or self.args.keys() != args.keys():
            return False
        return all(json_equal(self.args[name], value) for name, value in args.items())


class Game(msgspec.Struct, Generic[F, S], frozen=True):
    """A game in progress: its lobby, the state of its table (None before it starts) and its flow.

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
