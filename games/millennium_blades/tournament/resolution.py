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
from games.millennium_blades.state import PendingTrigger, Revealed
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import CardInPlay, Reference, ability
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import (
    AftermarketCleared,
    CardPlayed,
    ClashDecided,
    EffectBegun,
    EffectEnded,
    GainBlocked,
    Gained,
    Lost,
    OrderChosen,
    PutOnAftermarket,
    Triggered,
    TriggerTaken,
)

MAX_DOUBLED_POINTS = 40


@rule
def start_ability(
    table: MillenniumBlades, card: Card, design: Design, index: int, subject: int | None = None, cap: int | None = None
) -> Outcome:
    """An effect of a card is carried out, word by word: its own, or one that it copies."""
    found = ability((design, index))
    caps = [it for it in (found.cap, cap) if it is not None]
    begun = EffectBegun(table.seat, card, design, index, subject, min(caps) if caps else None)
    return begun, *(run_step(place) for place in range(len(found.steps))), finish_effect()


@rule
def run_step(table: MillenniumBlades, place: int) -> Outcome:
    """One step of the effect in hand."""
    effect = table.current_effect
    return ability((effect.design, effect.index)).steps[place](Context(table, place))


@rule
def run_step_for_player(table: MillenniumBlades, place: int) -> Outcome:
    """The part of one player in a step of the effect in hand."""
    effect = table.current_effect
    steps: Any = ability((effect.design, effect.index)).steps
    outcome: Outcome = steps[place].run_step_for_player(Context(table, place))
    return outcome


@rule
def finish_effect(table: MillenniumBlades) -> Outcome:
    """When an effect is done, the cards revealed in its clash go to the Aftermarket; a full one is cleared first."""
    clash = table.current_effect.clash
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
def resolve_triggers(table: MillenniumBlades) -> Outcome:
    """Triggered effects follow the effect in hand: the active player's first, then clockwise."""
    ready = [trigger for trigger in table.state.pending_triggers if trigger.ready]
    if not ready:
        return None
    waiting = {trigger.seat for trigger in ready}
    seat = next(it for it in table.clockwise_from(table.state.active or 0) if it in waiting)
    mine = [trigger for trigger in ready if trigger.seat == seat]
    if not mine[0].ordered and len({(it.card, it.design, it.index, it.subject) for it in mine}) > 1:
        return ask_trigger_order().by(seat), resolve_triggers()
    return resolve_trigger(mine[0].number).by(seat), resolve_triggers()


@rule
def ask_trigger_order(table: MillenniumBlades) -> Outcome:
    """Each player chooses the order of his own effects that are triggered at the same time."""
    mine = tuple(
        trigger.number for trigger in table.state.pending_triggers if trigger.seat == table.seat and trigger.ready
    )
    return choose("Put your effects in an order.", order_triggers.offer(triggers=SomeOf(mine, len(mine), len(mine))))


@rule
def order_triggers(table: MillenniumBlades, triggers: tuple[int, ...]) -> Outcome:
    """The effects follow in the order chosen."""
    return OrderChosen(table.seat, triggers)


@rule
def resolve_trigger(table: MillenniumBlades, number: int) -> Outcome:
    """A triggered effect happens if its card is still face up; a Flip effect in any case."""
    trigger = next(trigger for trigger in table.state.pending_triggers if trigger.number == number)
    taken = TriggerTaken(number)
    if not is_still_true(table, trigger):
        return taken
    return taken, start_ability(trigger.card, trigger.design, trigger.index, trigger.subject, None)


def is_still_true(table: MillenniumBlades, trigger: PendingTrigger) -> bool:
    """Does a triggered effect still happen?"""
    kind = ability((trigger.design, trigger.index)).kind
    if kind == "flip":
        return True
    face = table.board.by_card.get(trigger.card)
    if face is None or not face.face_up:
        return False
    if kind == "top":
        top = table.board.top(trigger.seat)
        return top is not None and top.card == trigger.card
    return True


class TriggerContext(Struct, frozen=True):
    """An event as a card in play hears it."""

    table: MillenniumBlades
    face: CardInPlay
    fact: Any

    @property
    def seat(self) -> Seat:
        """Whose card it is that hears."""
        return self.face.seat


def collect_triggers(table: MillenniumBlades, fact: Fact) -> tuple[Fact, ...]:
    """Return what an event triggers: Ongoing and Top effects of face-up cards that listen to it. None in scoring."""
    if table.state.phase != "tournament":
        return ()
    board, kind = table.board, type(fact)
    triggered: list[Fact] = []
    for face in table.cards_in_play:
        for reference in face.abilities:
            found = ability(reference)
            if found.event is not kind or found.kind == "reaction":
                continue
            top = board.top(face.seat)
            if found.kind == "top" and (top is None or top.card != face.card):
                continue
            if found.when is None or found.when(TriggerContext(table, face, fact)):
                triggered.append(_trigger_fact(table, face, reference, fact))
    return tuple(triggered)


def _trigger_fact(table: MillenniumBlades, face: CardInPlay, reference: Reference, fact: Any) -> Triggered:
    subject = getattr(fact, "card", None)
    if isinstance(fact, ClashDecided):
        clash = table.current_effect.clash
        subject = next((used_card(side) for side in clash.sides if side.seat == face.seat), None) if clash else None
    return Triggered(face.seat, face.card, *reference, subject, not isinstance(fact, CardPlayed))


def used_card(side: Revealed) -> Card | None:
    """Return the card that counted for a participant of a clash: the better of those revealed."""
    return max((card for card in (*side.others, side.card) if card is not None), key=stars, default=None)


# --- Reputation -------------------------------------------------------------------------------------------


def gains(table: MillenniumBlades, seat: Seat, points: int) -> tuple[Fact, ...]:
    """Return the facts of a gain of reputation: as much as the cap of the effect leaves, or that it was blocked."""
    state = table.state
    effect = state.effect_stack[-1] if state.effect_stack else None
    if effect is not None and effect.cap is not None and effect.seat == seat:
        points = min(points, effect.cap - effect.gained)
    if points <= 0:
        return ()
    blocker = table.gain_blocker
    if blocker is not None:
        return (GainBlocked(seat, points, blocker),)
    if state.turn.doubled and seat == state.active:
        return Gained(seat, points), Gained(seat, min(points, MAX_DOUBLED_POINTS))
    return (Gained(seat, points),)


def losses(table: MillenniumBlades, seat: Seat, points: int) -> tuple[Fact, ...]:
    """Return the facts of a loss of reputation: it never falls below 0."""
    lost = min(points, table.state.players[seat].points)
    return (Lost(seat, lost),) if lost > 0 else ()
