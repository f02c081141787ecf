"""The Singles of the core set with six stars and more. Each comment says in our words what a card does."""

from collections.abc import Iterable

from games.kernel import OneOf, Outcome, Seat, choose, move, msg
from games.millennium_blades.board.card_script import CardInPlay, card
from games.millennium_blades.catalogue import DESIGNS, ELEMENTS, TYPES, Card, design_number, stars
from games.millennium_blades.facts import DollarsEarned
from games.millennium_blades.scripting.amounts import per, stored_number, tableau_star_sum
from games.millennium_blades.scripting.clash_effects import clash_non_winners, clash_of_all
from games.millennium_blades.scripting.effects import (
    each_player_flips_one,
    each_player_gains,
    each_player_loses,
    flip_all,
    flip_one_of,
    gain,
    gain_if,
)
from games.millennium_blades.scripting.players import ForEachPlayer
from games.millennium_blades.scripting.selectors import (
    adjacent,
    chooser_cards,
    everyone,
    opponents,
    target_seat,
    your_cards,
)
from games.millennium_blades.scripting.targets import ChooseTarget
from games.millennium_blades.scripting.triggers import action, ongoing, play, score, top, when_flipped
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.context import Context, TriggerContext
from games.millennium_blades.tournament.discards import discard
from games.millennium_blades.tournament.facts import (
    CardNamed,
    CardPlayed,
    ClashDecided,
    NumberStored,
    PutUnderStore,
    TakenFromAftermarket,
)
from games.millennium_blades.zones import top_back

# --- Six stars and more -----------------------------------------------------------------------------------


def _aftermarket_cards(ctx: Context) -> tuple[Card, ...]:
    return tuple(sale.card for sale in ctx.state.aftermarket)


def _choose_card_to_put_under(ctx: Context) -> Outcome:
    cards = _aftermarket_cards(ctx)
    if not cards:
        return None
    return choose(msg("Put a card under the Store deck."), put_under_store.offer(card=OneOf(cards)))


@move(
    title="Put under the Store deck",
    help="Put this card of the Aftermarket under the Store deck.",
    args={"card": "Card"},
)
def put_under_store(table: MillenniumBlades, card: Card) -> Outcome:
    """Put a card of the Aftermarket under the Store deck, and store its stars."""
    return PutUnderStore(card, top_back((card, *table.state.store_deck))), NumberStored(stars(card))


def _choose_card_to_take(ctx: Context) -> Outcome:
    cards = _aftermarket_cards(ctx)
    if not cards:
        return None
    return choose(msg("Take a card of the Aftermarket."), take_to_binder.offer(card=OneOf(cards)))


@move(title="Take a card", help="Take this card of the Aftermarket to your binder.", args={"card": "Card"})
def take_to_binder(table: MillenniumBlades, card: Card) -> Outcome:
    """Take a card of the Aftermarket to the binder, and store its stars."""
    return TakenFromAftermarket(table.seat, card, "binder"), NumberStored(stars(card))


def _all_face_up(ctx: Context) -> bool:
    return not ctx.your_face_down_cards


def _is_only_face_up_card(ctx: Context) -> bool:
    return [card.card for card in ctx.your_cards] == [ctx.this]


def _choose_name(ctx: Context) -> Outcome:
    return choose(msg("Name a card."), name_card.offer(design=OneOf(tuple(DESIGNS))))


@move(title="Name a card", help="Name a card: everybody discards it from their hand.", args={"design": "Card"})
def name_card(table: MillenniumBlades, design: int) -> Outcome:
    """Name a card by the number of its design, and store that number."""
    return CardNamed(table.seat, design), NumberStored(design)


def _all_discard_named_card(ctx: Context) -> Outcome:
    discards = {
        seat: tuple(card for card in ctx.state.players[seat].hand if design_number(card) == ctx.effect.number)
        for seat in ctx.in_turn_order(ctx.table.seats)
    }
    return tuple(discard(cards).by(seat) for seat, cards in discards.items() if cards)


def _is_another_strong_card(trigger: TriggerContext) -> bool:
    card = trigger.table.board.by_card[trigger.fact.card]
    return card.card != trigger.card.card and card.stars >= 6


def _subject_card(ctx: Context) -> Iterable[CardInPlay]:
    card = ctx.board.by_card.get(ctx.effect.subject or 0)
    return () if card is None else (card,)


def _seats_with_flippable_card(ctx: Context) -> list[Seat]:
    return [seat for seat in ctx.table.seats if ctx.flippable(ctx.board.face_up(seat))]


def _gain_dollar_and_take_revealed_card(ctx: Context) -> Outcome:
    subject = ctx.effect.subject
    is_there = any(sale.card == subject for sale in ctx.state.aftermarket)
    return DollarsEarned(ctx.you, 1), TakenFromAftermarket(ctx.you, subject or 0, "binder") if is_there else ()


def _clash_took_place(trigger: TriggerContext) -> bool:
    return bool(trigger.fact.status != "cancelled")


def _won_with_this_card(trigger: TriggerContext) -> bool:
    clash = trigger.table.current_effect.clash
    assert clash is not None
    return clash.winner == trigger.seat and any(side.top == trigger.card.card for side in clash.sides)


def _has_all_attributes(ctx: Context) -> bool:
    attributes = {attribute for card in ctx.your_cards for attribute in card.attributes}
    return attributes.issuperset(ELEMENTS) and attributes.issuperset(TYPES)


CARDS = (
    # --- Six stars and more ---
    # Put a card of the Aftermarket under the Store deck for four times its stars.
    card("archmage_kastah", play(_choose_card_to_put_under, gain(stored_number(4)))),
    # Take a card of the Aftermarket to your binder for three times its stars.
    card("chase_the_price_sculptor", play(_choose_card_to_take, gain(stored_number(3)))),
    # Score 30 if none of your cards is face down. When flipped, flip its neighbours; then each opponent flips a card.
    card(
        "city_backed_sky_whale",
        score(gain_if(_all_face_up, 30)),
        when_flipped(flip_all(adjacent), each_player_flips_one(opponents)),
    ),
    # All players clash. Those who do not win lose 30.
    card(
        "dark_destruction_dragon_of_q",
        play(clash_of_all, each_player_loses(clash_non_winners, lambda ctx, seat: 30)),
    ),
    # Each player gains the stars of their tableau; with the Action of the other card, each player loses them.
    card("javier_the_legendary_general", play(each_player_gains(everyone, tableau_star_sum))),
    card("master_archer_shmup", action(each_player_loses(everyone, tableau_star_sum))),
    # 35 if it is your only face-up card.
    card("monolith_of_artabayaxnias", score(gain_if(_is_only_face_up_card, 35))),
    # Name a card: everybody discards it from their hand. While this is Top, flip each card with six stars or more that
    # is played. Action: everybody flips one of their cards.
    card(
        "burnizard_ex_omega_revolver_j",
        play(_choose_name, _all_discard_named_card),
        top(CardPlayed, flip_all(_subject_card), when=_is_another_strong_card),
        action(each_player_flips_one(everyone)),
    ),
    # Score 5 for each of your face-up cards. While this is Top, each tableau card has: when it is flipped, choose a
    # player, who flips one of their cards.
    card(
        "doctor_balance",
        score(gain(per(5, your_cards()))),
        grants=when_flipped(
            ChooseTarget(msg("Choose who flips a card."), _seats_with_flippable_card),
            ForEachPlayer(target_seat, flip_one_of(chooser_cards)),
        ),
    ),
    # $1 for each clash, and the card that you revealed in it goes to your binder.
    card("j_dogg_hackson", ongoing(ClashDecided, _gain_dollar_and_take_revealed_card, when=_clash_took_place)),
    # Two more stars in clashes while this is Top. 8 when you win a clash with it.
    card("matsu_the_butcher", ongoing(ClashDecided, gain(8), when=_won_with_this_card), top_clash_stars=2),
    # 100 if your cards have all six elements and all six types.
    card("exaltius_the_untenable", score(gain_if(_has_all_attributes, 100))),
)
