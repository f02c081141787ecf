"""Millennium Blades: the clash. Top card against Top card, each with a card revealed from the Store deck."""

from games.kernel import OneOf, Outcome, Seat, choose, move, msg, rule
from games.millennium_blades.board.card_script import ReactionEvent
from games.millennium_blades.catalogue import Card, stars
from games.millennium_blades.deckbuilding.market import reshuffle_store_deck
from games.millennium_blades.facts import DollarsPaid
from games.millennium_blades.state import Clash, ClashSide
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.facts import (
    CardRevealed,
    ClashBegun,
    ClashDecided,
    ClashRaised,
    ReactionUsed,
    ReplacedForClash,
)
from games.millennium_blades.tournament.flips import flip_as_cost
from games.millennium_blades.tournament.resolution import decline, used_card
from games.millennium_blades.zones import top_back

SECOND_CARD_PRICE = 2
MAX_REDRAWS = 2
REACTION_STARS = 2


@rule
def clash(table: MillenniumBlades, seats: tuple[Seat, ...]) -> Outcome:
    """Players clash. Each needs a Top card; with fewer than two participants there is no clash."""
    order = [seat for seat in table.clockwise_from(table.state.active or 0) if seat in seats]
    tops = [table.board.top(seat) for seat in order]
    if len(order) < 2 or not all(tops):
        return None
    return (
        ClashBegun(tuple(order), tuple(top.card for top in tops if top is not None)),
        *(offer_clash_cancel().by(seat) for seat in order),
        *(reveal_for_clash().by(seat) for seat in order),
        *(offer_clash_raise().by(seat) for seat in order),
        decide_clash(),
    )


def _is_on(table: MillenniumBlades) -> bool:
    clash = table.current_effect.clash
    return clash is not None and clash.status == "begun"


@rule
def offer_clash_cancel(table: MillenniumBlades) -> Outcome:
    """Before cards are revealed, a Reaction may cancel the clash."""
    reactions = table.reactions(table.seat, ReactionEvent.WOULD_CLASH)
    if not reactions or not _is_on(table):
        return None
    return choose(msg("You are about to clash."), cancel_clash.offer(reaction=OneOf(reactions)), decline.offer())


@move(
    title="Cancel the clash",
    help="Use a Reaction: the clash does not take place.",
    args={"reaction": "Reaction"},
)
def cancel_clash(table: MillenniumBlades, reaction: Card) -> Outcome:
    """The clash is cancelled: nobody wins or loses it."""
    return ReactionUsed(table.seat, reaction), *flip_as_cost(table, reaction), ClashDecided("cancelled", None, ())


@rule
def reveal_for_clash(table: MillenniumBlades) -> Outcome:
    """Each participant reveals the top card of the Store deck; some may pay to reveal two."""
    if not _is_on(table):
        return None
    if table.player.dollars >= SECOND_CARD_PRICE and table.store_supply > 1 and can_reveal_two(table):
        return choose(msg("Reveal a card, or two for $2."), reveal_two.offer(), reveal_one.offer())
    return reveal_one()


def can_reveal_two(table: MillenniumBlades) -> bool:
    """Does the seat have a card that lets it pay to reveal two?"""
    return any(card.script.reveals_two for card in table.board.play_area(table.seat))


@move(title="Reveal one card", help="Reveal the top card of the Store deck.")
def reveal_one(table: MillenniumBlades) -> Outcome:
    """A participant reveals the top card of the Store deck."""
    deck = table.state.store_deck
    if not deck:
        return (reshuffle_store_deck(), reveal_one()) if table.state.discard else None
    return CardRevealed(table.seat, deck[-1], top_back(deck[:-1])), reshuffle_store_deck()


@move(
    title="Reveal two cards",
    help="Pay $2 to reveal two cards of the Store deck; the better one counts.",
)
def reveal_two(table: MillenniumBlades) -> Outcome:
    """A participant pays to reveal two cards. The better one counts."""
    return DollarsPaid(table.seat, SECOND_CARD_PRICE), reveal_one(), reveal_one()


@rule
def offer_clash_raise(table: MillenniumBlades) -> Outcome:
    """When all have revealed a card, a participant may add to their total, or pay for another card."""
    if not _is_on(table):
        return None
    reactions = table.reactions(table.seat, ReactionEvent.CLASH)
    can_redraw = may_redraw(table)
    if not reactions and not can_redraw:
        return None
    return choose(
        msg("Add to your total?"),
        add_two.offer(reaction=OneOf(reactions)),
        reveal_another.offer() if can_redraw else None,
        decline.offer(),
    )


def may_redraw(table: MillenniumBlades) -> bool:
    """May the seat pay to reveal another card? Shur Wen Na may do so twice in a clash."""
    clash = table.current_effect.clash
    assert clash is not None
    redraws = next(side.redraws for side in clash.sides if side.seat == table.seat)
    affordable = table.player.dollars >= SECOND_CARD_PRICE and table.store_supply > 0
    return table.has_power(table.seat, "shur-wen-na") and redraws < MAX_REDRAWS and affordable


@move(title="Add 2 stars", help="Use a Reaction: add 2 to your clash total.", args={"reaction": "Reaction"})
def add_two(table: MillenniumBlades, reaction: Card) -> Outcome:
    """A Reaction adds two to the total."""
    return (
        ReactionUsed(table.seat, reaction),
        *flip_as_cost(table, reaction),
        ClashRaised(table.seat, REACTION_STARS),
        offer_clash_raise(),
    )


@move(title="Reveal another card", help="Pay $2 to discard the card you revealed and reveal another.")
def reveal_another(table: MillenniumBlades) -> Outcome:
    """Shur Wen Na pays to discard the revealed card and reveal another."""
    clash = table.current_effect.clash
    assert clash is not None
    card = next(side.card for side in clash.sides if side.seat == table.seat)
    replaced = () if card is None else (ReplacedForClash(table.seat, card),)
    return DollarsPaid(table.seat, SECOND_CARD_PRICE), *replaced, reveal_one(), offer_clash_raise()


@rule
def decide_clash(table: MillenniumBlades) -> Outcome:
    """The highest total wins, and all others lose. If the highest total is tied, nobody wins or loses."""
    if not _is_on(table):
        return None
    clash = table.current_effect.clash
    assert clash is not None
    totals = clash_totals(table, clash)
    best = max(totals)
    if totals.count(best) > 1:
        return ClashDecided("tied", None, totals)
    return ClashDecided("won", clash.sides[totals.index(best)].seat, totals)


def clash_totals(table: MillenniumBlades, clash: Clash) -> tuple[int, ...]:
    """Return each total: the stars of the Top card and of the best revealed card, and what was added."""
    return tuple(_total(table, side) for side in clash.sides)


def _total(table: MillenniumBlades, side: ClashSide) -> int:
    board = table.board
    card = board.by_card.get(side.top)
    used = used_card(side)
    total = (0 if used is None else stars(used)) + side.bonus
    if card is None or not card.face_up:
        return total
    return total + card.stars + (card.script.top_clash_stars if board.is_top(card) else 0)
