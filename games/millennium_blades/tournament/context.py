"""Millennium Blades: the situation that a step of a card's text looks at."""

from collections.abc import Iterable

from games.kernel import Seat
from games.millennium_blades.catalogue import Card
from games.millennium_blades.state import Clash, ResolvingEffect, State
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import BoardView, CardInPlay


class Context:
    """The table, while a step of a text is carried out.

    place: which step of the text it is. seat: who acts or is asked; `you` is whose card it is.
    """

    __slots__ = ("place", "seat", "table")

    def __init__(self, table: MillenniumBlades, place: int) -> None:
        self.table = table
        self.place = place
        self.seat = table.seat

    @property
    def state(self) -> State:
        """The state of the table."""
        return self.table.state

    @property
    def effect(self) -> ResolvingEffect:
        """The effect in hand."""
        return self.table.state.effect_stack[-1]

    @property
    def you(self) -> Seat:
        """The seat whose effect it is."""
        return self.effect.seat

    @property
    def this(self) -> Card:
        """The card whose effect it is."""
        return self.effect.card

    @property
    def board(self) -> BoardView:
        """The cards in play."""
        return self.table.board

    @property
    def face(self) -> CardInPlay | None:
        """This card as it is now, if it is in play."""
        return self.board.by_card.get(self.this)

    @property
    def your_cards(self) -> tuple[CardInPlay, ...]:
        """The face-up cards of your tableau."""
        return self.board.face_up(self.you)

    @property
    def your_other_cards(self) -> tuple[CardInPlay, ...]:
        """The face-up cards of your tableau but for this."""
        return tuple([face for face in self.your_cards if face.card != self.this])

    @property
    def your_face_down_cards(self) -> tuple[CardInPlay, ...]:
        """The face-down cards of your tableau."""
        return tuple([face for face in self.board.tableaus[self.you] if not face.face_up])

    @property
    def left_neighbour(self) -> CardInPlay | None:
        """The left neighbour of this card, face up or down."""
        return self.board.adjacent(self.this)[0]

    @property
    def adjacent(self) -> tuple[CardInPlay, ...]:
        """The neighbours of this card, face up or down."""
        return tuple([face for face in self.board.adjacent(self.this) if face is not None])

    @property
    def clash(self) -> Clash | None:
        """The clash of the effect in hand, if there was one with a winner or a tie."""
        return self.effect.clash

    @property
    def target(self) -> int | None:
        """The target of the effect in hand that was chosen last."""
        return self.effect.targets[-1] if self.effect.targets else None

    def points(self, seat: Seat) -> int:
        """The reputation of a seat."""
        return self.state.players[seat].points

    def in_turn_order(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Some seats from the active one clockwise."""
        wanted = set(seats)
        active = self.state.active
        return tuple([seat for seat in self.table.clockwise_from(active or 0) if seat in wanted])

    def may_be_flipped(self, cards: Iterable[CardInPlay]) -> tuple[Card, ...]:
        """Those of the cards that the effect in hand can flip."""
        board, you = self.board, self.you
        return tuple([face.card for face in cards if face.face_up and not board.is_protected(face.card, you)])
