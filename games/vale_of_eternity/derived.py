"""The Vale of Eternity: values that a front end would otherwise have to compute, from what its viewer may see."""

from typing import Any

from games.kernel import Seat
from games.vale_of_eternity.catalogue import Card
from games.vale_of_eternity.facts import Player
from games.vale_of_eternity.stones import COLOURS, total_value
from games.vale_of_eternity.table import Vale, cards_with_effect


def derived(table: Vale) -> dict[str, Any]:
    """Return the turn order, who hunts, the stones, slots and active effects of each seat, and the viewer's costs.

    `summoning_costs` is what each card in the viewer's own hand costs to summon now; empty for a spectator.
    """
    viewer: Seat | None = table.seat
    return {
        "turn_order": table.turn_order,
        "hunter": _hunter(table),
        "removal_cost": table.state.round,
        "seats": [_seat(table, player) for player in table.state.players],
        "summoning_costs": {} if viewer is None else {card: table.cost(card) for card in table.me.hand},
    }


def _hunter(table: Vale) -> Seat | None:
    """Return the seat whose turn it is to hunt; None outside the hunting phase."""
    order = (*table.turn_order, *reversed(table.turn_order))
    hunts = sum(len(player.hunted) for player in table.state.players)
    return order[hunts] if table.state.phase == "hunting" and hunts < len(order) else None


def _seat(table: Vale, player: Player) -> dict[str, Any]:
    """Return the values of one seat.

    `unused_activations`: the cards whose active effects the seat has not used yet in this resolution phase.
    """
    modifiers = table.modifiers(player)
    return {
        "seat": player.seat,
        "stones": [
            {"colour": colour, "count": player.stones.count(colour), "value": value}
            for colour, value in zip(COLOURS, modifiers.stone_values, strict=True)
        ],
        "stones_value": total_value(player.stones, modifiers.stone_values),
        "stone_limit": modifiers.stone_limit,
        "slots": table.state.round,
        "free_slots": max(0, table.state.round - len(player.area)),
        "unused_activations": player.pending_activations or _activations_to_come(table, player),
    }


def _activations_to_come(table: Vale, player: Player) -> tuple[Card, ...]:
    """Return the cards with active effects of a seat whose turn in the resolution phase has not come yet."""
    order, active = table.turn_order, table.state.active_player
    if table.state.phase != "resolution" or active is None or order.index(player.seat) <= order.index(active):
        return ()
    return cards_with_effect(player.area, "active")
