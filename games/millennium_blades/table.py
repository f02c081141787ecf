"""Millennium Blades: the table as its rules see it."""

from collections.abc import Callable, Iterable

from games.kernel import Seat, Table
from games.millennium_blades.board.card_script import CardInPlay, ReactionEvent, ability
from games.millennium_blades.board.view import BoardView, board_view
from games.millennium_blades.catalogue import SETS, Card, kind, stars
from games.millennium_blades.constants import FUSION_COSTS, TABLEAU_SLOTS
from games.millennium_blades.deck_rules import LIMITS, Limits
from games.millennium_blades.state import Player, ResolvingEffect, State, Trade, TradeSide

STORE_DECK_PLACE = 0
GRACE_WINDOW = 4
"""The window after the last call, in games with grace."""

MORREY_DISCOUNT = 2
DEQUES_DISCOUNT = 3
SHUR_EXTRA_SINGLES = 2
DEQUES_ACCESSORIES = 3
DEQUES_DECK_BOXES = 2


def morrey_price(card: Card) -> int:
    """Return what Morrey Caardman pays for a card: two dollars less, at least one."""
    return max(1, stars(card) - MORREY_DISCOUNT)


def deques_price(card: Card) -> int:
    """Return what Deques Applenti pays for a card: three dollars less for an accessory, at least one."""
    return max(1, stars(card) - DEQUES_DISCOUNT) if kind(card) == "accessory" else stars(card)


class MillenniumBlades(Table[State]):
    """A table of Millennium Blades."""

    __slots__ = ()

    @property
    def seats(self) -> range:
        """The seats in turn order."""
        return range(len(self.state.players))

    @property
    def player(self) -> Player:
        """The player that acts."""
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
        """Does a seat play this character, in a game with powers?"""
        return self.state.options.powers and self.state.players[seat].character == character

    # --- Deckbuilding ---------------------------------------------------------------------------------

    @property
    def can_begin(self) -> bool:
        """May a seat begin something? During grace, it may only finish what it has begun."""
        return self.state.window != GRACE_WINDOW

    @property
    def own_cards(self) -> tuple[Card, ...]:
        """All cards of the seat: binder, collection and deck."""
        player = self.player
        return (*player.binder, *player.collection, *player.deck)

    @property
    def store_supply(self) -> int:
        """The number of cards that can still come from the Store deck, with the general discard."""
        return len(self.state.store_deck) + len(self.state.discard)

    @property
    def affordable_packs(self) -> tuple[int, ...]:
        """The places of the Store whose pack the seat can pay; 0 is the top of the Store deck."""
        dollars = self.player.dollars
        state = self.state
        places = [pack.place for pack in state.store if SETS[pack.back].price <= dollars]
        if state.top_back is not None and SETS[state.top_back].price <= dollars:
            places.append(STORE_DECK_PLACE)
        return tuple(places)

    def aftermarket_price(self, card: Card) -> int:
        """Return what a card of the Aftermarket costs the seat."""
        price = self.card_price
        return price(card)

    def seller(self, card: Card) -> Seat | None:
        """Return the seat whose sell marker lies on a card of the Aftermarket."""
        return next(entry.seller for entry in self.state.aftermarket if entry.card == card)

    @property
    def card_price(self) -> Callable[[Card], int]:
        """A function from a card of the Aftermarket to its price for the seat: its stars, changed by powers."""
        if self.has_power(self.seat, "morrey-caardman"):
            return morrey_price
        if self.has_power(self.seat, "deques-applenti"):
            return deques_price
        return stars

    @property
    def affordable_cards(self) -> tuple[Card, ...]:
        """The cards of the Aftermarket that the seat can pay, without those that it sold itself."""
        seat, dollars, price = self.seat, self.player.dollars, self.card_price
        offers = [entry.card for entry in self.state.aftermarket if entry.seller != seat]
        return tuple([card for card in offers if price(card) <= dollars])

    @property
    def fusions(self) -> tuple[tuple[str, int], ...]:
        """The tiers that the seat may fuse now, each with the number of cards that it costs."""
        player = self.player
        if not player.sell_markers:
            return ()
        owned = len(player.binder) + len(player.collection) + len(player.deck)
        discount = self.has_power(self.seat, "cardine-kolleckta")
        return tuple(
            [
                (deck.tier, FUSION_COSTS[deck.tier] - discount)
                for deck in self.state.fusion_decks
                if deck.cards and deck.tier not in player.fused_tiers and FUSION_COSTS[deck.tier] - discount <= owned
            ]
        )

    @property
    def deck_limits(self) -> Limits:
        """The limits of the seat's deck, before the cards in it change them."""
        singles, accessories, boxes = LIMITS
        if self.state.options.powers:
            if self.player.character == "shur-wen-na":
                return singles + SHUR_EXTRA_SINGLES, accessories, boxes
            if self.player.character == "deques-applenti":
                return singles, DEQUES_ACCESSORIES, DEQUES_DECK_BOXES
        return singles, accessories, boxes

    @property
    def partners(self) -> tuple[Seat, ...]:
        """The seats that the seat may offer a trade to: not ready, and without an open offer from it."""
        waiting = {trade.partner for trade in self.player.negotiations.trades if trade.seat == self.seat}
        return tuple([seat for seat in self.others if seat not in waiting and not self.state.players[seat].ready])

    def trade(self, number: int) -> Trade:
        """Return the open trade of the seat that has this number."""
        return next(trade for trade in self.player.negotiations.trades if trade.number == number)

    def has(self, seat: Seat, side: TradeSide) -> bool:
        """Has a seat everything that it gives in a trade?"""
        player = self.state.players[seat]
        if side.dollars > player.dollars or not set(side.friendship_cards) <= set(player.friendship_cards):
            return False
        return set(side.cards) <= {*player.binder, *player.collection, *player.deck}

    def is_still_valid(self, trade: Trade) -> bool:
        """Do both seats still have everything that they give in a trade?"""
        if not self.has(trade.seat, trade.offer):
            return False
        return trade.answer is None or self.has(trade.partner, trade.answer)

    # --- Tournament -----------------------------------------------------------------------------------

    @property
    def board(self) -> BoardView:
        """The cards in play with all current effects applied."""
        return board_view(self.state.players)

    @property
    def current_effect(self) -> ResolvingEffect:
        """The effect that is being resolved."""
        return self.state.effect_stack[-1]

    def slots(self, seat: Seat) -> int:
        """Return the number of slots of a seat's tableau."""
        slots = TABLEAU_SLOTS + self.has_power(seat, "shur-wen-na")
        return slots + sum(card.script.slots for card in self.board.equipment[seat] if card.face_up)

    def may_play(self, seat: Seat) -> bool:
        """Has a seat a card to play and a slot to play it to?"""
        return bool(self.playable(seat)) and len(self.state.players[seat].tableau) < self.slots(seat)

    def playable(self, seat: Seat) -> tuple[Card, ...]:
        """Return the cards of a hand that can be played: the Singles. A power may bring other cards into a hand."""
        return tuple([card for card in self.state.players[seat].hand if kind(card) == "single"])

    def reactions(self, seat: Seat, event: ReactionEvent) -> tuple[Card, ...]:
        """Return the face-up cards of a seat with a Reaction to an event. There are no Reactions in scoring."""
        if self.state.phase != "tournament":
            return ()
        return tuple(
            [
                card.card
                for card in self.board.play_area(seat)
                for reference in card.abilities
                if ability(reference).event is event
            ]
        )

    @property
    def gain_blocker(self) -> Card | None:
        """The Top card that prevents all gains of reputation, if there is one. It has no effect in scoring."""
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
