"""The Vale of Eternity: what the Fire creatures do."""

from games.kernel import OneOf, Outcome, rule
from games.vale_of_eternity.card_script import THIS, can, card
from games.vale_of_eternity.catalogue import CARDS, Card
from games.vale_of_eternity.effects import (
    gain,
    pay,
    pick,
    printed_cost,
    recover,
    score,
    score_per_card,
    score_per_card_of,
    score_per_family,
    score_per_hand_card,
)
from games.vale_of_eternity.stones import RED
from games.vale_of_eternity.table import Vale, of_family, with_effect

# Your red stones are worth 1 more.
card("agni", stones_worth={"red": 1})


# Take back a card of yours that has an instant effect and a printed cost of at most 2.
@rule
def recover_a_cheap_card(table: Vale) -> Outcome:
    """A card with an instant effect that is written to cost at most 2 goes back to hand."""
    return pick("Recover a card with an instant effect that costs at most 2.", recover.offer(card=OneOf(_cheap(table))))


@can(recover_a_cheap_card)
def can_recover_a_cheap_card(table: Vale) -> bool:
    """Is there such a card?"""
    return bool(_cheap(table))


def _cheap(table: Vale) -> tuple[Card, ...]:
    return tuple(card for card in with_effect(table.me.area, "instant") if printed_cost(card) <= 2)


card("asmodeus", active=(recover_a_cheap_card(),))


# Take back a Fire card of yours that has an instant effect.
@rule
def recover_a_fire_card(table: Vale) -> Outcome:
    """A Fire card with an instant effect goes back to hand."""
    return pick("Recover a Fire card with an instant effect.", recover.offer(card=OneOf(_instant_fire(table))))


@can(recover_a_fire_card)
def can_recover_a_fire_card(table: Vale) -> bool:
    """Is there such a card?"""
    return bool(_instant_fire(table))


def _instant_fire(table: Vale) -> tuple[Card, ...]:
    return of_family(with_effect(table.me.area, "instant"), "fire")


card("balog", active=(recover_a_fire_card(),))

# Give up a red stone: score 3.
card("burning_skull", active=(pay("red"), score(3)))

# Score 1 for each card in hand.
card("firefox", instant=(score_per_hand_card(1),))

# You may hold two stones more.
card("hestia", stone_limit=2)

# Gain four red stones.
card("horned_salamander", active=(gain(4 * RED),))

# Score 1 for each card in your area.
card("ifrit", instant=(score_per_card(1),))

# Gain two red stones. Active: return to hand.
card("imp", instant=(gain(2 * RED),), active=(recover(THIS),))


# Score 2 for each card in your area with a printed cost of at most 2.
@rule
def score_per_cheap_card(table: Vale, points: int) -> Outcome:
    """Earn points for each card in the area that is written to cost at most 2."""
    return score(points * sum(printed_cost(card) <= 2 for card in table.me.area))


card("incubus", instant=(score_per_cheap_card(2),))

# Score 2 for each Fire card in your area.
card("lava_giant", instant=(score_per_card_of("fire", 2),))

# Whenever you summon another card: score 1 for each red stone spent on it.
card("phoenix", whenever_summoned=lambda payment: score(payment.count("red")))

# Gain a red stone and score 1.
card("salamander", active=(gain(RED), score(1)))


# Score 10 if the printed costs 1, 2, 3 and 4 are all in your area.
@rule
def score_with_four_costs(table: Vale, points: int) -> Outcome:
    """Earn points if cards that are written to cost 1, 2, 3 and 4 are all in the area."""
    costs = {CARDS[card].cost for card in table.me.area}
    return score(points) if costs >= {1, 2, 3, 4} else None


card("succubus", instant=(score_with_four_costs(10),))

# Score 2 for each different family in your area.
card("surtr", instant=(score_per_family(2),))
