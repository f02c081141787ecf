"""Millennium Blades: the cards in play as they are at this moment. They are computed in layers and never stored.

The layers, in this order: copies, attributes taken or added, stars set, stars added, tokens, permissions and
prohibitions. A prohibition beats a permission.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from games.kernel import Seat
from games.millennium_blades.board.card_script import NO_SCRIPT, AbilityReference, CardInPlay, card_script
from games.millennium_blades.catalogue import DESIGNS, Card, design_number, rarity, set_id
from games.millennium_blades.state import InPlay, Player


class BoardView:
    """Every card in play. `tableaus` and `equipment` by seat, from left to right."""

    __slots__ = ("by_card", "equipment", "players", "tableaus")

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.players = players
        self.by_card: dict[Card, CardInPlay] = {}
        self.tableaus = tuple(self._tableau(player) for player in players)
        self.equipment = tuple(
            tuple(self._view(stored, player.seat, "equipment", place) for place, stored in enumerate(player.equipment))
            for player in players
        )
        self._grant_abilities()

    def _tableau(self, player: Player) -> tuple[CardInPlay, ...]:
        tableau: list[CardInPlay] = []
        for place, stored in enumerate(player.tableau):
            left = tableau[-1] if tableau else None
            tableau.append(self._view(stored, player.seat, "tableau", place, left))
        return tuple(tableau)

    def _view(
        self,
        stored: InPlay,
        seat: Seat,
        zone: Literal["tableau", "equipment"],
        place: int,
        left: CardInPlay | None = None,
    ) -> CardInPlay:
        view = CardInPlay(
            stored.card, seat, zone, place, stored.face_up, NO_SCRIPT,
            tokens=stored.tokens, attached=stored.attached, marks=stored.marks,
        )  # fmt: skip
        if stored.face_up:
            for card in stored.attached:
                self.by_card[card] = _attached(card, seat, stored)
            view = self._face_up_view(view, left)
        self.by_card[stored.card] = view
        return view

    def _face_up_view(self, view: CardInPlay, left: CardInPlay | None) -> CardInPlay:
        design = design_number(view.card)
        script = card_script(design)
        printed = DESIGNS.get(design)
        if printed is None:  # a character
            return replace(view, design=design, script=script, abilities=script.references)
        elements: tuple[str, ...] = printed.elements
        types: tuple[str, ...] = printed.types
        card_rarity, card_set = rarity(view.card), set_id(view.card)
        abilities = script.references
        if script.copies is not None and left is not None and left.face_up and script.copies(left):
            design, script, card_rarity, card_set = left.design, left.script, left.rarity, left.set
            elements, types = left.elements, left.types
            abilities = tuple([reference for reference in left.abilities if reference[0] == left.design])
        stars = printed.stars + view.tokens
        for card in view.attached:
            stars += self.by_card[card].script.host_stars
        return CardInPlay(
            view.card, view.seat, view.zone, view.place, True, script, design, stars, elements, types, card_rarity,
            card_set, view.tokens, view.attached, view.marks, abilities,
        )  # fmt: skip

    def _grant_abilities(self) -> None:
        """Add the ability that each Top card grants to every face-up tableau card."""
        abilities: list[AbilityReference] = []
        for seat in range(len(self.players)):
            top = self.top(seat)
            if top is not None and top.script.grants is not None:
                abilities.append((top.design, len(top.script.abilities)))
        if abilities:
            self.tableaus = tuple(
                tuple(self._with_abilities(card, tuple(abilities)) if card.face_up else card for card in tableau)
                for tableau in self.tableaus
            )

    def _with_abilities(self, card: CardInPlay, added: tuple[AbilityReference, ...]) -> CardInPlay:
        changed = replace(card, abilities=(*card.abilities, *added))
        self.by_card[card.card] = changed
        return changed

    def top(self, seat: Seat) -> CardInPlay | None:
        """Return the Top card of a seat: the rightmost face-up card of its tableau, if there is one."""
        for card in reversed(self.tableaus[seat]):
            if card.face_up:
                return card
        return None

    def is_top(self, card: CardInPlay) -> bool:
        """Is a card the Top card of its seat?"""
        top = self.top(card.seat)
        return top is not None and top.card == card.card

    def face_up(self, seat: Seat) -> tuple[CardInPlay, ...]:
        """Return the face-up cards of a tableau."""
        return tuple([card for card in self.tableaus[seat] if card.face_up])

    def play_area(self, seat: Seat) -> Iterable[CardInPlay]:
        """Return the face-up cards of a seat's play area: tableau, equipment, and what is attached to its cards."""
        for zone in (self.tableaus[seat], self.equipment[seat]):
            for card in zone:
                if card.face_up:
                    yield card
                    for attached in card.attached:
                        yield self.by_card[attached]

    def adjacent(self, card: Card) -> tuple[CardInPlay | None, CardInPlay | None]:
        """Return the left and the right neighbour of a tableau card, face up or down."""
        view = self.by_card.get(card)
        if view is None or view.zone != "tableau":
            return None, None
        tableau, place = self.tableaus[view.seat], view.place
        left = tableau[place - 1] if place else None
        return left, tableau[place + 1] if place + 1 < len(tableau) else None

    def is_protected(self, card: Card, from_seat: Seat) -> bool:
        """Is a card protected from flips by effects of a seat? A card is never protected from its own player."""
        target = self.by_card[card]
        if target.seat == from_seat:
            return False
        if target.face_up and any(self.by_card[attached].script.protects_host for attached in target.attached):
            return True
        others = [other for other in self.face_up(target.seat) if other.card != card]
        if any(not _protected_elements(other).isdisjoint(target.elements) for other in others):
            return True
        return any(
            source.script.protects is not None and source.script.protects(source, target)
            for source in self.play_area(target.seat)
        )


def _protected_elements(host: CardInPlay) -> frozenset[str]:
    """Return the elements of the hand cards attached to a card: its player's other cards of them are protected."""
    from_hand = [card for card in host.attached if card in host.marks]
    return frozenset(element for card in from_hand for element in DESIGNS[design_number(card)].elements)


def _attached(card: Card, seat: Seat, host: InPlay) -> CardInPlay:
    """Return the view of an attached card. It has a script, unless it came from a hand."""
    design = design_number(card)
    script = NO_SCRIPT if card in host.marks else card_script(design)
    return CardInPlay(card, seat, "attached", 0, True, script, design, abilities=script.references, host=host.card)


_latest: list[BoardView | None] = [None]


def board_view(players: tuple[Player, ...]) -> BoardView:
    """Return the view of these players' cards in play. The latest view is cached: rules need it many times in a row."""
    latest = _latest[0]
    if latest is not None and latest.players is players:
        return latest
    _latest[0] = board = BoardView(players)
    return board
