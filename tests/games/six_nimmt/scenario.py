"""A turn of 6 nimmt! with the rows, the points and the cards that a test needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from games.kernel import Decision, Fact, Game, OneOf, answer, pending_choices
from games.kernel.execution.flow import new_interpreter
from games.six_nimmt import SIX_NIMMT, rules
from games.six_nimmt.facts import HIGHEST_CARD, POINTS_AT_START, Player, State
from tests.rulebooks.play import started

Cards = Sequence[int]
HIGH_CARD = 104


def at_a_turn(
    rows: Sequence[Cards],
    hands: Sequence[Cards],
    points: Sequence[int] | None = None,
    options: dict[str, Any] | None = None,
) -> Game[Any, Any]:
    """Return a running game in round 1 in which all seats choose a card."""
    game = started(SIX_NIMMT, len(hands), options or {}, "scenario")
    points = points or [POINTS_AT_START] * len(hands)
    players = tuple(
        Player(seat, hand=tuple(sorted(hand)), points=seat_points)
        for seat, (hand, seat_points) in enumerate(zip(hands, points, strict=True))
    )
    assert game.state is not None
    state = State(game.state.options, players, round=1, rows=tuple(map(tuple, rows)))
    interpreter = new_interpreter(SIX_NIMMT, replace(game, state=state, flow=()), 0)
    interpreter.resume((), (rules.play_turn(),))
    return replace(game, state=interpreter.state, flow=interpreter.flow, last_choice=interpreter.last_choice)


class Turn:
    """A turn in which seat 0 lays the first card, seat 1 the second, and so on; each has another one in hand.

    If only one card is given, seat 1 lays 104, which `rows` leaves out. With `last_turn`, these are the last cards in
    hand, and the round ends. With `order`, only the seats in it lay their cards, in this order.
    """

    def __init__(
        self,
        rows: Sequence[Cards],
        *cards: int,
        points: Sequence[int] | None = None,
        last_turn: bool = False,
        order: Sequence[int] | None = None,
        **options: Any,
    ) -> None:
        self.has_extra_card = len(cards) == 1
        laid = (*cards, HIGH_CARD) if self.has_extra_card else cards
        used = {*laid, *(card for row in rows for card in row)}
        spare = [card for card in range(HIGHEST_CARD, 0, -1) if card not in used]
        hands = [(card,) if last_turn else (card, spare.pop()) for card in laid]
        self.game = at_a_turn(rows, hands, points, options)
        self.points = [player.points for player in self.state.players]
        self.decisions: list[Decision[Any]] = []
        self.answers: list[tuple[int, str]] = []
        for seat in order or range(len(laid)):
            self.send(seat, "lay", card=laid[seat])

    @property
    def state(self) -> State:
        """The state as it is now."""
        assert isinstance(self.game.state, State)
        return self.game.state

    @property
    def rows(self) -> list[list[int]]:
        """The rows as they are now."""
        return [[card for card in row if card != HIGH_CARD or not self.has_extra_card] for row in self.state.rows]

    @property
    def facts(self) -> list[Fact]:
        """All that happened since the turn began."""
        return [fact for decision in self.decisions for fact in decision.facts]

    @property
    def costs(self) -> list[int]:
        """The points that each seat lost since the turn began."""
        return [before - player.points for before, player in zip(self.points, self.state.players, strict=True)]

    @property
    def pending_moves(self) -> list[tuple[int, str]]:
        """The pending seats with the move of each offer."""
        return [
            (pending.seat, offer.move)
            for pending in pending_choices(SIX_NIMMT, self.game)
            for offer in pending.choice.offers
        ]

    @property
    def offered_values(self) -> list[dict[str, Any]]:
        """The values that are offered for each field of each offer."""
        return [
            {name: list(field.options) for name, field in offer.fields.items() if isinstance(field, OneOf)}
            for pending in pending_choices(SIX_NIMMT, self.game)
            for offer in pending.choice.offers
        ]

    def take_row(self, seat: int, row: int) -> Turn:
        """A seat takes a row."""
        return self.send(seat, "replace_row", row=row)

    def join_row(self, seat: int, row: int, side: str) -> Turn:
        """A seat chooses an end of a row."""
        return self.send(seat, "join_row", row=row, side=side)

    def send(self, seat: int, move: str, **args: Any) -> Turn:
        """A seat answers its choice."""
        (pending,) = pending_choices(SIX_NIMMT, self.game, seat)
        self.answers.append((seat, move))
        transition = answer(SIX_NIMMT, self.game, seat, pending.id, move, args, 0)
        self.decisions.append(transition.decision)
        self.game = transition.game
        return self
