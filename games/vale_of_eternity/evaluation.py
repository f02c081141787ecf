"""The Vale of Eternity: rough estimates, for the steady bot, of how many points a card will bring to a seat.

A stone counts `POINTS_PER_VALUE` points for each unit of its value. An active or permanent effect counts once for each
round that is likely to come.
"""

from collections.abc import Callable
from typing import NamedTuple

from games.vale_of_eternity.catalogue import CARDS, Card, Family
from games.vale_of_eternity.stones import Colour

POINTS_PER_VALUE = 0.8
"""How many points one unit of stone value is worth."""


class Position(NamedTuple):
    """What the estimates depend on. When a hand card is evaluated, it is in the area here, and not in the hand.

    stone_values: the value of a stone, by colour. rounds: how often active effects will probably be used.
    opponents_cards: the cards in the areas of all opponents.
    """

    area: tuple[Card, ...]
    hand: tuple[Card, ...]
    stones: tuple[Colour, ...]
    stone_values: dict[Colour, int]
    rounds: float
    is_ahead: bool
    opponents_cards: tuple[Card, ...]

    def count(self, family: Family) -> int:
        """Count the cards of a family in the area."""
        return sum(CARDS[card].family == family for card in self.area)

    @property
    def family_count(self) -> int:
        """The number of different families in the area."""
        return len({CARDS[card].family for card in self.area})

    def stones_value(self, *colours: Colour) -> int:
        """Return the total value of the stones of some colours."""
        return sum(self.stone_values[stone] for stone in self.stones if stone in colours)

    def count_cheap(self, max_cost: int) -> int:
        """Count the cards in the area with a printed cost of at most `max_cost`."""
        return sum(CARDS[card].cost <= max_cost for card in self.area)

    def forced_discard(self, family: Family) -> float:
        """Estimate what it brings that a player must discard a card of a family: a gain only if an opponent has one."""
        can_hit_opponent = any(CARDS[card].family == family for card in self.opponents_cards)
        return 2 if can_hit_opponent else -3 if self.count(family) else -99


Estimate = Callable[[Position], float]


def _succubus(position: Position) -> float:
    return 10 if {CARDS[card].cost for card in position.area} >= {1, 2, 3, 4} else 0


def _best_of_hand(position: Position) -> float:
    return max((CARDS[card].cost for card in position.hand), default=-99) - 2


INSTANT: dict[Card, Estimate] = {
    "firefox": lambda position: len(position.hand),
    "ifrit": lambda position: len(position.area),
    "imp": lambda position: 2 * POINTS_PER_VALUE,
    "incubus": lambda position: 2 * position.count_cheap(2),
    "lava_giant": lambda position: 2 * position.count("fire"),
    "succubus": _succubus,
    "surtr": lambda position: 2 * position.family_count,
    "hydra": lambda position: 4 + 6 * POINTS_PER_VALUE,
    "leviathan": lambda position: 7 + position.forced_discard("dragon"),
    "poseidon": lambda position: 3 * position.count("water"),
    "undine": lambda position: 3 * POINTS_PER_VALUE,
    "water_giant": lambda position: 6 * POINTS_PER_VALUE,
    "yuki_onna": lambda position: (1 - POINTS_PER_VALUE) * position.stones_value("red", "blue", "purple") - 1,
    "yuki_onna_exalted": lambda position: position.stones_value("blue"),
    "behemoth": lambda position: 3 * position.family_count,
    "cerberus": lambda position: 0,
    "forest_spirit": _best_of_hand,
    "mud_slime": lambda position: 6,
    "rock_golem": lambda position: position.stones_value("purple"),
    "sand_giant": lambda position: 4 * position.count("earth"),
    "stone_golem": lambda position: (
        POINTS_PER_VALUE
        * (position.stone_values["purple"] * len(position.stones) - position.stones_value("red", "blue", "purple"))
    ),
    "young_forest_spirit": lambda position: max((CARDS[card].cost for card in position.hand), default=0) - 2,
    "boreas": lambda position: position.count("wind"),
    "dandelion_spirit": lambda position: 2,
    "genie": lambda position: sum(active_value(card, position) for card in position.area if card != "genie"),
    "gi_rin": lambda position: 2 * len(position.area),
    "hippogriff": lambda position: 2,
    "pegasus": lambda position: 2,
    "rudra": lambda position: 2 * len(position.hand),
    "sylph": lambda position: 2,
    "tengu": lambda position: 6,
    "aeris": lambda position: max((CARDS[card].cost for card in position.area if card != "aeris"), default=0),
    "boulder": lambda position: 8 + position.forced_discard("wind"),
    "dragon_egg": lambda position: max((CARDS[card].cost for card in position.hand), default=0),
    "ember": lambda position: 7 + position.forced_discard("water"),
    "eternity": lambda position: 4 * position.family_count,
    "gust": lambda position: 8 + position.forced_discard("earth"),
    "marina": lambda position: 7 + position.forced_discard("fire"),
    "scorch": lambda position: max(
        (instant_value(card, position) for card in position.area if card != "scorch"), default=0
    ),
    "tidal": lambda position: 5 * position.count("dragon"),
    "willow": lambda position: 5 + 10 * POINTS_PER_VALUE,
}
"""Estimates of what instant effects bring at once."""

ACTIVE: dict[Card, Estimate] = {
    "asmodeus": lambda position: 1,
    "balog": lambda position: 1.5,
    "burning_skull": lambda position: 2,
    "horned_salamander": lambda position: 2.5,
    "imp": lambda position: 1,
    "salamander": lambda position: 1.7,
    "charybdis": lambda position: 2.5,
    "nessie": lambda position: 0 if position.count("dragon") else 2,
    "sea_spirit": lambda position: min(2, 1 + position.stones.count("blue") / 2),
    "snail_maiden": lambda position: 2,
    "undine": lambda position: 1.5,
    "undine_queen": lambda position: 2.2,
    "basilisk": lambda position: 2.5,
    "goblin": lambda position: 1.5,
    "goblin_soldier": lambda position: -3 if position.is_ahead else 3,
    "medusa": lambda position: 2,
    "mimic": lambda position: 2,
    "mud_slime": lambda position: 0.5,
    "troll": lambda position: 2.5 if "purple" in position.stones else 1.5,
    "dandelion_spirit": lambda position: 0.3,
    "freyja": lambda position: sum("active" in CARDS[card].effects for card in position.area),
    "genie_exalted": lambda position: max(
        (active_value(card, position) for card in position.area if card != "genie_exalted"), default=0
    ),
    "griffon": lambda position: 2,
    "harpy": lambda position: 1.2,
    "odin": lambda position: 2,
    "valkyrie": lambda position: position.family_count,
}
"""Estimates of what active effects bring in each round."""

PERMANENT: dict[Card, float] = {
    "agni": 1.3,
    "hestia": 0.8,
    "phoenix": 1.2,
    "hae_tae": 1.5,
    "kappa": 1.2,
    "triton": 2,
    "water_giant": 1,
    "gargoyle": 1.2,
    "hippogriff": 0.6,
    "pegasus": 1,
    "sylph": 1,
}
"""Estimates of what permanent effects bring in each round."""


def instant_value(card: Card, position: Position) -> float:
    """Estimate what the instant effect of a card brings."""
    return INSTANT[card](position) if card in INSTANT else 0


def active_value(card: Card, position: Position) -> float:
    """Estimate what the active effect of a card brings in each round."""
    return ACTIVE[card](position) if card in ACTIVE else 0


def future_value(card: Card, position: Position) -> float:
    """Estimate what a card in the area will still bring."""
    permanent = PERMANENT.get(card, 0)
    return position.rounds * active_value(card, position) + max(0, position.rounds - 1) * permanent
