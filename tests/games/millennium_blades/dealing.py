"""Helpers for tests of Deckbuilding."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games.kernel import Clock
from games.millennium_blades import MILLENNIUM_BLADES
from tests.games.kernel.driver import GameDriver

UNTIMED = Clock(factor=0)
MINUTE = 60_000


def market(seats: int = 2, clock: Clock = UNTIMED, **options: Any) -> GameDriver:
    return GameDriver(MILLENNIUM_BLADES, seats, options, clock, stored=False)


def change_player(driver: GameDriver, seat: int, **changes: Any) -> GameDriver:
    """Change fields of a player, and return the same driver."""
    table: Any = driver.game.state
    players = list(table.players)
    players[seat] = replace(players[seat], **changes)
    driver.game = replace(driver.game, state=replace(table, players=tuple(players)))
    return driver


def all_ready(driver: GameDriver) -> None:
    for seat in range(len(driver.game.session.seats)):
        driver.answer(seat, "ready")
