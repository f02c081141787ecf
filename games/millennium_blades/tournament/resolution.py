"""Millennium Blades: how effects of cards are carried out, and in which order.

An effect that is triggered waits in a queue until the effect in hand is done. The active player's come first, then
clockwise; each player puts his own in an order (docs/rulings.md).
"""

from typing import Any

from msgspec import Struct

from games.kernel import Fact, Outcome, Seat, SomeOf, choose, rule
from games.millennium_blades.catalogue import Card, Design, stars
from games.millennium_blades.constants import AFTERMARKET_PLACES
from games.millennium_blades.market import reshuffle_store_deck
from games.millennium_blades.state import Entry, Revealed
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import Face, Reference, ability
from games.millennium_blades.tournament.context import Situation
from games.millennium_blades.tournament.facts import (
    AftermarketCleared,
    CardPlayed,
    ClashDecided,
    EffectBegun,
    EffectEnded,
    EntryTaken,
    GainBlocked,
    Gained,
    Lost,
    OrderChosen,
    PutOnAftermarket,
    Triggered,
)

DOUBLED_AT_MOST = 40


@rule
def use(
    table: MillenniumBlades, card: Card, design: Design, index: int, about: int | None = None, cap: int | None = None
) -> Outcome:
    """An effect of a card is carried out, word by word: its own, or one that it copies."""
    found = ability((design, index))
    caps = [it for it in (found.cap, cap) if it is not None]
    begun = EffectBegun(table.seat, card, design, index, about, min(caps) if caps else None)
    return begun, *(step(place) for place in range(len(found.steps))), end_effect()


@rule
def step(table: MillenniumBlades, place: int) -> Outcome:
    """One step of the effect in hand."""
    running = table.running
    return ability((running.design, running.index)).steps[place](Situation(table, place))


@rule
def part(table: MillenniumBlades, place: int) -> Outcome:
    """The part of one player in a step of the effect in hand."""
    running = table.running
    steps: Any = ability((running.design, running.index)).steps
    outcome: Outcome = steps[place].part(Situation(table, place))
    return outcome


@rule
def end_effect(table: MillenniumBlades) -> Outcome:
    """When an effect is done, the cards revealed in its clash go to the Aftermarket; a full one is cleared first."""
    clash = table.running.clash
    cards: tuple[Card, ...] = ()
    if clash is not None:
        cards = tuple(card for side in clash.sides for card in (*side.others, side.card) if card is not None)
    if not cards:
        return EffectEnded()
    free = AFTERMARKET_PLACES - len(table.state.aftermarket)
    cleared = (AftermarketCleared(), reshuffle_store_deck()) if free < len(cards) else ()
    return *cleared, PutOnAftermarket(cards), EffectEnded()


@rule
def decline(table: MillenniumBlades) -> Outcome:
    """What may be done may be left undone."""
    return None


# --- The queue --------------------------------------------------------------------------------------------


@rule
def settle(table: MillenniumBlades) -> Outcome:
    """Triggered effects follow the effect in hand: the active player's first, then clockwise."""
    ready = [entry for entry in table.state.queue if entry.ready]
    if not ready:
        return None
    waiting = {entry.seat for entry in ready}
    seat = next(it for it in table.clockwise_from(table.state.active or 0) if it in waiting)
    mine = [entry for entry in ready if entry.seat == seat]
    if not mine[0].ordered and len({(it.card, it.design, it.index, it.about) for it in mine}) > 1:
        return order_effects().by(seat), settle()
    return resolve(mine[0].number).by(seat), settle()


@rule
def order_effects(table: MillenniumBlades) -> Outcome:
    """Each player chooses the order of his own effects that are triggered at the same time."""
    mine = tuple(entry.number for entry in table.state.queue if entry.seat == table.seat and entry.ready)
    return choose("Put your effects in an order.", put_in_order.offer(entries=SomeOf(mine, len(mine), len(mine))))


@rule
def put_in_order(table: MillenniumBlades, entries: tuple[int, ...]) -> Outcome:
    """The effects follow in the order chosen."""
    return OrderChosen(table.seat, entries)


@rule
def resolve(table: MillenniumBlades, number: int) -> Outcome:
    """A triggered effect happens if its card is still face up; a Flip effect in any case."""
    entry = next(entry for entry in table.state.queue if entry.number == number)
    taken = EntryTaken(number)
    if not still_holds(table, entry):
        return taken
    return taken, use(entry.card, entry.design, entry.index, entry.about, None)


def still_holds(table: MillenniumBlades, entry: Entry) -> bool:
    """Does a triggered effect still happen?"""
    word = ability((entry.design, entry.index)).word
    if word == "flip":
        return True
    face = table.board.by_card.get(entry.card)
    if face is None or not face.face_up:
        return False
    if word == "top":
        top = table.board.top(entry.seat)
        return top is not None and top.card == entry.card
    return True


class Heard(Struct, frozen=True):
    """An event as a card in play hears it."""

    table: MillenniumBlades
    face: Face
    fact: Any

    @property
    def seat(self) -> Seat:
        """Whose card it is that hears."""
        return self.face.seat


def hear(table: MillenniumBlades, fact: Fact) -> tuple[Fact, ...]:
    """Return what an event triggers: Ongoing and Top effects of face-up cards that listen to it. None in scoring."""
    if table.state.phase != "tournament":
        return ()
    board, kind = table.board, type(fact)
    triggered: list[Fact] = []
    for face in table.cards_in_play:
        for reference in face.abilities:
            found = ability(reference)
            if found.on is not kind or found.word == "reaction":
                continue
            top = board.top(face.seat)
            if found.word == "top" and (top is None or top.card != face.card):
                continue
            if found.when is None or found.when(Heard(table, face, fact)):
                triggered.append(_triggered(table, face, reference, fact))
    return tuple(triggered)


def _triggered(table: MillenniumBlades, face: Face, reference: Reference, fact: Any) -> Triggered:
    about = getattr(fact, "card", None)
    if isinstance(fact, ClashDecided):
        clash = table.running.clash
        about = next((used_card(side) for side in clash.sides if side.seat == face.seat), None) if clash else None
    return Triggered(face.seat, face.card, *reference, about, not isinstance(fact, CardPlayed))


def used_card(side: Revealed) -> Card | None:
    """Return the card that counted for a participant of a clash: the better of those revealed."""
    return max((card for card in (*side.others, side.card) if card is not None), key=stars, default=None)


# --- Reputation -------------------------------------------------------------------------------------------


def gains(table: MillenniumBlades, seat: Seat, points: int) -> tuple[Fact, ...]:
    """Return the facts of a gain of reputation: as much as the cap of the effect leaves, or that it was blocked."""
    state = table.state
    running = state.running[-1] if state.running else None
    if running is not None and running.cap is not None and running.seat == seat:
        points = min(points, running.cap - running.gained)
    if points <= 0:
        return ()
    blocker = table.gain_blocker
    if blocker is not None:
        return (GainBlocked(seat, points, blocker),)
    if state.turn.doubled and seat == state.active:
        return Gained(seat, points), Gained(seat, min(points, DOUBLED_AT_MOST))
    return (Gained(seat, points),)


def losses(table: MillenniumBlades, seat: Seat, points: int) -> tuple[Fact, ...]:
    """Return the facts of a loss of reputation: it never falls below 0."""
    lost = min(points, table.state.players[seat].points)
    return (Lost(seat, lost),) if lost > 0 else ()
