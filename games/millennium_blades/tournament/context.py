"""Millennium Blades: the situation that a step of a card's text looks at."""

from collections.abc import Iterable

from games.kernel import Seat
from games.millennium_blades.catalogue import Card
from games.millennium_blades.state import Clash, Running, State
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import Board, Face


class Situation:
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
    def running(self) -> Running:
        """The effect in hand."""
        return self.table.state.running[-1]

    @property
    def you(self) -> Seat:
        """The seat whose effect it is."""
        return self.running.seat

    @property
    def this(self) -> Card:
        """The card whose effect it is."""
        return self.running.card

    @property
    def board(self) -> Board:
        """The cards in play."""
        return self.table.board

    @property
    def face(self) -> Face | None:
        """This card as it is now, if it is in play."""
        return self.board.by_card.get(self.this)

    @property
    def own(self) -> tuple[Face, ...]:
        """The face-up cards of your tableau."""
        return self.board.face_up(self.you)

    @property
    def others_of_yours(self) -> tuple[Face, ...]:
        """The face-up cards of your tableau but for this."""
        return tuple([face for face in self.own if face.card != self.this])

    @property
    def face_down(self) -> tuple[Face, ...]:
        """The face-down cards of your tableau."""
        return tuple([face for face in self.board.tableaus[self.you] if not face.face_up])

    @property
    def left(self) -> Face | None:
        """The left neighbour of this card, face up or down."""
        return self.board.beside(self.this)[0]

    @property
    def beside(self) -> tuple[Face, ...]:
        """The neighbours of this card, face up or down."""
        return tuple([face for face in self.board.beside(self.this) if face is not None])

    @property
    def clash(self) -> Clash | None:
        """The clash of the effect in hand, if there was one with a winner or a tie."""
        return self.running.clash

    @property
    def aim(self) -> int | None:
        """The target of the effect in hand that was chosen last."""
        return self.running.aims[-1] if self.running.aims else None

    def points(self, seat: Seat) -> int:
        """The reputation of a seat."""
        return self.state.players[seat].points

    def in_turn_order(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Some seats from the active one clockwise."""
        wanted = set(seats)
        active = self.state.active
        return tuple([seat for seat in self.table.clockwise_from(active or 0) if seat in wanted])

    def may_be_flipped(self, cards: Iterable[Face]) -> tuple[Card, ...]:
        """Those of the cards that the effect in hand can flip."""
        board, you = self.board, self.you
        return tuple([face.card for face in cards if face.face_up and not board.is_protected(face.card, you)])
