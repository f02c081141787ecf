"""The accessories and deck boxes of the core set. Each comment says in our words what a card does."""

from games.kernel import OneOf, Outcome, Seat, choose, rule
from games.millennium_blades.catalogue import ELEMENTS, design_number
from games.millennium_blades.scripting.effects import (
    EachOf,
    MayTarget,
    Target,
    attach_to_target,
    clash_losers,
    clash_winner,
    clash_with_one,
    each_flips_or_loses,
    everybody_gains,
    flip_one_of,
    flip_target,
    gain,
    gain_if,
    hosts,
    only_if,
    opponents,
    token_on_target,
    with_more_points,
)
from games.millennium_blades.scripting.words import (
    action,
    all_of_everybody,
    all_of_yours,
    different,
    elements_of,
    face_down,
    in_every_tableau,
    own,
    own_where,
    per,
    rarity_of,
    reaction,
    score,
    set_of_card,
    stars_of,
    types_of,
)
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import Face
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Situation
from games.millennium_blades.tournament.facts import (
    Counted,
    GainWillDouble,
    HandSeen,
    PlayForgone,
    PlaysGranted,
    RemovedFromGame,
)

# --- Accessories ------------------------------------------------------------------------------------------

# Flip a card of yours.
card("play_mat", action(flip_one_of(own())))

# They fit every collection.
card("proxy_card", wild=True)
card("the_one", wild=True)

# Three more Singles in your deck; exactly one pair of a name in it.
card("branded_card_binder", singles=3)
card("card_modification_marker", pairs=1)


def _look_at_hand(at: Situation) -> Outcome:
    if at.aim is None:
        return None
    return HandSeen(at.you, at.aim, at.state.players[at.aim].hand)


# Look at the whole hand of a player.
card("x_ray_glasses", action(Target("Whose hand do you look at?", opponents), _look_at_hand))


def _holds_one_like_this(at: Situation, seat: Seat) -> int:
    player, design = at.state.players[seat], design_number(at.this)
    held = (*player.binder, *player.hand, *(it.card for it in player.equipment))
    return 10 if any(design_number(it) == design for it in held) else 0


# Ten for everybody who holds a card of this name in binder, accessory slot or hand.
card(
    "duelist_fashion_ring",
    action(everybody_gains(lambda at: at.table.seats, _holds_one_like_this)),
)


def _forgo_your_play(at: Situation) -> Outcome:
    return PlayForgone(at.you)


# Pass your turn. A Reaction cancels a discard from your hand, or a clash of yours.
card("mb_limited_edition_lunchbox", action(_forgo_your_play), reaction("cards would be discarded"))
card("vip_pass", action(_forgo_your_play), reaction("you would clash"))

# Everybody who has more reputation than you flips cards of his own or loses some of it.
card("miniature_flippable_table", action(each_flips_or_loses(with_more_points, 1, 10)))
card("flippable_table", action(each_flips_or_loses(with_more_points, 2, 20)))

# Attach to any other face-up card: it is safe from others, and leaves the game with this after the tournament.
card(
    "shadow_realm_ticket",
    action(Target("Attach to a card.", hosts(in_every_tableau)), attach_to_target),
    host_protected_from="others",
    removed_at_end=True,
)


def _cards_of_the_loser(at: Situation) -> list[int]:
    return [it for seat in clash_losers(at) for it in at.may_be_flipped(at.board.face_up(seat))]


# Clash; the winner may flip a card of the loser.
card(
    "card_handling_gloves",
    action(
        *clash_with_one(), EachOf(clash_winner, MayTarget("You may flip a card.", _cards_of_the_loser)), flip_target
    ),
)


def _is_attached(at: Situation) -> bool:
    return at.face is not None and at.face.host is not None


def _remove_with_host(at: Situation) -> Outcome:
    assert at.face is not None
    assert at.face.host is not None
    return RemovedFromGame((at.this, at.face.host))


# Attach to a card of yours: more stars, and safe from others. The altar leaves the game with it in scoring.
card(
    "chthonic_card_altar",
    action(Target("Attach to a card of yours.", hosts(all_of_yours)), attach_to_target),
    score(only_if(_is_attached, _remove_with_host)),
    host_stars=4,
    host_protected_from="others",
)
card(
    "commemorative_resin_statuette",
    action(Target("Attach to a card of yours.", hosts(all_of_yours)), attach_to_target),
    host_stars=2,
    host_protected_from="others",
)

# A Reaction keeps one card of yours, or all of them and your hand, from an opponent's effect.
card("double_platinum_sleeves", reaction("one card would be flipped"))
card("deck_protectors", reaction("one card would be flipped"))
card("helbane_plushie", reaction("cards would be flipped"))

# A Reaction gives an effect that targets you another target.
card("official_branded_hoodie", reaction("you are targeted"))

# In a clash you may pay two dollars to reveal two cards and use the better.
card("promotional_pin_set", reveals_two=True)


def _one_more_play(at: Situation) -> Outcome:
    return PlaysGranted(at.you, 1)


# Play one more card in this turn; or two more in a clash as a Reaction.
card("rant_energy_drink", action(_one_more_play), reaction("you clash"))


def _any_card(at: Situation) -> list[int]:
    return [face.card for face in all_of_everybody(at)]


# Two star tokens on cards of any tableau.
_a_token = (Target("Put a star token on a card.", _any_card), token_on_target)
card("star_booster", action(*_a_token, *_a_token))

# --- Deck boxes -------------------------------------------------------------------------------------------


def _all_variety(at: Situation) -> int:
    return sum(different(what)(at) for what in (elements_of, types_of, stars_of, set_of_card, rarity_of))


# It fits every collection; one for each element, type, number of stars, set and rarity that you show.
card("custom_concept", score(gain(_all_variety)), wild=True)

# Eight for each card of an element, thirty at most; eight for each card of a type.
for _element, _name in zip(
    ELEMENTS, ("economy", "decay", "underdog", "powerhouse", "sanctuary", "equilibrium"), strict=True
):
    card(f"mono_{_element}_{_name}", score(gain(per(8, own(_element))), cap=30))
for _type, _name in (
    ("animal", "farmhand"), ("citizen", "contract"), ("construct", "tinkerbox"), ("mage", "academy"),
    ("myth", "storybook"), ("soldier", "warband"),
):  # fmt: skip
    card(f"mono_{_type}_{_name}", score(gain(per(8, own(_type)))))

# Eight for each face-down card; for each card of at most four stars.
card("blackout", score(gain(per(8, face_down))))
card("pauper", score(gain(per(8, own_where(lambda face: face.stars <= 4)))))


def _outshines_all_others(at: Situation) -> bool:
    others = [face.stars for seat in opponents(at) for face in at.board.face_up(seat)]
    return max((face.stars for face in at.own), default=0) > max(others, default=0)


# Thirty-five if one of your cards has more stars than every card of the others.
card("kingmaker", score(gain_if(_outshines_all_others, 35)))


def _of_an_active_meta(at: Situation) -> list[Face]:
    return [face for face in at.own if not set(face.attributes).isdisjoint(at.state.metas)]


# Eight for each card that an active meta names.
card("metagamer", score(gain(per(8, _of_an_active_meta))))


def _choose_a_number(at: Situation) -> Outcome:
    shown = tuple(sorted({face.stars for face in at.own}))
    return choose("Choose a number of stars.", choose_number.offer(number=OneOf(shown))) if shown else None


@rule
def choose_number(table: MillenniumBlades, number: int) -> Outcome:
    """A number is chosen, and kept in mind."""
    return Counted(number)


def _with_that_many_stars(at: Situation) -> list[Face]:
    return [face for face in at.own if face.stars == at.running.number]


# Choose a number: eight for each card with as many stars.
card("numerology", score(_choose_a_number, gain(per(8, _with_that_many_stars))))


def _double_the_next_gain(at: Situation) -> Outcome:
    return GainWillDouble(at.you)


# The next reputation that you gain in this turn is received a second time, forty at most.
card("power_play", action(_double_the_next_gain))

# One more slot in your tableau.
card("cosplay_set", slots=1)
