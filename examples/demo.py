"""A four-seat game of 6 nimmt! through the public HTTP API alone, shown move by move in the terminal.

`make demo`, or `python examples/demo.py --delay 0`. It plays on the server at CROUPIER_URL, or at port CROUPIER_PORT
(8000) of this machine; if no server answers there, it starts one and stops it at the end.

It uses only the standard library and the API. Each seat is a client of its own: it reads its choices as JSON Schema
and answers with a random value that fits, so it could play any other rulebook. Only the code that draws the table knows
6 nimmt!.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

CHECKOUT = Path(__file__).resolve().parent.parent
RULEBOOK = "six-nimmt"
NAMES = ("Ana", "Ben", "Cleo", "Dan")
TERMINAL_DELAY_SECONDS = 0.25  # between two turns, in a terminal
HTTP_TIMEOUT_SECONDS = 10.0
START_TIMEOUT_SECONDS = 60.0
STOP_TIMEOUT_SECONDS = 20.0
POLL_SECONDS = 0.1


class DemoFailed(Exception):
    """The demo cannot go on; the message is one line."""


class Client:
    """A client of the API: one connection, which is reused, and perhaps a token."""

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise DemoFailed(f"not the address of a server: {url}")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=HTTP_TIMEOUT_SECONDS)
        self._path = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str) -> Any:
        """Read a resource."""
        return self._call("GET", path, None, self._headers)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send a command."""
        return self._call("POST", path, json.dumps(body), self._headers | {"Content-Type": "application/json"})

    def _call(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Any:
        self._connection.request(method, self._path + path, body, headers)
        response = self._connection.getresponse()
        text = response.read()
        if response.status >= http.HTTPStatus.BAD_REQUEST:
            raise DemoFailed(f"{method} {path} failed with status {response.status}: {text.decode(errors='replace')}")
        return json.loads(text)


# The server.


@contextlib.contextmanager
def find_or_start_server() -> Iterator[tuple[str, bool]]:
    """Yield the address of a server, and whether this demo started it."""
    configured = os.environ.get("CROUPIER_URL")
    url = configured or f"http://127.0.0.1:{os.environ.get('CROUPIER_PORT') or 8000}"
    if is_ready(url):
        yield url.rstrip("/"), False
    elif configured:
        raise DemoFailed(f"no server answers at {url} (CROUPIER_URL)")
    else:
        print(f"No server answers at {url}: starting one for this game.")
        with start_server() as url:
            yield url, True


@contextlib.contextmanager
def start_server() -> Iterator[str]:
    """Run a whole server, with its games in a temporary folder."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="croupier-demo-") as folder:
        log = Path(folder, "log")
        environ = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
        environ |= {"CROUPIER_PORT": str(port), "CROUPIER_DATA": str(Path(folder, "data"))}
        with log.open("wb") as output:
            launcher = subprocess.Popen(
                (sys.executable, "-m", "service.runtime.launcher"),
                cwd=CHECKOUT,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches the demo alone, which then stops the server
            )
        try:
            wait_for_server(url := f"http://127.0.0.1:{port}", launcher, log)
            yield url
        finally:
            launcher.terminate()
            try:
                launcher.wait(STOP_TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                launcher.kill()
                launcher.wait()


def wait_for_server(url: str, launcher: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server is ready."""
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while not is_ready(url):
        if launcher.poll() is not None or time.monotonic() > deadline:
            raise DemoFailed(f"the server did not start; its output:\n{log.read_text(errors='replace')}")
        time.sleep(POLL_SECONDS)


def is_ready(url: str) -> bool:
    """Does a Croupier server answer at this address, and is it ready?"""
    try:
        return bool(Client(url).get("/readyz")["status"] == "ok")
    except (DemoFailed, OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
        return False


def free_port() -> int:
    """Return a port of this machine that is unused now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# The players.


class Player:
    """A client for one seat. It knows no rulebook: it answers any choice."""

    def __init__(self, url: str, game: str, name: str) -> None:
        self.name = name
        assignment = Client(url).post(f"/v1/games/{game}/seats", {"name": name})
        self._client = Client(url, assignment["token"])
        self._game = game

    def answer(self) -> bool:
        """Answer the first choice of the seat; return False if it has none."""
        choices = self._client.get(f"/v1/games/{self._game}/choices")["choices"]
        if not choices:
            return False
        move = random.choice(choices[0]["schema"]["oneOf"])["properties"]
        args = {name: sample_value(schema) for name, schema in move["args"]["properties"].items()}
        command = {"choice": choices[0]["choice"], "move": move["move"]["const"], "args": args}
        self._client.post(f"/v1/games/{self._game}/commands", command)
        return True


def sample_value(schema: dict[str, Any]) -> Any:
    """Return a random value that fits the schema of a field."""
    if "enum" in schema:
        return random.choice(schema["enum"])
    if schema["type"] == "integer":
        return random.randint(schema["minimum"], schema["maximum"])
    options = schema["items"].get("enum", ())
    return random.sample(options, random.randint(schema["minItems"], schema["maxItems"]))


# The table, as a spectator sees it.


class Spectator:
    """Watches a game without a token, and prints what happens."""

    def __init__(self, url: str, game: str, names: tuple[str, ...]) -> None:
        self._client = Client(url)
        self._path = f"/v1/games/{game}"
        self._names = names
        self._version = 0
        self._turn = 0
        self._taken_row: int | None = None

    def print_events(self) -> bool:
        """Print new events; return whether the rows changed or the game is over."""
        page = self._client.get(f"{self._path}/events?after={self._version}&limit=500")
        self._version = page["version"]
        facts = [fact for event in page["events"] for fact in event["facts"]]
        for fact in facts:
            if line := self._sentence(fact):
                print(line)
        return any(fact["type"] in ("rows_opened", "put_in_row", "finished") for fact in facts)

    def print_table(self) -> dict[str, Any]:
        """Print the rows and the points; return the game as a spectator sees it."""
        game: dict[str, Any] = self._client.get(self._path)
        for number, row in enumerate(game["state"]["rows"], start=1):
            print(f"    row {number} │ {' '.join(f'{card:3}' for card in row)}")
        print("    points│ " + "   ".join(f"{seat['name']} {seat['points']}" for seat in game["seats"]))
        return game

    def _sentence(self, fact: dict[str, Any]) -> str | None:
        """Describe a fact; return None for facts that the printed table shows."""
        name = self._names[fact["seat"]] if "seat" in fact else ""
        match fact["type"]:
            case "round_begun":
                self._turn = 0
                return f"\n━━ Round {fact['round']} ━━"
            case "turned_up":
                self._turn += 1
                laid = zip(self._names, fact["cards"], strict=True)
                return f"\n  Turn {self._turn}: " + ", ".join(f"{name} {card}" for name, card in laid)
            case "took_row":
                self._taken_row = fact["row"]
                cards = " ".join(map(str, fact["cards"]))
                heads = "1 head" if fact["heads"] == 1 else f"{fact['heads']} heads"
                return f"    {name} takes row {fact['row'] + 1} ({cards}): {heads}"
            case "put_in_row":
                opens = fact["row"] == self._taken_row
                self._taken_row = None
                return f"    {name}’s {fact['card']} {'opens' if opens else 'joins'} row {fact['row'] + 1}"
        return None


def play(url: str, delay: float) -> str:
    """Play one game and print it; return its address."""
    game = Client(url).post("/v1/games", {"rulebook": RULEBOOK, "seats": len(NAMES)})["game"]["game"]
    players = [Player(url, game, name) for name in NAMES]
    spectator = Spectator(url, game, NAMES)
    print(f"A game of 6 nimmt! at {url}/v1/games/{game}")
    spectator.print_events()
    view = spectator.print_table()
    while view["status"] == "running":
        if not [player.name for player in players if player.answer()]:
            raise DemoFailed("the game is not over, but no seat has a choice")
        if spectator.print_events():
            view = spectator.print_table()
            time.sleep(delay)
    print_ranking(view)
    return f"{url}/v1/games/{game}"


def print_ranking(game: dict[str, Any]) -> None:
    """Print who has won."""
    print("\n━━ The game is over ━━")
    result = game["result"]
    for place, seat in sorted(zip(result["places"], game["seats"], strict=True), key=lambda ranked: ranked[0]):
        print(f"  {place}. {seat['name']:<6}{result['points'][seat['seat']]:4} points left")


def main() -> int:
    """Play; return the exit status: 0, or 1 if the demo failed."""
    parser = argparse.ArgumentParser(description="A four-seat game of 6 nimmt! through HTTP, move by move.")
    default = TERMINAL_DELAY_SECONDS if sys.stdout.isatty() else 0.0
    parser.add_argument(
        "--delay", type=float, default=default, metavar="SECONDS", help="pause after each turn; 0: none"
    )
    parser.add_argument(
        "--stay", action="store_true", help="keep the server that the demo started running until Ctrl-C"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the server that we started is stopped
    try:
        with find_or_start_server() as (url, is_own):
            print(f"\nThe game is stored at {play(url, max(0.0, options.delay))}")
            if is_own and options.stay:
                print("The server keeps running until Ctrl-C.")
                signal.pause()
            elif is_own:
                print(
                    "The server of this demo stops, and its games are deleted. “make run” starts one that keeps them."
                )
    except (DemoFailed, OSError, http.client.HTTPException) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
