"""The Singles of the core set with four and five stars. Each comment says in our words what a card does."""

from games.kernel import OneOf, Outcome, choose, move, msg
from games.millennium_blades.board.card_script import CardInPlay, card
from games.millennium_blades.catalogue import Card, stars
from games.millennium_blades.scripting.amounts import (
    card_elements,
    card_types,
    count_different,
    per,
    stars_flipped,
    stored_number,
)
from games.millennium_blades.scripting.clash_effects import CLASH_FOR_TEN, clash_with_one, new_rivals, you_lost, you_won
from games.millennium_blades.scripting.conditions import has_flipped, your_turn
from games.millennium_blades.scripting.effects import (
    copy_one_of,
    flip_all,
    flip_all_without_triggers,
    flip_one_of,
    gain,
    gain_if,
    lose,
    may_flip_one_of,
    only_if,
)
from games.millennium_blades.scripting.selectors import (
    cards_up_to_this,
    left_neighbour,
    this_card,
    your_cards,
    your_deck_boxes,
    your_face_down_cards,
    your_other_cards,
)
from games.millennium_blades.scripting.triggers import ongoing, play, score, top
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.context import Context, TriggerContext
from games.millennium_blades.tournament.facts import Attached, ClashDecided, Marked, NumberStored, TurnBegun
from games.millennium_blades.tournament.flips import flip
from games.millennium_blades.tournament.resolution import losses

# --- Four stars -------------------------------------------------------------------------------------------


def _flipped_scoring_card(ctx: Context) -> bool:
    return any(card.has_score_effect for card in ctx.effect.flipped)


# --- Five stars -------------------------------------------------------------------------------------------


def _choose_hand_card_to_attach(ctx: Context) -> Outcome:
    hand = ctx.state.players[ctx.you].hand
    if not hand or ctx.this_in_play is None or not ctx.this_in_play.script.attachable:
        return None
    return choose(msg("Attach a card of your hand."), attach_from_hand.offer(card=OneOf(hand)))


@move(title="Attach a card", help="Attach this card of your hand.", args={"card": "Card"})
def attach_from_hand(table: MillenniumBlades, card: Card) -> Outcome:
    """Attach a card of the hand to this card, and store its stars."""
    this = table.current_effect.card
    return Attached(table.seat, card, this, "hand"), Marked(this, card), NumberStored(stars(card))


def _lose_five_or_flip(ctx: Context) -> Outcome:
    cannot_pay = ctx.points(ctx.you) < 5
    return *losses(ctx.table, ctx.you, 5), flip((ctx.this,)) if cannot_pay else ()


def _has_most_stars(ctx: Context) -> bool:
    this = ctx.this_in_play
    return this is not None and all(card.stars <= this.stars for card in ctx.your_cards)


def _you_lost_clash(trigger: TriggerContext) -> bool:
    clash = trigger.table.current_effect.clash
    assert clash is not None
    is_participant = any(side.seat == trigger.seat for side in clash.sides)
    return clash.status == "won" and is_participant and clash.winner != trigger.seat


def _weaker_cards(ctx: Context) -> list[CardInPlay]:
    this = ctx.this_in_play
    return [] if this is None else [card for card in ctx.your_cards if card.stars < this.stars]


CARDS = (
    # --- Four stars ---
    # 5 for each type among your cards, 20 at most.
    card("birdkeeper_arica", play(gain(count_different(card_types, 5)), cap=20)),
    # Gain 18; lose 20 in scoring.
    card("cannon_technician_meryl", play(gain(18)), score(lose(20))),
    # 5 for each of your cards of two types. Action: a clash for 10.
    card("cloud_boss_boss_of_a_cloud", play(gain(per(5, your_cards("citizen", "animal")))), CLASH_FOR_TEN),
    card("dark_storm_magical_pony", play(gain(per(5, your_cards("myth", "soldier")))), CLASH_FOR_TEN),
    card("devouring_worm", play(gain(per(5, your_cards("citizen", "animal")))), CLASH_FOR_TEN),
    card("mummer_the_merman", play(gain(per(5, your_cards("soldier", "myth")))), CLASH_FOR_TEN),
    card("pure_snow_magical_pony", play(gain(per(5, your_cards("citizen", "animal")))), CLASH_FOR_TEN),
    card("red_djinn_keeper_of_flames", play(gain(per(5, your_cards("construct", "mage")))), CLASH_FOR_TEN),
    # While it is Top, nobody gains reputation. Flip it at the start of your turn. Nothing can be attached to it.
    card(
        "donteles_the_frozen", top(TurnBegun, flip_all(this_card), when=your_turn), blocks_gains=True, attachable=False
    ),
    # 4 for each element among your cards.
    card("ironblight_the_golem", score(gain(count_different(card_elements, 4)))),
    # You may flip one of your cards for twice its stars, and 7 more if it has a Score effect.
    card(
        "looch_wrestler_of_light",
        play(may_flip_one_of(your_cards()), gain(stars_flipped(2)), gain_if(_flipped_scoring_card, 7)),
    ),
    # Flip this card and all cards to the left of it, without their Flip effects, for their stars.
    card("vectis_necromancer", play(flip_all_without_triggers(cards_up_to_this), gain(stars_flipped()))),
    # --- Five stars ---
    # 6 for each of your face-down cards.
    card("dark_sentinel_helbane", score(gain(per(6, your_face_down_cards)))),
    # Clash for 15 if you win; then clash with another player for 15 if you lose.
    card(
        "doubleshark_twice_the_shark",
        play(*clash_with_one(), gain_if(you_won, 15)),
        play(*clash_with_one(new_rivals), gain_if(you_lost, 15)),
    ),
    # Attach a card of your hand for twice its stars. Opponents cannot flip your other cards of its elements.
    card("g_r_guardian_of_the_crystal", play(_choose_hand_card_to_attach, gain(stored_number(2)))),
    # Lose 5, or flip this card if you cannot. Score 30.
    card("grand_inquisitor_melchior", play(_lose_five_or_flip), score(gain(30))),
    # 25 if none of your cards has more stars.
    card("king_of_the_faraway_mountain", score(gain_if(_has_most_stars, 25))),
    # Clash. If you win, flip your deck box for 35.
    card(
        "lenore_the_raven_queen",
        play(*clash_with_one(), only_if(you_won, flip_one_of(your_deck_boxes)), gain_if(you_won, 35)),
    ),
    # Copy the Score effect of your deck box, 30 at most.
    card("moai_mysterious_hero", score(copy_one_of("score", your_deck_boxes, 30), copyable=False)),
    # Copy a Score effect of its left neighbour.
    card("maximimilan_mathematician", score(copy_one_of("score", left_neighbour), copyable=False)),
    # Flip it when you lose a clash. Score 30.
    card("neverway_when_pigs_fly", ongoing(ClashDecided, flip_all(this_card), when=_you_lost_clash), score(gain(30))),
    # 5 for each of your cards with fewer stars.
    card("parker_big_game_hunter", score(gain(per(5, _weaker_cards)))),
    # Flip another of your cards for 24.
    card("shaalisaar_heroine_of_the_axe", play(flip_one_of(your_other_cards), gain_if(has_flipped, 24))),
    # Gain 25; lose 30 in scoring.
    card("yurgatrox_herald_of_doom", play(gain(25)), score(lose(30))),
)
