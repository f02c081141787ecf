"""The Vale of Eternity: what its rules can read from the table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from games.kernel import Fact, Seat, Table
from games.vale_of_eternity.card_script import REQUIREMENTS, CardScript, Effects, bind_this
from games.vale_of_eternity.catalogue import CARDS, Card, Creature, EffectKind, Family
from games.vale_of_eternity.facts import CardSummoned, Player, State, evolve
from games.vale_of_eternity.stones import PRINTED_VALUES, STONE_LIMIT, Stones, StoneValues, payments, total_value


@dataclass(frozen=True, eq=False)
class Modifiers:
    """What the permanent effects of an area add up to."""

    stone_limit: int
    stone_values: StoneValues
    discounts: tuple[Callable[[Creature], int], ...]

    def cost(self, card: Card) -> int:
        """Return what a card costs after all discounts."""
        creature = CARDS[card]
        return max(0, creature.cost - sum([discount(creature) for discount in self.discounts]))


PayableCard = tuple[Card, tuple[Stones, ...]]
"""A card and the payments that cover its cost."""


class Vale(Table[State]):
    """A table of The Vale of Eternity. The rulebook derives the class that knows the scripts of all cards."""

    __slots__ = ()

    scripts: ClassVar[Mapping[Card, CardScript]]

    @property
    def me(self) -> Player:
        """The player at the seat that acts."""
        return self.state.players[self.seat]

    @property
    def opponents(self) -> tuple[Player, ...]:
        """The players at the other seats."""
        return tuple(player for player in self.state.players if player.seat != self.seat)

    @property
    def turn_order(self) -> tuple[Seat, ...]:
        """The seats, clockwise from the first player of the round."""
        seats = len(self.state.players)
        return tuple((self.state.first_player + rank) % seats for rank in range(seats))

    def other_cards(self, card: Card) -> tuple[Card, ...]:
        """Return the other cards of the seat's area."""
        return tuple(other for other in self.me.area if other != card)

    @property
    def has_free_slot(self) -> bool:
        """Whether the seat's area has room for a card. It has one slot for each round that has started."""
        return len(self.me.area) < self.state.round

    # --- stones and costs -----------------------------------------------------------------------------------

    def modifiers(self, player: Player) -> Modifiers:
        """Return what the permanent effects of a player's area add up to."""
        return self.area_modifiers(player.area)

    @classmethod
    @lru_cache(maxsize=4096)
    def area_modifiers(cls, area: tuple[Card, ...]) -> Modifiers:
        """Return what the permanent effects of an area add up to. Cached: areas change rarely and are read often."""
        return combined_modifiers([cls.scripts[card] for card in area])

    @property
    def stone_limit(self) -> int:
        """How many stones the seat may hold."""
        return self.modifiers(self.me).stone_limit

    def stones_value(self, stones: Stones) -> int:
        """Return the value of stones for the seat."""
        return total_value(stones, self.modifiers(self.me).stone_values)

    def cost(self, card: Card) -> int:
        """Return what it costs the seat to summon a card."""
        return self.modifiers(self.me).cost(card)

    @property
    def has_strict_payments(self) -> bool:
        """Whether payments from which a stone could be left out are forbidden."""
        return self.state.options.payments == "strict"

    def payments(self, price: int) -> tuple[Stones, ...]:
        """Return the payments that the seat can make for a price."""
        return payments(self.me.stones, self.modifiers(self.me).stone_values, price, self.has_strict_payments)

    # --- what can be summoned, activated and copied ---------------------------------------------------------

    @property
    def summonable_cards(self) -> Iterator[PayableCard]:
        """The cards of the seat's hand that it can summon, each with its payments."""
        if self.has_free_slot:
            me = self.me
            for card, options in payable_cards(me.hand, me.stones, self.modifiers(me), self.has_strict_payments):
                if self.can_resolve(card):
                    yield card, options

    def can_summon_free(self, card: Card) -> bool:
        """Tell whether the seat could summon a card of its hand without payment."""
        return self.has_free_slot and self.can_resolve(card)

    @property
    def can_summon_any_free(self) -> bool:
        """Whether the seat's hand has a card that could be summoned without payment."""
        if not self.has_free_slot:
            return False
        fast_checks_first = sorted(self.me.hand, key=lambda card: len(self.scripts[card].instant_requirements))
        return any(self.can_resolve(card) for card in fast_checks_first)

    def can_resolve(self, card: Card) -> bool:
        """Tell whether the instant effect of a hand card could be carried out in full after the card is summoned."""
        requirements = self.scripts[card].instant_requirements
        return not requirements or self.after(CardSummoned(self.seat, card, ())).meets(requirements, card)

    def can_copy_instant(self, source: Card, this: Card) -> bool:
        """Tell whether `this` card could carry out the instant effect of another card in full."""
        return self.meets(self.scripts[source].instant_requirements, this)

    def can_copy_active(self, source: Card, this: Card) -> bool:
        """Tell whether `this` card could carry out the active effect of another card."""
        return self.meets(self.scripts[source].active_requirements, this)

    @property
    def usable_activations(self) -> tuple[Card, ...]:
        """The cards whose active effects the seat has not used yet, and can use now."""
        return tuple([card for card in self.me.pending_activations if self.can_copy_active(card, card)])

    def meets(self, requirements: Effects, this: Card) -> bool:
        """Tell whether the seat meets the requirements of effects that `this` card carries out."""
        return all(REQUIREMENTS[effect.rule](self, *effect.args) for effect in bind_this(requirements, this))

    def after(self, fact: Fact) -> "Vale":
        """Return the table as it would be after a fact."""
        return type(self)(evolve(self.state, fact), self.seat, self.chance, self.session)

    # --- effects --------------------------------------------------------------------------------------------

    def instant_effect(self, card: Card, this: Card) -> Effects:
        """Return the instant effect of a card, to be carried out by `this` card."""
        return bind_this(self.scripts[card].instant, this)

    def active_effect(self, card: Card, this: Card) -> Effects:
        """Return the active effect of a card, to be carried out by `this` card."""
        return bind_this(self.scripts[card].active, this)


def family_cards(cards: tuple[Card, ...], family: Family) -> tuple[Card, ...]:
    """Return the cards that belong to a family."""
    return tuple([card for card in cards if CARDS[card].family == family])


def cards_with_effect(cards: tuple[Card, ...], kind: EffectKind) -> tuple[Card, ...]:
    """Return the cards that have a kind of effect."""
    return tuple([card for card in cards if kind in CARDS[card].effects])


def family_count(cards: tuple[Card, ...]) -> int:
    """Count the different families of some cards."""
    return len({CARDS[card].family for card in cards})


def combined_modifiers(scripts: Sequence[CardScript]) -> Modifiers:
    """Return what the permanent effects of some cards add up to."""
    red, blue, purple = PRINTED_VALUES
    if any(script.swaps_blue_and_purple for script in scripts):
        blue, purple = purple, blue
    return Modifiers(
        STONE_LIMIT + sum(script.extra_stones for script in scripts),
        (
            red + sum(script.extra_value.get("red", 0) for script in scripts),
            blue + sum(script.extra_value.get("blue", 0) for script in scripts),
            purple + sum(script.extra_value.get("purple", 0) for script in scripts),
        ),
        tuple(script.discount for script in scripts if script.discount is not None),
    )


@lru_cache(maxsize=4096)
def payable_cards(
    hand: tuple[Card, ...], stones: Stones, modifiers: Modifiers, is_strict: bool
) -> tuple[PayableCard, ...]:
    """Return the cards of a hand that can be paid for, each with its payments. Cached: it is often asked again."""
    options = ((card, payments(stones, modifiers.stone_values, modifiers.cost(card), is_strict)) for card in hand)
    return tuple((card, payable) for card, payable in options if payable)
