"""Millennium Blades: what the cards in play are at this moment. Computed when asked, in layers, and never stored.

The layers, in this order: copies, attributes taken or added, stars set, stars added, tokens, permissions and
prohibitions. A prohibition beats a permission.
"""

from collections.abc import Iterable

from msgspec import Struct

from games.kernel import Seat
from games.millennium_blades.catalogue import DESIGNS, Card, Design, design_number, rarity, set_id
from games.millennium_blades.state import InPlay, Player
from games.millennium_blades.tournament.card_script import NO_SCRIPT, Ability, CardScript, card_script

Reference = tuple[Design, int]
"""An ability, by the design that it is written for and its place there."""


class CardInPlay(Struct, frozen=True, gc=False):
    """A card in play as it is at this moment.

    zone: tableau, equipment, attached. place: from the left. A face-down card has no stars, attributes or text.
    host: the card that an attached one is attached to.
    """

    card: Card
    seat: Seat
    zone: str
    place: int
    face_up: bool
    design: Design = 0
    stars: int = 0
    elements: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    rarity: str = ""
    set: str = ""
    tokens: int = 0
    attached: tuple[Card, ...] = ()
    marks: tuple[int, ...] = ()
    abilities: tuple[Reference, ...] = ()
    script: CardScript = CardScript()
    host: Card | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        """Return its elements and types."""
        return (*self.elements, *self.types)


def ability(reference: Reference) -> Ability:
    """Return the ability that is referred to."""
    return card_script(reference[0]).ability(reference[1])


class BoardView:
    """Every card in play. `tableaus` and `equipment` by seat, from left to right."""

    __slots__ = ("by_card", "equipment", "players", "tableaus")

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.players = players
        self.by_card: dict[Card, CardInPlay] = {}
        self.tableaus = tuple(self._tableau(player) for player in players)
        self.equipment = tuple(
            tuple(self._face(held, player.seat, "equipment", place) for place, held in enumerate(player.equipment))
            for player in players
        )
        self._grant()

    def _tableau(self, player: Player) -> tuple[CardInPlay, ...]:
        faces: list[CardInPlay] = []
        for place, held in enumerate(player.tableau):
            left = faces[-1] if faces else None
            faces.append(self._face(held, player.seat, "tableau", place, left))
        return tuple(faces)

    def _face(self, held: InPlay, seat: Seat, zone: str, place: int, left: CardInPlay | None = None) -> CardInPlay:
        if not held.face_up:
            face = CardInPlay(
                held.card,
                seat,
                zone,
                place,
                face_up=False,
                tokens=held.tokens,
                attached=held.attached,
                marks=held.marks,
            )
        else:
            for card in held.attached:
                self.by_card[card] = _attached(card, seat, held)
            face = self._face_up(held, seat, zone, place, left)
        self.by_card[held.card] = face
        return face

    def _face_up(self, held: InPlay, seat: Seat, zone: str, place: int, left: CardInPlay | None) -> CardInPlay:
        design = design_number(held.card)
        script = card_script(design)
        facts = DESIGNS.get(design)
        if facts is None:  # a character
            return CardInPlay(held.card, seat, zone, place, True, design, abilities=_own(design, script), script=script)
        elements, types, shown = facts.elements, facts.types, (rarity(held.card), set_id(held.card))
        abilities = _own(design, script)
        if script.copies is not None and left is not None and left.face_up and script.copies(left):
            design, script, shown = left.design, left.script, (left.rarity, left.set)
            elements, types = left.elements, left.types  # type: ignore[assignment]
            abilities = tuple(it for it in left.abilities if it[0] == left.design)
        stars = facts.stars + held.tokens
        for card in held.attached:
            stars += self.by_card[card].script.host_stars
        return CardInPlay(
            held.card, seat, zone, place, True, design, stars, elements, types, *shown,
            held.tokens, held.attached, held.marks, abilities, script,
        )  # fmt: skip

    def _grant(self) -> None:
        """Top cards that give an ability to every card of every tableau."""
        granted = []
        for seat in range(len(self.players)):
            top = self.top(seat)
            if top is not None and top.script.grants is not None:
                granted.append((top.design, len(top.script.abilities)))
        if granted:
            self.tableaus = tuple(
                tuple(self._with(face, tuple(granted)) if face.face_up else face for face in tableau)
                for tableau in self.tableaus
            )

    def _with(self, face: CardInPlay, granted: tuple[Reference, ...]) -> CardInPlay:
        changed = CardInPlay(
            face.card, face.seat, face.zone, face.place, True, face.design, face.stars, face.elements, face.types,
            face.rarity, face.set, face.tokens, face.attached, face.marks, (*face.abilities, *granted), face.script,
        )  # fmt: skip
        self.by_card[face.card] = changed
        return changed

    def top(self, seat: Seat) -> CardInPlay | None:
        """Return the Top card of a seat: the rightmost face-up card of its tableau, if there is one."""
        for face in reversed(self.tableaus[seat]):
            if face.face_up:
                return face
        return None

    def face_up(self, seat: Seat) -> tuple[CardInPlay, ...]:
        """Return the face-up cards of a tableau."""
        return tuple([face for face in self.tableaus[seat] if face.face_up])

    def play_area(self, seat: Seat) -> Iterable[CardInPlay]:
        """Return the face-up cards of a seat's play area: tableau, equipment, and what is attached to its cards."""
        for zone in (self.tableaus[seat], self.equipment[seat]):
            for face in zone:
                if face.face_up:
                    yield face
                    for card in face.attached:
                        yield self.by_card[card]

    def adjacent(self, card: Card) -> tuple[CardInPlay | None, CardInPlay | None]:
        """Return the left and the right neighbour of a card of a tableau, face up or down."""
        face = self.by_card.get(card)
        if face is None or face.zone != "tableau":
            return None, None
        tableau, place = self.tableaus[face.seat], face.place
        left = tableau[place - 1] if place else None
        return left, tableau[place + 1] if place + 1 < len(tableau) else None

    def is_protected(self, card: Card, from_seat: Seat) -> bool:
        """Is a card kept from being flipped by an effect of this seat? Nothing keeps it from its own player's."""
        face = self.by_card[card]
        if face.seat == from_seat:
            return False
        if face.face_up and any(self.by_card[attached].script.host_protected_from for attached in face.attached):
            return True
        others = [other for other in self.face_up(face.seat) if other.card != card]
        if any(not _guarded(other).isdisjoint(face.elements) for other in others):
            return True
        return any(
            source.script.protects is not None and source.script.protects(self, source, card, from_seat)
            for source in self.play_area(face.seat)
        )


def _own(design: Design, script: CardScript) -> tuple[Reference, ...]:
    return tuple([(design, index) for index in range(len(script.abilities))])


def _guarded(face: CardInPlay) -> frozenset[str]:
    """The elements of what was attached to a card out of a hand: its player's other cards of them are safe."""
    out_of_a_hand = [card for card in face.attached if card in face.marks]
    return frozenset(element for card in out_of_a_hand for element in DESIGNS[design_number(card)].elements)


def _attached(card: Card, seat: Seat, host: InPlay) -> CardInPlay:
    """A card that attached itself keeps its text; one that came out of a hand just lies there."""
    design = design_number(card)
    script = NO_SCRIPT if card in host.marks else card_script(design)
    return CardInPlay(
        card, seat, "attached", 0, True, design, abilities=_own(design, script), script=script, host=host.card
    )


_latest: list[BoardView | None] = [None]


def board_view(players: tuple[Player, ...]) -> BoardView:
    """Return the board of these players. The latest is kept, because it is asked for many times in a row."""
    latest = _latest[0]
    if latest is not None and latest.players is players:
        return latest
    _latest[0] = board = BoardView(players)
    return board
