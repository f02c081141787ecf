"""Millennium Blades: the cards. All designs are loaded from cards.json and checked once at start.

A card is a number: ten times the number of its design, plus the number of the copy. A front end finds the design of a
card that it sees in the catalogue. The number of a card that nobody has seen is never sent.
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
CARDS_IN_BOX = 652
FRIENDSHIP_CARDS = 36
META_CARDS = 12
CHARACTER_CARDS = 6
CATALOGUE_CARDS = CARDS_IN_BOX - FRIENDSHIP_CARDS - META_CARDS - CHARACTER_CARDS
COPIES_PER_DESIGN = 10
"""A card is the number of its design times this, plus the number of the copy."""


class PrintedCard(CardData, frozen=True, forbid_unknown_fields=True):
    """What is printed on a card, without its text and what all cards of its set share."""

    number: Design
    id: str
    stars: int
    elements: tuple[Element, ...]
    types: tuple[Type, ...]
    kind: Kind
    copies: int


class CardText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    help = """The effects of a card in our own words, by language: one text for each effect."""

    en: tuple[str, ...]
    fr: tuple[str, ...]


class CatalogueCard(CardData, frozen=True):
    help = """A design as front ends receive it. Its cards have the numbers `10 * number + copy`."""

    number: Design
    set: str
    rarity: Rarity
    price: int
    stars: int
    elements: tuple[Element, ...]
    types: tuple[Type, ...]
    kind: Kind
    copies: int
    text: CardText


class CardSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of cards: they share a symbol, a rarity, and the price on the back of their packs."""

    id: str
    names: Names
    rarity: Rarity
    price: int
    designs: tuple[PrintedCard, ...]


class Starter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A starter deck: nine designs, by id."""

    id: str
    names: Names
    element: Element
    cards: tuple[str, ...]


class Character(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character. It has the number of a design, because its powers are written like the texts of cards."""

    number: Design
    id: str
    name: str


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file of cards."""

    format: int
    sets: tuple[CardSet, ...]
    starters: tuple[Starter, ...]
    characters: tuple[Character, ...]


class InvalidCatalogue(ValueError):
    """The file of cards is invalid. The message names the card and the reason."""


def validate(catalogue: Catalogue) -> Catalogue:
    """Return the catalogue if its counts and names are valid.

    Raises:
        UnfitCatalogue: with the card and the reason.
    """
    for kind_of_id, value in _duplicates(catalogue):
        raise InvalidCatalogue(f"cards.json: {kind_of_id} {value} is there twice")
    for card_set in catalogue.sets:
        for printed in card_set.designs:
            if not 1 <= printed.stars <= 10 or not 1 <= printed.copies <= 9:
                raise InvalidCatalogue(
                    f"cards.json: {printed.id} has {printed.stars} stars and {printed.copies} copies"
                )
    design_ids = {printed.id for card_set in catalogue.sets for printed in card_set.designs}
    for starter in catalogue.starters:
        if len(starter.cards) != 9 or not design_ids.issuperset(starter.cards):
            raise InvalidCatalogue(f"cards.json: starter {starter.id} does not name nine cards that exist")
    cards = sum(printed.copies for card_set in catalogue.sets for printed in card_set.designs)
    cards += sum(card != "deck_protectors" for starter in catalogue.starters for card in starter.cards)
    if cards != CATALOGUE_CARDS:
        raise InvalidCatalogue(f"cards.json: {cards} cards instead of {CATALOGUE_CARDS}")
    return catalogue


def _duplicates(catalogue: Catalogue) -> Iterator[tuple[str, object]]:
    designs = [printed for card_set in catalogue.sets for printed in card_set.designs]
    numbers = [*(printed.number for printed in designs), *(character.number for character in catalogue.characters)]
    design_ids, set_ids = [printed.id for printed in designs], [card_set.id for card_set in catalogue.sets]
    for kind_of_id, values in (("number", numbers), ("design", design_ids), ("set", set_ids)):
        for value, times in Counter(values).items():
            if times > 1:
                yield kind_of_id, value


CATALOGUE = validate(msgspec.json.decode((Path(__file__).parent / "cards.json").read_bytes(), type=Catalogue))

SETS: dict[str, CardSet] = {card_set.id: card_set for card_set in CATALOGUE.sets}
DESIGNS: dict[Design, PrintedCard] = {
    printed.number: printed for card_set in CATALOGUE.sets for printed in card_set.designs
}
NUMBERS: dict[str, Design] = {printed.id: printed.number for printed in DESIGNS.values()}
SET_BY_DESIGN: dict[Design, CardSet] = {
    printed.number: card_set for card_set in CATALOGUE.sets for printed in card_set.designs
}
STARTERS: dict[str, Starter] = {starter.id: starter for starter in CATALOGUE.starters}
CHARACTERS: dict[str, Character] = {character.id: character for character in CATALOGUE.characters}
DECK_PROTECTORS = NUMBERS["deck_protectors"]
CORE = "millennium-blades"

_NUMBERS = range(max(character.number for character in CATALOGUE.characters) + 1)
STARS = tuple(DESIGNS[number].stars if number in DESIGNS else 0 for number in _NUMBERS)
KINDS = tuple(DESIGNS[number].kind if number in DESIGNS else "character" for number in _NUMBERS)


def design_number(card: Card) -> Design:
    """Return the number of a card's design."""
    return card // COPIES_PER_DESIGN


def is_character(card: Card) -> bool:
    """Is a card in play a character?"""
    return KINDS[design_number(card)] == "character"


def stars(card: Card) -> int:
    """Return the stars printed on a card."""
    return STARS[design_number(card)]


def kind(card: Card) -> str:
    """Is a card a Single, a deck box or an accessory?"""
    return KINDS[design_number(card)]


@cache
def set_id(card: Card) -> str:
    """Return the id of the set that a card shows. Starter cards show the core set."""
    card_set = SET_BY_DESIGN[design_number(card)].id
    return CORE if card_set == "starter-extra" else card_set


@cache
def rarity(card: Card) -> str:
    """Return the rarity of a card."""
    return SET_BY_DESIGN[design_number(card)].rarity


@cache
def price(card: Card) -> int:
    """Return the price printed on the back of a card, in dollars."""
    return SET_BY_DESIGN[design_number(card)].price


def copy_of_design(design: Design, copy: int) -> Card:
    """Return a card by its design and the number of the copy."""
    return design * COPIES_PER_DESIGN + copy


def set_cards(card_set: str) -> tuple[Card, ...]:
    """Return every card of a set."""
    return tuple(
        copy_of_design(printed.number, copy) for printed in SETS[card_set].designs for copy in range(printed.copies)
    )


def starter_deck(starter: str) -> tuple[Card, ...]:
    """Return the nine cards of a starter deck. Each but Deck Protectors has a namesake in the core set."""
    deck_number = tuple(STARTERS).index(starter)
    designs = (NUMBERS[card] for card in STARTERS[starter].cards)
    return tuple(
        copy_of_design(design, deck_number if design == DECK_PROTECTORS else DESIGNS[design].copies)
        for design in designs
    )


def sets_by_rarity(rarity: str) -> tuple[str, ...]:
    """Return the ids of the sets of a rarity, in the order of the file."""
    return tuple(card_set.id for card_set in CATALOGUE.sets if card_set.rarity == rarity)


IMPLEMENTED_SETS: tuple[str, ...] = (
    "millennium-blades", "starter-extra",
    "elemental-blades", "legend-of-final-badass", "princess-blade", "sealed-vaults", "elemental-dragon-lords",
)  # fmt: skip
"""The sets that can be played: the rules of all of their cards are written. Other sets cannot be chosen yet."""


def read_card_texts(stored: bytes, cards: set[str]) -> dict[str, CardText]:
    """Return the text of each of these cards.

    Raises:
        InvalidCatalogue: a card has no text, a text has no card, or a text is not in both languages.
    """
    texts = msgspec.json.decode(stored, type=dict[str, CardText])
    if unmatched := cards ^ texts.keys():
        raise InvalidCatalogue(f"card_texts.json: {min(unmatched)} is missing, or cannot be played")
    for card, text in texts.items():
        if len(text.en) != len(text.fr) or not all((*text.en, *text.fr)):
            raise InvalidCatalogue(f"card_texts.json: {card} does not have the same texts in both languages")
    return texts


IMPLEMENTED_CARDS = {printed.id for card_set in IMPLEMENTED_SETS for printed in SETS[card_set].designs}
CARD_TEXTS = read_card_texts((Path(__file__).parent / "card_texts.json").read_bytes(), IMPLEMENTED_CARDS)

CARDS: dict[str, CatalogueCard] = {
    printed.id: CatalogueCard(
        printed.names, printed.number, card_set, SETS[card_set].rarity, SETS[card_set].price, printed.stars,
        printed.elements, printed.types, printed.kind, printed.copies, CARD_TEXTS[printed.id],
    )
    for card_set in IMPLEMENTED_SETS
    for printed in SETS[card_set].designs
}  # fmt: skip
"""The cards that can be played, by id."""
