"""Snapshots: a game as it was at some decision, so that a cold load need not begin at the first.

A snapshot names the shape of the state it was written with. When the state of a rulebook has changed since, the
snapshot is passed over and the game is folded from its log: what it says can always be worked out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.store import Snapshot
from games.kernel import Game, Rulebook

SNAPSHOT_EVERY = 100
"""Decisions from one snapshot to the next, at least."""


def snapshot_of(rulebook: Rulebook[Any], game: Game[Any, Any], chain_hash: str) -> Snapshot:
    """Give the snapshot of a game, whose last decision has this hash."""
    head = f"{rulebook.id} {rulebook.shape}\n".encode()
    return Snapshot(game.number, chain_hash, head + rulebook.encode_game(game))


def game_of(snapshot: Snapshot, rulebooks: Mapping[str, Rulebook[Any]]) -> tuple[Rulebook[Any], Game[Any, Any]] | None:
    """Give the rulebook and the game of a snapshot; None when its state has another shape than today's."""
    head, _, state = snapshot.state.partition(b"\n")
    name, _, shape = head.decode().partition(" ")
    rulebook = rulebooks[name]
    return (rulebook, rulebook.decode_game(state)) if shape == rulebook.shape else None
