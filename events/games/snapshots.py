"""Snapshots: a game as it was at some decision, so that a cold load need not begin at the first.

A snapshot names the shape of the state that it was written with. If the rulebook's state has a different shape now, the
snapshot is ignored and the game is folded from its log: a snapshot holds nothing that cannot be computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.store.log_store import Snapshot
from games.kernel import Game, Rulebook

SNAPSHOT_EVERY = 100
"""A snapshot is requested whenever the number of decisions is a multiple of this."""


def make_snapshot(rulebook: Rulebook[Any], game: Game[Any, Any], chain_hash: str) -> Snapshot:
    """Return the snapshot of a game whose last decision has this hash."""
    head = f"{rulebook.id} {rulebook.schema_hash}\n".encode()
    return Snapshot(game.number, chain_hash, head + rulebook.encode_game(game))


def restore_game(
    snapshot: Snapshot, rulebooks: Mapping[str, Rulebook[Any]]
) -> tuple[Rulebook[Any], Game[Any, Any]] | None:
    """Return the rulebook and the game of a snapshot; None if its state has another shape than today's."""
    head, _, state = snapshot.state.partition(b"\n")
    name, _, shape = head.decode().partition(" ")
    rulebook = rulebooks[name]
    return (rulebook, rulebook.decode_game(state)) if shape == rulebook.schema_hash else None
