"""The Singles of the core set with four and five stars. Each comment says in our words what a card does."""

from games.kernel import OneOf, Outcome, choose, rule
from games.millennium_blades.cards.shared import clash_for_ten, your_turn
from games.millennium_blades.catalogue import Card, stars
from games.millennium_blades.scripting.effects import (
    clash_with_one,
    copy_one_of,
    flip_all,
    flip_all_without_triggers,
    flip_one_of,
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
    card_elements,
    card_types,
    cards_up_to_this,
    count_different,
    has_flipped,
    left_neighbour,
    ongoing,
    per,
    play,
    score,
    stars_flipped,
    stored_number,
    this_card,
    top,
    your_cards,
    your_deck_boxes,
    your_face_down_cards,
    your_other_cards,
)
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import CardInPlay
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import Attached, ClashDecided, Marked, NumberStored, TurnBegun
from games.millennium_blades.tournament.flips import flip
from games.millennium_blades.tournament.resolution import TriggerContext, losses

# --- Four stars -------------------------------------------------------------------------------------------


def _five_a_type(ctx: Context) -> int:
    return 5 * count_different(card_types)(ctx)


# Five for each type that you show, twenty at most.
card("birdkeeper_arica", play(gain(_five_a_type), cap=20))

# Eighteen now, twenty less in scoring.
card("cannon_technician_meryl", play(gain(18)), score(lose(20)))

# Five for each of your cards of two types; and a clash for ten.
card("cloud_boss_boss_of_a_cloud", play(gain(per(5, your_cards("citizen", "animal")))), clash_for_ten)
card("dark_storm_magical_pony", play(gain(per(5, your_cards("myth", "soldier")))), clash_for_ten)
card("devouring_worm", play(gain(per(5, your_cards("citizen", "animal")))), clash_for_ten)
card("mummer_the_merman", play(gain(per(5, your_cards("soldier", "myth")))), clash_for_ten)
card("pure_snow_magical_pony", play(gain(per(5, your_cards("citizen", "animal")))), clash_for_ten)
card("red_djinn_keeper_of_flames", play(gain(per(5, your_cards("construct", "mage")))), clash_for_ten)

# While it is Top nobody gains; at the start of your turn it is flipped. Nothing can be attached to it.
card("donteles_the_frozen", top(TurnBegun, flip_all(this_card), when=your_turn), blocks_gains=True, attachable=False)

# Four for each element that you show.
card("ironblight_the_golem", score(gain(lambda ctx: 4 * count_different(card_elements)(ctx))))


def _flipped_one_that_scores(ctx: Context) -> bool:
    return any(it.scored for it in ctx.effect.flipped)


# You may flip a card of yours for twice its stars, and seven more if it had a Score effect.
card(
    "looch_wrestler_of_light",
    play(may_flip_one_of(your_cards()), gain(stars_flipped(2)), gain_if(_flipped_one_that_scores, 7)),
)

# It and all cards left of it are flipped without their Flip effects, for their stars.
card("vectis_necromancer", play(flip_all_without_triggers(cards_up_to_this), gain(stars_flipped())))

# --- Five stars -------------------------------------------------------------------------------------------

# Six for each face-down card of yours.
card("dark_sentinel_helbane", score(gain(per(6, your_face_down_cards))))

# Clash for fifteen if you win; then with somebody else, for fifteen if you lose.
card(
    "doubleshark_twice_the_shark",
    play(*clash_with_one(), gain_if(you_won, 15)),
    play(*clash_with_one(new_rivals), gain_if(you_lost, 15)),
)


def _attach_a_hand_card(ctx: Context) -> Outcome:
    hand = ctx.state.players[ctx.you].hand
    if not hand or ctx.face is None or not ctx.face.script.attachable:
        return None
    return choose("Attach a card of your hand.", attach_from_hand.offer(card=OneOf(hand)))


@rule
def attach_from_hand(table: MillenniumBlades, card: Card) -> Outcome:
    """A card of the hand is attached to this card; its stars are kept in mind."""
    this = table.current_effect.card
    return Attached(table.seat, card, this, "hand"), Marked(this, card), NumberStored(stars(card))


# A card of your hand is attached for twice its stars; your other cards of its element are safe from opponents.
card("g_r_guardian_of_the_crystal", play(_attach_a_hand_card, gain(stored_number(2))))


def _pay_five_or_flip(ctx: Context) -> Outcome:
    short = ctx.points(ctx.you) < 5
    return *losses(ctx.table, ctx.you, 5), flip((ctx.this,)) if short else ()


# Lose five; if you cannot, it is flipped. Thirty in scoring.
card("grand_inquisitor_melchior", play(_pay_five_or_flip), score(gain(30)))


def _nothing_outshines_it(ctx: Context) -> bool:
    return ctx.face is not None and all(face.stars <= ctx.face.stars for face in ctx.your_cards)


# Twenty-five if none of your cards has more stars.
card("king_of_the_faraway_mountain", score(gain_if(_nothing_outshines_it, 25)))

# Clash; if you win, your deck box is flipped for thirty-five.
card(
    "lenore_the_raven_queen",
    play(*clash_with_one(), only_if(you_won, flip_one_of(your_deck_boxes)), gain_if(you_won, 35)),
)

# Copies the Score effect of your deck box, for thirty at most.
card("moai_mysterious_hero", score(copy_one_of("score", your_deck_boxes, 30), copyable=False))

# Copies a Score effect of its left neighbour.
card("maximimilan_mathematician", score(copy_one_of("score", left_neighbour), copyable=False))


def lost_a_clash(trigger: TriggerContext) -> bool:
    """Did the card's player lose the clash that was just decided?"""
    clash = trigger.table.current_effect.clash
    assert clash is not None
    took_part = any(side.seat == trigger.seat for side in clash.sides)
    return clash.status == "won" and took_part and clash.winner != trigger.seat


# Flipped when you lose a clash. Thirty in scoring.
card("neverway_when_pigs_fly", ongoing(ClashDecided, flip_all(this_card), when=lost_a_clash), score(gain(30)))


def _weaker_ones(ctx: Context) -> list[CardInPlay]:
    face = ctx.face
    return [] if face is None else [it for it in ctx.your_cards if it.stars < face.stars]


# Five for each of your cards with fewer stars.
card("parker_big_game_hunter", score(gain(per(5, _weaker_ones))))

# Another card of yours is flipped for twenty-four.
card("shaalisaar_heroine_of_the_axe", play(flip_one_of(your_other_cards), gain_if(has_flipped, 24)))

# Twenty-five now, thirty less in scoring.
card("yurgatrox_herald_of_doom", play(gain(25)), score(lose(30)))
