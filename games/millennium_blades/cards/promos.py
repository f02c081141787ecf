"""The promo sets whose texts are written. Each comment says in our words what a card does."""

from games.kernel import OneOf, Outcome, choose, rule
from games.millennium_blades.catalogue import SETS, Card
from games.millennium_blades.scripting.effects import (
    ForEachPlayer,
    MayChooseTarget,
    Seats,
    clash_losers,
    clash_winner,
    clash_with_one,
    flip_one_of,
    gain,
    gain_if,
    loser_gains,
    token_on_target,
    winner_gains,
)
from games.millennium_blades.scripting.words import action, per, score, star_sum, your_cards
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.board import CardInPlay
from games.millennium_blades.tournament.card_script import card
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.discards import discard

# Legend of Final Badass: ten stars, and nothing else.
for _facts in SETS["legend-of-final-badass"].designs:
    card(_facts.id)

# Elemental Dragon Lords and Princess' Blade: the stars of your cards of an element, or of a type.
for _facts in SETS["elemental-dragon-lords"].designs:
    card(_facts.id, score(gain(star_sum(your_cards(*_facts.elements)))))
for _facts in SETS["princess-blade"].designs:
    card(_facts.id, score(gain(star_sum(your_cards(*_facts.types)))))

# Sealed Vaults: eight for each of your cards of the box's element, or of a type.
for _vault, _attributes in {
    "vault_of_ages": ("earth", "animal"),
    "vault_of_currents": ("water", "citizen"),
    "vault_of_embers": ("fire", "myth"),
    "vault_of_lights": ("light", "mage"),
    "vault_of_tempests": ("air", "construct"),
    "vault_of_shadows": ("dark", "soldier"),
}.items():
    card(_vault, score(gain(per(8, your_cards(*_attributes)))))

# --- Elemental Blades: a clash as an Action, with twenty-two at stake --------------------------------------


def _highest(ctx: Context) -> list[CardInPlay]:
    faces = ctx.board.face_up(ctx.seat)
    return [face for face in faces if face.stars == max(it.stars for it in faces)]


def _lowest(ctx: Context) -> list[CardInPlay]:
    faces = ctx.board.face_up(ctx.seat)
    return [face for face in faces if face.stars == min(it.stars for it in faces)]


def _flips_highest(seats: Seats) -> ForEachPlayer:
    return ForEachPlayer(seats, flip_one_of(_highest, "Flip your card with the most stars."))


def _tied(ctx: Context) -> bool:
    return ctx.clash is not None and ctx.clash.status == "tied"


def _discards_one(ctx: Context) -> Outcome:
    hand = ctx.state.players[ctx.seat].hand
    return choose("Discard a card.", discard_card.offer(card=OneOf(hand))) if hand else None


@rule
def discard_card(table: MillenniumBlades, card: Card) -> Outcome:
    """A player discards a card of his hand."""
    return discard((card,))


def _his_own_cards(ctx: Context) -> list[int]:
    return [face.card for face in ctx.board.tableaus[ctx.seat]]


_may_put_a_token = (
    ForEachPlayer(clash_winner, MayChooseTarget("You may put a star token on a card of yours.", _his_own_cards)),
    token_on_target,
)

card("crystal_blade_zedaxis", action(*clash_with_one(), gain_if(_tied, 40), winner_gains(22)))
card(
    "dowsing_blade_meridian",
    action(
        *clash_with_one(),
        loser_gains(22),
        ForEachPlayer(clash_winner, flip_one_of(_lowest, "Flip your card with the fewest stars.")),
    ),
)
card(
    "gloronicus_the_destiny_blade",
    action(*clash_with_one(), loser_gains(22), ForEachPlayer(clash_winner, _discards_one)),
)
card("infernalatius_maximus", action(*clash_with_one(), winner_gains(22), _flips_highest(clash_winner)))
card("necronamicus_unbound", action(*clash_with_one(), winner_gains(22), _flips_highest(clash_losers)))
card("soul_caliper", action(*clash_with_one(), winner_gains(22), *(3 * _may_put_a_token)))
