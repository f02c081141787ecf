"""Millennium Blades: what a step of a script knows about the table, and what a condition of a trigger knows."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from games.kernel import Seat
from games.millennium_blades.board.card_script import CardInPlay
from games.millennium_blades.board.view import BoardView
from games.millennium_blades.catalogue import Card
from games.millennium_blades.state import Clash, ResolvingEffect, State
from games.millennium_blades.table import MillenniumBlades


class Context:
    """The table while a step of an ability is carried out.

    step: the index of the step. `you`: the seat whose effect it is, as "you" on a card. `seat`: the seat that acts or
    chooses in this step; it differs from `you` when an opponent does a part of the effect. `this`: the card whose
    effect it is.
    """

    __slots__ = ("seat", "step", "table")

    def __init__(self, table: MillenniumBlades, step: int) -> None:
        self.table = table
        self.step = step
        self.seat = table.seat

    @property
    def state(self) -> State:
        """The state of the table."""
        return self.table.state

    @property
    def effect(self) -> ResolvingEffect:
        """The current effect."""
        return self.table.current_effect

    @property
    def you(self) -> Seat:
        """The seat whose effect it is."""
        return self.effect.seat

    @property
    def this(self) -> Card:
        """The card whose effect it is."""
        return self.effect.card

    @property
    def this_in_play(self) -> CardInPlay | None:
        """The card whose effect it is as it is now, if it is in play."""
        return self.board.by_card.get(self.this)

    @property
    def board(self) -> BoardView:
        """The cards in play."""
        return self.table.board

    @property
    def your_cards(self) -> tuple[CardInPlay, ...]:
        """The face-up cards of your tableau."""
        return self.board.face_up(self.you)

    @property
    def your_other_cards(self) -> tuple[CardInPlay, ...]:
        """The face-up cards of your tableau except this card."""
        return tuple([card for card in self.your_cards if card.card != self.this])

    @property
    def your_face_down_cards(self) -> tuple[CardInPlay, ...]:
        """The face-down cards of your tableau."""
        return tuple([card for card in self.board.tableaus[self.you] if not card.face_up])

    @property
    def left_neighbour(self) -> CardInPlay | None:
        """The left neighbour of this card, face up or down."""
        return self.board.adjacent(self.this)[0]

    @property
    def adjacent(self) -> tuple[CardInPlay, ...]:
        """The neighbours of this card, face up or down."""
        return tuple([card for card in self.board.adjacent(self.this) if card is not None])

    @property
    def clash(self) -> Clash | None:
        """The clash of the current effect, if there was one."""
        return self.effect.clash

    @property
    def target(self) -> int | None:
        """The target that the current effect chose last."""
        return self.effect.targets[-1] if self.effect.targets else None

    def points(self, seat: Seat) -> int:
        """The reputation of a seat."""
        return self.state.players[seat].points

    def in_turn_order(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Some seats from the active one clockwise."""
        included = set(seats)
        return tuple([seat for seat in self.table.clockwise_from(self.state.active or 0) if seat in included])

    def flippable(self, cards: Iterable[CardInPlay]) -> tuple[Card, ...]:
        """Those of the cards that the current effect can flip."""
        board, you = self.board, self.you
        return tuple([card.card for card in cards if card.face_up and not board.is_protected(card.card, you)])


class TriggerContext(Struct, frozen=True):
    """The table when an event may trigger an ability.

    card: the card that has the ability. fact: the event, of the type that the ability listens to.
    """

    table: MillenniumBlades
    card: CardInPlay
    fact: Any

    @property
    def seat(self) -> Seat:
        """The seat that the card belongs to."""
        return self.card.seat
