"""A turn of 6 nimmt! set up as a test wants it: rows, points, and the cards that the seats lay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from games.kernel import Decision, Fact, Game, OneOf, answer, pending_choices
from games.kernel.lifecycle import new_interpreter
from games.six_nimmt import SIX_NIMMT, rules
from games.six_nimmt.facts import HIGHEST_CARD, POINTS_AT_START, Player, State
from tests.rulebooks.play import started

Cards = Sequence[int]
OUT_OF_THE_WAY = 104


def at_a_turn(
    rows: Sequence[Cards],
    hands: Sequence[Cards],
    points: Sequence[int] | None = None,
    options: dict[str, Any] | None = None,
) -> Game[Any, Any]:
    """Return a running game in round 1 at the point where all are asked to lay a card."""
    game = started(SIX_NIMMT, len(hands), options or {}, "scenario")
    left = points or [POINTS_AT_START] * len(hands)
    players = tuple(
        Player(seat, hand=tuple(sorted(hand)), points=points)
        for seat, (hand, points) in enumerate(zip(hands, left, strict=True))
    )
    assert game.state is not None
    table = State(game.state.options, players, round=1, rows=tuple(map(tuple, rows)))
    run = new_interpreter(SIX_NIMMT, replace(game, state=table, flow=()), 0)
    run.resume((), (rules.turn(),))
    return replace(game, state=run.state, flow=run.flow, last_choice=run.last_choice)


class Turn:
    """A turn in which seat 0 lays the first card, seat 1 the second, and so on; each has another one in hand.

    A seat that lays alone gets company: seat 1 lays 104, which `rows` leaves out. With `last`, the cards are the last
    ones in hand, so that the round ends with this turn. With `order`, those seats lay, in this order.
    """

    def __init__(
        self,
        rows: Sequence[Cards],
        *cards: int,
        points: Sequence[int] | None = None,
        last: bool = False,
        order: Sequence[int] | None = None,
        **options: Any,
    ) -> None:
        self.company = len(cards) == 1
        laid = (*cards, OUT_OF_THE_WAY) if self.company else cards
        used = {*laid, *(card for row in rows for card in row)}
        spare = [card for card in range(HIGHEST_CARD, 0, -1) if card not in used]
        hands = [(card,) if last else (card, spare.pop()) for card in laid]
        self.game = at_a_turn(rows, hands, points, options)
        self.points = [player.points for player in self.table.players]
        self.decisions: list[Decision[Any]] = []
        self.were_asked: list[tuple[int, str]] = []
        for seat in order or range(len(laid)):
            self.sends(seat, "lay", card=laid[seat])

    @property
    def table(self) -> State:
        """The table as it is now."""
        assert isinstance(self.game.state, State)
        return self.game.state

    @property
    def rows(self) -> list[list[int]]:
        """The rows as they are now."""
        return [[card for card in row if card != OUT_OF_THE_WAY or not self.company] for row in self.table.rows]

    @property
    def facts(self) -> list[Fact]:
        """All that happened since the turn began."""
        return [fact for decision in self.decisions for fact in decision.facts]

    @property
    def costs(self) -> list[int]:
        """The heads that each seat lost since the turn began."""
        return [before - player.points for before, player in zip(self.points, self.table.players, strict=True)]

    @property
    def asked(self) -> list[tuple[int, str]]:
        """Who is asked now, and for which move, once for each way to make it."""
        return [
            (question.seat, offer.move)
            for question in pending_choices(SIX_NIMMT, self.game)
            for offer in question.choice.offers
        ]

    @property
    def offered(self) -> list[dict[str, Any]]:
        """The values that are offered now for each field, of each move."""
        return [
            {name: list(field.options) for name, field in offer.fields.items() if isinstance(field, OneOf)}
            for question in pending_choices(SIX_NIMMT, self.game)
            for offer in question.choice.offers
        ]

    def takes(self, seat: int, row: int) -> Turn:
        """Let a seat take a row."""
        return self.sends(seat, "replace_row", row=row)

    def joins(self, seat: int, row: int, side: str) -> Turn:
        """Let a seat choose an end of a row."""
        return self.sends(seat, "join_row", row=row, side=side)

    def sends(self, seat: int, move: str, **args: Any) -> Turn:
        """Let a seat answer what it is asked."""
        (question,) = pending_choices(SIX_NIMMT, self.game, seat)
        self.were_asked.append((seat, move))
        step = answer(SIX_NIMMT, self.game, seat, question.id, move, args, 0)
        self.decisions.append(step.decision)
        self.game = step.game
        return self
