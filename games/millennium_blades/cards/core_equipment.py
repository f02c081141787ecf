"""The accessories and deck boxes of the core set. Each comment says in our words what a card does."""

from games.kernel import OneOf, Outcome, Seat, choose, move, msg
from games.millennium_blades.board.card_script import CardInPlay, ReactionEvent, card
from games.millennium_blades.catalogue import design_number
from games.millennium_blades.scripting.amounts import (
    card_elements,
    card_rarity,
    card_set,
    card_stars,
    card_types,
    count_different,
    per,
)
from games.millennium_blades.scripting.clash_effects import clash_losers, clash_winner, clash_with_one
from games.millennium_blades.scripting.effects import (
    each_player_flips_or_loses,
    each_player_gains,
    flip_one_of,
    gain,
    gain_if,
    only_if,
)
from games.millennium_blades.scripting.players import ForEachPlayer
from games.millennium_blades.scripting.selectors import (
    all_cards,
    all_face_up_cards,
    all_your_cards,
    everyone,
    opponents,
    players_with_more_points,
    your_cards,
    your_cards_where,
    your_face_down_cards,
)
from games.millennium_blades.scripting.targets import (
    ChooseTarget,
    MayChooseTarget,
    attach_to_target,
    flip_target,
    hosts,
    token_on_target,
)
from games.millennium_blades.scripting.triggers import action, reaction, score
from games.millennium_blades.table import MillenniumBlades
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


def _look_at_hand(ctx: Context) -> Outcome:
    if ctx.target is None:
        return None
    return HandSeen(ctx.you, ctx.target, ctx.state.players[ctx.target].hand)


def _ten_for_same_card(ctx: Context, seat: Seat) -> int:
    player, design = ctx.state.players[seat], design_number(ctx.this)
    cards = (*player.binder, *player.hand, *(stored.card for stored in player.equipment))
    return 10 if any(design_number(card) == design for card in cards) else 0


def _pass_turn(ctx: Context) -> Outcome:
    return PlayForgone(ctx.you)


def _loser_cards(ctx: Context) -> list[int]:
    return [card for seat in clash_losers(ctx) for card in ctx.flippable(ctx.board.face_up(seat))]


def _is_attached(ctx: Context) -> bool:
    return ctx.this_in_play is not None and ctx.this_in_play.host is not None


def _remove_with_host(ctx: Context) -> Outcome:
    assert ctx.this_in_play is not None
    assert ctx.this_in_play.host is not None
    return RemovedFromGame((ctx.this, ctx.this_in_play.host))


def _one_more_play(ctx: Context) -> Outcome:
    return PlaysGranted(ctx.you, 1)


def _any_card(ctx: Context) -> list[int]:
    return [card.card for card in all_cards(ctx)]


_PUT_TOKEN = (ChooseTarget(msg("Put a star token on a card."), _any_card), token_on_target)

# --- Deck boxes -------------------------------------------------------------------------------------------


def _all_variety(ctx: Context) -> int:
    return sum(
        count_different(values)(ctx) for values in (card_elements, card_types, card_stars, card_set, card_rarity)
    )


def _has_most_stars(ctx: Context) -> bool:
    others = [card.stars for seat in opponents(ctx) for card in ctx.board.face_up(seat)]
    return max((card.stars for card in ctx.your_cards), default=0) > max(others, default=0)


def _cards_of_active_metas(ctx: Context) -> list[CardInPlay]:
    return [card for card in ctx.your_cards if not set(card.attributes).isdisjoint(ctx.state.metas)]


def _choose_a_number(ctx: Context) -> Outcome:
    numbers = tuple(sorted({card.stars for card in ctx.your_cards}))
    if not numbers:
        return None
    return choose(msg("Choose a number of stars."), choose_number.offer(number=OneOf(numbers)))


@move(title="Choose a number of stars", help="Choose the number of stars that scores.", args={"number": "Stars"})
def choose_number(table: MillenniumBlades, number: int) -> Outcome:
    """Choose a number, and store it."""
    return NumberStored(number)


def _cards_with_that_many_stars(ctx: Context) -> list[CardInPlay]:
    return [card for card in ctx.your_cards if card.stars == ctx.effect.number]


def _double_the_next_gain(ctx: Context) -> Outcome:
    return GainWillDouble(ctx.you)


CARDS = (
    # --- Accessories ---
    # Flip a card of yours.
    card("play_mat", action(flip_one_of(your_cards()))),
    # It fits every collection.
    card("proxy_card", wild=True),
    card("the_one", wild=True),
    # Three more Singles in your deck; one pair of equal names in your deck.
    card("branded_card_binder", singles=3),
    card("card_modification_marker", pairs=1),
    # Look at the whole hand of another player.
    card("x_ray_glasses", action(ChooseTarget(msg("Whose hand do you look at?"), opponents), _look_at_hand)),
    # 10 for each player who has a card of this name in their binder, accessory slots or hand.
    card(
        "duelist_fashion_ring",
        action(each_player_gains(everyone, _ten_for_same_card)),
    ),
    # Pass your turn. A Reaction cancels a discard from your hand, or a clash of yours.
    card("mb_limited_edition_lunchbox", action(_pass_turn), reaction(ReactionEvent.CARDS_WOULD_BE_DISCARDED)),
    card("vip_pass", action(_pass_turn), reaction(ReactionEvent.WOULD_CLASH)),
    # Each player with more reputation than you flips one of their cards or loses 10; two cards or 20.
    card("miniature_flippable_table", action(each_player_flips_or_loses(players_with_more_points, 1, 10))),
    card("flippable_table", action(each_player_flips_or_loses(players_with_more_points, 2, 20))),
    # Attach it to another face-up card, which others cannot flip. Both leave the game after the tournament.
    card(
        "shadow_realm_ticket",
        action(ChooseTarget(msg("Attach to a card."), hosts(all_face_up_cards)), attach_to_target),
        protects_host=True,
        removed_at_end=True,
    ),
    # Clash. The winner may flip a card of the loser.
    card(
        "card_handling_gloves",
        action(
            *clash_with_one(),
            ForEachPlayer(clash_winner, MayChooseTarget(msg("You may flip a card."), _loser_cards)),
            flip_target,
        ),
    ),
    # Attach it to a card of yours: that card has more stars, and others cannot flip it.
    # The altar and that card leave the game in scoring.
    card(
        "chthonic_card_altar",
        action(ChooseTarget(msg("Attach to a card of yours."), hosts(all_your_cards)), attach_to_target),
        score(only_if(_is_attached, _remove_with_host)),
        host_stars=4,
        protects_host=True,
    ),
    card(
        "commemorative_resin_statuette",
        action(ChooseTarget(msg("Attach to a card of yours."), hosts(all_your_cards)), attach_to_target),
        host_stars=2,
        protects_host=True,
    ),
    # Reaction to an opponent's effect: one of your cards stays face up; all of them do, and your hand is safe.
    card("double_platinum_sleeves", reaction(ReactionEvent.ONE_CARD_WOULD_FLIP)),
    card("deck_protectors", reaction(ReactionEvent.ONE_CARD_WOULD_FLIP)),
    card("helbane_plushie", reaction(ReactionEvent.CARDS_WOULD_FLIP)),
    # Reaction: an effect that targets you gets another target.
    card("official_branded_hoodie", reaction(ReactionEvent.TARGETED)),
    # In a clash you may pay $2 to reveal two cards. The better one counts.
    card("promotional_pin_set", reveals_two=True),
    # Play one more card in this turn. Reaction: add 2 to your total in a clash.
    card("rant_energy_drink", action(_one_more_play), reaction(ReactionEvent.CLASH)),
    # Put two star tokens on cards of any tableau.
    card("star_booster", action(*_PUT_TOKEN, *_PUT_TOKEN)),
    # --- Deck boxes ---
    # It fits every collection. Score 1 for each different element, type, number of stars, set and rarity.
    card("custom_concept", score(gain(_all_variety)), wild=True),
    # 8 for each of your cards of an element, 30 at most.
    card("mono_air_economy", score(gain(per(8, your_cards("air"))), cap=30)),
    card("mono_dark_decay", score(gain(per(8, your_cards("dark"))), cap=30)),
    card("mono_earth_underdog", score(gain(per(8, your_cards("earth"))), cap=30)),
    card("mono_fire_powerhouse", score(gain(per(8, your_cards("fire"))), cap=30)),
    card("mono_light_sanctuary", score(gain(per(8, your_cards("light"))), cap=30)),
    card("mono_water_equilibrium", score(gain(per(8, your_cards("water"))), cap=30)),
    # 8 for each of your cards of a type.
    card("mono_animal_farmhand", score(gain(per(8, your_cards("animal"))))),
    card("mono_citizen_contract", score(gain(per(8, your_cards("citizen"))))),
    card("mono_construct_tinkerbox", score(gain(per(8, your_cards("construct"))))),
    card("mono_mage_academy", score(gain(per(8, your_cards("mage"))))),
    card("mono_myth_storybook", score(gain(per(8, your_cards("myth"))))),
    card("mono_soldier_warband", score(gain(per(8, your_cards("soldier"))))),
    # 8 for each of your face-down cards; for each card with at most four stars.
    card("blackout", score(gain(per(8, your_face_down_cards)))),
    card("pauper", score(gain(per(8, your_cards_where(lambda card: card.stars <= 4))))),
    # 35 if one of your cards has more stars than every card of the others.
    card("kingmaker", score(gain_if(_has_most_stars, 35))),
    # 8 for each of your cards that matches an active meta.
    card("metagamer", score(gain(per(8, _cards_of_active_metas)))),
    # Choose a number: 8 for each of your cards with that many stars.
    card("numerology", score(_choose_a_number, gain(per(8, _cards_with_that_many_stars)))),
    # You receive your next gain of reputation in this turn a second time, 40 at most.
    card("power_play", action(_double_the_next_gain)),
    # One more slot in your tableau.
    card("cosplay_set", slots=1),
)
