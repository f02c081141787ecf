"""Millennium Blades: which cards may join a deck or a collection. Memoised, because the same questions recur."""

from functools import lru_cache

from games.millennium_blades.board.card_script import card_script
from games.millennium_blades.catalogue import DESIGNS, ELEMENTS, TYPES, Card, design_number, kind, stars
from games.millennium_blades.constants import DECK_LIMITS

Limits = tuple[int, int, int]
"""How many Singles, accessories and deck boxes a deck may hold."""

LIMITS: Limits = (DECK_LIMITS["single"], DECK_LIMITS["accessory"], DECK_LIMITS["deck_box"])
KINDS = ("single", "accessory", "deck_box")
_ALL = frozenset((*ELEMENTS, *TYPES))


def attributes(card: Card) -> frozenset[str]:
    """Return the elements and types by which a card may be collected. A wild card has all of them."""
    if card_script(design_number(card)).wild:
        return _ALL
    printed = DESIGNS[design_number(card)]
    return frozenset((*printed.elements, *printed.types))


def limits_with_cards(deck: tuple[Card, ...], limits: Limits) -> Limits:
    """Return the limits with the changes that cards of the deck make."""
    return (limits[0] + sum(card_script(design_number(card)).singles for card in deck), limits[1], limits[2])


@lru_cache(maxsize=4096)
def deck_additions(cards: tuple[Card, ...], deck: tuple[Card, ...], limits: Limits) -> tuple[Card, ...]:
    """Return the cards that may join the deck: below the limit of their kind, and no duplicate."""
    kinds = [kind(card) for card in deck]
    maximum = limits_with_cards(deck, limits)
    free = {name for name, limit in zip(KINDS, maximum, strict=True) if kinds.count(name) < limit}
    designs = {design_number(card) for card in deck}
    pairs = sum(card_script(design_number(card)).pairs for card in deck) - (len(deck) - len(designs))
    return tuple([card for card in cards if kind(card) in free and (design_number(card) not in designs or pairs > 0)])


@lru_cache(maxsize=4096)
def collection_additions(cards: tuple[Card, ...], collection: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards that may join a collection: an element or type common to all, and all stars different."""
    common = _ALL
    for card in collection:
        common &= attributes(card)
    taken = {stars(card) for card in collection}
    return tuple([card for card in cards if stars(card) not in taken and common & attributes(card)])


def surplus(deck: tuple[Card, ...], limits: Limits) -> tuple[tuple[Card, ...], tuple[tuple[Card, int], ...]]:
    """Return what a deck must lose: duplicates, and a card of each kind over its limit with how many are over."""
    designs: set[int] = set()
    pairs = sum(card_script(design_number(card)).pairs for card in deck)
    duplicates: list[Card] = []
    for card in deck:
        if design_number(card) in designs:
            duplicates.append(card)
        designs.add(design_number(card))
    duplicates = duplicates[min(pairs, 1) :]
    remaining = [card for card in deck if card not in duplicates]
    over = []
    for name, limit in zip(KINDS, limits_with_cards(tuple(remaining), limits), strict=True):
        of_kind = [card for card in remaining if kind(card) == name]
        if len(of_kind) > limit:
            over.append((of_kind[0], len(of_kind) - limit))
    return tuple(duplicates), tuple(over)
