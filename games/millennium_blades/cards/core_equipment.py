"""The accessories and deck boxes of the core set. Each comment says in our words what a card does."""

from games.kernel import OneOf, Outcome, Seat, choose, rule
from games.millennium_blades.catalogue import ELEMENTS, design_number
from games.millennium_blades.scripting.effects import (
    ChooseTarget,
    ForEachPlayer,
    MayChooseTarget,
    attach_to_target,
    clash_losers,
    clash_winner,
    clash_with_one,
    each_player_flips_or_loses,
    each_player_gains,
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
    all_cards,
    all_face_up_cards,
    all_your_cards,
    card_elements,
    card_rarity,
    card_set,
    card_stars,
    card_types,
    count_different,
    per,
    reaction,
    score,
    your_cards,
    your_cards_where,
    your_face_down_cards,
)
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import CardInPlay
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.facts import (
    GainWillDouble,
    HandSeen,
    NumberStored,
    PlayForgone,
    PlaysGranted,
    RemovedFromGame,
)

# --- Accessories ------------------------------------------------------------------------------------------

# Flip a card of yours.
card("play_mat", action(flip_one_of(your_cards())))

# They fit every collection.
card("proxy_card", wild=True)
card("the_one", wild=True)

# Three more Singles in your deck; exactly one pair of a name in it.
card("branded_card_binder", singles=3)
card("card_modification_marker", pairs=1)


def _look_at_hand(ctx: Context) -> Outcome:
    if ctx.target is None:
        return None
    return HandSeen(ctx.you, ctx.target, ctx.state.players[ctx.target].hand)


# Look at the whole hand of a player.
card("x_ray_glasses", action(ChooseTarget("Whose hand do you look at?", opponents), _look_at_hand))


def _holds_one_like_this(ctx: Context, seat: Seat) -> int:
    player, design = ctx.state.players[seat], design_number(ctx.this)
    held = (*player.binder, *player.hand, *(it.card for it in player.equipment))
    return 10 if any(design_number(it) == design for it in held) else 0


# Ten for everybody who holds a card of this name in binder, accessory slot or hand.
card(
    "duelist_fashion_ring",
    action(each_player_gains(lambda ctx: ctx.table.seats, _holds_one_like_this)),
)


def _forgo_your_play(ctx: Context) -> Outcome:
    return PlayForgone(ctx.you)


# Pass your turn. A Reaction cancels a discard from your hand, or a clash of yours.
card("mb_limited_edition_lunchbox", action(_forgo_your_play), reaction("cards would be discarded"))
card("vip_pass", action(_forgo_your_play), reaction("you would clash"))

# Everybody who has more reputation than you flips cards of his own or loses some of it.
card("miniature_flippable_table", action(each_player_flips_or_loses(with_more_points, 1, 10)))
card("flippable_table", action(each_player_flips_or_loses(with_more_points, 2, 20)))

# Attach to any other face-up card: it is safe from others, and leaves the game with this after the tournament.
card(
    "shadow_realm_ticket",
    action(ChooseTarget("Attach to a card.", hosts(all_face_up_cards)), attach_to_target),
    host_protected_from="others",
    removed_at_end=True,
)


def _cards_of_the_loser(ctx: Context) -> list[int]:
    return [it for seat in clash_losers(ctx) for it in ctx.may_be_flipped(ctx.board.face_up(seat))]


# Clash; the winner may flip a card of the loser.
card(
    "card_handling_gloves",
    action(
        *clash_with_one(),
        ForEachPlayer(clash_winner, MayChooseTarget("You may flip a card.", _cards_of_the_loser)),
        flip_target,
    ),
)


def _is_attached(ctx: Context) -> bool:
    return ctx.face is not None and ctx.face.host is not None


def _remove_with_host(ctx: Context) -> Outcome:
    assert ctx.face is not None
    assert ctx.face.host is not None
    return RemovedFromGame((ctx.this, ctx.face.host))


# Attach to a card of yours: more stars, and safe from others. The altar leaves the game with it in scoring.
card(
    "chthonic_card_altar",
    action(ChooseTarget("Attach to a card of yours.", hosts(all_your_cards)), attach_to_target),
    score(only_if(_is_attached, _remove_with_host)),
    host_stars=4,
    host_protected_from="others",
)
card(
    "commemorative_resin_statuette",
    action(ChooseTarget("Attach to a card of yours.", hosts(all_your_cards)), attach_to_target),
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


def _one_more_play(ctx: Context) -> Outcome:
    return PlaysGranted(ctx.you, 1)


# Play one more card in this turn; or two more in a clash as a Reaction.
card("rant_energy_drink", action(_one_more_play), reaction("you clash"))


def _any_card(ctx: Context) -> list[int]:
    return [face.card for face in all_cards(ctx)]


# Two star tokens on cards of any tableau.
_a_token = (ChooseTarget("Put a star token on a card.", _any_card), token_on_target)
card("star_booster", action(*_a_token, *_a_token))

# --- Deck boxes -------------------------------------------------------------------------------------------


def _all_variety(ctx: Context) -> int:
    return sum(count_different(what)(ctx) for what in (card_elements, card_types, card_stars, card_set, card_rarity))


# It fits every collection; one for each element, type, number of stars, set and rarity that you show.
card("custom_concept", score(gain(_all_variety)), wild=True)

# Eight for each card of an element, thirty at most; eight for each card of a type.
for _element, _name in zip(
    ELEMENTS, ("economy", "decay", "underdog", "powerhouse", "sanctuary", "equilibrium"), strict=True
):
    card(f"mono_{_element}_{_name}", score(gain(per(8, your_cards(_element))), cap=30))
for _type, _name in (
    ("animal", "farmhand"), ("citizen", "contract"), ("construct", "tinkerbox"), ("mage", "academy"),
    ("myth", "storybook"), ("soldier", "warband"),
):  # fmt: skip
    card(f"mono_{_type}_{_name}", score(gain(per(8, your_cards(_type)))))

# Eight for each face-down card; for each card of at most four stars.
card("blackout", score(gain(per(8, your_face_down_cards))))
card("pauper", score(gain(per(8, your_cards_where(lambda face: face.stars <= 4)))))


def _outshines_all_others(ctx: Context) -> bool:
    others = [face.stars for seat in opponents(ctx) for face in ctx.board.face_up(seat)]
    return max((face.stars for face in ctx.your_cards), default=0) > max(others, default=0)


# Thirty-five if one of your cards has more stars than every card of the others.
card("kingmaker", score(gain_if(_outshines_all_others, 35)))


def _of_an_active_meta(ctx: Context) -> list[CardInPlay]:
    return [face for face in ctx.your_cards if not set(face.attributes).isdisjoint(ctx.state.metas)]


# Eight for each card that an active meta names.
card("metagamer", score(gain(per(8, _of_an_active_meta))))


def _choose_a_number(ctx: Context) -> Outcome:
    shown = tuple(sorted({face.stars for face in ctx.your_cards}))
    return choose("Choose a number of stars.", choose_number.offer(number=OneOf(shown))) if shown else None


@rule
def choose_number(table: MillenniumBlades, number: int) -> Outcome:
    """A number is chosen, and kept in mind."""
    return NumberStored(number)


def _with_that_many_stars(ctx: Context) -> list[CardInPlay]:
    return [face for face in ctx.your_cards if face.stars == ctx.effect.number]


# Choose a number: eight for each card with as many stars.
card("numerology", score(_choose_a_number, gain(per(8, _with_that_many_stars))))


def _double_the_next_gain(ctx: Context) -> Outcome:
    return GainWillDouble(ctx.you)


# The next reputation that you gain in this turn is received a second time, forty at most.
card("power_play", action(_double_the_next_gain))

# One more slot in your tableau.
card("cosplay_set", slots=1)
