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
from games.millennium_blades.tournament.flips import flip_as_cost
from games.millennium_blades.tournament.resolution import decline, used_card
from games.millennium_blades.zones import back_of

SECOND_CARD_PRICE = 2
MAX_REDRAWS = 2


@rule
def clash(table: MillenniumBlades, seats: tuple[Seat, ...]) -> Outcome:
    """Every participant needs a Top card; with fewer than two there is no clash."""
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
    """Before cards are revealed a Reaction may cancel the clash."""
    reactions = table.reactions(table.seat, "you would clash")
    if not reactions or not _is_on(table):
        return None
    return choose("You are about to clash.", cancel_clash.offer(reaction=OneOf(reactions)), decline.offer())


@rule
def cancel_clash(table: MillenniumBlades, reaction: Card) -> Outcome:
    """The clash is cancelled: nobody wins or loses."""
    return ReactionUsed(table.seat, reaction), *flip_as_cost(table, reaction), ClashDecided("cancelled", None, ())


@rule
def reveal_for_clash(table: MillenniumBlades) -> Outcome:
    """Each participant reveals the top card of the Store deck; some may pay to reveal two."""
    if not _is_on(table):
        return None
    if table.player.dollars >= SECOND_CARD_PRICE and table.store_supply > 1 and can_reveal_two(table):
        return choose("Reveal a card, or two for $2.", reveal_two.offer(), reveal_one.offer())
    return reveal_one()


def can_reveal_two(table: MillenniumBlades) -> bool:
    """Has the seat a card that lets it pay to reveal two?"""
    return any(face.script.reveals_two for face in table.board.play_area(table.seat))


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
    return DollarsPaid(table.seat, SECOND_CARD_PRICE), reveal_one(), reveal_one()


@rule
def offer_clash_raise(table: MillenniumBlades) -> Outcome:
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
        reveal_another.offer() if can_redraw else None,
        decline.offer(),
    )


def may_redraw(table: MillenniumBlades) -> bool:
    """May the seat pay to reveal another card? Shur Wen Na may, twice in a clash."""
    clash = table.current_effect.clash
    assert clash is not None
    redraws = next(side.redraws for side in clash.sides if side.seat == table.seat)
    affordable = table.player.dollars >= SECOND_CARD_PRICE and table.store_supply > 0
    return table.has_power(table.seat, "shur-wen-na") and redraws < MAX_REDRAWS and affordable


@rule
def add_two(table: MillenniumBlades, reaction: Card) -> Outcome:
    """A Reaction adds two to the total."""
    return (
        ReactionUsed(table.seat, reaction),
        *flip_as_cost(table, reaction),
        ClashRaised(table.seat, 2),
        offer_clash_raise(),
    )


@rule
def reveal_another(table: MillenniumBlades) -> Outcome:
    """Shur Wen Na pays to discard the card revealed and to reveal another."""
    clash = table.current_effect.clash
    assert clash is not None
    card = next(side.card for side in clash.sides if side.seat == table.seat)
    gone = () if card is None else (ReplacedForClash(table.seat, card),)
    return DollarsPaid(table.seat, SECOND_CARD_PRICE), *gone, reveal_one(), offer_clash_raise()


@rule
def decide_clash(table: MillenniumBlades) -> Outcome:
    """The highest total wins and all others lose; on a tie for the highest there is neither."""
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
    """Return the totals: stars of the Top card and of the better card revealed, with what is added."""
    return tuple(_total(table, side) for side in clash.sides)


def _total(table: MillenniumBlades, side: Revealed) -> int:
    face = table.board.by_card.get(side.top)
    used = used_card(side)
    total = (0 if used is None else stars(used)) + side.bonus
    if face is None or not face.face_up:
        return total
    extra = face.script.clash_stars
    return total + face.stars + (0 if extra is None else extra(table.board, face))
