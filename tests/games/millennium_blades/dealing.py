"""Helpers for tests of Deckbuilding."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games.kernel import Clock
from games.millennium_blades import MILLENNIUM_BLADES
from tests.games.kernel.playing import Sitting

UNTIMED = Clock(factor=0)
MINUTE = 60_000


def market(seats: int = 2, clock: Clock = UNTIMED, **options: Any) -> Sitting:
    return Sitting(MILLENNIUM_BLADES, seats, options, clock, stored=False)


def change_player(sitting: Sitting, seat: int, **changes: Any) -> Sitting:
    """Change fields of a player, and return the same driver."""
    table: Any = sitting.game.state
    players = list(table.players)
    players[seat] = replace(players[seat], **changes)
    sitting.game = replace(sitting.game, state=replace(table, players=tuple(players)))
    return sitting


def all_ready(sitting: Sitting) -> None:
    for seat in range(len(sitting.game.session.seats)):
        sitting.answers(seat, "ready")
