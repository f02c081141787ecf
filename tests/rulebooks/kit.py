"""What a rulebook contributes to the generic tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from games.kernel import Clock, Rulebook, Viewer

Json = dict[str, Any]


class GoldenGame(NamedTuple):
    """A game to be recorded.

    printed: the number of decisions printed in the transcript; None: all. The record always has all of them. seed:
    chosen so that the game is short and shows much. bots: the bot of each seat, `random` where a seat is not named.
    """

    variant: str
    seats: int
    seed: str
    printed: int | None = None
    bots: Mapping[int, str] = {}
    clock: Clock = Clock()


class Client(NamedTuple):
    """A client of the rulebook, over plain JSON: it builds the table of its viewer from the events that it receives.

    set_up: returns the table when play begins, from the options, the number of seats and the viewer. fold: returns the
    table after a fact as the viewer received it; it may change its argument.
    """

    set_up: Callable[[Json, int, Viewer], Json]
    fold: Callable[[Json, Json, Viewer], Json]


class RulebookKit(NamedTuple):
    """What the generic tests need to know of a rulebook.

    variants: the options of every variant and legal combination, by name. golden: the games that are recorded; among
    them each variant, and the smallest and the largest number of seats. lines: a view as short lines of text, from
    the table, the derived values and the viewer; lines that all viewers have in common are printed once.
    turn_begins: whether views are printed after a decision with these facts (as dicts, in order). client: see above.
    cards: every card on the table, hidden or not, or nothing before there are any; they never change. kinds: by record
    and field, the kind of hidden values that are no cards and must not be exchanged with cards. public_args: parameters
    of rules that hold cards; a pending choice of a seat may name only cards that the seat sees.
    """

    rulebook: Rulebook[Any]
    variants: Mapping[str, Json]
    golden: Sequence[GoldenGame]
    lines: Callable[[Json, Json, Viewer], list[str]]
    turn_begins: Callable[[Sequence[Json]], bool]
    client: Client
    cards: Callable[[Any], Sequence[Any]]
    kinds: Mapping[tuple[str, str], str] = {}
    public_args: frozenset[str] = frozenset({"card", "cards"})
