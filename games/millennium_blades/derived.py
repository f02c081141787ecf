"""Millennium Blades: derived values for front ends: cards in play with effects applied, Top cards, limits."""

from typing import Any

from games.millennium_blades.constants import collection_points
from games.millennium_blades.deck_rules import limits_with_cards
from games.millennium_blades.table import MillenniumBlades


def derived(table: MillenniumBlades) -> dict[str, Any]:
    """Return the values that `derived_help` of the rulebook describes."""
    board = table.board
    return {
        "in_play": [
            {
                "card": face.card,
                "stars": face.stars,
                "elements": list(face.elements),
                "types": list(face.types),
                "set": face.set,
                "rarity": face.rarity,
            }
            for seat in table.seats
            for face in board.face_up(seat)
        ],
        "top": [None if top is None else top.card for top in map(board.top, table.seats)],
        "slots": [table.slots(seat) for seat in table.seats],
        **_seat_values(table),
    }


def _seat_values(table: MillenniumBlades) -> dict[str, Any]:
    if table.seat is None:  # a spectator
        return {}  # type: ignore[unreachable]
    player = table.player
    return {
        "deck_limits": list(limits_with_cards(player.deck, table.deck_limits)),
        "collection_points": collection_points(len(player.collection)),
    }
