"""The Vale of Eternity: what the Earth creatures do."""

from games.kernel import OneOf, Outcome, Seat, SomeOf, choose, rule
from games.vale_of_eternity.card_script import THIS, can, card
from games.vale_of_eternity.catalogue import Card
from games.vale_of_eternity.effects import (
    can_discard_a_hand_card,
    discard_a_hand_card,
    discard_from_hand,
    gain,
    lose_points,
    pick,
    printed_cost,
    put_into_play,
    recover,
    score,
    score_per_card_of,
    score_per_family,
    score_value_of,
)
from games.vale_of_eternity.facts import (
    DiscardedFromArea,
    DiscardedFromHand,
    PointsLost,
    Scored,
    StonesDiscarded,
    StonesGained,
    TookFromDiscardPile,
)
from games.vale_of_eternity.stones import PURPLE, Colour
from games.vale_of_eternity.table import Vale, of_family

POINTS_FOR: dict[Colour, int] = {"red": 0, "blue": 1, "purple": 2}


# Give up 0, 1 or 2 points for a red, a blue or a purple stone.
@rule
def buy_a_stone_with_points(table: Vale) -> Outcome:
    """A stone is taken for points; points that one has not cannot be given."""
    colours = tuple(colour for colour, points in POINTS_FOR.items() if points <= table.me.points)
    return pick("Take a red stone, a blue one for 1 point, or a purple one for 2.", take.offer(colour=OneOf(colours)))


@rule
def take(table: Vale, colour: Colour) -> Outcome:
    """The stone chosen is taken for its points."""
    return lose_points(POINTS_FOR[colour]), gain((colour,))


card("basilisk", active=(buy_a_stone_with_points(),))

# Score 3 for each different family in your area.
card("behemoth", instant=(score_per_family(3),))


# Discard up to three other cards of your area.
@rule
def discard_up_to_three_others(table: Vale, this: Card) -> Outcome:
    """None, one, two or three other cards of the area are discarded."""
    others = table.others(this)
    return choose("Discard up to three other cards.", discard_all.offer(cards=SomeOf(others, 0, 3))) if others else None


@rule
def discard_all(table: Vale, cards: tuple[Card, ...]) -> Outcome:
    """The cards chosen go from the area to the discard pile."""
    return tuple(DiscardedFromArea(table.seat, card) for card in cards)


card("cerberus", instant=(discard_up_to_three_others(THIS),))


# Discard a card of your hand and score its printed cost.
@rule
def discard_for_points(table: Vale) -> Outcome:
    """A card of the hand is discarded for its written cost in points."""
    return choose(
        "Discard a card of your hand for its cost in points.", turn_into_points.offer(card=OneOf(table.me.hand))
    )


can(discard_for_points)(can_discard_a_hand_card)


@rule
def turn_into_points(table: Vale, card: Card) -> Outcome:
    """The card chosen is discarded, and its written cost is earned."""
    return DiscardedFromHand(table.seat, card), score(printed_cost(card))


card("forest_spirit", instant=(discard_for_points(),))

# Whenever you summon another card with at least one purple stone: score 3.
card("gargoyle", whenever_summoned=lambda payment: score(3) if "purple" in payment else None)


# Take a point from an opponent.
@rule
def steal_a_point(table: Vale) -> Outcome:
    """An opponent of the seat's choice gives it a point."""
    opponents = tuple(opponent.seat for opponent in table.opponents)
    return pick("Choose an opponent to take a point from.", steal_from.offer(opponent=OneOf(opponents)))


@rule
def steal_from(table: Vale, opponent: Seat) -> Outcome:
    """Who has no point has none to give."""
    if not table.state.players[opponent].points:
        return None
    return PointsLost(opponent, 1), Scored(table.seat, 1)


card("goblin", active=(steal_a_point(),))


# Score 4 if an opponent has more points than you, else lose 4.
@rule
def catch_up(table: Vale, points: int) -> Outcome:
    """Who is behind any opponent earns points; who is behind none loses as many."""
    is_behind = any(opponent.points > table.me.points for opponent in table.opponents)
    return score(points) if is_behind else lose_points(points)


card("goblin_soldier", active=(catch_up(4),))

# Discard a card of your hand: gain a purple stone.
card("medusa", active=(discard_a_hand_card(), gain(PURPLE)))


# Take an Earth card of the discard pile.
@rule
def take_an_earth_card(table: Vale) -> Outcome:
    """An Earth card of the discard pile goes to the hand."""
    cards = of_family(table.state.discard, "earth")
    return pick("Take an Earth card of the discard pile.", take_from_discard_pile.offer(card=OneOf(cards)))


@can(take_an_earth_card)
def can_take_an_earth_card(table: Vale) -> bool:
    """Is there an Earth card in the discard pile?"""
    return bool(of_family(table.state.discard, "earth"))


@rule
def take_from_discard_pile(table: Vale, card: Card) -> Outcome:
    """The card chosen goes from the discard pile to the hand."""
    return TookFromDiscardPile(table.seat, card)


card("mimic", active=(take_an_earth_card(),))

# Score 6. Active: return to hand.
card("mud_slime", instant=(score(6),), active=(recover(THIS),))

# Score what your purple stones are worth.
card("rock_golem", instant=(score_value_of("purple"),))

# Score 4 for each Earth card in your area.
card("sand_giant", instant=(score_per_card_of("earth", 4),))


# Turn all your stones into purple ones.
@rule
def turn_stones_purple(table: Vale) -> Outcome:
    """All stones become purple, one for one."""
    stones = table.me.stones
    if not stones:
        return None
    return StonesDiscarded(table.seat, stones), StonesGained(table.seat, PURPLE * len(stones))


card("stone_golem", instant=(turn_stones_purple(),))


# Score 3 if you hold a purple stone.
@rule
def score_with_purple(table: Vale, points: int) -> Outcome:
    """Earn points if a purple stone is held."""
    return score(points) if "purple" in table.me.stones else None


card("troll", active=(score_with_purple(3),))


# Discard a card of your hand, then summon another for nothing.
@rule
def discard_before_a_free_summon(table: Vale) -> Outcome:
    """A card of the hand is discarded; another that can be summoned has to be left."""
    return choose(
        "Discard a card of your hand; then you summon another for nothing.",
        discard_from_hand.offer(card=OneOf(_spare_cards(table))),
    )


@can(discard_before_a_free_summon)
def can_discard_before_a_free_summon(table: Vale) -> bool:
    """Is there a card to discard and, after it, one that can be summoned?"""
    return bool(_spare_cards(table))


def _spare_cards(table: Vale) -> tuple[Card, ...]:
    hand, seat = table.me.hand, table.seat
    return tuple(card for card in hand if table.after(DiscardedFromHand(seat, card)).can_summon_one_of_hand)


@rule
def summon_for_nothing(table: Vale) -> Outcome:
    """A card of the hand is summoned without paying; the area has to have room for it."""
    cards = tuple(card for card in table.me.hand if table.can_enter(card))
    return choose("Summon a card for nothing.", put_into_play.offer(card=OneOf(cards)))


card("young_forest_spirit", instant=(discard_before_a_free_summon(), summon_for_nothing()))
