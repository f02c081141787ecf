"""The Vale of Eternity: what a front end would have to work out, from what its viewer may see."""

from typing import Any

from games.kernel import Seat
from games.vale_of_eternity.facts import Player
from games.vale_of_eternity.stones import COLOURS
from games.vale_of_eternity.table import Vale, standing, with_effect


def derived(table: Vale) -> dict[str, Any]:
    """Return the turn order, who hunts, each seat's stones, room and effects to come, and the viewer's costs.

    `costs` is what each card of the viewer's own hand costs it now; empty for a spectator.
    """
    viewer: Seat | None = table.seat
    return {
        "turn_order": table.turn_order,
        "hunter": _hunter(table),
        "removal_cost": table.state.round,
        "seats": [_seat(table, player) for player in table.state.players],
        "costs": {} if viewer is None else {card: table.cost(card) for card in table.me.hand},
    }


def _hunter(table: Vale) -> Seat | None:
    """Whose turn it is to hunt; None outside the hunting phase."""
    order = (*table.turn_order, *reversed(table.turn_order))
    hunted = sum(len(player.hunted) for player in table.state.players)
    return order[hunted] if table.state.phase == "hunting" and hunted < len(order) else None


def _seat(table: Vale, player: Player) -> dict[str, Any]:
    """Return what concerns one seat. `to_resolve`: the cards whose active effects it has not used yet; some lapse."""
    stands = standing(player.area)
    return {
        "seat": player.seat,
        "stones": [
            {"colour": colour, "number": player.stones.count(colour), "worth": stands.worth[colour]}
            for colour in COLOURS
        ],
        "value": sum(stands.worth[stone] for stone in player.stones),
        "stone_limit": stands.stone_limit,
        "slots": table.state.round,
        "free_slots": max(0, table.state.round - len(player.area)),
        "to_resolve": player.to_activate or _still_to_come(table, player),
    }


def _still_to_come(table: Vale, player: Player) -> tuple[str, ...]:
    """In the resolution phase, the active effects of a seat whose turn has not come yet."""
    order, turn = table.turn_order, table.state.turn
    if table.state.phase != "resolution" or turn is None or order.index(player.seat) <= order.index(turn):
        return ()
    return with_effect(player.area, "active")
