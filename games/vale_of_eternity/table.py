"""The Vale of Eternity: the questions that its rules ask of the table."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from games.kernel import Fact, Seat, Table
from games.vale_of_eternity.card_script import DEMANDS, TEXTS, Effects, said_by
from games.vale_of_eternity.catalogue import CARDS, Card, Creature, Family, Kind
from games.vale_of_eternity.facts import Player, State, Summoned, evolve
from games.vale_of_eternity.stones import PRINTED_WORTH, STONE_LIMIT, Stones, Worth, payments


class Standing(NamedTuple):
    """What the permanent effects of an area come to."""

    stone_limit: int
    worth: Worth
    worths: tuple[int, int, int]
    discounts: tuple[Callable[[Creature], int], ...]

    def cost(self, card: Card) -> int:
        """What a card costs, reduced as it may be."""
        creature = CARDS[card]
        return max(0, creature.cost - sum([discount(creature) for discount in self.discounts]))


Priced = tuple[Card, tuple[Stones, ...]]
"""A card and the ways to pay for it."""


class Vale(Table[State]):
    """A table of The Vale of Eternity."""

    __slots__ = ()

    @property
    def me(self) -> Player:
        """The player whose seat acts."""
        return self.state.players[self.seat]

    @property
    def turn_order(self) -> tuple[Seat, ...]:
        """The seats, clockwise from the first player of the round."""
        seats = len(self.state.players)
        return tuple((self.state.first + rank) % seats for rank in range(seats))

    @property
    def opponents(self) -> tuple[Player, ...]:
        """The players at the other seats."""
        return tuple(player for player in self.state.players if player.seat != self.seat)

    @property
    def stone_limit(self) -> int:
        """How many stones the seat may hold."""
        return standing(self.me.area).stone_limit

    @property
    def has_free_slot(self) -> bool:
        """Is there room in the seat's area? It holds as many cards as rounds have begun."""
        return len(self.me.area) < self.state.round

    def value_of(self, stones: Stones) -> int:
        """What stones are worth to the seat."""
        worth = standing(self.me.area).worth
        return sum(worth[stone] for stone in stones)

    def cost(self, card: Card) -> int:
        """What a card costs the seat to summon."""
        return standing(self.me.area).cost(card)

    def ways_to_pay(self, price: int) -> tuple[Stones, ...]:
        """The payments that the seat can make for a price."""
        return payments(self.me.stones, standing(self.me.area).worths, price, self.is_strict)

    @property
    def is_strict(self) -> bool:
        """Must a payment do without every stone that it can do without?"""
        return self.state.options.payments == "strict"

    @property
    def summons(self) -> Iterator[Priced]:
        """The cards of the seat's hand that it can summon, each with the ways to pay for it."""
        if self.has_free_slot:
            me = self.me
            for card, ways in affordable(me.hand, me.stones, me.area, self.is_strict):
                if self.can_resolve(card):
                    yield card, ways

    def can_enter(self, card: Card) -> bool:
        """Could the seat put a card of its hand into its area, if it need not pay?"""
        return self.has_free_slot and self.can_resolve(card)

    @property
    def can_summon_one_of_hand(self) -> bool:
        """Is there a card in hand that the seat could put into its area, if it need not pay?"""
        if not self.has_free_slot:
            return False
        easy_first = sorted(self.me.hand, key=lambda card: len(TEXTS[card].instant_demands))
        return any(self.can_resolve(card) for card in easy_first)

    def can_resolve(self, card: Card) -> bool:
        """Once a card of the seat's hand has entered its area, could its instant effect be done in full?"""
        demands = TEXTS[card].instant_demands
        return not demands or self.after(Summoned(self.seat, card, ())).can_do(demands, card)

    def can_do(self, demands: Effects, this: Card) -> bool:
        """Can the seat do all that a text demands, as the text of `this` card?"""
        return all(DEMANDS[effect.rule](self, *effect.args) for effect in said_by(demands, this))

    def after(self, fact: Fact) -> "Vale":
        """Return the table as it would be after a fact."""
        return Vale(evolve(self.state, fact), self.seat, self.chance, self.session)

    @property
    def can_be_activated(self) -> tuple[Card, ...]:
        """The cards that the seat still has to activate, and can."""
        return tuple([card for card in self.me.to_activate if self.can_do(TEXTS[card].active_demands, card)])

    def others(self, card: Card) -> tuple[Card, ...]:
        """The other cards of the seat's area."""
        return tuple(other for other in self.me.area if other != card)


def of_family(cards: tuple[Card, ...], family: Family) -> tuple[Card, ...]:
    """Return those of some cards that belong to a family."""
    return tuple([card for card in cards if CARDS[card].family == family])


def with_effect(cards: tuple[Card, ...], kind: Kind) -> tuple[Card, ...]:
    """Return those of some cards that have a kind of effect."""
    return tuple([card for card in cards if kind in CARDS[card].effects])


def families(cards: tuple[Card, ...]) -> int:
    """Count the different families of some cards."""
    return len({CARDS[card].family for card in cards})


@lru_cache(maxsize=4096)
def standing(area: tuple[Card, ...]) -> Standing:
    """Work out what the permanent effects of an area come to: remembered, for areas change less often than asked."""
    texts = [TEXTS[card] for card in area]
    worth = dict(PRINTED_WORTH)
    if any(text.swaps_blue_and_purple for text in texts):
        worth["blue"], worth["purple"] = worth["purple"], worth["blue"]
    for text in texts:
        for colour, more in text.stones_worth.items():
            worth[colour] += more
    return Standing(
        STONE_LIMIT + sum(text.stone_limit for text in texts),
        worth,
        (worth["red"], worth["blue"], worth["purple"]),
        tuple(text.discount for text in texts if text.discount is not None),
    )


@lru_cache(maxsize=4096)
def affordable(hand: tuple[Card, ...], stones: Stones, area: tuple[Card, ...], is_strict: bool) -> tuple[Priced, ...]:
    """Find the cards of a hand that can be paid, each with the ways to do it: remembered, for it is often asked."""
    stands = standing(area)
    priced = ((card, payments(stones, stands.worths, stands.cost(card), is_strict)) for card in hand)
    return tuple((card, ways) for card, ways in priced if ways)
