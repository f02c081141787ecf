"""Millennium Blades: the clash. Top card against Top card, each with a card revealed from the Store deck."""

from games.kernel import OneOf, Outcome, Seat, choose, rule
from games.millennium_blades.catalogue import Card, stars
from games.millennium_blades.facts import DollarsPaid
from games.millennium_blades.market import reshuffle_store_deck
from games.millennium_blades.state import Clash, Revealed
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.facts import (
    CardRevealed,
    ClashBegun,
    ClashDecided,
    ClashRaised,
    ReactionUsed,
    ReplacedForClash,
)
from games.millennium_blades.tournament.flips import cost
from games.millennium_blades.tournament.resolution import decline, used_card
from games.millennium_blades.zones import back_of

PRICE_OF_A_SECOND_CARD = 2
REDRAWS = 2


@rule
def clash(table: MillenniumBlades, seats: tuple[Seat, ...]) -> Outcome:
    """Every participant needs a Top card; with fewer than two there is no clash."""
    order = [seat for seat in table.clockwise_from(table.state.active or 0) if seat in seats]
    tops = [table.board.top(seat) for seat in order]
    if len(order) < 2 or not all(tops):
        return None
    return (
        ClashBegun(tuple(order), tuple(top.card for top in tops if top is not None)),
        *(call_off().by(seat) for seat in order),
        *(reveal().by(seat) for seat in order),
        *(raise_total().by(seat) for seat in order),
        decide(),
    )


def _is_on(table: MillenniumBlades) -> bool:
    clash = table.running.clash
    return clash is not None and clash.status == "begun"


@rule
def call_off(table: MillenniumBlades) -> Outcome:
    """Before cards are revealed a Reaction may cancel the clash."""
    reactions = table.reactions(table.seat, "you would clash")
    if not reactions or not _is_on(table):
        return None
    return choose("You are about to clash.", cancel_clash.offer(reaction=OneOf(reactions)), decline.offer())


@rule
def cancel_clash(table: MillenniumBlades, reaction: Card) -> Outcome:
    """The clash is cancelled: nobody wins or loses."""
    return ReactionUsed(table.seat, reaction), *cost(table, reaction), ClashDecided("cancelled", None, ())


@rule
def reveal(table: MillenniumBlades) -> Outcome:
    """Each participant reveals the top card of the Store deck; some may pay to reveal two."""
    if not _is_on(table):
        return None
    if table.player.dollars >= PRICE_OF_A_SECOND_CARD and table.store_supply > 1 and may_reveal_two(table):
        return choose("Reveal a card, or two for $2.", reveal_two.offer(), reveal_one.offer())
    return reveal_one()


def may_reveal_two(table: MillenniumBlades) -> bool:
    """Has the seat a card that lets it pay to reveal two?"""
    return any(face.text.reveals_two for face in table.board.play_area(table.seat))


@rule
def reveal_one(table: MillenniumBlades) -> Outcome:
    """A participant reveals the top card of the Store deck."""
    deck = table.state.store_deck
    if not deck:
        return (reshuffle_store_deck(), reveal_one()) if table.state.discard else None
    return CardRevealed(table.seat, deck[-1], back_of(deck[:-1])), reshuffle_store_deck()


@rule
def reveal_two(table: MillenniumBlades) -> Outcome:
    """A participant pays to reveal two cards and to use the better."""
    return DollarsPaid(table.seat, PRICE_OF_A_SECOND_CARD), reveal_one(), reveal_one()


@rule
def raise_total(table: MillenniumBlades) -> Outcome:
    """When all have revealed, a participant may add to his total, or pay for another card."""
    if not _is_on(table):
        return None
    reactions = table.reactions(table.seat, "you clash")
    can_redraw = may_redraw(table)
    if not reactions and not can_redraw:
        return None
    return choose(
        "Add to your total?",
        add_two.offer(reaction=OneOf(reactions)),
        draw_another.offer() if can_redraw else None,
        decline.offer(),
    )


def may_redraw(table: MillenniumBlades) -> bool:
    """May the seat pay to reveal another card? Shur Wen Na may, twice in a clash."""
    clash = table.running.clash
    assert clash is not None
    redraws = next(side.redraws for side in clash.sides if side.seat == table.seat)
    affordable = table.player.dollars >= PRICE_OF_A_SECOND_CARD and table.store_supply > 0
    return table.has_power(table.seat, "shur-wen-na") and redraws < REDRAWS and affordable


@rule
def add_two(table: MillenniumBlades, reaction: Card) -> Outcome:
    """A Reaction adds two to the total."""
    return ReactionUsed(table.seat, reaction), *cost(table, reaction), ClashRaised(table.seat, 2), raise_total()


@rule
def draw_another(table: MillenniumBlades) -> Outcome:
    """Shur Wen Na pays to discard the card revealed and to reveal another."""
    clash = table.running.clash
    assert clash is not None
    card = next(side.card for side in clash.sides if side.seat == table.seat)
    gone = () if card is None else (ReplacedForClash(table.seat, card),)
    return DollarsPaid(table.seat, PRICE_OF_A_SECOND_CARD), *gone, reveal_one(), raise_total()


@rule
def decide(table: MillenniumBlades) -> Outcome:
    """The highest total wins and all others lose; on a tie for the highest there is neither."""
    if not _is_on(table):
        return None
    clash = table.running.clash
    assert clash is not None
    totals = totals_of(table, clash)
    best = max(totals)
    if totals.count(best) > 1:
        return ClashDecided("tied", None, totals)
    return ClashDecided("won", clash.sides[totals.index(best)].seat, totals)


def totals_of(table: MillenniumBlades, clash: Clash) -> tuple[int, ...]:
    """Return the totals: stars of the Top card and of the better card revealed, with what is added."""
    return tuple(_total(table, side) for side in clash.sides)


def _total(table: MillenniumBlades, side: Revealed) -> int:
    face = table.board.by_card.get(side.top)
    used = used_card(side)
    total = (0 if used is None else stars(used)) + side.bonus
    if face is None or not face.face_up:
        return total
    extra = face.text.clash_stars
    return total + face.stars + (0 if extra is None else extra(table.board, face))
