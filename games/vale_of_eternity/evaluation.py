"""The Vale of Eternity: what a card would bring to a seat, in points, as far as one can tell. For the steady bot.

A stone is counted at so much a unit of its worth; what an active effect brings, for each round that is likely to come.
"""

from collections.abc import Callable
from typing import NamedTuple

from games.vale_of_eternity.catalogue import CARDS, Card, Family
from games.vale_of_eternity.stones import Colour

UNIT = 0.8
"""What a unit of a stone's worth is worth in points."""


class Outlook(NamedTuple):
    """What a seat looks at: its area with the card in it, its hand without it, its stones, and the rounds to come.

    rounds: how often active effects will probably be used. opponents: the cards that lie before the others.
    """

    area: tuple[Card, ...]
    hand: tuple[Card, ...]
    stones: tuple[Colour, ...]
    worth: dict[Colour, int]
    rounds: float
    is_ahead: bool
    opponents: tuple[Card, ...]

    def of(self, family: Family) -> int:
        """Count the cards of a family in the area."""
        return sum(CARDS[card].family == family for card in self.area)

    @property
    def families(self) -> int:
        """Count the families in the area."""
        return len({CARDS[card].family for card in self.area})

    def value(self, *colours: Colour) -> int:
        """Add up what the stones of some colours are worth."""
        return sum(self.worth[stone] for stone in self.stones if stone in colours)

    def costs_at_most(self, cost: int) -> int:
        """Count the cards in the area that are written to cost so much or less."""
        return sum(CARDS[card].cost <= cost for card in self.area)

    def strike(self, family: Family) -> float:
        """What it brings that a player has to discard a card of a family: nothing unless an opponent has one."""
        theirs = any(CARDS[card].family == family for card in self.opponents)
        return 2 if theirs else -3 if self.of(family) else -99


Estimate = Callable[[Outlook], float]


def _succubus(seen: Outlook) -> float:
    return 10 if {CARDS[card].cost for card in seen.area} >= {1, 2, 3, 4} else 0


def _best_of_hand(seen: Outlook) -> float:
    return max((CARDS[card].cost for card in seen.hand), default=-99) - 2


INSTANT: dict[Card, Estimate] = {
    "firefox": lambda seen: len(seen.hand),
    "ifrit": lambda seen: len(seen.area),
    "imp": lambda seen: 2 * UNIT,
    "incubus": lambda seen: 2 * seen.costs_at_most(2),
    "lava_giant": lambda seen: 2 * seen.of("fire"),
    "succubus": _succubus,
    "surtr": lambda seen: 2 * seen.families,
    "hydra": lambda seen: 4 + 6 * UNIT,
    "leviathan": lambda seen: 7 + seen.strike("dragon"),
    "poseidon": lambda seen: 3 * seen.of("water"),
    "undine": lambda seen: 3 * UNIT,
    "water_giant": lambda seen: 6 * UNIT,
    "yuki_onna": lambda seen: (1 - UNIT) * seen.value("red", "blue", "purple") - 1,
    "yuki_onna_exalted": lambda seen: seen.value("blue"),
    "behemoth": lambda seen: 3 * seen.families,
    "cerberus": lambda seen: 0,
    "forest_spirit": _best_of_hand,
    "mud_slime": lambda seen: 6,
    "rock_golem": lambda seen: seen.value("purple"),
    "sand_giant": lambda seen: 4 * seen.of("earth"),
    "stone_golem": lambda seen: UNIT * (seen.worth["purple"] * len(seen.stones) - seen.value("red", "blue", "purple")),
    "young_forest_spirit": lambda seen: max((CARDS[card].cost for card in seen.hand), default=0) - 2,
    "boreas": lambda seen: seen.of("wind"),
    "dandelion_spirit": lambda seen: 2,
    "genie": lambda seen: sum(active(card, seen) for card in seen.area if card != "genie"),
    "gi_rin": lambda seen: 2 * len(seen.area),
    "hippogriff": lambda seen: 2,
    "pegasus": lambda seen: 2,
    "rudra": lambda seen: 2 * len(seen.hand),
    "sylph": lambda seen: 2,
    "tengu": lambda seen: 6,
    "aeris": lambda seen: max((CARDS[card].cost for card in seen.area if card != "aeris"), default=0),
    "boulder": lambda seen: 8 + seen.strike("wind"),
    "dragon_egg": lambda seen: max((CARDS[card].cost for card in seen.hand), default=0),
    "ember": lambda seen: 7 + seen.strike("water"),
    "eternity": lambda seen: 4 * seen.families,
    "gust": lambda seen: 8 + seen.strike("earth"),
    "marina": lambda seen: 7 + seen.strike("fire"),
    "scorch": lambda seen: max((instant(card, seen) for card in seen.area if card != "scorch"), default=0),
    "tidal": lambda seen: 5 * seen.of("dragon"),
    "willow": lambda seen: 5 + 10 * UNIT,
}
"""What the instant effects bring at once."""

ACTIVE: dict[Card, Estimate] = {
    "asmodeus": lambda seen: 1,
    "balog": lambda seen: 1.5,
    "burning_skull": lambda seen: 2,
    "horned_salamander": lambda seen: 2.5,
    "imp": lambda seen: 1,
    "salamander": lambda seen: 1.7,
    "charybdis": lambda seen: 2.5,
    "nessie": lambda seen: 0 if seen.of("dragon") else 2,
    "sea_spirit": lambda seen: min(2, 1 + seen.stones.count("blue") / 2),
    "snail_maiden": lambda seen: 2,
    "undine": lambda seen: 1.5,
    "undine_queen": lambda seen: 2.2,
    "basilisk": lambda seen: 2.5,
    "goblin": lambda seen: 1.5,
    "goblin_soldier": lambda seen: -3 if seen.is_ahead else 3,
    "medusa": lambda seen: 2,
    "mimic": lambda seen: 2,
    "mud_slime": lambda seen: 0.5,
    "troll": lambda seen: 2.5 if "purple" in seen.stones else 1.5,
    "dandelion_spirit": lambda seen: 0.3,
    "freyja": lambda seen: sum("active" in CARDS[card].effects for card in seen.area),
    "genie_exalted": lambda seen: max((active(card, seen) for card in seen.area if card != "genie_exalted"), default=0),
    "griffon": lambda seen: 2,
    "harpy": lambda seen: 1.2,
    "odin": lambda seen: 2,
    "valkyrie": lambda seen: seen.families,
}
"""What the active effects bring in a round."""

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
"""What the permanent effects bring in a round."""


def instant(card: Card, seen: Outlook) -> float:
    """Estimate what the instant effect of a card brings."""
    return INSTANT[card](seen) if card in INSTANT else 0


def active(card: Card, seen: Outlook) -> float:
    """Estimate what the active effect of a card brings in a round."""
    return ACTIVE[card](seen) if card in ACTIVE else 0


def lasting(card: Card, seen: Outlook) -> float:
    """Estimate what a card still brings that lies in the area."""
    return seen.rounds * active(card, seen) + max(0, seen.rounds - 1) * PERMANENT.get(card, 0)
