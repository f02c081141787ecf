"""Millennium Blades: discarding from hands."""

from games.kernel import OneOf, Outcome, choose, rule
from games.millennium_blades.catalogue import Card
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.facts import Discarded, ReactionUsed
from games.millennium_blades.tournament.flips import flip_as_cost


@rule
def discard(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """Cards of a hand go to the binder; before an effect makes a player discard them, he may react."""
    if discard_reactions(table):
        return offer_keep_cards(cards)
    return Discarded(table.seat, cards)


def discard_reactions(table: MillenniumBlades) -> tuple[Card, ...]:
    """Return the Reactions with which the seat may keep cards that it would discard."""
    reactions = table.reactions(table.seat, "cards would be discarded")
    if table.seat == table.current_effect.seat:
        return reactions
    return (*reactions, *table.reactions(table.seat, "cards would be flipped"))


@rule
def offer_keep_cards(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """A player may react to keep his cards."""
    return choose(
        "You are about to discard.",
        keep_cards.offer(reaction=OneOf(discard_reactions(table))),
        discard_cards.offer(cards),
    )


@rule
def keep_cards(table: MillenniumBlades, reaction: Card) -> Outcome:
    """A Reaction cancels the discard."""
    return ReactionUsed(table.seat, reaction), *flip_as_cost(table, reaction)


@rule
def discard_cards(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """The cards are discarded."""
    return Discarded(table.seat, cards)
