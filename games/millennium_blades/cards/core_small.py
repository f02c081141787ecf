"""The Singles of the core set with one to three stars. Each comment says in our words what a card does."""

from collections.abc import Callable

from games.kernel import Outcome, SomeOf, choose, move, msg
from games.millennium_blades.board.card_script import CardInPlay, card
from games.millennium_blades.catalogue import Card
from games.millennium_blades.scripting.amounts import (
    card_elements,
    card_rarity,
    card_set,
    card_stars,
    card_types,
    count_different,
    max_stars_flipped,
    per,
    star_sum,
    stars_flipped,
    stored_number,
)
from games.millennium_blades.scripting.clash_effects import CLASH_FOR_TEN
from games.millennium_blades.scripting.conditions import at_least, is_promo, two_others_share, your_turn
from games.millennium_blades.scripting.effects import (
    copy_one_of,
    flip_all,
    flip_any_of,
    flip_one_of,
    gain,
    gain_if,
    turn_face_up_one_of,
)
from games.millennium_blades.scripting.selectors import (
    adjacent,
    left_neighbour,
    leftmost_cards,
    opponents,
    your_cards,
    your_face_down_cards,
    your_leftmost_card,
)
from games.millennium_blades.scripting.triggers import action, ongoing, play, score, when_flipped
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import NumberStored, Swapped, TurnEnded
from games.millennium_blades.tournament.resolution import decline

# --- One star ---------------------------------------------------------------------------------------------


def _can_copy(element: str) -> Callable[[CardInPlay], bool]:
    return lambda left: element in left.elements and left.stars <= 6


def _no_neighbour_has_more_stars(ctx: Context) -> bool:
    this = ctx.this_in_play
    return this is not None and all(card.stars <= this.stars for card in ctx.adjacent)


# --- Two stars --------------------------------------------------------------------------------------------


def _neighbours_share_attribute(ctx: Context) -> bool:
    return len(ctx.adjacent) == 2 and not set(ctx.adjacent[0].attributes).isdisjoint(ctx.adjacent[1].attributes)


def _two_other_promos(ctx: Context) -> bool:
    return sum(is_promo(card) for card in ctx.your_other_cards) >= 2


def _face_down_neighbours(ctx: Context) -> list[CardInPlay]:
    return [card for card in ctx.adjacent if not card.face_up]


def _eight_for_each_richer_neighbour(ctx: Context) -> int:
    seats = len(ctx.table.seats)
    return 8 * sum(ctx.points((ctx.you + side) % seats) > ctx.points(ctx.you) for side in (1, -1))


def _fewest_points(ctx: Context) -> bool:
    return all(ctx.points(seat) > ctx.points(ctx.you) for seat in opponents(ctx))


# --- Three stars ------------------------------------------------------------------------------------------


def _flipped_water(ctx: Context) -> bool:
    return any("water" in card.elements for card in ctx.effect.flipped)


def _is_leftmost(ctx: Context) -> bool:
    return bool(ctx.your_cards) and ctx.your_cards[0].card == ctx.this


def _may_swap(ctx: Context) -> Outcome:
    cards = tuple(card.card for card in ctx.board.tableaus[ctx.you])
    if len(cards) < 2:
        return None
    return choose(msg("You may swap two cards."), swap_cards.offer(cards=SomeOf(cards, 2, 2)), decline.offer())


@move(title="Swap two cards", help="Let two of your cards change places.", args={"cards": "Two cards"})
def swap_cards(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """Swap two cards of the tableau, and store the sum of their stars."""
    board = table.board
    return Swapped(table.seat, *cards), NumberStored(sum(board.by_card[card].stars for card in cards))


CARDS = (
    # --- One star ---
    # Score 16.
    card("bertram_explorer", score(gain(16))),
    # A full copy of its left neighbour, if that is of the egg's element and has at most six stars.
    card("black_egg_birth_of_shadow", copies=_can_copy("dark")),
    card("blue_egg_birth_of_water", copies=_can_copy("water")),
    card("brown_egg_birth_of_stone", copies=_can_copy("earth")),
    card("red_egg_birth_of_fire", copies=_can_copy("fire")),
    card("white_egg_birth_of_light", copies=_can_copy("light")),
    card("yellow_egg_birth_of_wind", copies=_can_copy("air")),
    # 16 if your cards have three types.
    card("elco_apprentice_mage", play(gain_if(at_least(3, count_different(card_types)), 16))),
    # Flip one of your cards for twice its stars.
    card("hemsey_the_snitch", play(flip_one_of(your_cards()), gain(stars_flipped(2)))),
    # Gain 9. Action: flip a neighbour and gain 7.
    card("malcombe_footman", play(gain(9)), action(flip_one_of(adjacent), gain(7))),
    # Opponents cannot flip its neighbours. Score their stars.
    card("orella_priestess_in_training", score(gain(star_sum(adjacent))), protects=CardInPlay.is_adjacent_to),
    # 18 if no neighbour has more stars.
    card("trenneth_novice_archer", score(gain_if(_no_neighbour_has_more_stars, 18))),
    # --- Two stars ---
    # 18 if two of your other cards have the same rarity, type, set, number of stars, or element.
    card("batfire_bat_out_of_hell", score(gain_if(two_others_share(card_rarity), 18))),
    card("bessie_the_holy_cow", score(gain_if(two_others_share(card_types), 18))),
    card("digclaw_the_mole", score(gain_if(two_others_share(card_set), 18))),
    card("dr_penguin_evil_genius", score(gain_if(two_others_share(card_stars), 18))),
    card("poppin_the_unfriendly_ghost", score(gain_if(two_others_share(card_elements), 18))),
    # 22 if it has two neighbours with a common type or element.
    card("berkenstock_the_chemist", score(gain_if(_neighbours_share_attribute, 22))),
    # Twice the stars of its left neighbour.
    card("ghasticus_the_wind_spirit", play(gain(star_sum(left_neighbour, 2)))),
    # 18 if at least two of your other cards are promos.
    card("lame_duck_the_last_resort", score(gain_if(_two_other_promos, 18))),
    # 9 for each face-down neighbour.
    card("lars_pikeman", score(gain(per(9, _face_down_neighbours)))),
    # 8 if the player to your left has more reputation, 8 if the player to your right has, then 8 if you have the least.
    card(
        "mara_apprentice_thief",
        play(gain(_eight_for_each_richer_neighbour), gain_if(_fewest_points, 8)),
    ),
    # Flip the leftmost card of every player. Gain twice the most stars among them.
    card("martus_keeper_of_fates", play(flip_all(leftmost_cards), gain(max_stars_flipped(2)))),
    # Turn one of your face-down cards face up for twice its stars.
    card("pyotr_ghost_hunter", play(turn_face_up_one_of(your_face_down_cards), gain(stored_number(2)))),
    # --- Three stars ---
    # 20 when it is flipped.
    card("aberforth_low_summoner", when_flipped(gain(20))),
    # Flip one of your cards for twice its stars, and 5 more if it is a Water card.
    card("bernie_pyromancer", play(flip_one_of(your_cards()), gain(stars_flipped(2)), gain_if(_flipped_water, 5))),
    # 3 or 4 for each of your cards of two elements. Action: a clash for 10.
    card("deep_ray_undersea_stalker", play(gain(per(4, your_cards("fire", "water")))), CLASH_FOR_TEN),
    card("dirtbag_the_sandman", play(gain(per(3, your_cards("air", "earth")))), CLASH_FOR_TEN),
    card("goloronicus_sword_of_heroes", play(gain(per(3, your_cards("dark", "light")))), CLASH_FOR_TEN),
    card("necronamicus_helbanes_sword", play(gain(per(3, your_cards("light", "dark")))), CLASH_FOR_TEN),
    card("salamander_volcanic_lizard", play(gain(per(3, your_cards("water", "fire")))), CLASH_FOR_TEN),
    card("wenglie_the_harpy", play(gain(per(3, your_cards("earth", "air")))), CLASH_FOR_TEN),
    # Flip any number of your cards. Score 15 if this is your leftmost face-up card.
    card("florian_the_dryad", play(flip_any_of(your_cards())), score(gain_if(_is_leftmost, 15))),
    # At the end of each of your turns, flip your leftmost card and gain 5.
    card("kamen_the_masked_priest", ongoing(TurnEnded, flip_all(your_leftmost_card), gain(5), when=your_turn)),
    # You may swap two of your cards for their stars.
    card("rocketman_kev", play(_may_swap, gain(stored_number()))),
    # Copy a Play effect of its left neighbour.
    card("waverly_the_witch", play(copy_one_of("play", left_neighbour), copyable=False)),
)
