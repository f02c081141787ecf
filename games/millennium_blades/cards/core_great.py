"""The Singles of the core set with six stars and more. Each comment says in our words what a card does."""

from collections.abc import Iterable

from games.kernel import OneOf, Outcome, Seat, choose, rule
from games.millennium_blades.catalogue import DESIGNS, ELEMENTS, TYPES, Card, design_number, stars
from games.millennium_blades.facts import DollarsEarned
from games.millennium_blades.scripting.effects import (
    EachOf,
    Target,
    aimed_seat,
    all_but_the_winner,
    clash_of_all,
    each_flips_one,
    everybody_gains,
    everybody_loses,
    everyone,
    flip_all,
    flip_one_of,
    gain,
    gain_if,
    of_the_one_asked,
    opponents,
    own_star_sum,
)
from games.millennium_blades.scripting.words import (
    action,
    beside,
    number_kept,
    ongoing,
    own,
    per,
    play,
    score,
    top,
    when_flipped,
)
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import Board, Face
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Situation
from games.millennium_blades.tournament.discards import discard
from games.millennium_blades.tournament.facts import (
    CardNamed,
    CardPlayed,
    ClashDecided,
    Counted,
    PutUnderStore,
    TakenFromAftermarket,
)
from games.millennium_blades.tournament.resolution import Heard
from games.millennium_blades.zones import back_of

# --- Six stars and more -----------------------------------------------------------------------------------


def _from_the_aftermarket(at: Situation) -> tuple[Card, ...]:
    return tuple(it.card for it in at.state.aftermarket)


def _put_one_under(at: Situation) -> Outcome:
    cards = _from_the_aftermarket(at)
    return choose("Put a card under the Store deck.", put_under.offer(card=OneOf(cards))) if cards else None


@rule
def put_under(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the Aftermarket goes under the Store deck; its stars are kept in mind."""
    return PutUnderStore(card, back_of((card, *table.state.store_deck))), Counted(stars(card))


# A card of the Aftermarket goes under the Store deck for four times its stars.
card("archmage_kastah", play(_put_one_under, gain(number_kept(4))))


def _take_one(at: Situation) -> Outcome:
    cards = _from_the_aftermarket(at)
    return choose("Take a card of the Aftermarket.", take_to_binder.offer(card=OneOf(cards))) if cards else None


@rule
def take_to_binder(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the Aftermarket goes to the binder; its stars are kept in mind."""
    return TakenFromAftermarket(table.seat, card, "binder"), Counted(stars(card))


# A card of the Aftermarket goes to your binder for three times its stars.
card("chase_the_price_sculptor", play(_take_one, gain(number_kept(3))))


def _all_face_up(at: Situation) -> bool:
    return not at.face_down


# When flipped, its neighbours are, then a card of every opponent. Thirty in scoring if nothing of yours is face down.
card(
    "city_backed_sky_whale",
    score(gain_if(_all_face_up, 30)),
    when_flipped(flip_all(beside), each_flips_one(opponents)),
)

# All clash; who does not win loses thirty.
card(
    "dark_destruction_dragon_of_q",
    play(clash_of_all, everybody_loses(all_but_the_winner, lambda at, seat: 30)),
)

# Everybody gains, or as the other's Action loses, the stars of his tableau.
card("javier_the_legendary_general", play(everybody_gains(everyone, own_star_sum)))
card("master_archer_shmup", action(everybody_loses(everyone, own_star_sum)))


def _is_the_only_one_up(at: Situation) -> bool:
    return [face.card for face in at.own] == [at.this]


# Thirty-five if it is your only face-up card.
card("monolith_of_artabayaxnias", score(gain_if(_is_the_only_one_up, 35)))


def _name_a_card(at: Situation) -> Outcome:
    return choose("Name a card.", name_a_card.offer(design=OneOf(tuple(DESIGNS))))


@rule
def name_a_card(table: MillenniumBlades, design: int) -> Outcome:
    """A player names a card, by the number of its design."""
    return CardNamed(table.seat, design), Counted(design)


def _all_discard_it(at: Situation) -> Outcome:
    held = {
        seat: tuple(card for card in at.state.players[seat].hand if design_number(card) == at.running.number)
        for seat in at.in_turn_order(at.table.seats)
    }
    return tuple(discard(cards).by(seat) for seat, cards in held.items() if cards)


def _another_strong_one(heard: Heard) -> bool:
    played = heard.table.board.by_card[heard.fact.card]
    return played.card != heard.face.card and played.stars >= 6


def _the_card_it_is_about(at: Situation) -> Iterable[Face]:
    face = at.board.by_card.get(at.running.about or 0)
    return () if face is None else (face,)


# Name a card: everybody discards it from his hand. While Top, flips each card of six stars or more that is played.
# As an Action everybody flips a card of his own.
card(
    "burnizard_ex_omega_revolver_j",
    play(_name_a_card, _all_discard_it),
    top(CardPlayed, flip_all(_the_card_it_is_about), when=_another_strong_one),
    action(each_flips_one(everyone)),
)


def _who_can_flip_a_card(at: Situation) -> list[Seat]:
    return [seat for seat in at.table.seats if at.may_be_flipped(at.board.face_up(seat))]


# While Top, each card of every tableau makes its player, when it is flipped, choose somebody who flips a card of his.
# Five in scoring for each face-up card of yours.
card(
    "doctor_balance",
    score(gain(per(5, own()))),
    grants=when_flipped(
        Target("Choose who flips a card.", _who_can_flip_a_card),
        EachOf(aimed_seat, flip_one_of(of_the_one_asked, "Flip a card.")),
    ),
)


def _a_dollar_and_the_card(at: Situation) -> Outcome:
    about = at.running.about
    lies_there = any(it.card == about for it in at.state.aftermarket)
    return DollarsEarned(at.you, 1), TakenFromAftermarket(at.you, about or 0, "binder") if lies_there else ()


def _there_was_a_clash(heard: Heard) -> bool:
    return bool(heard.fact.status != "cancelled")


# A dollar for any clash, and the card that you revealed in it goes to your binder.
card("j_dogg_hackson", ongoing(ClashDecided, _a_dollar_and_the_card, when=_there_was_a_clash))


def _two_more_while_top(board: Board, face: Face) -> int:
    top_card = board.top(face.seat)
    return 2 if top_card is not None and top_card.card == face.card else 0


def _won_with_it(heard: Heard) -> bool:
    clash = heard.table.running.clash
    assert clash is not None
    return clash.winner == heard.seat and any(side.top == heard.face.card for side in clash.sides)


# While Top, two more stars in clashes; eight when you win a clash with it.
card("matsu_the_butcher", ongoing(ClashDecided, gain(8), when=_won_with_it), clash_stars=_two_more_while_top)


def _shows_everything(at: Situation) -> bool:
    shown = {it for face in at.own for it in face.attributes}
    return shown.issuperset(ELEMENTS) and shown.issuperset(TYPES)


# A hundred if your cards show all six elements and all six types.
card("exaltius_the_untenable", score(gain_if(_shows_everything, 100)))
