"""The lists of games: by status, by rulebook, by player. A projection: rebuilt from the logs at any time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from events.connection import Client
from events.people import Person
from events.store import reaching
from games.kernel.lobby import Lobby, Status

# All lists share a hash slot, apart from the shards of the games.
PREFIX = "{lists}:"


class Lists:
    """Sorted sets of game ids; the score is when a game was created, in milliseconds since the epoch."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def put(self, game: str, lobby: Lobby, people: Mapping[str, Person]) -> None:
        """Put a game where it belongs now. Public games only are listed, but every game of a player is."""
        created = lobby.created
        with reaching(), self._client.pipeline(transaction=True) as pipe:
            for status in get_args(Status):
                key = PREFIX + f"status:{status}"
                if status == lobby.status and created.visibility == "public":
                    pipe.zadd(key, {game: lobby.created_at})
                else:
                    pipe.zrem(key, game)
            pipe.zadd(PREFIX + f"rulebook:{created.rulebook}", {game: lobby.created_at})
            for person in people.values():
                if person.player is not None:
                    pipe.zadd(PREFIX + f"player:{person.player}", {game: lobby.created_at})
            pipe.execute()

    def of_status(self, status: Status, limit: int) -> list[str]:
        """Give the newest public games of a status, at most `limit`."""
        with reaching():
            games: Any = self._client.zrevrange(PREFIX + f"status:{status}", 0, limit - 1)
        return [game.decode() for game in games]
