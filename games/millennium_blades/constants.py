"""Millennium Blades: the numbers of the rulebook, read from tables.json.

Each value has a tag that says where it comes from. Values tagged `proposed` are our own, because no source gives them;
correct them in tables.json.
"""

from pathlib import Path
from typing import Literal

import msgspec

Points = dict[str, tuple[tuple[int, ...], ...]]


class SourcedValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value from the rulebook, or one that we propose because no source gives it."""

    tag: Literal["rulebook", "proposed"]
    note: str
    value: msgspec.Raw


class ValueFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of tables.json."""

    version: int
    values: dict[str, SourcedValue]


TABLES = msgspec.json.decode((Path(__file__).parent / "tables.json").read_bytes(), type=ValueFile)


def _int(name: str) -> int:
    return msgspec.json.decode(TABLES.values[name].value, type=int)


def _ints(name: str) -> tuple[int, ...]:
    return msgspec.json.decode(TABLES.values[name].value, type=tuple[int, ...])


def _by_name(name: str) -> dict[str, int]:
    return msgspec.json.decode(TABLES.values[name].value, type=dict[str, int])


VICTORY_POINTS_BY_PLACE: Points = msgspec.json.decode(TABLES.values["victory_points_by_place"].value, type=Points)
"""Victory points by number of seats, tournament and place."""

COLLECTION_VICTORY_POINTS = _ints("collection_victory_points")
INCOME = _int("income")
CARDS_DEALT = _int("cards_dealt")
OPENING_CARDS = _int("opening_cards")
STORE_PLACES = _int("store_places")
AFTERMARKET_PLACES = _int("aftermarket_places")
WINDOWS_MS = _ints("windows_ms")
GRACE_MS = _int("grace_ms")
SELL_MARKERS = _by_name("sell_markers")
FUSION_COSTS = _by_name("fusion_costs")
DECK_LIMITS = _by_name("deck_limits")
TABLEAU_SLOTS = _int("tableau_slots")
META_POINTS = _int("meta_points")
DOLLARS_PER_VICTORY_POINT = _int("dollars_per_victory_point")
FRIENDSHIP_VALUES = _ints("friendship_values")
SETS_IN_STORE = _by_name("sets_in_store")
PRIZE_TIERS: tuple[str, ...] = msgspec.json.decode(TABLES.values["prize_tiers"].value, type=tuple[str, ...])


def collection_points(cards: int) -> int:
    """Return the victory points of a collection with this number of cards."""
    return COLLECTION_VICTORY_POINTS[min(cards, len(COLLECTION_VICTORY_POINTS) - 1)]
