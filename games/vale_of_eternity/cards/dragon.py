"""The Vale of Eternity: what the Dragons do."""

from games.kernel import OneOf, Outcome, choose, move, msg, rule
from games.vale_of_eternity.card_script import THIS, CardScript, requires
from games.vale_of_eternity.catalogue import Card
from games.vale_of_eternity.effects import (
    choose_unless_forced,
    draw_card,
    force_discard,
    gain_stones,
    printed_cost,
    score,
    score_per_family,
    score_per_family_card,
    summon_free,
)
from games.vale_of_eternity.facts import CardDiscardedFromArea, CardRecovered, EffectCopied
from games.vale_of_eternity.stones import BLUE, PURPLE, RED
from games.vale_of_eternity.table import Vale, cards_with_effect, family_cards

# --- Aeris --------------------------------------------------------------------------------------------------


def has_other_card(table: Vale, this: Card) -> bool:
    """Tell whether there is another card in the area."""
    return bool(table.other_cards(this))


@requires(has_other_card)
@rule
def recover_other_card(table: Vale, this: Card) -> Outcome:
    """Choose another card of the area; recover it and score its printed cost."""
    prompt = msg("Which other card do you recover for its printed cost in points?")
    return choose_unless_forced(prompt, recover_for_points.offer(card=OneOf(table.other_cards(this))))


@move(
    title="Recover for points",
    help="Take the chosen card from your area back into your hand and score its printed cost.",
    args={"card": "Card in your area"},
)
def recover_for_points(table: Vale, card: Card) -> Outcome:
    """Recover the chosen card and score its printed cost."""
    return CardRecovered(table.seat, card), score(printed_cost(card))


# --- Dragon Egg ---------------------------------------------------------------------------------------------


def can_hatch(table: Vale, this: Card) -> bool:
    """Tell whether there would be a Dragon to summon after this card has been discarded."""
    after = table.after(CardDiscardedFromArea(table.seat, this))
    return any(after.can_summon_free(card) for card in family_cards(after.me.hand, "dragon"))


@requires(can_hatch)
@rule
def hatch(table: Vale, this: Card) -> Outcome:
    """Discard this card; then a Dragon of the hand takes its slot."""
    return CardDiscardedFromArea(table.seat, this), summon_dragon_free()


@rule
def summon_dragon_free(table: Vale) -> Outcome:
    """Choose a Dragon of the hand and summon it without paying."""
    dragons = tuple(card for card in family_cards(table.me.hand, "dragon") if table.can_summon_free(card))
    return choose(msg("Which Dragon do you summon for free?"), summon_free.offer(card=OneOf(dragons)))


# --- Scorch -------------------------------------------------------------------------------------------------


def copyable_instants(table: Vale, this: Card) -> tuple[Card, ...]:
    """Return the other cards of the area whose instant effect this card could carry out in full."""
    cards = cards_with_effect(table.other_cards(this), "instant")
    return tuple(card for card in cards if table.can_copy_instant(card, this))


def can_copy_instant_effect(table: Vale, this: Card) -> bool:
    """Tell whether there is an instant effect that this card could carry out in full."""
    return bool(copyable_instants(table, this))


@requires(can_copy_instant_effect)
@rule
def copy_instant_effect(table: Vale, this: Card) -> Outcome:
    """Choose another card of the area; this card carries out its instant effect.

    The player is always asked: which effects can be copied may depend on their hand, which is secret.
    """
    return choose(
        msg("Which card’s instant effect do you copy?"),
        copy_instant.offer(this, card=OneOf(copyable_instants(table, this))),
    )


@move(
    title="Copy an instant effect",
    help="Carry out the instant effect of the chosen card as if it were printed on the card that copies it.",
    args={"card": "Card to copy"},
)
def copy_instant(table: Vale, this: Card, card: Card) -> Outcome:
    """Carry out the instant effect of the chosen card as if it were printed on this card."""
    return EffectCopied(table.seat, this, card), table.instant_effect(card, this)


CARDS = (
    # Take back another card of yours and score its printed cost.
    CardScript("aeris", instant=(recover_other_card(THIS),)),
    # Score 8. A player of your choice discards a Wind card of theirs.
    CardScript("boulder", instant=(score(8), force_discard("wind"))),
    # Discard this card, then summon a Dragon for free.
    CardScript("dragon_egg", instant=(hatch(THIS),)),
    # Score 7. A player of your choice discards a Water card of theirs.
    CardScript("ember", instant=(score(7), force_discard("water"))),
    # Score 4 for each different family in your area.
    CardScript("eternity", instant=(score_per_family(4),)),
    # Score 8. A player of your choice discards an Earth card of theirs.
    CardScript("gust", instant=(score(8), force_discard("earth"))),
    # Score 7. A player of your choice discards a Fire card of theirs.
    CardScript("marina", instant=(score(7), force_discard("fire"))),
    # Carry out the instant effect of another card of your area as if it were printed on this card.
    CardScript("scorch", instant=(copy_instant_effect(THIS),)),
    # Score 5 for each Dragon in your area.
    CardScript("tidal", instant=(score_per_family_card("dragon", 5),)),
    # Gain a red, a blue and a purple stone, score 3 and draw a card.
    CardScript("willow", instant=(gain_stones(RED + BLUE + PURPLE), score(3), draw_card())),
)
