"""The promo sets that are implemented. Each comment says in our words what a card does."""

from games.kernel import OneOf, Outcome, choose, move, msg
from games.millennium_blades.board.card_script import CardInPlay, card
from games.millennium_blades.catalogue import SETS, Card
from games.millennium_blades.scripting.amounts import per, star_sum
from games.millennium_blades.scripting.clash_effects import (
    clash_losers,
    clash_winner,
    clash_with_one,
    loser_gains,
    winner_gains,
)
from games.millennium_blades.scripting.effects import flip_one_of, gain, gain_if
from games.millennium_blades.scripting.players import ForEachPlayer
from games.millennium_blades.scripting.selectors import SeatSelector, your_cards
from games.millennium_blades.scripting.targets import MayChooseTarget, token_on_target
from games.millennium_blades.scripting.triggers import action, score
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.context import Context
from games.millennium_blades.tournament.discards import discard

# --- Elemental Blades -------------------------------------------------------------------------------------


def _strongest_cards(ctx: Context) -> list[CardInPlay]:
    cards = ctx.board.face_up(ctx.seat)
    most = max((card.stars for card in cards), default=0)
    return [card for card in cards if card.stars == most]


def _weakest_cards(ctx: Context) -> list[CardInPlay]:
    cards = ctx.board.face_up(ctx.seat)
    fewest = min((card.stars for card in cards), default=0)
    return [card for card in cards if card.stars == fewest]


def _flips_strongest(seats: SeatSelector) -> ForEachPlayer:
    return ForEachPlayer(seats, flip_one_of(_strongest_cards, msg("Flip your card with the most stars.")))


def _tied(ctx: Context) -> bool:
    return ctx.clash is not None and ctx.clash.status == "tied"


def _winner_discards(ctx: Context) -> Outcome:
    hand = ctx.state.players[ctx.seat].hand
    return choose(msg("Discard a card."), discard_card.offer(card=OneOf(hand))) if hand else None


@move(title="Discard a card", help="Discard this card of your hand.", args={"card": "Card"})
def discard_card(table: MillenniumBlades, card: Card) -> Outcome:
    """Discard a card of the hand."""
    return discard((card,))


def _chooser_tableau(ctx: Context) -> list[int]:
    return [card.card for card in ctx.board.tableaus[ctx.seat]]


_may_put_a_token = (
    ForEachPlayer(clash_winner, MayChooseTarget(msg("You may put a star token on a card of yours."), _chooser_tableau)),
    token_on_target,
)


CARDS = (
    # Legend of Final Badass: ten stars, and nothing else.
    *(card(printed.id) for printed in SETS["legend-of-final-badass"].designs),
    # Elemental Dragon Lords and Princess' Blade: the stars of your cards of an element, or of a type.
    *(
        card(printed.id, score(gain(star_sum(your_cards(*printed.elements)))))
        for printed in SETS["elemental-dragon-lords"].designs
    ),
    *(
        card(printed.id, score(gain(star_sum(your_cards(*printed.types)))))
        for printed in SETS["princess-blade"].designs
    ),
    # Sealed Vaults: eight for each of your cards of the box's element, or of a type.
    card("vault_of_ages", score(gain(per(8, your_cards("earth", "animal"))))),
    card("vault_of_currents", score(gain(per(8, your_cards("water", "citizen"))))),
    card("vault_of_embers", score(gain(per(8, your_cards("fire", "myth"))))),
    card("vault_of_lights", score(gain(per(8, your_cards("light", "mage"))))),
    card("vault_of_tempests", score(gain(per(8, your_cards("air", "construct"))))),
    card("vault_of_shadows", score(gain(per(8, your_cards("dark", "soldier"))))),
    # --- Elemental Blades: each has a clash for 22 as its Action ---
    card("crystal_blade_zedaxis", action(*clash_with_one(), gain_if(_tied, 40), winner_gains(22))),
    card(
        "dowsing_blade_meridian",
        action(
            *clash_with_one(),
            loser_gains(22),
            ForEachPlayer(clash_winner, flip_one_of(_weakest_cards, msg("Flip your card with the fewest stars."))),
        ),
    ),
    card(
        "gloronicus_the_destiny_blade",
        action(*clash_with_one(), loser_gains(22), ForEachPlayer(clash_winner, _winner_discards)),
    ),
    card("infernalatius_maximus", action(*clash_with_one(), winner_gains(22), _flips_strongest(clash_winner))),
    card("necronamicus_unbound", action(*clash_with_one(), winner_gains(22), _flips_strongest(clash_losers))),
    card("soul_caliper", action(*clash_with_one(), winner_gains(22), *(3 * _may_put_a_token))),
)
