"""The Vale of Eternity: what the Dragons do."""

from games.kernel import OneOf, Outcome, choose, rule
from games.vale_of_eternity.card_script import TEXTS, THIS, can, card
from games.vale_of_eternity.catalogue import Card
from games.vale_of_eternity.effects import (
    draw,
    gain,
    instant_of,
    make_a_player_discard,
    pick,
    printed_cost,
    put_into_play,
    score,
    score_per_card_of,
    score_per_family,
)
from games.vale_of_eternity.facts import Copied, DiscardedFromArea, Recovered
from games.vale_of_eternity.stones import BLUE, PURPLE, RED
from games.vale_of_eternity.table import Vale, of_family, with_effect


# Take back another card of yours and score its printed cost.
@rule
def recover_another_for_points(table: Vale, this: Card) -> Outcome:
    """Another card of the area goes back to hand, for its written cost in points."""
    return pick("Recover another card for its cost in points.", take_back.offer(card=OneOf(table.others(this))))


@can(recover_another_for_points)
def can_recover_another_for_points(table: Vale, this: Card) -> bool:
    """Is there another card in the area?"""
    return bool(table.others(this))


@rule
def take_back(table: Vale, card: Card) -> Outcome:
    """The card chosen is recovered, and its written cost is earned."""
    return Recovered(table.seat, card), score(printed_cost(card))


card("aeris", instant=(recover_another_for_points(THIS),))

# Score 8. A player whom you name discards a Wind card of theirs.
card("boulder", instant=(score(8), make_a_player_discard("wind")))


# Discard this card, then summon a Dragon for nothing.
@rule
def hatch(table: Vale, this: Card) -> Outcome:
    """This card is discarded, and a Dragon of the hand takes its slot for nothing."""
    return DiscardedFromArea(table.seat, this), summon_a_dragon_for_nothing()


@can(hatch)
def can_hatch(table: Vale, this: Card) -> bool:
    """Once this card is gone, is there a Dragon that can be summoned?"""
    after = table.after(DiscardedFromArea(table.seat, this))
    return any(after.can_enter(card) for card in of_family(after.me.hand, "dragon"))


@rule
def summon_a_dragon_for_nothing(table: Vale) -> Outcome:
    """A Dragon of the hand is summoned without paying."""
    dragons = tuple(card for card in of_family(table.me.hand, "dragon") if table.can_enter(card))
    return choose("Summon a Dragon for nothing.", put_into_play.offer(card=OneOf(dragons)))


card("dragon_egg", instant=(hatch(THIS),))

# Score 7. A player whom you name discards a Water card of theirs.
card("ember", instant=(score(7), make_a_player_discard("water")))

# Score 4 for each different family in your area.
card("eternity", instant=(score_per_family(4),))

# Score 8. A player whom you name discards an Earth card of theirs.
card("gust", instant=(score(8), make_a_player_discard("earth")))

# Score 7. A player whom you name discards a Fire card of theirs.
card("marina", instant=(score(7), make_a_player_discard("fire")))


# Carry out the instant effect of another card of your area as this card's own.
@rule
def copy_an_instant_effect(table: Vale, this: Card) -> Outcome:
    """The instant effect of another card of the area is carried out by this card.

    The seat is always asked: what can be copied may depend on its hand, which the others do not see.
    """
    cards = with_effect(table.others(this), "instant")
    models = tuple(card for card in cards if _can_copy(table, card, this))
    return choose("Copy an instant effect.", perform_instant.offer(this, card=OneOf(models)))


@can(copy_an_instant_effect)
def can_copy_an_instant_effect(table: Vale, this: Card) -> bool:
    """Is there an effect that this card could carry out in full?"""
    return any(_can_copy(table, card, this) for card in with_effect(table.others(this), "instant"))


def _can_copy(table: Vale, card: Card, this: Card) -> bool:
    return table.can_do(TEXTS[card].instant_demands, this)


@rule
def perform_instant(table: Vale, this: Card, card: Card) -> Outcome:
    """“This card” in the effect copied is the card that copies it."""
    return Copied(table.seat, this, card), instant_of(card, this)


card("scorch", instant=(copy_an_instant_effect(THIS),))

# Score 5 for each Dragon in your area.
card("tidal", instant=(score_per_card_of("dragon", 5),))

# Gain a red, a blue and a purple stone, score 3 and draw a card.
card("willow", instant=(gain(RED + BLUE + PURPLE), score(3), draw()))
