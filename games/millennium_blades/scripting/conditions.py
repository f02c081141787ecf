"""Millennium Blades: conditions of effects and of triggers."""

from collections.abc import Callable

from games.millennium_blades.board.card_script import CardInPlay
from games.millennium_blades.catalogue import PROMOS
from games.millennium_blades.scripting.amounts import Amount, Property
from games.millennium_blades.tournament.context import Context, TriggerContext

Condition = Callable[[Context], bool]


def at_least(number: int, amount: Amount) -> Condition:
    """Is an amount at least a number?"""
    return lambda ctx: amount(ctx) >= number


def has_flipped(ctx: Context) -> bool:
    """Did this effect flip a card?"""
    return bool(ctx.effect.flipped)


def two_others_share(values: Property) -> Condition:
    """Do two of your other face-up cards have a value of a property in common?"""

    def share(ctx: Context) -> bool:
        known: set[object] = set()
        for card in ctx.your_other_cards:
            own = set(values(card))
            if known & own:
                return True
            known |= own
        return False

    return share


def is_promo(card: CardInPlay) -> bool:
    """Is a card a bronze, silver or gold promo?"""
    return card.rarity in PROMOS


def your_turn(trigger: TriggerContext) -> bool:
    """Is it a turn of the card's player?"""
    return bool(trigger.fact.seat == trigger.seat)
