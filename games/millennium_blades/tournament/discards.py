"""Millennium Blades: discarding from hands."""

from games.kernel import OneOf, Outcome, choose, move, msg, rule
from games.millennium_blades.board.card_script import ReactionEvent
from games.millennium_blades.catalogue import Card
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.facts import Discarded, ReactionUsed
from games.millennium_blades.tournament.flips import flip_as_cost


@rule
def discard(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """Hand cards go to the binder. The player may react before an effect makes them discard."""
    if discard_reactions(table):
        return offer_keep_cards(cards)
    return Discarded(table.seat, cards)


def discard_reactions(table: MillenniumBlades) -> tuple[Card, ...]:
    """Return the Reactions with which the seat may keep cards that it would discard."""
    reactions = table.reactions(table.seat, ReactionEvent.CARDS_WOULD_BE_DISCARDED)
    if table.seat == table.current_effect.seat:
        return reactions
    return (*reactions, *table.reactions(table.seat, ReactionEvent.CARDS_WOULD_FLIP))


@rule
def offer_keep_cards(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """The player may react to keep their cards."""
    return choose(
        msg("You are about to discard."),
        keep_cards.offer(reaction=OneOf(discard_reactions(table))),
        discard_cards.offer(cards),
    )


@move(title="Keep your cards", help="Use a Reaction: you do not discard.", args={"reaction": "Reaction"})
def keep_cards(table: MillenniumBlades, reaction: Card) -> Outcome:
    """A Reaction cancels the discard."""
    return ReactionUsed(table.seat, reaction), *flip_as_cost(table, reaction)


@move(title="Discard", help="Discard the cards: they go to your binder.")
def discard_cards(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """The cards are discarded."""
    return Discarded(table.seat, cards)
