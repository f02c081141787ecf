"""The Vale of Eternity: what the Water creatures do."""

from typing import Literal

from games.kernel import OneOf, Outcome, SomeOf, choose, rule
from games.vale_of_eternity.card_script import THIS, can, card
from games.vale_of_eternity.effects import (
    draw,
    gain,
    make_a_player_discard,
    pay,
    pick,
    recover,
    score,
    score_per_card_of,
    score_value_of,
)
from games.vale_of_eternity.facts import StonesDiscarded
from games.vale_of_eternity.stones import BLUE, PURPLE, Colour, Stones
from games.vale_of_eternity.table import Vale, of_family

# Give up a blue stone: score 5.
card("charybdis", active=(pay("blue"), score(5)))

# Your blue stones are worth what purple ones are printed to be worth, and the other way round.
card("hae_tae", swaps_blue_and_purple=True)

Reward = Literal["purple_stone", "card", "two_blue_stones", "four_points"]
REWARDS = {
    "purple_stone": gain(PURPLE),
    "card": draw(),
    "two_blue_stones": gain(2 * BLUE),
    "four_points": score(4),
}


# Take two different rewards of four.
@rule
def choose_two_rewards(table: Vale) -> Outcome:
    """Two different rewards are taken, in the order in which they are chosen."""
    return choose("Choose two rewards.", take_rewards.offer(rewards=SomeOf(tuple(REWARDS), 2, 2)))


@rule
def take_rewards(table: Vale, rewards: tuple[Reward, ...]) -> Outcome:
    """The first reward chosen is taken before the second."""
    return tuple(REWARDS[reward] for reward in rewards)


card("hydra", instant=(choose_two_rewards(),))

# Whenever you summon another card with at least one blue stone: score 2.
card("kappa", whenever_summoned=lambda payment: score(2) if "blue" in payment else None)

# Score 7. A player whom you name discards a Dragon of theirs.
card("leviathan", instant=(score(7), make_a_player_discard("dragon")))


# Score 2 if your area holds no Dragon.
@rule
def score_without_dragons(table: Vale, points: int) -> Outcome:
    """Earn points if no Dragon is in the area."""
    return None if of_family(table.me.area, "dragon") else score(points)


card("nessie", active=(score_without_dragons(2),))

# Score 3 for each Water card in your area.
card("poseidon", instant=(score_per_card_of("water", 3),))


# Score 1 for each blue stone that you hold.
@rule
def score_per_blue_stone(table: Vale, points: int) -> Outcome:
    """Earn points for each blue stone, whatever it is worth."""
    return score(points * table.me.stones.count("blue"))


card("sea_spirit", active=(score_per_blue_stone(1),))

TRADES: dict[Colour, Stones] = {"blue": PURPLE, "purple": 3 * BLUE}


# Trade a blue stone for a purple one, or a purple one for three blue ones.
@rule
def trade_a_stone(table: Vale) -> Outcome:
    """One of the two trades is made."""
    return pick("Trade a blue stone for a purple one, or a purple one for three blue.", trade.offer(give=_given(table)))


@can(trade_a_stone)
def can_trade_a_stone(table: Vale) -> bool:
    """Is there a blue or a purple stone?"""
    return _given(table).is_possible


def _given(table: Vale) -> OneOf:
    return OneOf(tuple(colour for colour in TRADES if colour in table.me.stones))


@rule
def trade(table: Vale, give: Colour) -> Outcome:
    """The stone chosen is given up for others."""
    return pay(give), gain(TRADES[give])


card("snail_maiden", active=(trade_a_stone(),))

# Whenever you tame a Water card: gain two blue stones.
card("triton", whenever_tamed=lambda tamed: gain(2 * BLUE) if tamed.family == "water" else None)

# Gain a blue stone. Active: return to hand.
card("undine", instant=(gain(BLUE),), active=(recover(THIS),))

# Gain a blue stone.
card("undine_queen", active=(gain(BLUE),))

# Gain two blue stones. Your blue and purple stones are worth 1 more.
card("water_giant", instant=(gain(2 * BLUE),), stones_worth={"blue": 1, "purple": 1})


# Score what all your stones are worth, and discard them.
@rule
def turn_stones_into_points(table: Vale) -> Outcome:
    """All stones are discarded for their worth in points, read before they go."""
    stones = table.me.stones
    return (StonesDiscarded(table.seat, stones), score(table.value_of(stones))) if stones else None


card("yuki_onna", instant=(turn_stones_into_points(),))

# Score what your blue stones are worth.
card("yuki_onna_exalted", instant=(score_value_of("blue"),))
