"""The Vale of Eternity: what the Water creatures do."""

from typing import Literal

from games.kernel import OneOf, Outcome, SomeOf, choose, move, msg, rule
from games.vale_of_eternity.card_script import THIS, CardScript, requires
from games.vale_of_eternity.effects import (
    choose_unless_forced,
    draw_card,
    force_discard,
    gain_stones,
    give_up_stone,
    recover,
    score,
    score_per_family_card,
    score_stones_value,
)
from games.vale_of_eternity.facts import StonesDiscarded
from games.vale_of_eternity.stones import BLUE, PURPLE, Colour, Stones
from games.vale_of_eternity.table import Vale, family_cards

# --- Hydra --------------------------------------------------------------------------------------------------

Reward = Literal["purple_stone", "card", "two_blue_stones", "four_points"]
REWARDS = {
    "purple_stone": gain_stones(PURPLE),
    "card": draw_card(),
    "two_blue_stones": gain_stones(2 * BLUE),
    "four_points": score(4),
}


@rule
def choose_two_rewards(table: Vale) -> Outcome:
    """Choose two different rewards, in the order in which they are taken."""
    return choose(msg("Which two rewards do you take?"), take_rewards.offer(rewards=SomeOf(tuple(REWARDS), 2, 2)))


@move(
    title="Take two rewards",
    help="Take two different rewards, in the chosen order.",
    args={"rewards": "Rewards"},
)
def take_rewards(table: Vale, rewards: tuple[Reward, ...]) -> Outcome:
    """Take the chosen rewards, in the order in which they were chosen."""
    return tuple(REWARDS[reward] for reward in rewards)


# --- Nessie -------------------------------------------------------------------------------------------------


@rule
def score_without_dragon(table: Vale, points: int) -> Outcome:
    """Score points if there is no Dragon in the area."""
    return None if family_cards(table.me.area, "dragon") else score(points)


# --- Sea Spirit ---------------------------------------------------------------------------------------------


@rule
def score_per_blue_stone(table: Vale, points: int) -> Outcome:
    """Score points for each blue stone, whatever its value."""
    return score(points * table.me.stones.count("blue"))


# --- Snail Maiden -------------------------------------------------------------------------------------------

TRADES: dict[Colour, Stones] = {"blue": PURPLE, "purple": 3 * BLUE}
"""By the colour of the stone that is given up, the stones that are gained for it."""


def tradable_colours(table: Vale) -> tuple[Colour, ...]:
    """Return the colours of the stones that the player can trade."""
    return tuple(colour for colour in TRADES if colour in table.me.stones)


def can_trade_stone(table: Vale) -> bool:
    """Tell whether the player has a stone to trade."""
    return bool(tradable_colours(table))


@requires(can_trade_stone)
@rule
def choose_stone_to_trade(table: Vale) -> Outcome:
    """Choose a blue stone to trade for a purple one, or a purple stone to trade for three blue ones."""
    prompt = msg("Do you trade a blue stone for a purple one, or a purple stone for three blue ones?")
    return choose_unless_forced(prompt, trade_stone.offer(colour=OneOf(tradable_colours(table))))


@move(
    title="Trade a stone",
    help="Trade a blue stone for a purple one, or a purple stone for three blue ones.",
    args={"colour": "Stone to give up"},
)
def trade_stone(table: Vale, colour: Colour) -> Outcome:
    """Give up the chosen stone and gain the stones that are traded for it."""
    return give_up_stone(colour), gain_stones(TRADES[colour])


# --- Yuki-onna ----------------------------------------------------------------------------------------------


@rule
def turn_stones_into_points(table: Vale) -> Outcome:
    """Discard all stones and score the total value that they had."""
    stones = table.me.stones
    return (StonesDiscarded(table.seat, stones), score(table.stones_value(stones))) if stones else None


CARDS = (
    # Give up a blue stone: score 5.
    CardScript("charybdis", active=(give_up_stone("blue"), score(5))),
    # Your blue and purple stones exchange their printed values.
    CardScript("hae_tae", swaps_blue_and_purple=True),
    # Take two different rewards of four.
    CardScript("hydra", instant=(choose_two_rewards(),)),
    # Whenever you summon another card with at least one blue stone: score 2.
    CardScript("kappa", on_summon=lambda payment: score(2) if "blue" in payment else None),
    # Score 7. A player of your choice discards a Dragon of theirs.
    CardScript("leviathan", instant=(score(7), force_discard("dragon"))),
    # Score 2 if there is no Dragon in your area.
    CardScript("nessie", active=(score_without_dragon(2),)),
    # Score 3 for each Water card in your area.
    CardScript("poseidon", instant=(score_per_family_card("water", 3),)),
    # Score 1 for each blue stone that you have.
    CardScript("sea_spirit", active=(score_per_blue_stone(1),)),
    # Trade a blue stone for a purple one, or a purple one for three blue ones.
    CardScript("snail_maiden", active=(choose_stone_to_trade(),)),
    # Whenever you tame a Water card: gain two blue stones.
    CardScript("triton", on_tame=lambda tamed: gain_stones(2 * BLUE) if tamed.family == "water" else None),
    # Gain a blue stone. Active: take this card back to hand.
    CardScript("undine", instant=(gain_stones(BLUE),), active=(recover(THIS),)),
    # Gain a blue stone.
    CardScript("undine_queen", active=(gain_stones(BLUE),)),
    # Gain two blue stones. Your blue and purple stones are worth 1 more.
    CardScript("water_giant", instant=(gain_stones(2 * BLUE),), extra_value={"blue": 1, "purple": 1}),
    # Score the total value of all your stones, and discard them.
    CardScript("yuki_onna", instant=(turn_stones_into_points(),)),
    # Score the total value of your blue stones.
    CardScript("yuki_onna_exalted", instant=(score_stones_value("blue"),)),
)
