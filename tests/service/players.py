"""Clients of the API for tests: over any transport, with any token, playing by `choices` alone, without a rulebook."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from flask import Flask

PROBLEM = "urn:croupier:problem:"
SIX_NIMMT = {"rulebook": "six-nimmt", "seats": 4}
MAX_MOVES = 5000
"""No game of these tests has more moves: one that does never ends."""


class HttpResponse(NamedTuple):
    """A response: status, headers by lower-case name, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def problem(self) -> str | None:
        """The last part of the type of a problem document; None if the response is another one."""
        if self.headers.get("content-type") != "application/problem+json":
            return None
        return str(self.json["type"]).removeprefix(PROBLEM)

    @property
    def refusal(self) -> tuple[int, str | None]:
        """Status and problem, to be compared with what is expected."""
        return self.status, self.problem


Transport = Callable[[str, str, Mapping[str, str], bytes | None], HttpResponse]
"""Sends a request: method, path, headers, body."""


def api_of(app: Flask) -> Transport:
    """Return a transport to an app in this process. A status of 500 fails the test."""

    def send(method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> HttpResponse:
        with app.test_client().open(path, method=method, headers=dict(headers), data=body) as answer:
            assert answer.status_code != 500, answer.data
            return HttpResponse(
                answer.status_code, {name.lower(): value for name, value in answer.headers}, answer.data
            )

    return send


class Caller:
    """A client with or without a token. `received` has the body of every response."""

    def __init__(self, api: Transport, token: str | None = None) -> None:
        self.api = api
        self.token = token
        self.received: list[bytes] = []

    def call(self, method: str, path: str, body: Any = None, raw: bytes | None = None, **headers: str) -> HttpResponse:
        """Send a request. `body` is sent as JSON, `raw` as it is; a header's `_` stands for `-`."""
        return self._send(method, path, body, raw, headers)

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self._send("GET", path, None, None, headers)

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self._send("POST", path, body, None, headers)

    def delete(self, path: str, **headers: str) -> HttpResponse:
        return self._send("DELETE", path, None, None, headers)

    def _send(self, method: str, path: str, body: Any, raw: bytes | None, headers: Mapping[str, str]) -> HttpResponse:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            sent.setdefault("Content-Type", "application/json")
        answer = self.api(method, path, sent, raw)
        self.received.append(answer.body)
        return answer


class Player(Caller):
    """The client of a seat."""

    def __init__(self, api: Transport, path: str, seat: int, token: str, chance: random.Random | None = None) -> None:
        super().__init__(api, token)
        self.path = path
        self.seat = seat
        self.chance = chance or random.Random(f"seat {seat}")

    def view(self) -> Any:
        return expect(200, self.get(self.path))

    def choices(self) -> list[dict[str, Any]]:
        """The pending choices of this seat."""
        return list(expect(200, self.get(f"{self.path}/choices"))["choices"])

    def command(self, choice: dict[str, Any]) -> dict[str, Any]:
        """A random command that the schema of a choice allows."""
        return {"choice": choice["choice"], **matching_value(choice["schema"], self.chance)}

    def send(self, command: Any) -> HttpResponse:
        return self.post(f"{self.path}/commands", command)

    def events(self, after: int = 0, limit: int = 500) -> Any:
        return expect(200, self.get(f"{self.path}/events?after={after}&limit={limit}"))


class Table:
    """A game with its host, its players and a spectator."""

    def __init__(self, api: Transport, created: Any) -> None:
        self.api = api
        self.created = created
        self.game = str(created["game"]["game"])
        self.path = f"/v1/games/{self.game}"
        self.host = Caller(api, created["host_token"])
        self.spectator = Caller(api)
        self.players: list[Player] = []

    def seat(self, name: str = "Ana", api: Transport | None = None, **more: Any) -> Player:
        """Let a player take a seat."""
        somebody = Caller(api or self.api)
        given = expect(201, somebody.post(f"{self.path}/seats", {"name": name, **more}))
        self.players.append(Player(somebody.api, self.path, given["seat"], given["token"]))
        self.players[-1].received += somebody.received
        return self.players[-1]

    def view(self) -> Any:
        """The game as a spectator sees it."""
        return expect(200, self.spectator.get(self.path))

    def pending(self) -> Iterator[tuple[Player, dict[str, Any]]]:
        """Each player with each of their pending choices."""
        for player in self.players:
            for choice in player.choices():
                yield player, choice

    def move(self) -> HttpResponse | None:
        """Let the first player with a choice answer; None if there is none."""
        for player, choice in self.pending():
            return player.send(player.command(choice))
        return None

    def play(self, moves: int = MAX_MOVES) -> None:
        """Play so many moves, or to the end of the game."""
        for _ in range(moves):
            answer = self.move()
            if answer is None:
                return
            expect(201, answer)
        assert moves < MAX_MOVES, "the game does not end"


def expect(status: int, answer: HttpResponse) -> Any:
    """Return the body of an answer that has this status."""
    assert answer.status == status, (answer.status, answer.body)
    return answer.json


def open_table(api: Transport, **more: Any) -> Table:
    """Create a game whose seats are free."""
    return Table(api, expect(201, Caller(api).post("/v1/games", SIX_NIMMT | more)))


def full_table(api: Transport, **more: Any) -> Table:
    """Create a game and take its seats, so that it starts."""
    table = open_table(api, **more)
    for seat in range(table.created["game"]["seats"][-1]["seat"] + 1):
        table.seat(f"Player {seat}")
    return table


def matching_value(schema: Mapping[str, Any], chance: random.Random) -> Any:
    """Return a random value that a schema of a choice allows. An unknown keyword fails the test."""
    match schema:
        case {"oneOf": shapes}:
            return matching_value(chance.choice(shapes), chance)
        case {"const": value}:
            return value
        case {"enum": values}:
            return chance.choice(values)
        case {"type": "object", "properties": properties, "required": required}:
            assert set(required) == set(properties)
            return {name: matching_value(inner, chance) for name, inner in properties.items()}
        case {"type": "array", "items": {"enum": values}, "minItems": least, "maxItems": most}:
            return chance.sample(values, chance.randint(least, most))
        case {"type": "array", "maxItems": 0}:
            return []
        case {"type": "integer", "minimum": least, "maximum": most}:
            return chance.randint(least, most)
    raise AssertionError(f"no client can know what fits {schema}")
