"""The Vale of Eternity: what the Wind creatures do."""

from games.kernel import OneOf, Outcome, rule
from games.vale_of_eternity.card_script import TEXTS, THIS, can, card
from games.vale_of_eternity.catalogue import Card
from games.vale_of_eternity.effects import (
    activate_all,
    active_of,
    draw,
    gain,
    pick,
    recover,
    score,
    score_per_card,
    score_per_card_of,
    score_per_family,
    score_per_hand_card,
)
from games.vale_of_eternity.facts import Copied, PutOnDrawPile
from games.vale_of_eternity.stones import PURPLE
from games.vale_of_eternity.table import Vale, with_effect

# Score 1 for each Wind card in your area, then return to hand.
card("boreas", instant=(score_per_card_of("wind", 1), recover(THIS)))

# Draw a card. Active: return to hand.
card("dandelion_spirit", instant=(draw(),), active=(recover(THIS),))


# Score 1 for each card in your area that has an active effect.
@rule
def score_per_active_card(table: Vale, points: int) -> Outcome:
    """Earn points for each card with an active effect in the area."""
    return score(points * len(with_effect(table.me.area, "active")))


card("freyja", active=(score_per_active_card(1),))

# Use every active effect in your area that can be used.
card("genie", instant=(activate_all(),))


# Carry out the active effect of another card of your area as this card's own.
@rule
def copy_an_active_effect(table: Vale, this: Card) -> Outcome:
    """The active effect of another card of the area is carried out by this card."""
    return pick("Copy an active effect.", perform_active.offer(this, card=OneOf(_active_models(table, this))))


@can(copy_an_active_effect)
def can_copy_an_active_effect(table: Vale, this: Card) -> bool:
    """Is there an effect that this card could carry out?"""
    return bool(_active_models(table, this))


def _active_models(table: Vale, this: Card) -> tuple[Card, ...]:
    cards = with_effect(table.others(this), "active")
    return tuple(card for card in cards if table.can_do(TEXTS[card].active_demands, this))


@rule
def perform_active(table: Vale, this: Card, card: Card) -> Outcome:
    """“This card” in the effect copied is the card that copies it."""
    return Copied(table.seat, this, card), active_of(card, this)


card("genie_exalted", active=(copy_an_active_effect(THIS),))

# Score 2 for each card in your area.
card("gi_rin", instant=(score_per_card(2),))

# Draw a card.
card("griffon", active=(draw(),))


# Score 3 if your hand and your area hold equally many cards.
@rule
def score_in_balance(table: Vale, points: int) -> Outcome:
    """Earn points if there are as many cards in hand as in the area."""
    return score(points) if len(table.me.hand) == len(table.me.area) else None


card("harpy", active=(score_in_balance(3),))

# Draw a card. Your Wind cards cost 2 less.
card("hippogriff", instant=(draw(),), discount=lambda summoned: 2 if summoned.family == "wind" else 0)


# With fewer than six cards in hand score 2, else gain a purple stone.
@rule
def score_or_gain(table: Vale, points: int) -> Outcome:
    """A hand of fewer than six cards earns points, a larger one a purple stone."""
    return score(points) if len(table.me.hand) < 6 else gain(PURPLE)


card("odin", active=(score_or_gain(2),))

# Draw a card. All your cards cost 1 less.
card("pegasus", instant=(draw(),), discount=lambda summoned: 1)

# Score 2 for each card in hand.
card("rudra", instant=(score_per_hand_card(2),))

# Draw a card. Whenever you summon another card: score 1.
card("sylph", instant=(draw(),), whenever_summoned=lambda payment: score(1))


# Score 6, then go to the top of the draw pile.
@rule
def put_on_draw_pile(table: Vale, card: Card) -> Outcome:
    """A card of the area goes to the top of the draw pile."""
    return PutOnDrawPile(table.seat, card)


card("tengu", instant=(score(6), put_on_draw_pile(THIS)))

# Score 1 for each different family in your area.
card("valkyrie", active=(score_per_family(1),))
