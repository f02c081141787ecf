"""The Vale of Eternity: what the Fire creatures do."""

from games.kernel import OneOf, Outcome, msg, rule
from games.vale_of_eternity.card_script import THIS, CardScript, requires
from games.vale_of_eternity.catalogue import Card
from games.vale_of_eternity.effects import (
    choose_unless_forced,
    gain_stones,
    give_up_stone,
    printed_cost,
    recover,
    score,
    score_per_card,
    score_per_family,
    score_per_family_card,
    score_per_hand_card,
)
from games.vale_of_eternity.stones import RED
from games.vale_of_eternity.table import Vale, cards_with_effect, family_cards

# --- Asmodeus -----------------------------------------------------------------------------------------------


def cheap_instant_cards(table: Vale) -> tuple[Card, ...]:
    """Return the cards in the area with an instant effect and a printed cost of at most 2."""
    return tuple(card for card in cards_with_effect(table.me.area, "instant") if printed_cost(card) <= 2)


def has_cheap_instant_card(table: Vale) -> bool:
    """Tell whether there is such a card."""
    return bool(cheap_instant_cards(table))


@requires(has_cheap_instant_card)
@rule
def recover_cheap_card(table: Vale) -> Outcome:
    """Choose a card with an instant effect and a printed cost of at most 2, and recover it."""
    prompt = msg("Which card with an instant effect and a printed cost of at most 2 do you recover?")
    return choose_unless_forced(prompt, recover.offer(card=OneOf(cheap_instant_cards(table))))


# --- Balog --------------------------------------------------------------------------------------------------


def fire_instant_cards(table: Vale) -> tuple[Card, ...]:
    """Return the Fire cards in the area with an instant effect."""
    return family_cards(cards_with_effect(table.me.area, "instant"), "fire")


def has_fire_instant_card(table: Vale) -> bool:
    """Tell whether there is such a card."""
    return bool(fire_instant_cards(table))


@requires(has_fire_instant_card)
@rule
def recover_fire_card(table: Vale) -> Outcome:
    """Choose a Fire card with an instant effect, and recover it."""
    prompt = msg("Which Fire card with an instant effect do you recover?")
    return choose_unless_forced(prompt, recover.offer(card=OneOf(fire_instant_cards(table))))


# --- Incubus ------------------------------------------------------------------------------------------------


@rule
def score_per_cheap_card(table: Vale, points: int) -> Outcome:
    """Score points for each card in the area with a printed cost of at most 2."""
    return score(points * sum(printed_cost(card) <= 2 for card in table.me.area))


# --- Succubus -----------------------------------------------------------------------------------------------


@rule
def score_with_four_costs(table: Vale, points: int) -> Outcome:
    """Score points if the area has cards with the printed costs 1, 2, 3 and 4."""
    costs = {printed_cost(card) for card in table.me.area}
    return score(points) if costs >= {1, 2, 3, 4} else None


CARDS = (
    # Your red stones are worth 1 more.
    CardScript("agni", extra_value={"red": 1}),
    # Take back a card of yours that has an instant effect and a printed cost of at most 2.
    CardScript("asmodeus", active=(recover_cheap_card(),)),
    # Take back a Fire card of yours that has an instant effect.
    CardScript("balog", active=(recover_fire_card(),)),
    # Give up a red stone: score 3.
    CardScript("burning_skull", active=(give_up_stone("red"), score(3))),
    # Score 1 for each card in hand.
    CardScript("firefox", instant=(score_per_hand_card(1),)),
    # You may hold two more stones.
    CardScript("hestia", extra_stones=2),
    # Gain four red stones.
    CardScript("horned_salamander", active=(gain_stones(4 * RED),)),
    # Score 1 for each card in your area.
    CardScript("ifrit", instant=(score_per_card(1),)),
    # Gain two red stones. Active: take this card back to hand.
    CardScript("imp", instant=(gain_stones(2 * RED),), active=(recover(THIS),)),
    # Score 2 for each card in your area with a printed cost of at most 2.
    CardScript("incubus", instant=(score_per_cheap_card(2),)),
    # Score 2 for each Fire card in your area.
    CardScript("lava_giant", instant=(score_per_family_card("fire", 2),)),
    # Whenever you summon another card: score 1 for each red stone spent on it.
    CardScript("phoenix", on_summon=lambda payment: score(payment.count("red"))),
    # Gain a red stone and score 1.
    CardScript("salamander", active=(gain_stones(RED), score(1))),
    # Score 10 if the printed costs 1, 2, 3 and 4 are all in your area.
    CardScript("succubus", instant=(score_with_four_costs(10),)),
    # Score 2 for each different family in your area.
    CardScript("surtr", instant=(score_per_family(2),)),
)
