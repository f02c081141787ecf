"""Callers of the API for tests: over any line, with any token, playing by `choices` alone. They know no rulebook."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from flask import Flask

PROBLEM = "urn:croupier:problem:"
SIX_NIMMT = {"rulebook": "six-nimmt", "seats": 4}
LONGEST = 5000
"""No game of these tests has more moves: one that does never ends."""


class Answer(NamedTuple):
    """What came back: status, headers by lower-case name, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def problem(self) -> str | None:
        """The end of the type of a problem document; None when this is none."""
        if self.headers.get("content-type") != "application/problem+json":
            return None
        return str(self.json["type"]).removeprefix(PROBLEM)

    @property
    def refusal(self) -> tuple[int, str | None]:
        """Status and problem, to be compared with what is expected."""
        return self.status, self.problem


Line = Callable[[str, str, Mapping[str, str], bytes | None], Answer]
"""Carries a request: method, path, headers, body."""


def line_into(app: Flask) -> Line:
    """A line into an app of this process. A fault that nobody foresaw is a fault of the test."""

    def carry(method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        with app.test_client().open(path, method=method, headers=dict(headers), data=body) as answer:
            assert answer.status_code != 500, answer.data
            return Answer(answer.status_code, {name.lower(): value for name, value in answer.headers}, answer.data)

    return carry


class Caller:
    """Somebody with a line to the service and perhaps a token. `heard` is every body that it was sent."""

    def __init__(self, line: Line, token: str | None = None) -> None:
        self.line = line
        self.token = token
        self.heard: list[bytes] = []

    def call(self, method: str, path: str, body: Any = None, raw: bytes | None = None, **headers: str) -> Answer:
        """Send a request. `body` is sent as JSON, `raw` as it is; a header's `_` stands for `-`."""
        return self._send(method, path, body, raw, headers)

    def get(self, path: str, **headers: str) -> Answer:
        return self._send("GET", path, None, None, headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self._send("POST", path, body, None, headers)

    def delete(self, path: str, **headers: str) -> Answer:
        return self._send("DELETE", path, None, None, headers)

    def _send(self, method: str, path: str, body: Any, raw: bytes | None, headers: Mapping[str, str]) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            sent.setdefault("Content-Type", "application/json")
        answer = self.line(method, path, sent, raw)
        self.heard.append(answer.body)
        return answer


class Player(Caller):
    """Somebody at a seat."""

    def __init__(self, line: Line, path: str, seat: int, token: str, chance: random.Random | None = None) -> None:
        super().__init__(line, token)
        self.path = path
        self.seat = seat
        self.chance = chance or random.Random(f"seat {seat}")

    def view(self) -> Any:
        return expect(200, self.get(self.path))

    def choices(self) -> list[dict[str, Any]]:
        """What this seat is asked now."""
        return list(expect(200, self.get(f"{self.path}/choices"))["choices"])

    def command(self, choice: dict[str, Any]) -> dict[str, Any]:
        """One of the answers that a choice's schema allows."""
        return {"choice": choice["choice"], **fitting(choice["schema"], self.chance)}

    def send(self, command: Any) -> Answer:
        return self.post(f"{self.path}/commands", command)

    def events(self, after: int = 0, limit: int = 500) -> Any:
        return expect(200, self.get(f"{self.path}/events?after={after}&limit={limit}"))


class Table:
    """A game with its host, its players and somebody who watches."""

    def __init__(self, line: Line, created: Any) -> None:
        self.line = line
        self.created = created
        self.game = str(created["game"]["game"])
        self.path = f"/v1/games/{self.game}"
        self.host = Caller(line, created["host_token"])
        self.watcher = Caller(line)
        self.players: list[Player] = []

    def seat(self, name: str = "Ana", line: Line | None = None, **more: Any) -> Player:
        """Let somebody sit down."""
        somebody = Caller(line or self.line)
        given = expect(201, somebody.post(f"{self.path}/seats", {"name": name, **more}))
        self.players.append(Player(somebody.line, self.path, given["seat"], given["token"]))
        self.players[-1].heard += somebody.heard
        return self.players[-1]

    def view(self) -> Any:
        """The game as somebody who watches sees it."""
        return expect(200, self.watcher.get(self.path))

    def asked(self) -> Iterator[tuple[Player, dict[str, Any]]]:
        """Each player with each choice that waits for it."""
        for player in self.players:
            for choice in player.choices():
                yield player, choice

    def move(self) -> Answer | None:
        """Let the first player who is asked anything answer; None when nobody is."""
        for player, choice in self.asked():
            return player.send(player.command(choice))
        return None

    def play(self, moves: int = LONGEST) -> None:
        """Play so many moves, or to the end."""
        for _ in range(moves):
            answer = self.move()
            if answer is None:
                return
            expect(201, answer)
        assert moves < LONGEST, "the game does not end"


def expect(status: int, answer: Answer) -> Any:
    """Return the body of an answer that has this status."""
    assert answer.status == status, (answer.status, answer.body)
    return answer.json


def open_table(line: Line, **more: Any) -> Table:
    """Create a game; its seats are free."""
    return Table(line, expect(201, Caller(line).post("/v1/games", SIX_NIMMT | more)))


def full_table(line: Line, **more: Any) -> Table:
    """Create a game and let its seats be taken, so that it starts."""
    table = open_table(line, **more)
    for seat in range(table.created["game"]["seats"][-1]["seat"] + 1):
        table.seat(f"Player {seat}")
    return table


def fitting(schema: Mapping[str, Any], chance: random.Random) -> Any:
    """A value that a schema of `choices` allows; an unknown keyword is a fault."""
    match schema:
        case {"oneOf": shapes}:
            return fitting(chance.choice(shapes), chance)
        case {"const": value}:
            return value
        case {"enum": values}:
            return chance.choice(values)
        case {"type": "object", "properties": properties, "required": required}:
            assert set(required) == set(properties)
            return {name: fitting(inner, chance) for name, inner in properties.items()}
        case {"type": "array", "items": {"enum": values}, "minItems": least, "maxItems": most}:
            return chance.sample(values, chance.randint(least, most))
        case {"type": "array", "maxItems": 0}:
            return []
        case {"type": "integer", "minimum": least, "maximum": most}:
            return chance.randint(least, most)
    raise AssertionError(f"no client can know what fits {schema}")
