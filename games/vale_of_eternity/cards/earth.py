"""The Vale of Eternity: what the Earth creatures do."""

from games.kernel import OneOf, Outcome, Seat, SomeOf, choose, move, msg, rule
from games.vale_of_eternity.card_script import THIS, CardScript, requires
from games.vale_of_eternity.catalogue import Card
from games.vale_of_eternity.effects import (
    choose_unless_forced,
    discard_from_hand,
    discard_hand_card,
    gain_stones,
    has_hand_card,
    lose_points,
    printed_cost,
    recover,
    score,
    score_per_family,
    score_per_family_card,
    score_stones_value,
    summon_free,
)
from games.vale_of_eternity.facts import (
    CardDiscardedFromArea,
    CardDiscardedFromHand,
    CardTakenFromDiscardPile,
    PointsLost,
    PointsScored,
    StonesDiscarded,
    StonesGained,
)
from games.vale_of_eternity.stones import PURPLE, Colour
from games.vale_of_eternity.table import Vale, family_cards

# --- Basilisk -----------------------------------------------------------------------------------------------

STONE_PRICES: dict[Colour, int] = {"red": 0, "blue": 1, "purple": 2}
"""How many points Basilisk takes for a stone of each colour."""


@rule
def choose_stone_to_buy(table: Vale) -> Outcome:
    """Choose a stone to buy with points. The player must have the points."""
    colours = tuple(colour for colour, points in STONE_PRICES.items() if points <= table.me.points)
    prompt = msg("Which stone do you take: red for nothing, blue for 1 point, or purple for 2 points?")
    return choose_unless_forced(prompt, buy_stone.offer(colour=OneOf(colours)))


@move(
    title="Take a stone",
    help="Gain a red stone for nothing, a blue one for 1 point, or a purple one for 2 points.",
    args={"colour": "Colour"},
)
def buy_stone(table: Vale, colour: Colour) -> Outcome:
    """Lose the price in points and gain the chosen stone."""
    return lose_points(STONE_PRICES[colour]), gain_stones((colour,))


# --- Cerberus -----------------------------------------------------------------------------------------------


@rule
def discard_other_cards(table: Vale, this: Card) -> Outcome:
    """Choose up to three other cards of the area and discard them."""
    others = table.other_cards(this)
    if not others:
        return None
    return choose(
        msg("Which other cards do you discard, up to three?"), discard_cards.offer(cards=SomeOf(others, 0, 3))
    )


@move(
    title="Discard summoned cards",
    help="Discard the chosen cards from your area. You may choose none.",
    args={"cards": "Cards in your area"},
)
def discard_cards(table: Vale, cards: tuple[Card, ...]) -> Outcome:
    """Discard the chosen cards from the area."""
    return tuple(CardDiscardedFromArea(table.seat, card) for card in cards)


# --- Forest Spirit ------------------------------------------------------------------------------------------


@requires(has_hand_card)
@rule
def discard_hand_card_for_points(table: Vale) -> Outcome:
    """Choose a card in hand; discard it and score its printed cost."""
    prompt = msg("Which card in your hand do you discard for its printed cost in points?")
    return choose(prompt, discard_for_points.offer(card=OneOf(table.me.hand)))


@move(
    title="Discard for points",
    help="Discard a card from your hand and score its printed cost.",
    args={"card": "Card in your hand"},
)
def discard_for_points(table: Vale, card: Card) -> Outcome:
    """Discard the chosen card and score its printed cost."""
    return CardDiscardedFromHand(table.seat, card), score(printed_cost(card))


# --- Goblin -------------------------------------------------------------------------------------------------


@rule
def steal_point(table: Vale) -> Outcome:
    """Choose an opponent and take 1 point from them."""
    opponents = tuple(opponent.seat for opponent in table.opponents)
    return choose_unless_forced(
        msg("Which opponent do you take 1 point from?"), steal_from.offer(opponent=OneOf(opponents))
    )


@move(
    title="Take a point",
    help="Take 1 point from the chosen opponent, if they have one.",
    args={"opponent": "Opponent"},
)
def steal_from(table: Vale, opponent: Seat) -> Outcome:
    """Take 1 point from the chosen opponent, if they have one."""
    if not table.state.players[opponent].points:
        return None
    return PointsLost(opponent, 1), PointsScored(table.seat, 1)


# --- Goblin Soldier -----------------------------------------------------------------------------------------


@rule
def score_or_lose(table: Vale, points: int) -> Outcome:
    """Score points if at least one opponent has more points, otherwise lose as many."""
    is_behind = any(opponent.points > table.me.points for opponent in table.opponents)
    return score(points) if is_behind else lose_points(points)


# --- Mimic --------------------------------------------------------------------------------------------------


def has_discarded_earth_card(table: Vale) -> bool:
    """Tell whether there is an Earth card in the discard pile."""
    return bool(family_cards(table.state.discard_pile, "earth"))


@requires(has_discarded_earth_card)
@rule
def take_earth_card(table: Vale) -> Outcome:
    """Choose an Earth card in the discard pile and take it into the hand."""
    cards = family_cards(table.state.discard_pile, "earth")
    prompt = msg("Which Earth card do you take from the discard pile?")
    return choose_unless_forced(prompt, take_from_discard_pile.offer(card=OneOf(cards)))


@move(
    title="Take a discarded card",
    help="Take the chosen card from the discard pile into your hand.",
    args={"card": "Card in the discard pile"},
)
def take_from_discard_pile(table: Vale, card: Card) -> Outcome:
    """Take the chosen card from the discard pile into the hand."""
    return CardTakenFromDiscardPile(table.seat, card)


# --- Stone Golem --------------------------------------------------------------------------------------------


@rule
def turn_stones_purple(table: Vale) -> Outcome:
    """Replace each stone by a purple one."""
    stones = table.me.stones
    if not stones:
        return None
    return StonesDiscarded(table.seat, stones), StonesGained(table.seat, PURPLE * len(stones))


# --- Troll --------------------------------------------------------------------------------------------------


@rule
def score_with_purple_stone(table: Vale, points: int) -> Outcome:
    """Score points if the player has a purple stone."""
    return score(points) if "purple" in table.me.stones else None


# --- Young Forest Spirit ------------------------------------------------------------------------------------


def discardable_before_free_summon(table: Vale) -> tuple[Card, ...]:
    """Return the hand cards after whose discard another hand card could still be summoned without payment."""
    hand, seat = table.me.hand, table.seat
    return tuple(card for card in hand if table.after(CardDiscardedFromHand(seat, card)).can_summon_any_free)


def can_discard_before_free_summon(table: Vale) -> bool:
    """Tell whether there is a card to discard and another one to summon after that."""
    return bool(discardable_before_free_summon(table))


@requires(can_discard_before_free_summon)
@rule
def discard_before_free_summon(table: Vale) -> Outcome:
    """Choose a card in hand and discard it. A card that can be summoned must remain."""
    return choose(
        msg("Which card in your hand do you discard before you summon another for free?"),
        discard_from_hand.offer(card=OneOf(discardable_before_free_summon(table))),
    )


@rule
def summon_hand_card_free(table: Vale) -> Outcome:
    """Choose a card in hand and summon it without paying. The area must have a free slot."""
    cards = tuple(card for card in table.me.hand if table.can_summon_free(card))
    return choose(msg("Which card do you summon for free?"), summon_free.offer(card=OneOf(cards)))


CARDS = (
    # Give up 0, 1 or 2 points for a red, a blue or a purple stone.
    CardScript("basilisk", active=(choose_stone_to_buy(),)),
    # Score 3 for each different family in your area.
    CardScript("behemoth", instant=(score_per_family(3),)),
    # Discard up to three other cards of your area.
    CardScript("cerberus", instant=(discard_other_cards(THIS),)),
    # Discard a card of your hand and score its printed cost.
    CardScript("forest_spirit", instant=(discard_hand_card_for_points(),)),
    # Whenever you summon another card with at least one purple stone: score 3.
    CardScript("gargoyle", on_summon=lambda payment: score(3) if "purple" in payment else None),
    # Take 1 point from an opponent of your choice.
    CardScript("goblin", active=(steal_point(),)),
    # Score 4 if an opponent has more points than you, else lose 4.
    CardScript("goblin_soldier", active=(score_or_lose(4),)),
    # Discard a card of your hand: gain a purple stone.
    CardScript("medusa", active=(discard_hand_card(), gain_stones(PURPLE))),
    # Take an Earth card of the discard pile.
    CardScript("mimic", active=(take_earth_card(),)),
    # Score 6. Active: take this card back to hand.
    CardScript("mud_slime", instant=(score(6),), active=(recover(THIS),)),
    # Score the total value of your purple stones.
    CardScript("rock_golem", instant=(score_stones_value("purple"),)),
    # Score 4 for each Earth card in your area.
    CardScript("sand_giant", instant=(score_per_family_card("earth", 4),)),
    # Turn all your stones into purple ones.
    CardScript("stone_golem", instant=(turn_stones_purple(),)),
    # Score 3 if you have a purple stone.
    CardScript("troll", active=(score_with_purple_stone(3),)),
    # Discard a card of your hand, then summon another for free.
    CardScript("young_forest_spirit", instant=(discard_before_free_summon(), summon_hand_card_free())),
)
