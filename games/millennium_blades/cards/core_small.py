"""The Singles of the core set with one to three stars. Each comment says in our words what a card does."""

from games.kernel import Outcome, SomeOf, choose, rule
from games.millennium_blades.cards.shared import clash_for_ten, your_turn
from games.millennium_blades.catalogue import ELEMENTS, Card
from games.millennium_blades.scripting.effects import (
    copy_one_of,
    flip_all,
    flip_any_of,
    flip_one_of,
    gain,
    gain_if,
    opponents,
    turn_face_up_one_of,
)
from games.millennium_blades.scripting.words import (
    action,
    adjacent,
    at_least,
    card_elements,
    card_rarity,
    card_set,
    card_stars,
    card_types,
    count_different,
    is_promo,
    left_neighbour,
    leftmost_cards,
    max_stars_flipped,
    ongoing,
    per,
    play,
    score,
    star_sum,
    stars_flipped,
    stored_number,
    two_others_share,
    when_flipped,
    your_cards,
    your_face_down_cards,
    your_leftmost_card,
)
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import BoardView, CardInPlay
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import NumberStored, Swapped, TurnEnded
from games.millennium_blades.tournament.resolution import decline

# --- One star ---------------------------------------------------------------------------------------------

# Worth sixteen in scoring.
card("bertram_explorer", score(gain(16)))


def _egg(element: str) -> None:
    """A full copy of its left neighbour, if that is of the egg's element and has at most six stars."""
    colour = {"dark": "black", "water": "blue", "earth": "brown", "fire": "red", "light": "white", "air": "yellow"}
    birth = {"dark": "shadow", "water": "water", "earth": "stone", "fire": "fire", "light": "light", "air": "wind"}
    card(
        f"{colour[element]}_egg_birth_of_{birth[element]}",
        copies=lambda left: element in left.elements and left.stars <= 6,
    )


for _element in ELEMENTS:
    _egg(_element)

# Sixteen if your cards show three types.
card("elco_apprentice_mage", play(gain_if(at_least(3, count_different(card_types)), 16)))

# Flip a card of yours for twice its stars.
card("hemsey_the_snitch", play(flip_one_of(your_cards()), gain(stars_flipped(2))))

# Nine; as an Action, flip a neighbour and gain seven.
card("malcombe_footman", play(gain(9)), action(flip_one_of(adjacent), gain(7)))


def _protects_neighbours(board: BoardView, source: CardInPlay, other: Card, from_seat: int) -> bool:
    return source.card != other and any(it is not None and it.card == other for it in board.adjacent(source.card))


# Its neighbours are safe from opponents; worth their stars in scoring.
card("orella_priestess_in_training", score(gain(star_sum(adjacent))), protects=_protects_neighbours)


def _outshines_its_neighbours(ctx: Context) -> bool:
    return ctx.face is not None and all(it.stars <= ctx.face.stars for it in ctx.adjacent)


# Eighteen if no neighbour has more stars.
card("trenneth_novice_archer", score(gain_if(_outshines_its_neighbours, 18)))

# --- Two stars --------------------------------------------------------------------------------------------

# Eighteen if two of your other cards have something in common: rarity, type, set, stars, element.
card("batfire_bat_out_of_hell", score(gain_if(two_others_share(card_rarity), 18)))
card("bessie_the_holy_cow", score(gain_if(two_others_share(card_types), 18)))
card("digclaw_the_mole", score(gain_if(two_others_share(card_set), 18)))
card("dr_penguin_evil_genius", score(gain_if(two_others_share(card_stars), 18)))
card("poppin_the_unfriendly_ghost", score(gain_if(two_others_share(card_elements), 18)))


def _neighbours_have_something_in_common(ctx: Context) -> bool:
    return len(ctx.adjacent) == 2 and not set(ctx.adjacent[0].attributes).isdisjoint(ctx.adjacent[1].attributes)


# Twenty-two if it has two neighbours with a common type or element.
card("berkenstock_the_chemist", score(gain_if(_neighbours_have_something_in_common, 22)))

# Twice the stars of its left neighbour.
card("ghasticus_the_wind_spirit", play(gain(star_sum(left_neighbour, 2))))


def _two_promos_beside_it(ctx: Context) -> bool:
    return sum(is_promo(face) for face in ctx.your_other_cards) >= 2


# Eighteen if at least two of your other cards are promos.
card("lame_duck_the_last_resort", score(gain_if(_two_promos_beside_it, 18)))


def _face_down_neighbours(ctx: Context) -> list[CardInPlay]:
    return [face for face in ctx.adjacent if not face.face_up]


# Nine for each face-down neighbour.
card("lars_pikeman", score(gain(per(9, _face_down_neighbours))))


def _eight_for_each_richer_neighbour(ctx: Context) -> int:
    number = len(ctx.table.seats)
    return 8 * sum(ctx.points((ctx.you + step) % number) > ctx.points(ctx.you) for step in (1, -1))


def _fewest_points(ctx: Context) -> bool:
    return all(ctx.points(seat) > ctx.points(ctx.you) for seat in opponents(ctx))


# Eight if the player to your left has more, eight if the one to your right has, then eight if you have the fewest.
card(
    "mara_apprentice_thief",
    play(gain(_eight_for_each_richer_neighbour), gain_if(_fewest_points, 8)),
)

# Everybody's leftmost card is flipped; gain twice the highest stars among them.
card("martus_keeper_of_fates", play(flip_all(leftmost_cards), gain(max_stars_flipped(2))))

# Turn a face-down card of yours up for twice its stars.
card("pyotr_ghost_hunter", play(turn_face_up_one_of(your_face_down_cards), gain(stored_number(2))))

# --- Three stars ------------------------------------------------------------------------------------------

# Twenty when it is flipped.
card("aberforth_low_summoner", when_flipped(gain(20)))


def _flipped_water(ctx: Context) -> bool:
    return any("water" in it.elements for it in ctx.effect.flipped)


# Flip a card of yours for twice its stars, and five more if it was of Water.
card("bernie_pyromancer", play(flip_one_of(your_cards()), gain(stars_flipped(2)), gain_if(_flipped_water, 5)))

# So much for each of your cards of two elements; and a clash for ten.
card("deep_ray_undersea_stalker", play(gain(per(4, your_cards("fire", "water")))), clash_for_ten)
card("dirtbag_the_sandman", play(gain(per(3, your_cards("air", "earth")))), clash_for_ten)
card("goloronicus_sword_of_heroes", play(gain(per(3, your_cards("dark", "light")))), clash_for_ten)
card("necronamicus_helbanes_sword", play(gain(per(3, your_cards("light", "dark")))), clash_for_ten)
card("salamander_volcanic_lizard", play(gain(per(3, your_cards("water", "fire")))), clash_for_ten)
card("wenglie_the_harpy", play(gain(per(3, your_cards("earth", "air")))), clash_for_ten)


def _is_leftmost(ctx: Context) -> bool:
    return bool(ctx.your_cards) and ctx.your_cards[0].card == ctx.this


# Flip any number of your cards; fifteen in scoring if it is your leftmost face-up card.
card("florian_the_dryad", play(flip_any_of(your_cards())), score(gain_if(_is_leftmost, 15)))

# At the end of each of your turns your leftmost card is flipped, and you gain five.
card("kamen_the_masked_priest", ongoing(TurnEnded, flip_all(your_leftmost_card), gain(5), when=your_turn))


def _may_swap(ctx: Context) -> Outcome:
    cards = tuple(face.card for face in ctx.board.tableaus[ctx.you])
    if len(cards) < 2:
        return None
    return choose("You may swap two cards.", swap_cards.offer(cards=SomeOf(cards, 2, 2)), decline.offer())


@rule
def swap_cards(table: MillenniumBlades, cards: tuple[Card, ...]) -> Outcome:
    """Two cards of a tableau change places; their stars are kept in mind."""
    board = table.board
    return Swapped(table.seat, *cards), NumberStored(sum(board.by_card[it].stars for it in cards))


# You may swap two of your cards for their stars.
card("rocketman_kev", play(_may_swap, gain(stored_number())))

# Copies a Play effect of its left neighbour.
card("waverly_the_witch", play(copy_one_of("play", left_neighbour), copyable=False))
