"""The powers of the characters in a tournament. Those of Deckbuilding are part of the market."""

from games.kernel import OneOf, Outcome, choose, rule
from games.millennium_blades.catalogue import Card, kind, stars
from games.millennium_blades.facts import DollarsPaid
from games.millennium_blades.market import reshuffle_store_deck
from games.millennium_blades.scripting.effects import (
    ChooseTarget,
    attach_to_target,
    gain,
    hosts,
    opponents,
    token_on_target,
    turn_face_up,
)
from games.millennium_blades.scripting.words import action, all_your_cards, ongoing, per, score
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import CardInPlay, ability
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import (
    CardPlayed,
    PowerUsed,
    PutOnStore,
    TakenFromAftermarket,
    TakenFromStore,
)
from games.millennium_blades.tournament.resolution import TriggerContext, gains, start_ability
from games.millennium_blades.zones import back_of

# --- Cardine Kolleckta: attached to a card of yours it keeps it safe from opponents, and has it score again. -----


MAX_HOST_SCORE_POINTS = 30


def _fire_a_score_effect_of_the_host(ctx: Context) -> Outcome:
    if ctx.face is None or ctx.face.host is None:
        return None
    host = ctx.board.by_card[ctx.face.host]
    effects = tuple(it for it in host.abilities if ability(it).kind == "score")
    if len(effects) < 2:
        return repeat_score_effect(host.card, effects[0]) if effects else None
    return choose("Which Score effect happens again?", repeat_score_effect.offer(host.card, effect=OneOf(effects)))


@rule
def repeat_score_effect(table: MillenniumBlades, card: Card, effect: tuple[int, int]) -> Outcome:
    """A Score effect of a card happens once more, as that card's own: that is no copy."""
    design, index = effect
    return start_ability(card, design, index, None, MAX_HOST_SCORE_POINTS)


card(
    "cardine-kolleckta",
    action(ChooseTarget("Attach your character to a card of yours.", hosts(all_your_cards)), attach_to_target),
    score(_fire_a_score_effect_of_the_host),
    host_protected_from="opponents",
)

# --- Deques Applenti: once a tournament, turn an accessory of yours face up. -------------------------------------


def _used_accessories(table: MillenniumBlades) -> tuple[Card, ...]:
    if "turn up" in table.player.powers_used:
        return ()
    return tuple(it.card for it in table.player.equipment if not it.face_up and kind(it.card) == "accessory")


def _turn_accessory_up(ctx: Context) -> Outcome:
    cards = _used_accessories(ctx.table)
    return choose("Turn an accessory face up.", turn_accessory_face_up.offer(card=OneOf(cards))) if cards else None


@rule
def turn_accessory_face_up(table: MillenniumBlades, card: Card) -> Outcome:
    """An accessory is turned face up, once a tournament."""
    return PowerUsed(table.seat, "turn up"), turn_face_up(card)


card("deques-applenti", action(_turn_accessory_up, possible=_used_accessories))

# --- Fulton Suitcase: a token for a dollar; ten for each card that outshines all cards of the others. ------------


def _has_a_dollar(table: MillenniumBlades) -> bool:
    return table.player.dollars > 0 and bool(table.player.tableau)


def _pay_a_dollar(ctx: Context) -> Outcome:
    return DollarsPaid(ctx.you, 1)


def _own_cards(ctx: Context) -> list[int]:
    return [face.card for face in all_your_cards(ctx)]


def _outshining(ctx: Context) -> list[CardInPlay]:
    others = max((face.stars for seat in opponents(ctx) for face in ctx.board.face_up(seat)), default=0)
    return [face for face in ctx.your_cards if face.stars > others]


card(
    "fulton-suitcase",
    action(
        _pay_a_dollar, ChooseTarget("Put a star token on a card of yours.", _own_cards), token_on_target,
        possible=_has_a_dollar,
    ),
    score(gain(per(10, _outshining))),
)  # fmt: skip

# --- Morrey Caardman: take a card, show a card for its stars, and put that on the Store deck. --------------------


def _take_a_card(ctx: Context) -> Outcome:
    return choose(
        "Take a card in hand.",
        take_top_of_store.offer() if ctx.table.store_supply else None,
        take_to_hand.offer(card=OneOf(tuple(it.card for it in ctx.state.aftermarket))),
    )


@rule
def take_top_of_store(table: MillenniumBlades) -> Outcome:
    """The top of the Store deck comes to the hand."""
    deck = table.state.store_deck
    if not deck:
        return reshuffle_store_deck(), take_top_of_store()
    return TakenFromStore(table.seat, deck[-1], back_of(deck[:-1])), reshuffle_store_deck()


@rule
def take_to_hand(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the Aftermarket comes to the hand."""
    return TakenFromAftermarket(table.seat, card, "hand")


def _show_a_card(ctx: Context) -> Outcome:
    hand = ctx.state.players[ctx.you].hand
    return choose("Show a card and put it on the Store deck.", show_for_stars.offer(card=OneOf(hand))) if hand else None


@rule
def show_for_stars(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the hand is shown for its stars and put on top of the Store deck."""
    deck = (*table.state.store_deck, card)
    return *gains(table, table.seat, stars(card)), PutOnStore(table.seat, card, back_of(deck))


card("morrey-caardman", action(_take_a_card, _show_a_card))

# --- Power Creep: four for each card played that an active meta names. -------------------------------------------


def _plays_what_a_meta_names(trigger: TriggerContext) -> bool:
    played = trigger.table.board.by_card[trigger.fact.card]
    return trigger.fact.seat == trigger.seat and not set(played.attributes).isdisjoint(trigger.table.state.metas)


card("power-creep", ongoing(CardPlayed, gain(4), when=_plays_what_a_meta_names))

# --- Shur Wen Na: one more slot, and another card in a clash for two dollars: asked of the table. ----------------
card("shur-wen-na")
