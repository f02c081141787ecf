"""Millennium Blades: how effects of cards are resolved, and in which order.

A triggered effect waits until the current effect is finished. The active player's effects come first, then clockwise;
each player chooses the order of their own (docs/rulings.md).
"""

from typing import Any

from games.kernel import Fact, Outcome, Seat, SomeOf, choose, move, msg, rule
from games.millennium_blades.board.card_script import AbilityReference, CardInPlay, ability
from games.millennium_blades.catalogue import Card, Design, stars
from games.millennium_blades.constants import AFTERMARKET_PLACES
from games.millennium_blades.deckbuilding.market import reshuffle_store_deck
from games.millennium_blades.state import ClashSide, PendingTrigger
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.abilities import current_step, scripted_ability
from games.millennium_blades.tournament.context import Context, TriggerContext
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
    """Resolve an ability of a card, its own or one that it copies, step by step."""
    scripted = scripted_ability((design, index))
    caps = [limit for limit in (scripted.cap, cap) if limit is not None]
    begun = EffectBegun(table.seat, card, design, index, subject, min(caps) if caps else None)
    return begun, *(run_step(step) for step in range(len(scripted.steps))), finish_effect()


@rule
def run_step(table: MillenniumBlades, step: int) -> Outcome:
    """Carry out one step of the current effect."""
    context = Context(table, step)
    return current_step(context)(context)


@rule
def finish_effect(table: MillenniumBlades) -> Outcome:
    """Finish the current effect. Cards revealed in its clash go to the Aftermarket; a full one is cleared first."""
    clash = table.current_effect.clash
    cards: tuple[Card, ...] = ()
    if clash is not None:
        cards = tuple(card for side in clash.sides for card in (*side.others, side.card) if card is not None)
    if not cards:
        return EffectEnded()
    free = AFTERMARKET_PLACES - len(table.state.aftermarket)
    cleared = (AftermarketCleared(), reshuffle_store_deck()) if free < len(cards) else ()
    return *cleared, PutOnAftermarket(cards), EffectEnded()


@move(title="Decline", help="Do nothing here.")
def decline(table: MillenniumBlades) -> Outcome:
    """Decline an optional effect."""
    return None


# --- Triggered effects ------------------------------------------------------------------------------------


@rule
def resolve_triggers(table: MillenniumBlades) -> Outcome:
    """Resolve pending triggers one by one: the active player's first, then clockwise."""
    ready = [trigger for trigger in table.state.pending_triggers if trigger.ready]
    if not ready:
        return None
    waiting = {trigger.seat for trigger in ready}
    seat = next(seat for seat in table.clockwise_from(table.state.active or 0) if seat in waiting)
    own = [trigger for trigger in ready if trigger.seat == seat]
    different = {(trigger.card, trigger.design, trigger.index, trigger.subject) for trigger in own}
    if not own[0].ordered and len(different) > 1:
        return ask_trigger_order().by(seat), resolve_triggers()
    return resolve_trigger(own[0].number).by(seat), resolve_triggers()


@rule
def ask_trigger_order(table: MillenniumBlades) -> Outcome:
    """Each player chooses the order of their own effects that are triggered at the same time."""
    own = tuple(
        trigger.number for trigger in table.state.pending_triggers if trigger.seat == table.seat and trigger.ready
    )
    return choose(msg("Put your effects in an order."), order_triggers.offer(triggers=SomeOf(own, len(own), len(own))))


@move(
    title="Order your effects",
    help="Choose the order in which your triggered effects happen.",
    args={"triggers": "Effects, first to last"},
)
def order_triggers(table: MillenniumBlades, triggers: tuple[int, ...]) -> Outcome:
    """The triggers are resolved in the chosen order."""
    return OrderChosen(table.seat, triggers)


@rule
def resolve_trigger(table: MillenniumBlades, number: int) -> Outcome:
    """Resolve a triggered effect if its card is still face up; resolve a Flip effect in any case."""
    trigger = next(trigger for trigger in table.state.pending_triggers if trigger.number == number)
    taken = TriggerTaken(number)
    if not is_still_true(table, trigger):
        return taken
    return taken, start_ability(trigger.card, trigger.design, trigger.index, trigger.subject, None)


def is_still_true(table: MillenniumBlades, trigger: PendingTrigger) -> bool:
    """Does a triggered effect still happen?"""
    keyword = ability((trigger.design, trigger.index)).keyword
    if keyword == "flip":
        return True
    card = table.board.by_card.get(trigger.card)
    if card is None or not card.face_up:
        return False
    if keyword == "top":
        top = table.board.top(trigger.seat)
        return top is not None and top.card == trigger.card
    return True


def collect_triggers(table: MillenniumBlades, fact: Fact) -> tuple[Fact, ...]:
    """Return the Ongoing and Top effects of face-up cards that an event triggers. In scoring there are none."""
    if table.state.phase != "tournament":
        return ()
    event = type(fact)
    triggered: list[Fact] = []
    for card in table.cards_in_play:
        for reference in card.abilities:
            if ability(reference).event is not event:
                continue
            scripted = scripted_ability(reference)
            if scripted.keyword == "top" and not table.board.is_top(card):
                continue
            if scripted.condition is None or scripted.condition(TriggerContext(table, card, fact)):
                triggered.append(_trigger(table, card, reference, fact))
    return tuple(triggered)


def _trigger(table: MillenniumBlades, card: CardInPlay, reference: AbilityReference, fact: Any) -> Triggered:
    subject = getattr(fact, "card", None)
    if isinstance(fact, ClashDecided):
        clash = table.current_effect.clash
        subject = next((used_card(side) for side in clash.sides if side.seat == card.seat), None) if clash else None
    return Triggered(card.seat, card.card, *reference, subject, not isinstance(fact, CardPlayed))


def used_card(side: ClashSide) -> Card | None:
    """Return the card that counts for a participant of a clash: the best of those they revealed."""
    return max((card for card in (*side.others, side.card) if card is not None), key=stars, default=None)


# --- Reputation -------------------------------------------------------------------------------------------


def gains(table: MillenniumBlades, seat: Seat, points: int) -> tuple[Fact, ...]:
    """Return the facts of a gain of reputation: as much as the effect's cap leaves, or that the gain was blocked."""
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
    """Return the facts of a loss of reputation. Reputation never falls below 0."""
    lost = min(points, table.state.players[seat].points)
    return (Lost(seat, lost),) if lost > 0 else ()
