"""Clients of a table that is really served: lines that open anew when they break, and players that know no rulebook."""

from __future__ import annotations

import contextlib
import http.client
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from events.embedded import free_port
from tests.service.launched import Launched, launching

PATIENCE = 60.0
PAUSE = 0.05


class Said(NamedTuple):
    """An answer: status, headers, body as plain values."""

    status: int
    headers: Any
    body: Any


class Line:
    """A client with a connection of its own, kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._connection: http.client.HTTPConnection | None = None

    def say(self, method: str, path: str, body: Any = None, token: str | None = None) -> Said:
        """Send a request once."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            return Said(answer.status, answer.headers, json.loads(answer.read() or b"null"))
        except (OSError, http.client.HTTPException, ValueError):
            self.close()
            raise

    def insist(self, method: str, path: str, body: Any = None, token: str | None = None) -> Said:
        """Send a request again until it is answered: whatever is sent again is not carried out twice."""
        deadline = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                said = self.say(method, path, body, token)
                if said.status != 503:
                    return said
                assert said.headers["Retry-After"]
            assert time.monotonic() < deadline, f"no answer to {method} {path}"
            time.sleep(PAUSE)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def any_command(
    choice: dict[str, Any], pick: Callable[[list[Any]], Any] = lambda options: options[0]
) -> dict[str, Any]:
    """Make a command of a choice, by its schema alone."""
    shape = pick(choice["schema"]["oneOf"])["properties"]
    args = {}
    for name, field in shape["args"]["properties"].items():
        if "enum" in field:
            args[name] = pick(field["enum"])
        elif field["type"] == "integer":
            args[name] = field["minimum"]
        else:
            args[name] = field["items"].get("enum", [])[: field["minItems"]]
    return {"choice": choice["choice"], "move": shape["move"]["const"], "args": args}


class Table(NamedTuple):
    """A game that was created, and the tokens of its seats."""

    game: str
    tokens: list[str]

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/v1/games/{self.game}"


def open_table(line: Line, seats: int, rulebook: str = "six-nimmt", **settings: Any) -> Table:
    """Create a game and take all its seats."""
    created = line.insist("POST", "/v1/games", {"rulebook": rulebook, "seats": seats, **settings})
    assert created.status == 201, created.body
    game = created.body["game"]["game"]
    taken = [line.insist("POST", f"/v1/games/{game}/seats", {"name": f"player {seat}"}) for seat in range(seats)]
    return Table(game, [said.body["token"] for said in taken])


class Player(threading.Thread):
    """A seat that plays by its choices alone until the game is over. Keeps all that it received."""

    def __init__(self, port: int, table: Table, seat: int, before: Callable[[], object] = lambda: None) -> None:
        super().__init__(daemon=True)
        self.line, self.table, self.seat, self.before = Line(port), table, seat, before
        self.received: list[Any] = []
        self.acknowledged: list[int] = []
        self.odd: list[Said] = []

    def run(self) -> None:
        """Play to the end."""
        token = self.table.tokens[self.seat]
        with contextlib.closing(self.line):
            while True:
                said = self.line.insist("GET", f"{self.table.path}/choices", token=token)
                self.received.append(said.body)
                for choice in said.body["choices"]:
                    self.before()
                    said = self.line.insist("POST", f"{self.table.path}/commands", any_command(choice), token)
                    self.received.append(said.body)
                    if said.status in (200, 201):
                        self.acknowledged.append(said.body["decision"]["number"])
                    elif said.status != 409:
                        self.odd.append(said)
                said = self.line.insist("GET", self.table.path, token=token)
                self.received.append(said.body)
                if said.body["status"] == "finished":
                    return


def play(port: int, table: Table, before: Callable[[], object] = lambda: None) -> list[Player]:
    """Let every seat of a table be played to the end, each by a client of its own."""
    players = [Player(port, table, seat, before) for seat in range(len(table.tokens))]
    for player in players:
        player.start()
    for player in players:
        player.join(5 * PATIENCE)
        assert not player.is_alive(), "a player never came to the end"
        assert player.odd == []
    return players


@contextlib.contextmanager
def served(folder: Path, **environ: str) -> Iterator[Launched]:
    """A table that is served as `make run` serves it, on a port of its own."""
    port = environ.pop("CROUPIER_PORT", str(free_port()))
    with launching() as launch:
        launched = launch(
            [sys.executable, "-m", "service.launcher"], folder, CROUPIER_PORT=port, CROUPIER_LIMITS="0", **environ
        )
        launched.until_said("the table is open")
        yield launched
