"""Millennium Blades: what fits a deck and a collection. Pure questions of cards, remembered because they recur."""

from functools import lru_cache

from games.millennium_blades.catalogue import DESIGNS, ELEMENTS, TYPES, Card, design_number, kind, stars
from games.millennium_blades.constants import DECK_LIMITS
from games.millennium_blades.tournament.card_script import card_script

Limits = tuple[int, int, int]
"""How many Singles, accessories and deck boxes a seat's deck may hold, before the cards in it change that."""

LIMITS: Limits = (DECK_LIMITS["single"], DECK_LIMITS["accessory"], DECK_LIMITS["deck_box"])
KINDS = ("single", "accessory", "deck_box")
_ALL = frozenset((*ELEMENTS, *TYPES))


def attributes(card: Card) -> frozenset[str]:
    """Return what a card may be collected by: its elements and types, all of them for a wild card."""
    if card_script(design_number(card)).wild:
        return _ALL
    facts = DESIGNS[design_number(card)]
    return frozenset((*facts.elements, *facts.types))


def limits_with_cards(deck: tuple[Card, ...], limits: Limits) -> Limits:
    """Return the limits as the cards of the deck change them."""
    return (limits[0] + sum(card_script(design_number(card)).singles for card in deck), limits[1], limits[2])


@lru_cache(maxsize=4096)
def deck_additions(cards: tuple[Card, ...], deck: tuple[Card, ...], limits: Limits) -> tuple[Card, ...]:
    """Return those of the cards that may join the deck: below the limit of their kind, and no second of a name."""
    most = limits_with_cards(deck, limits)
    held = [kind(card) for card in deck]
    free = {name for name, limit in zip(KINDS, most, strict=True) if held.count(name) < limit}
    names = {design_number(card) for card in deck}
    pairs = sum(card_script(design_number(card)).pairs for card in deck) - (len(deck) - len(names))
    return tuple([card for card in cards if kind(card) in free and (design_number(card) not in names or pairs > 0)])


@lru_cache(maxsize=4096)
def collection_additions(cards: tuple[Card, ...], collection: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return those of the cards that may join a collection: an element or type common to all, all stars different."""
    common = _ALL
    for card in collection:
        common &= attributes(card)
    taken = {stars(card) for card in collection}
    return tuple([card for card in cards if stars(card) not in taken and common & attributes(card)])


def surplus(deck: tuple[Card, ...], limits: Limits) -> tuple[tuple[Card, ...], tuple[tuple[Card, int], ...]]:
    """Return what is wrong with a deck: its doubles; and a card of each kind that is over its limit, with how many."""
    seen: set[int] = set()
    pairs = sum(card_script(design_number(card)).pairs for card in deck)
    doubles: list[Card] = []
    for card in deck:
        if design_number(card) in seen:
            doubles.append(card)
        seen.add(design_number(card))
    doubles = doubles[min(pairs, 1) :]
    left = [card for card in deck if card not in doubles]
    over = []
    for name, limit in zip(KINDS, limits_with_cards(tuple(left), limits), strict=True):
        of_kind = [card for card in left if kind(card) == name]
        if len(of_kind) > limit:
            over.append((of_kind[0], len(of_kind) - limit))
    return tuple(doubles), tuple(over)
