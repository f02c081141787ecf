"""Millennium Blades: the cards. Facts of every design, loaded from cards.json and checked once at start.

A card is a number: ten times the number of its design, and which of its copies it is. So a front end finds the
design of a card that it sees in the catalogue; the number of a card that nobody has seen is never sent.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import msgspec

from games.kernel import CardData, Names

Card = int
"""A card: ten times the number of its design, plus the number of the copy."""

Design = int
"""The number of a design, from 1 on. A number is never used for another design."""

Element = Literal["air", "dark", "earth", "fire", "light", "water"]
Type = Literal["animal", "citizen", "construct", "mage", "myth", "soldier", "pro"]
Kind = Literal["single", "deck_box", "accessory"]
Rarity = Literal["core", "expansion", "premium", "master", "bronze_promo", "silver_promo", "gold_promo", "pro_player"]
Tier = Literal["bronze", "silver", "gold"]

ELEMENTS: tuple[str, ...] = get_args(Element)
TYPES: tuple[str, ...] = get_args(Type)[:6]
PROMOS = ("bronze_promo", "silver_promo", "gold_promo")
CARDS_OF_THE_GAME = 652 - 36 - 12 - 6  # without friendship cards, metas and characters


class Facts(CardData, frozen=True, forbid_unknown_fields=True):
    """What is printed on a card, but for its text and what its set says."""

    number: Design
    id: str
    stars: int
    elements: tuple[Element, ...]
    types: tuple[Type, ...]
    kind: Kind
    copies: int


class Says(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a card says, in our own words, by language: a sentence for each of its effects."""

    en: tuple[str, ...]
    fr: tuple[str, ...]


class Printed(CardData, frozen=True):
    """A card as front ends are told of it: a card of its number is ten times `number` plus which copy it is."""

    number: Design
    set: str
    rarity: Rarity
    price: int
    stars: int
    elements: tuple[Element, ...]
    types: tuple[Type, ...]
    kind: Kind
    copies: int
    says: Says


class CardSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of cards: they share a symbol, a rarity, and the price on the back of their packs."""

    id: str
    names: Names
    rarity: Rarity
    price: int
    designs: tuple[Facts, ...]


class Starter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A starter deck: nine designs, by id."""

    id: str
    names: Names
    element: Element
    cards: tuple[str, ...]


class Character(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character. Its number is that of a design, so that its powers are written as texts of cards are."""

    number: Design
    id: str
    name: str


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file of cards."""

    format: int
    sets: tuple[CardSet, ...]
    starters: tuple[Starter, ...]
    characters: tuple[Character, ...]


class UnfitCatalogue(ValueError):
    """The file of cards is not sound: the message names the card and the reason."""


def check(catalogue: Catalogue) -> Catalogue:
    """Return the catalogue if its counts and names are sound.

    Raises:
        UnfitCatalogue: with the card and the reason.
    """
    for what, found in _repeated(catalogue):
        raise UnfitCatalogue(f"cards.json: {what} {found} is there twice")
    for card_set in catalogue.sets:
        for facts in card_set.designs:
            if not 1 <= facts.stars <= 10 or not 1 <= facts.copies <= 9:
                raise UnfitCatalogue(f"cards.json: {facts.id} has {facts.stars} stars and {facts.copies} copies")
    known = {facts.id for card_set in catalogue.sets for facts in card_set.designs}
    for starter in catalogue.starters:
        if len(starter.cards) != 9 or not known.issuperset(starter.cards):
            raise UnfitCatalogue(f"cards.json: starter {starter.id} does not name nine cards that exist")
    cards = sum(facts.copies for card_set in catalogue.sets for facts in card_set.designs)
    cards += sum(card != "deck_protectors" for starter in catalogue.starters for card in starter.cards)
    if cards != CARDS_OF_THE_GAME:
        raise UnfitCatalogue(f"cards.json: {cards} cards instead of {CARDS_OF_THE_GAME}")
    return catalogue


def _repeated(catalogue: Catalogue) -> Iterator[tuple[str, object]]:
    designs = [facts for card_set in catalogue.sets for facts in card_set.designs]
    for what, values in (
        ("number", [*(facts.number for facts in designs), *(it.number for it in catalogue.characters)]),
        ("design", [facts.id for facts in designs]),
        ("set", [card_set.id for card_set in catalogue.sets]),
    ):
        for value, times in Counter(values).items():
            if times > 1:
                yield what, value


CATALOGUE = check(msgspec.json.decode((Path(__file__).parent / "cards.json").read_bytes(), type=Catalogue))

SETS: dict[str, CardSet] = {card_set.id: card_set for card_set in CATALOGUE.sets}
DESIGNS: dict[Design, Facts] = {facts.number: facts for card_set in CATALOGUE.sets for facts in card_set.designs}
NUMBERS: dict[str, Design] = {facts.id: facts.number for facts in DESIGNS.values()}
SET_OF: dict[Design, CardSet] = {facts.number: card_set for card_set in CATALOGUE.sets for facts in card_set.designs}
STARTERS: dict[str, Starter] = {starter.id: starter for starter in CATALOGUE.starters}
CHARACTERS: dict[str, Character] = {character.id: character for character in CATALOGUE.characters}
DECK_PROTECTORS = NUMBERS["deck_protectors"]
CORE = "millennium-blades"

_NUMBERS = range(max(character.number for character in CATALOGUE.characters) + 1)
STARS = tuple(DESIGNS[number].stars if number in DESIGNS else 0 for number in _NUMBERS)
KINDS = tuple(DESIGNS[number].kind if number in DESIGNS else "character" for number in _NUMBERS)


def stars(card: Card) -> int:
    """Return the stars printed on a card."""
    return STARS[card // 10]


def kind(card: Card) -> str:
    """Is a card a Single, a deck box or an accessory?"""
    return KINDS[card // 10]


@cache
def set_of(card: Card) -> str:
    """Return the set that a card shows: a starter card shows the core set."""
    card_set = SET_OF[card // 10].id
    return CORE if card_set == "starter-extra" else card_set


@cache
def rarity(card: Card) -> str:
    """Return the rarity of a card."""
    return SET_OF[card // 10].rarity


@cache
def price(card: Card) -> int:
    """Return the price printed on the back of a card, in dollars."""
    return SET_OF[card // 10].price


def copies_of(card_set: str) -> tuple[Card, ...]:
    """Return every card of a set."""
    return tuple(facts.number * 10 + copy for facts in SETS[card_set].designs for copy in range(facts.copies))


def starter_deck(starter: str) -> tuple[Card, ...]:
    """Return the nine cards of a starter deck. Each but Deck Protectors has a namesake in the core set."""
    place = tuple(STARTERS).index(starter)
    numbers = (NUMBERS[card] for card in STARTERS[starter].cards)
    return tuple(number * 10 + (place if number == DECK_PROTECTORS else DESIGNS[number].copies) for number in numbers)


def sets_of(rarity: str) -> tuple[str, ...]:
    """Return the sets of a rarity, in the order of the file."""
    return tuple(card_set.id for card_set in CATALOGUE.sets if card_set.rarity == rarity)


WRITTEN_SETS: tuple[str, ...] = (
    "millennium-blades", "starter-extra",
    "elemental-blades", "legend-of-final-badass", "princess-blade", "sealed-vaults", "elemental-dragon-lords",
)  # fmt: skip
"""The sets whose cards can be played: every one of their texts is written. Others cannot be chosen yet."""


def read_sentences(stored: bytes, cards: set[str]) -> dict[str, Says]:
    """Return what each of these cards says.

    Raises:
        UnfitCatalogue: a card that says nothing, one that does not exist, or a sentence without its translation.
    """
    sentences = msgspec.json.decode(stored, type=dict[str, Says])
    if astray := cards ^ sentences.keys():
        raise UnfitCatalogue(f"says.json: {min(astray)} is missing, or cannot be played")
    for card, says in sentences.items():
        if len(says.en) != len(says.fr) or not all((*says.en, *says.fr)):
            raise UnfitCatalogue(f"says.json: {card} does not say the same in both languages")
    return sentences


WRITTEN = {facts.id for card_set in WRITTEN_SETS for facts in SETS[card_set].designs}
SENTENCES = read_sentences((Path(__file__).parent / "card_texts.json").read_bytes(), WRITTEN)

CARDS: dict[str, Printed] = {
    facts.id: Printed(
        facts.names, facts.number, card_set, SETS[card_set].rarity, SETS[card_set].price, facts.stars, facts.elements,
        facts.types, facts.kind, facts.copies, SENTENCES[facts.id],
    )
    for card_set in WRITTEN_SETS
    for facts in SETS[card_set].designs
}  # fmt: skip
"""The cards that can be played, by id."""
