"""The Singles of the core set with six stars and more. Each comment says in our words what a card does."""

from collections.abc import Iterable

from games.kernel import OneOf, Outcome, Seat, choose, rule
from games.millennium_blades.catalogue import DESIGNS, ELEMENTS, TYPES, Card, design_number, stars
from games.millennium_blades.facts import DollarsEarned
from games.millennium_blades.scripting.effects import (
    ChooseTarget,
    ForEachPlayer,
    chooser_cards,
    clash_non_winners,
    clash_of_all,
    each_player_flips_one,
    each_player_gains,
    each_player_loses,
    everyone,
    flip_all,
    flip_one_of,
    gain,
    gain_if,
    opponents,
    tableau_star_sum,
    target_seat,
)
from games.millennium_blades.scripting.words import (
    action,
    adjacent,
    ongoing,
    per,
    play,
    score,
    stored_number,
    top,
    when_flipped,
    your_cards,
)
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import BoardView, CardInPlay
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.discards import discard
from games.millennium_blades.tournament.facts import (
    CardNamed,
    CardPlayed,
    ClashDecided,
    NumberStored,
    PutUnderStore,
    TakenFromAftermarket,
)
from games.millennium_blades.tournament.resolution import TriggerContext
from games.millennium_blades.zones import back_of

# --- Six stars and more -----------------------------------------------------------------------------------


def _from_the_aftermarket(ctx: Context) -> tuple[Card, ...]:
    return tuple(it.card for it in ctx.state.aftermarket)


def _put_one_under(ctx: Context) -> Outcome:
    cards = _from_the_aftermarket(ctx)
    return choose("Put a card under the Store deck.", put_under_store.offer(card=OneOf(cards))) if cards else None


@rule
def put_under_store(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the Aftermarket goes under the Store deck; its stars are kept in mind."""
    return PutUnderStore(card, back_of((card, *table.state.store_deck))), NumberStored(stars(card))


# A card of the Aftermarket goes under the Store deck for four times its stars.
card("archmage_kastah", play(_put_one_under, gain(stored_number(4))))


def _take_one(ctx: Context) -> Outcome:
    cards = _from_the_aftermarket(ctx)
    return choose("Take a card of the Aftermarket.", take_to_binder.offer(card=OneOf(cards))) if cards else None


@rule
def take_to_binder(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the Aftermarket goes to the binder; its stars are kept in mind."""
    return TakenFromAftermarket(table.seat, card, "binder"), NumberStored(stars(card))


# A card of the Aftermarket goes to your binder for three times its stars.
card("chase_the_price_sculptor", play(_take_one, gain(stored_number(3))))


def _all_face_up(ctx: Context) -> bool:
    return not ctx.your_face_down_cards


# When flipped, its neighbours are, then a card of every opponent. Thirty in scoring if nothing of yours is face down.
card(
    "city_backed_sky_whale",
    score(gain_if(_all_face_up, 30)),
    when_flipped(flip_all(adjacent), each_player_flips_one(opponents)),
)

# All clash; who does not win loses thirty.
card(
    "dark_destruction_dragon_of_q",
    play(clash_of_all, each_player_loses(clash_non_winners, lambda ctx, seat: 30)),
)

# Everybody gains, or as the other's Action loses, the stars of his tableau.
card("javier_the_legendary_general", play(each_player_gains(everyone, tableau_star_sum)))
card("master_archer_shmup", action(each_player_loses(everyone, tableau_star_sum)))


def _is_the_only_one_up(ctx: Context) -> bool:
    return [face.card for face in ctx.your_cards] == [ctx.this]


# Thirty-five if it is your only face-up card.
card("monolith_of_artabayaxnias", score(gain_if(_is_the_only_one_up, 35)))


def _name_a_card(ctx: Context) -> Outcome:
    return choose("Name a card.", name_card.offer(design=OneOf(tuple(DESIGNS))))


@rule
def name_card(table: MillenniumBlades, design: int) -> Outcome:
    """A player names a card, by the number of its design."""
    return CardNamed(table.seat, design), NumberStored(design)


def _all_discard_it(ctx: Context) -> Outcome:
    held = {
        seat: tuple(card for card in ctx.state.players[seat].hand if design_number(card) == ctx.effect.number)
        for seat in ctx.in_turn_order(ctx.table.seats)
    }
    return tuple(discard(cards).by(seat) for seat, cards in held.items() if cards)


def _another_strong_one(trigger: TriggerContext) -> bool:
    played = trigger.table.board.by_card[trigger.fact.card]
    return played.card != trigger.face.card and played.stars >= 6


def _the_card_it_is_about(ctx: Context) -> Iterable[CardInPlay]:
    face = ctx.board.by_card.get(ctx.effect.subject or 0)
    return () if face is None else (face,)


# Name a card: everybody discards it from his hand. While Top, flips each card of six stars or more that is played.
# As an Action everybody flips a card of his own.
card(
    "burnizard_ex_omega_revolver_j",
    play(_name_a_card, _all_discard_it),
    top(CardPlayed, flip_all(_the_card_it_is_about), when=_another_strong_one),
    action(each_player_flips_one(everyone)),
)


def _who_can_flip_a_card(ctx: Context) -> list[Seat]:
    return [seat for seat in ctx.table.seats if ctx.may_be_flipped(ctx.board.face_up(seat))]


# While Top, each card of every tableau makes its player, when it is flipped, choose somebody who flips a card of his.
# Five in scoring for each face-up card of yours.
card(
    "doctor_balance",
    score(gain(per(5, your_cards()))),
    grants=when_flipped(
        ChooseTarget("Choose who flips a card.", _who_can_flip_a_card),
        ForEachPlayer(target_seat, flip_one_of(chooser_cards, "Flip a card.")),
    ),
)


def _a_dollar_and_the_card(ctx: Context) -> Outcome:
    subject = ctx.effect.subject
    lies_there = any(it.card == subject for it in ctx.state.aftermarket)
    return DollarsEarned(ctx.you, 1), TakenFromAftermarket(ctx.you, subject or 0, "binder") if lies_there else ()


def _there_was_a_clash(trigger: TriggerContext) -> bool:
    return bool(trigger.fact.status != "cancelled")


# A dollar for any clash, and the card that you revealed in it goes to your binder.
card("j_dogg_hackson", ongoing(ClashDecided, _a_dollar_and_the_card, when=_there_was_a_clash))


def _two_more_while_top(board: BoardView, face: CardInPlay) -> int:
    top_card = board.top(face.seat)
    return 2 if top_card is not None and top_card.card == face.card else 0


def _won_with_it(trigger: TriggerContext) -> bool:
    clash = trigger.table.current_effect.clash
    assert clash is not None
    return clash.winner == trigger.seat and any(side.top == trigger.face.card for side in clash.sides)


# While Top, two more stars in clashes; eight when you win a clash with it.
card("matsu_the_butcher", ongoing(ClashDecided, gain(8), when=_won_with_it), clash_stars=_two_more_while_top)


def _shows_everything(ctx: Context) -> bool:
    shown = {it for face in ctx.your_cards for it in face.attributes}
    return shown.issuperset(ELEMENTS) and shown.issuperset(TYPES)


# A hundred if your cards show all six elements and all six types.
card("exaltius_the_untenable", score(gain_if(_shows_everything, 100)))
