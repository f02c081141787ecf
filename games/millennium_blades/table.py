"""Millennium Blades: the questions that its rules ask of the table."""

from collections.abc import Callable, Iterable

from games.kernel import Seat, Table
from games.millennium_blades.catalogue import SETS, Card, kind, stars
from games.millennium_blades.constants import FUSION_COSTS, TABLEAU_SLOTS
from games.millennium_blades.deck_rules import LIMITS, Limits
from games.millennium_blades.state import Player, ResolvingEffect, State, Trade, TradeSide
from games.millennium_blades.tournament.board import BoardView, CardInPlay, ability, board_view

STORE_DECK_PLACE = 0
GRACE_WINDOW = 4
"""What opens after the last call when there is grace."""


def price_with_two_dollars_off(card: Card) -> int:
    """Morrey Caardman pays two dollars less, at least one."""
    return max(1, stars(card) - 2)


def price_with_cheap_accessories(card: Card) -> int:
    """Deques Applenti pays three dollars less for an accessory, at least one."""
    return max(1, stars(card) - 3) if kind(card) == "accessory" else stars(card)


class MillenniumBlades(Table[State]):
    """A table of Millennium Blades."""

    __slots__ = ()

    @property
    def seats(self) -> range:
        """The seats in turn order."""
        return range(len(self.state.players))

    @property
    def player(self) -> Player:
        """What lies before the seat that acts."""
        return self.state.players[self.seat]

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats, clockwise from the one that acts."""
        return self.clockwise_after(self.seat)

    def clockwise_from(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in turn order, beginning with this one."""
        number = len(self.state.players)
        return tuple([(seat + step) % number for step in range(number)])

    def clockwise_after(self, seat: Seat) -> tuple[Seat, ...]:
        """The other seats in turn order, beginning with the next."""
        return self.clockwise_from(seat)[1:]

    def has_power(self, seat: Seat, character: str) -> bool:
        """Does a seat play this character, in a game where powers hold?"""
        return self.state.options.powers and self.state.players[seat].character == character

    # --- Deckbuilding ---------------------------------------------------------------------------------

    @property
    def can_begin(self) -> bool:
        """May anything be begun, or is there only grace to finish what was?"""
        return self.state.window != GRACE_WINDOW

    @property
    def own_cards(self) -> tuple[Card, ...]:
        """All cards of the seat: of its binder, its collection and its deck."""
        player = self.player
        return (*player.binder, *player.collection, *player.deck)

    @property
    def store_supply(self) -> int:
        """How many cards can still come from the Store deck, the general discard included."""
        return len(self.state.store_deck) + len(self.state.discard)

    @property
    def affordable_packs(self) -> tuple[int, ...]:
        """The places of the Store whose pack the seat can pay, and 0 if it can pay the top of the Store deck."""
        dollars = self.player.dollars
        state = self.state
        places = [pack.place for pack in state.store if SETS[pack.back].price <= dollars]
        if state.top_back is not None and SETS[state.top_back].price <= dollars:
            places.append(STORE_DECK_PLACE)
        return tuple(places)

    def aftermarket_price(self, card: Card) -> int:
        """What a card of the Aftermarket costs the seat: its stars, but for powers."""
        discount = self.discount
        return stars(card) if discount is None else discount(card)

    @property
    def discount(self) -> Callable[[Card], int] | None:
        """What cards of the Aftermarket cost the seat by its power, if it has one that changes that."""
        if self.has_power(self.seat, "morrey-caardman"):
            return price_with_two_dollars_off
        if self.has_power(self.seat, "deques-applenti"):
            return price_with_cheap_accessories
        return None

    @property
    def affordable_cards(self) -> tuple[Card, ...]:
        """The cards of the Aftermarket without the seat's own marker that it can pay."""
        seat, dollars, price = self.seat, self.player.dollars, self.discount or stars
        return tuple([it.card for it in self.state.aftermarket if it.seller != seat and price(it.card) <= dollars])

    @property
    def fusions(self) -> tuple[tuple[str, int], ...]:
        """The tiers that the seat may fuse now, for which it has enough cards, each with how many it takes."""
        player = self.player
        if not player.sell_markers:
            return ()
        have = len(player.binder) + len(player.collection) + len(player.deck)
        less = self.has_power(self.seat, "cardine-kolleckta")
        return tuple(
            [
                (deck.tier, FUSION_COSTS[deck.tier] - less)
                for deck in self.state.fusion_decks
                if deck.cards and deck.tier not in player.fused_tiers and FUSION_COSTS[deck.tier] - less <= have
            ]
        )

    @property
    def deck_limits(self) -> Limits:
        """How many Singles, accessories and deck boxes the seat's deck may hold, but for what its cards change."""
        singles, accessories, boxes = LIMITS
        if self.state.options.powers:
            if self.player.character == "shur-wen-na":
                return singles + 2, accessories, boxes
            if self.player.character == "deques-applenti":
                return singles, 3, 2
        return singles, accessories, boxes

    @property
    def partners(self) -> tuple[Seat, ...]:
        """The seats that the seat may offer a trade to: those that are not ready and have no open offer of its own."""
        asked = {trade.partner for trade in self.player.negotiations.trades if trade.seat == self.seat}
        return tuple([it for it in self.others if it not in asked and not self.state.players[it].ready])

    def trade(self, number: int) -> Trade:
        """The trade of this number that the seat talks over."""
        return next(trade for trade in self.player.negotiations.trades if trade.number == number)

    def has(self, seat: Seat, side: TradeSide) -> bool:
        """Has a seat everything that it gives in a trade?"""
        player = self.state.players[seat]
        if side.dollars > player.dollars or not set(side.friendship_cards) <= set(player.friendship_cards):
            return False
        return set(side.cards) <= {*player.binder, *player.collection, *player.deck}

    def is_still_valid(self, trade: Trade) -> bool:
        """Is everything still there that a trade is about?"""
        if not self.has(trade.seat, trade.offer):
            return False
        return trade.answer is None or self.has(trade.partner, trade.answer)

    # --- Tournament -----------------------------------------------------------------------------------

    @property
    def board(self) -> BoardView:
        """The cards in play as they are at this moment."""
        return board_view(self.state.players)

    @property
    def current_effect(self) -> ResolvingEffect:
        """The effect in hand."""
        return self.state.effect_stack[-1]

    def slots(self, seat: Seat) -> int:
        """How many slots a tableau has."""
        slots = TABLEAU_SLOTS + self.has_power(seat, "shur-wen-na")
        return slots + sum(face.script.slots for face in self.board.equipment[seat] if face.face_up)

    def may_play(self, seat: Seat) -> bool:
        """Has a seat a card to play and a slot to play it to?"""
        return bool(self.playable(seat)) and len(self.state.players[seat].tableau) < self.slots(seat)

    def playable(self, seat: Seat) -> tuple[Card, ...]:
        """The cards of a hand that can be played: its Singles. A power may bring others into a hand."""
        return tuple([card for card in self.state.players[seat].hand if kind(card) == "single"])

    @property
    def usable_actions(self) -> tuple[tuple[Card, int], ...]:
        """The Actions that the seat may use: card and place of the ability on it."""
        board = self.board
        return tuple(
            [
                (face.card, place)
                for face in board.play_area(self.seat)
                if face.zone != "attached"
                for place, reference in enumerate(face.abilities)
                if self._is_usable(face, ability(reference))
            ]
        )

    def _is_usable(self, face: CardInPlay, found: object) -> bool:
        return found.kind == "action" and (found.possible is None or found.possible(self))  # type: ignore[attr-defined]

    def reactions(self, seat: Seat, event: str) -> tuple[Card, ...]:
        """The face-up cards of a seat with a Reaction to an event. None in scoring."""
        if self.state.phase != "tournament":
            return ()
        return tuple(
            [
                face.card
                for face in self.board.play_area(seat)
                for reference in face.abilities
                if ability(reference).kind == "reaction" and ability(reference).event == event
            ]
        )

    @property
    def gain_blocker(self) -> Card | None:
        """The Top card that lets nobody gain reputation, if there is one. Not in scoring."""
        if self.state.phase != "tournament":
            return None
        for seat in self.seats:
            top = self.board.top(seat)
            if top is not None and top.script.blocks_gains:
                return top.card
        return None

    @property
    def cards_in_play(self) -> Iterable[CardInPlay]:
        """Every face-up card of every play area, from the active seat clockwise."""
        for seat in self.clockwise_from(self.state.active or 0):
            yield from self.board.play_area(seat)
