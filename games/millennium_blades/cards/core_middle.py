"""The Singles of the core set with four and five stars. Each comment says in our words what a card does."""

from games.kernel import OneOf, Outcome, choose, rule
from games.millennium_blades.cards.shared import clash_for_ten, your_turn
from games.millennium_blades.catalogue import Card, stars
from games.millennium_blades.scripting.effects import (
    clash_with_one,
    copy_one,
    flip_all,
    flip_one_of,
    flip_quietly,
    gain,
    gain_if,
    lose,
    may_flip_one_of,
    new_rivals,
    only_if,
    you_lost,
    you_won,
)
from games.millennium_blades.scripting.words import (
    deck_boxes,
    different,
    elements_of,
    face_down,
    flipped_one,
    left_card,
    number_kept,
    ongoing,
    others_of_yours,
    own,
    per,
    play,
    score,
    stars_flipped,
    this_and_left_of_it,
    this_card,
    top,
    types_of,
)
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import Face
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Situation
from games.millennium_blades.tournament.facts import Attached, ClashDecided, Counted, Noted, TurnBegun
from games.millennium_blades.tournament.flips import flip
from games.millennium_blades.tournament.resolution import Heard, losses

# --- Four stars -------------------------------------------------------------------------------------------


def _five_a_type(at: Situation) -> int:
    return 5 * different(types_of)(at)


# Five for each type that you show, twenty at most.
card("birdkeeper_arica", play(gain(_five_a_type), cap=20))

# Eighteen now, twenty less in scoring.
card("cannon_technician_meryl", play(gain(18)), score(lose(20)))

# Five for each of your cards of two types; and a clash for ten.
card("cloud_boss_boss_of_a_cloud", play(gain(per(5, own("citizen", "animal")))), clash_for_ten)
card("dark_storm_magical_pony", play(gain(per(5, own("myth", "soldier")))), clash_for_ten)
card("devouring_worm", play(gain(per(5, own("citizen", "animal")))), clash_for_ten)
card("mummer_the_merman", play(gain(per(5, own("soldier", "myth")))), clash_for_ten)
card("pure_snow_magical_pony", play(gain(per(5, own("citizen", "animal")))), clash_for_ten)
card("red_djinn_keeper_of_flames", play(gain(per(5, own("construct", "mage")))), clash_for_ten)

# While it is Top nobody gains; at the start of your turn it is flipped. Nothing can be attached to it.
card("donteles_the_frozen", top(TurnBegun, flip_all(this_card), when=your_turn), blocks_gains=True, attachable=False)

# Four for each element that you show.
card("ironblight_the_golem", score(gain(lambda at: 4 * different(elements_of)(at))))


def _flipped_one_that_scores(at: Situation) -> bool:
    return any(it.scored for it in at.running.flipped)


# You may flip a card of yours for twice its stars, and seven more if it had a Score effect.
card(
    "looch_wrestler_of_light",
    play(may_flip_one_of(own()), gain(stars_flipped(2)), gain_if(_flipped_one_that_scores, 7)),
)

# It and all cards left of it are flipped without their Flip effects, for their stars.
card("vectis_necromancer", play(flip_quietly(this_and_left_of_it), gain(stars_flipped())))

# --- Five stars -------------------------------------------------------------------------------------------

# Six for each face-down card of yours.
card("dark_sentinel_helbane", score(gain(per(6, face_down))))

# Clash for fifteen if you win; then with somebody else, for fifteen if you lose.
card(
    "doubleshark_twice_the_shark",
    play(*clash_with_one(), gain_if(you_won, 15)),
    play(*clash_with_one(new_rivals), gain_if(you_lost, 15)),
)


def _attach_a_hand_card(at: Situation) -> Outcome:
    hand = at.state.players[at.you].hand
    if not hand or at.face is None or not at.face.text.attachable:
        return None
    return choose("Attach a card of your hand.", attach_from_hand.offer(card=OneOf(hand)))


@rule
def attach_from_hand(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the hand is attached to this card; its stars are kept in mind."""
    this = table.running.card
    return Attached(table.seat, card, this, "hand"), Noted(this, card), Counted(stars(card))


# A card of your hand is attached for twice its stars; your other cards of its element are safe from opponents.
card("g_r_guardian_of_the_crystal", play(_attach_a_hand_card, gain(number_kept(2))))


def _pay_five_or_flip(at: Situation) -> Outcome:
    short = at.points(at.you) < 5
    return *losses(at.table, at.you, 5), flip((at.this,)) if short else ()


# Lose five; if you cannot, it is flipped. Thirty in scoring.
card("grand_inquisitor_melchior", play(_pay_five_or_flip), score(gain(30)))


def _nothing_outshines_it(at: Situation) -> bool:
    return at.face is not None and all(face.stars <= at.face.stars for face in at.own)


# Twenty-five if none of your cards has more stars.
card("king_of_the_faraway_mountain", score(gain_if(_nothing_outshines_it, 25)))

# Clash; if you win, your deck box is flipped for thirty-five.
card(
    "lenore_the_raven_queen",
    play(*clash_with_one(), only_if(you_won, flip_one_of(deck_boxes)), gain_if(you_won, 35)),
)

# Copies the Score effect of your deck box, for thirty at most.
card("moai_mysterious_hero", score(copy_one("score", deck_boxes, 30), copyable=False))

# Copies a Score effect of its left neighbour.
card("maximimilan_mathematician", score(copy_one("score", left_card), copyable=False))


def lost_a_clash(heard: Heard) -> bool:
    """Did the card's player lose the clash that was just decided?"""
    clash = heard.table.running.clash
    assert clash is not None
    took_part = any(side.seat == heard.seat for side in clash.sides)
    return clash.status == "won" and took_part and clash.winner != heard.seat


# Flipped when you lose a clash. Thirty in scoring.
card("neverway_when_pigs_fly", ongoing(ClashDecided, flip_all(this_card), when=lost_a_clash), score(gain(30)))


def _weaker_ones(at: Situation) -> list[Face]:
    face = at.face
    return [] if face is None else [it for it in at.own if it.stars < face.stars]


# Five for each of your cards with fewer stars.
card("parker_big_game_hunter", score(gain(per(5, _weaker_ones))))

# Another card of yours is flipped for twenty-four.
card("shaalisaar_heroine_of_the_axe", play(flip_one_of(others_of_yours), gain_if(flipped_one, 24)))

# Twenty-five now, thirty less in scoring.
card("yurgatrox_herald_of_doom", play(gain(25)), score(lose(30)))
