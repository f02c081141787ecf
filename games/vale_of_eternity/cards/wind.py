"""The Vale of Eternity: what the Wind creatures do."""

from games.kernel import OneOf, Outcome, move, msg, rule
from games.vale_of_eternity.card_script import THIS, CardScript, requires
from games.vale_of_eternity.catalogue import Card
from games.vale_of_eternity.effects import (
    activate_all,
    choose_unless_forced,
    draw_card,
    gain_stones,
    recover,
    score,
    score_per_card,
    score_per_family,
    score_per_family_card,
    score_per_hand_card,
)
from games.vale_of_eternity.facts import CardPutOnDrawPile, EffectCopied
from games.vale_of_eternity.stones import PURPLE
from games.vale_of_eternity.table import Vale, cards_with_effect

# --- Freyja -------------------------------------------------------------------------------------------------


@rule
def score_per_active_card(table: Vale, points: int) -> Outcome:
    """Score points for each card in the area with an active effect."""
    return score(points * len(cards_with_effect(table.me.area, "active")))


# --- Genie Exalted ------------------------------------------------------------------------------------------


def copyable_actives(table: Vale, this: Card) -> tuple[Card, ...]:
    """Return the other cards of the area whose active effect this card could carry out."""
    cards = cards_with_effect(table.other_cards(this), "active")
    return tuple(card for card in cards if table.can_copy_active(card, this))


def can_copy_active_effect(table: Vale, this: Card) -> bool:
    """Tell whether there is an active effect that this card could carry out."""
    return bool(copyable_actives(table, this))


@requires(can_copy_active_effect)
@rule
def copy_active_effect(table: Vale, this: Card) -> Outcome:
    """Choose another card of the area; this card carries out its active effect."""
    prompt = msg("Which card’s active effect do you copy?")
    return choose_unless_forced(prompt, copy_active.offer(this, card=OneOf(copyable_actives(table, this))))


@move(
    title="Copy an active effect",
    help="Carry out the active effect of the chosen card as if it were printed on the card that copies it.",
    args={"card": "Card to copy"},
)
def copy_active(table: Vale, this: Card, card: Card) -> Outcome:
    """Carry out the active effect of the chosen card as if it were printed on this card."""
    return EffectCopied(table.seat, this, card), table.active_effect(card, this)


# --- Harpy --------------------------------------------------------------------------------------------------


@rule
def score_if_balanced(table: Vale, points: int) -> Outcome:
    """Score points if there are as many cards in hand as in the area."""
    return score(points) if len(table.me.hand) == len(table.me.area) else None


# --- Odin ---------------------------------------------------------------------------------------------------


@rule
def score_or_gain_stone(table: Vale, points: int) -> Outcome:
    """Score points with fewer than six cards in hand, otherwise gain a purple stone."""
    return score(points) if len(table.me.hand) < 6 else gain_stones(PURPLE)


# --- Tengu --------------------------------------------------------------------------------------------------


@rule
def put_on_draw_pile(table: Vale, card: Card) -> Outcome:
    """Put a card of the area on top of the draw pile."""
    return CardPutOnDrawPile(table.seat, card)


CARDS = (
    # Score 1 for each Wind card in your area, then take this card back to hand.
    CardScript("boreas", instant=(score_per_family_card("wind", 1), recover(THIS))),
    # Draw a card. Active: take this card back to hand.
    CardScript("dandelion_spirit", instant=(draw_card(),), active=(recover(THIS),)),
    # Score 1 for each card in your area that has an active effect.
    CardScript("freyja", active=(score_per_active_card(1),)),
    # Use every active effect in your area that can be used.
    CardScript("genie", instant=(activate_all(),)),
    # Carry out the active effect of another card of your area as if it were printed on this card.
    CardScript("genie_exalted", active=(copy_active_effect(THIS),)),
    # Score 2 for each card in your area.
    CardScript("gi_rin", instant=(score_per_card(2),)),
    # Draw a card.
    CardScript("griffon", active=(draw_card(),)),
    # Score 3 if your hand and your area have equally many cards.
    CardScript("harpy", active=(score_if_balanced(3),)),
    # Draw a card. Your Wind cards cost 2 less.
    CardScript("hippogriff", instant=(draw_card(),), discount=lambda summoned: 2 if summoned.family == "wind" else 0),
    # With fewer than six cards in hand score 2, else gain a purple stone.
    CardScript("odin", active=(score_or_gain_stone(2),)),
    # Draw a card. All your cards cost 1 less.
    CardScript("pegasus", instant=(draw_card(),), discount=lambda summoned: 1),
    # Score 2 for each card in hand.
    CardScript("rudra", instant=(score_per_hand_card(2),)),
    # Draw a card. Whenever you summon another card: score 1.
    CardScript("sylph", instant=(draw_card(),), on_summon=lambda payment: score(1)),
    # Score 6, then put this card on top of the draw pile.
    CardScript("tengu", instant=(score(6), put_on_draw_pile(THIS))),
    # Score 1 for each different family in your area.
    CardScript("valkyrie", active=(score_per_family(1),)),
)
