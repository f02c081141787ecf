"""The Vale of Eternity: the facts of its 70 creatures, from cards.toml."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.kernel import CardData, InvalidCards, read_cards

Card = str
"""A creature is its id: there is one of each."""

Family = Literal["fire", "water", "earth", "wind", "dragon"]
Kind = Literal["instant", "permanent", "active"]

CREATURES_OF: dict[Family, int] = {"fire": 15, "water": 15, "earth": 15, "wind": 15, "dragon": 10}
"""How many creatures each family has."""


Sentence = Annotated[str, Meta(min_length=1)]


class Says(Struct, frozen=True, forbid_unknown_fields=True):
    """What the effects of a creature say, in our own words, by language: a sentence for each effect."""

    en: tuple[Sentence, ...]
    fr: tuple[Sentence, ...]


class Creature(CardData, frozen=True):
    """What is printed on a creature: its names, its family, its cost, the kinds of its effects and what they say."""

    family: Family
    cost: Annotated[int, Meta(ge=0, le=12)]
    effects: Annotated[tuple[Kind, ...], Meta(min_length=1)]
    says: Says


def read_creatures(file: Path) -> dict[Card, Creature]:
    """Return the creatures of a file by id.

    Raises:
        UnfitCards: what the kernel finds, a family with too many, or an effect without a sentence.
    """
    creatures = read_cards(file, Creature, sum(CREATURES_OF.values()))
    found: Counter[Family] = Counter()
    for card, creature in creatures.items():
        found[creature.family] += 1
        if found[creature.family] > CREATURES_OF[creature.family]:  # the total is right: then another has too few
            raise InvalidCards(f"{file.name}: {card}: one too many of family {creature.family}")
        if not len(creature.effects) == len(creature.says.en) == len(creature.says.fr):
            raise InvalidCards(f"{file.name}: {card}: says not one sentence for each of its effects")
    return creatures


CARDS = read_creatures(Path(__file__).parent / "cards.toml")
