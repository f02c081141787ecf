"""The tournament powers of the characters. Their powers in Deckbuilding are part of the market."""

from games.kernel import OneOf, Outcome, choose, move, msg
from games.millennium_blades.board.card_script import AbilityReference, CardInPlay, ability, card
from games.millennium_blades.catalogue import Card, kind, stars
from games.millennium_blades.deckbuilding.market import reshuffle_store_deck
from games.millennium_blades.facts import DollarsPaid, PowerUsed
from games.millennium_blades.scripting.amounts import per
from games.millennium_blades.scripting.effects import gain, turn_face_up
from games.millennium_blades.scripting.selectors import all_your_cards, opponents
from games.millennium_blades.scripting.targets import ChooseTarget, attach_to_target, hosts, token_on_target
from games.millennium_blades.scripting.triggers import action, ongoing, score
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.context import Context, TriggerContext
from games.millennium_blades.tournament.facts import (
    CardPlayed,
    PutOnStore,
    TakenFromAftermarket,
    TakenFromStore,
)
from games.millennium_blades.tournament.resolution import gains, start_ability
from games.millennium_blades.zones import top_back

# --- Cardine Kolleckta ------------------------------------------------------------------------------------

MAX_HOST_SCORE_POINTS = 30


def _repeat_host_score(ctx: Context) -> Outcome:
    if ctx.this_in_play is None or ctx.this_in_play.host is None:
        return None
    host = ctx.board.by_card[ctx.this_in_play.host]
    effects = tuple(reference for reference in host.abilities if ability(reference).keyword == "score")
    if len(effects) < 2:
        return repeat_score_effect(host.card, effects[0]) if effects else None
    prompt = msg("Which Score effect happens again?")
    return choose(prompt, repeat_score_effect.offer(host.card, effect=OneOf(effects)))


@move(title="Repeat a Score effect", help="Choose the Score effect that happens once more.", args={"effect": "Effect"})
def repeat_score_effect(table: MillenniumBlades, card: Card, effect: AbilityReference) -> Outcome:
    """Resolve a Score effect of a card once more, as that card's own effect. This is not a copy."""
    design, index = effect
    return start_ability(card, design, index, None, MAX_HOST_SCORE_POINTS)


# --- Deques Applenti --------------------------------------------------------------------------------------


ACCESSORY_POWER = "turn_accessory_face_up"


def _used_accessories(table: MillenniumBlades) -> tuple[Card, ...]:
    if ACCESSORY_POWER in table.player.powers_used:
        return ()
    return tuple(
        stored.card for stored in table.player.equipment if not stored.face_up and kind(stored.card) == "accessory"
    )


def _has_used_accessory(table: MillenniumBlades) -> bool:
    return bool(_used_accessories(table))


def _choose_used_accessory(ctx: Context) -> Outcome:
    cards = _used_accessories(ctx.table)
    if not cards:
        return None
    return choose(msg("Turn an accessory face up."), turn_accessory_face_up.offer(card=OneOf(cards)))


@move(
    title="Turn an accessory face up",
    help="Turn one of your used accessories face up, once in a tournament.",
    args={"card": "Accessory"},
)
def turn_accessory_face_up(table: MillenniumBlades, card: Card) -> Outcome:
    """Turn an accessory face up, once in a tournament."""
    return PowerUsed(table.seat, ACCESSORY_POWER), turn_face_up(card)


# --- Fulton Suitcase --------------------------------------------------------------------------------------


def _can_buy_token(table: MillenniumBlades) -> bool:
    return table.player.dollars > 0 and bool(table.player.tableau)


def _pay_a_dollar(ctx: Context) -> Outcome:
    return DollarsPaid(ctx.you, 1)


def _own_cards(ctx: Context) -> list[int]:
    return [card.card for card in all_your_cards(ctx)]


def _cards_above_all_others(ctx: Context) -> list[CardInPlay]:
    best = max((card.stars for seat in opponents(ctx) for card in ctx.board.face_up(seat)), default=0)
    return [card for card in ctx.your_cards if card.stars > best]


# --- Morrey Caardman --------------------------------------------------------------------------------------


def _take_a_card(ctx: Context) -> Outcome:
    return choose(
        msg("Take a card in hand."),
        take_top_of_store.offer() if ctx.table.store_supply else None,
        take_to_hand.offer(card=OneOf(tuple(sale.card for sale in ctx.state.aftermarket))),
    )


@move(title="Take the top of the Store deck", help="Take the top card of the Store deck in hand.")
def take_top_of_store(table: MillenniumBlades) -> Outcome:
    """Take the top card of the Store deck in hand."""
    deck = table.state.store_deck
    if not deck:
        return reshuffle_store_deck(), take_top_of_store()
    return TakenFromStore(table.seat, deck[-1], top_back(deck[:-1])), reshuffle_store_deck()


@move(title="Take a card of the Aftermarket", help="Take this card of the Aftermarket in hand.", args={"card": "Card"})
def take_to_hand(table: MillenniumBlades, card: Card) -> Outcome:
    """Take a card of the Aftermarket in hand."""
    return TakenFromAftermarket(table.seat, card, "hand")


def _show_a_card(ctx: Context) -> Outcome:
    hand = ctx.state.players[ctx.you].hand
    if not hand:
        return None
    return choose(msg("Show a card and put it on the Store deck."), show_for_stars.offer(card=OneOf(hand)))


@move(
    title="Show a card",
    help="Show this card of your hand, gain its stars, and put it on top of the Store deck.",
    args={"card": "Card"},
)
def show_for_stars(table: MillenniumBlades, card: Card) -> Outcome:
    """Show a card of the hand, gain its stars, and put the card on top of the Store deck."""
    deck = (*table.state.store_deck, card)
    return *gains(table, table.seat, stars(card)), PutOnStore(table.seat, card, top_back(deck))


# --- Power Creep ------------------------------------------------------------------------------------------


def _you_play_card_of_meta(trigger: TriggerContext) -> bool:
    card = trigger.table.board.by_card[trigger.fact.card]
    return trigger.fact.seat == trigger.seat and not set(card.attributes).isdisjoint(trigger.table.state.metas)


CARDS = (
    # Attach it to a card of yours: opponents cannot flip that card, and in scoring it scores once more.
    card(
        "cardine-kolleckta",
        action(ChooseTarget(msg("Attach your character to a card of yours."), hosts(all_your_cards)), attach_to_target),
        score(_repeat_host_score),
        protects_host=True,
    ),
    # Once in a tournament, turn an accessory of yours face up.
    card("deques-applenti", action(_choose_used_accessory, is_possible=_has_used_accessory)),
    # Pay $1 for a star token. Score 10 for each of your cards with more stars than every card of the others.
    card(
        "fulton-suitcase",
        action(
            _pay_a_dollar,
            ChooseTarget(msg("Put a star token on a card of yours."), _own_cards),
            token_on_target,
            is_possible=_can_buy_token,
        ),
        score(gain(per(10, _cards_above_all_others))),
    ),
    # Take a card, then show a card of your hand for its stars and put it on the Store deck.
    card("morrey-caardman", action(_take_a_card, _show_a_card)),
    # Gain 4 for each card you play that matches an active meta.
    card("power-creep", ongoing(CardPlayed, gain(4), when=_you_play_card_of_meta)),
    # One more slot, and another card in a clash for $2: the table and the clash rules know these powers.
    card("shur-wen-na"),
)
