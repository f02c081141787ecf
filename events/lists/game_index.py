"""The index of games: lists by status, rulebook and player, results, ratings.

A projection: all of it can be rebuilt from the logs at any time, even while games are played. It is kept under a
generation number; a rebuild fills the next generation, which projectors meanwhile write to as well, and then replaces
the old one with it. All keys share one hash slot, separate from the games' shards. Private games are on no list.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple, get_args

import msgspec
from redis.exceptions import WatchError

from events.games.participants import Person
from events.store.connection import Client
from events.store.errors import translate_errors
from games.kernel.sessions.session import Session, Status

PREFIX = "{lists}:"
CURRENT = PREFIX + "generation"
NEXT = PREFIX + "next-generation"
ANY = "*"


class Listing(NamedTuple):
    """A game on a list; `at`: when it was created or, in a list of results, finished, in milliseconds."""

    at: int
    game: str


class PlayerStats(msgspec.Struct, frozen=True):
    """A player's statistics in one rulebook: games played and won, points of all games together."""

    played: int
    won: int
    points: int


class Rating(msgspec.Struct, frozen=True, array_like=True):
    """A player's estimated strength in a rulebook: mean, deviation, and the number of games that it is based on."""

    mu: float
    sigma: float
    games: int


class RatedResult(msgspec.Struct, frozen=True, array_like=True):
    """One rated result, and its players' ratings before it; None for a player without a rating."""

    result: Listing
    before: dict[str, Rating | None]


class Ratings(msgspec.Struct, frozen=True):
    """The ratings of a rulebook after the first `rated` results counted.

    `recent` are the latest results rated, in the order in which the games ended: they can be undone.
    """

    rated: int = 0
    players: dict[str, Rating] = {}
    recent: tuple[RatedResult, ...] = ()


class CountedResult(NamedTuple):
    """How many results of a rulebook were ever counted, including games deleted since, and some of them, in order."""

    number: int
    results: list[Listing]


class GameIndex:
    """Reads and writes the lists of one store. Raises `StoreUnavailable` like the store itself."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._count = client.register_script(files("events.lists").joinpath("count.lua").read_bytes())

    def index(self, game: str, session: Session, people: Mapping[str, Person]) -> None:
        """Put a public game on the lists where it now belongs, and, if it is finished, count it exactly once."""
        if session.created.visibility == "private":
            return
        players = sorted({person.player for person in people.values() if person.player is not None})
        for generation in self.generations():
            with translate_errors(), self._client.pipeline(transaction=True) as pipe:
                for status, rulebook, player in product(
                    (*get_args(Status), ANY), (session.created.rulebook, ANY), (*players, ANY)
                ):
                    key = _list(generation, status, rulebook, player)
                    if status in (session.status, ANY):
                        pipe.zadd(key, {game: session.created_at})
                    else:
                        pipe.zrem(key, game)
                pipe.execute()
            if session.result is not None and session.finished_at is not None:
                self._count_result(generation, game, session, people)

    def _count_result(self, generation: int, game: str, session: Session, people: Mapping[str, Person]) -> None:
        assert session.result is not None
        keys, args = [], []
        for seat_info in session.seats:
            person = people.get(seat_info.person or "")
            if person is not None and person.player is not None:
                keys.append(_stats(generation, person.player))
                args += [int(session.result.places[seat_info.seat] == 1), session.result.points[seat_info.seat]]
        rulebook = session.created.rulebook
        with translate_errors():
            self._count(
                keys=[_results(generation, rulebook), _counted(generation, rulebook), *keys],
                args=[game, str(session.finished_at), rulebook, *args],
            )

    def page(
        self,
        limit: int,
        before: Listing | None = None,
        status: Status | None = None,
        rulebook: str | None = None,
        player: str | None = None,
    ) -> list[Listing]:
        """Return the newest public games that match and are older than `before`, at most `limit`."""
        key = _list(self.generations()[0], status or ANY, rulebook or ANY, player or ANY)
        newest = "+inf" if before is None else str(before.at)
        matches: list[Listing] = []
        read = 0
        while len(matches) < limit:
            with translate_errors():
                rows: Any = self._client.zrevrangebyscore(key, newest, "-inf", read, limit, withscores=True)
            listed = [Listing(int(score), game.decode()) for game, score in rows]
            matches += [row for row in listed if before is None or row < before]
            read += len(rows)
            if len(rows) < limit:
                break
        return matches[:limit]

    def player_stats(self, player: str) -> dict[str, PlayerStats]:
        """Return a player's statistics by rulebook; empty if they have finished no game."""
        with translate_errors():
            fields: Any = self._client.hgetall(_stats(self.generations()[0], player))
        counts: dict[str, dict[str, int]] = {}
        for field, value in fields.items():
            rulebook, _, name = field.decode().rpartition(":")
            counts.setdefault(rulebook, {})[name] = int(value)
        return {rulebook: PlayerStats(**count) for rulebook, count in sorted(counts.items())}

    def counted_results(self, rulebook: str, generation: int, first: Listing) -> CountedResult:
        """Return the finished public games of a rulebook from `first` on, in the order in which they ended."""
        with translate_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.get(_counted(generation, rulebook))
            pipe.zrangebyscore(_results(generation, rulebook), first.at, "+inf", withscores=True)
            number, rows = pipe.execute()
        listed = (Listing(int(score), game.decode()) for game, score in rows)
        return CountedResult(int(number or 0), [row for row in listed if row >= first])

    def ratings(self, rulebook: str, generation: int | None = None) -> Ratings:
        """Return the ratings of a rulebook."""
        generation = self.generations()[0] if generation is None else generation
        with translate_errors():
            return _decode_ratings(self._client.get(_ratings(generation, rulebook)))

    def change_ratings(self, rulebook: str, generation: int, change: Callable[[Ratings], Ratings]) -> None:
        """Replace the ratings of a rulebook by what `change` makes of them.

        `change` is called again if somebody else has changed them meanwhile.
        """
        key = _ratings(generation, rulebook)
        with translate_errors(), self._client.pipeline(transaction=True) as pipe:
            while True:
                pipe.watch(key)
                before = _decode_ratings(pipe.get(key))
                after = change(before)
                if after == before:
                    return
                pipe.multi()
                pipe.set(key, msgspec.json.encode(after))
                with contextlib.suppress(WatchError):
                    pipe.execute()
                    return

    def begin_rebuild(self) -> int:
        """Make projectors write to a new generation as well; return its number. Only one rebuild may run at a time."""
        new = self.generations()[-1] + 1
        with translate_errors():
            self._client.set(NEXT, new)
        return new

    def end_rebuild(self, generation: int) -> None:
        """Switch to reading the new generation, and delete the older ones."""
        with translate_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.set(CURRENT, generation)
            pipe.delete(NEXT)
            pipe.execute()
        for key in list(self._keys()):
            if not key.startswith(f"{PREFIX}{generation}:"):
                with translate_errors():
                    self._client.delete(key)

    def contents(self) -> dict[str, Any]:
        """Return everything in the current generation, by key without the generation, for comparisons."""
        prefix = f"{PREFIX}{self.generations()[0]}:"
        contents: dict[str, Any] = {}
        for key in self._keys():
            if key.startswith(prefix):
                with translate_errors():
                    kind = self._client.type(key)
                    contents[key.removeprefix(prefix)] = (
                        self._client.zrange(key, 0, -1, withscores=True)
                        if kind == b"zset"
                        else self._client.hgetall(key)
                        if kind == b"hash"
                        else self._client.get(key)
                    )
        return contents

    def drop(self, game: str, rulebook: str, players: Collection[str]) -> None:
        """Remove a deleted game from all lists. `players` are all who ever had a seat; their statistics stay."""
        generations = self.generations()
        with translate_errors(), self._client.pipeline(transaction=True) as pipe:
            for generation in generations:
                pipe.zrem(_results(generation, rulebook), game)
                for status, book, player in product((*get_args(Status), ANY), (rulebook, ANY), (*players, ANY)):
                    pipe.zrem(_list(generation, status, book, player), game)
            pipe.execute()

    def forget(self, player: str) -> None:
        """Delete a player's statistics and lists of games."""
        for key in self._keys():
            if key.endswith(f":{player}") and (":player:" in key or ":games:" in key):
                with translate_errors():
                    self._client.delete(key)

    def generations(self) -> list[int]:
        """Return the generation that is read and, during a rebuild, also the one being filled."""
        with translate_errors():
            current, next_one = self._client.mget(CURRENT, NEXT)
        return [int(current or 1)] + ([int(next_one)] if next_one is not None else [])

    def _keys(self) -> Iterator[str]:
        with translate_errors():
            for key in self._client.scan_iter(match=PREFIX + "[0-9]*", count=1000):
                yield key.decode()


def _list(generation: int, status: str, rulebook: str, player: str) -> str:
    return f"{PREFIX}{generation}:games:{status}:{rulebook}:{player}"


def _results(generation: int, rulebook: str) -> str:
    return f"{PREFIX}{generation}:results:{rulebook}"


def _counted(generation: int, rulebook: str) -> str:
    return f"{PREFIX}{generation}:counted:{rulebook}"


def _stats(generation: int, player: str) -> str:
    return f"{PREFIX}{generation}:player:{player}"


def _decode_ratings(encoded: Any) -> Ratings:
    return Ratings() if encoded is None else msgspec.json.decode(encoded, type=Ratings)


def _ratings(generation: int, rulebook: str) -> str:
    return f"{PREFIX}{generation}:ratings:{rulebook}"
