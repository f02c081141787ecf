"""The Vale of Eternity: what is printed on its 70 creatures, from cards.toml."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.kernel import CardData, InvalidCards, read_cards
from games.vale_of_eternity.stones import BLUE, PURPLE, RED, Stones

Card = str
"""The id of a creature: there is one card of each."""

Family = Literal["fire", "water", "earth", "wind", "dragon"]
EffectKind = Literal["instant", "permanent", "active"]

FAMILY_SIZES: dict[Family, int] = {"fire": 15, "water": 15, "earth": 15, "wind": 15, "dragon": 10}
"""How many creatures each family has."""

SALE_STONES: dict[Family, Stones] = {
    "fire": 3 * RED,
    "water": BLUE,
    "earth": 4 * RED,
    "wind": RED + BLUE,
    "dragon": PURPLE,
}
"""What a card is sold for: this depends on its family, not on its cost."""


EffectText = Annotated[str, Meta(min_length=1)]


class CardText(Struct, frozen=True, forbid_unknown_fields=True):
    help = """The effects of a creature in our own words, by language: one text for each effect."""

    en: tuple[EffectText, ...]
    fr: tuple[EffectText, ...]


class Creature(CardData, frozen=True):
    help = """What is printed on a creature: its names, family and cost, the kinds of its effects, and their texts."""

    family: Family
    cost: Annotated[int, Meta(ge=0, le=12)]
    effects: Annotated[tuple[EffectKind, ...], Meta(min_length=1)]
    text: CardText


def read_creatures(file: Path) -> dict[Card, Creature]:
    """Return the creatures of a file by id.

    Raises:
        InvalidCards: the kernel refuses the file, a family has too many creatures, or an effect has no text.
    """
    creatures = read_cards(file, Creature, sum(FAMILY_SIZES.values()))
    sizes: Counter[Family] = Counter()
    for card, creature in creatures.items():
        sizes[creature.family] += 1
        if sizes[creature.family] > FAMILY_SIZES[creature.family]:  # the total is right, so another has too few
            raise InvalidCards(f"{file.name}: {card}: one too many of family {creature.family}")
        if not len(creature.effects) == len(creature.text.en) == len(creature.text.fr):
            raise InvalidCards(f"{file.name}: {card}: must have one text for each of its effects")
    return creatures


CARDS = read_creatures(Path(__file__).parent / "cards.toml")
