"""A four-seat game of 6 nimmt! through the public HTTP API alone, shown move by move in the terminal.

`make demo`, or `python examples/demo.py --delay 0`. It plays on the server at CROUPIER_URL, or at port CROUPIER_PORT
(8000) of this machine; when none answers there, it starts one of its own and stops it at the end.

Nothing but the standard library and the API is used. Each seat is a client of its own that reads what it is asked
as JSON Schema and answers with a random value that fits; it would play any other game of the server as well. Only
the drawing of the table knows 6 nimmt!.
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
TERMINAL_DELAY = 0.25  # seconds between two turns where somebody watches
ANSWER_SECONDS = 10.0
START_SECONDS = 60.0
STOP_SECONDS = 20.0
GLANCE_SECONDS = 0.1


class CannotPlay(Exception):
    """The demo cannot go on; the message is one line."""


class Client:
    """A caller of the API: one connection that is kept open, and a token or none."""

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise CannotPlay(f"not the address of a server: {url}")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=ANSWER_SECONDS)
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
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= http.HTTPStatus.BAD_REQUEST:
            raise CannotPlay(f"{method} {path} was answered with {answer.status}: {text.decode(errors='replace')}")
        return json.loads(text)


# The server.


@contextlib.contextmanager
def some_server() -> Iterator[tuple[str, bool]]:
    """Give the address of a server, and whether it is our own."""
    given = os.environ.get("CROUPIER_URL")
    url = given or f"http://127.0.0.1:{os.environ.get('CROUPIER_PORT') or 8000}"
    if answers(url):
        yield url.rstrip("/"), False
    elif given:
        raise CannotPlay(f"no server answers at {url} (CROUPIER_URL)")
    else:
        print(f"No server answers at {url}: starting one for this game.")
        with own_server() as url:
            yield url, True


@contextlib.contextmanager
def own_server() -> Iterator[str]:
    """Run a whole server of our own, with its games in a folder that goes away with it."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="croupier-demo-") as folder:
        log = Path(folder, "log")
        environ = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
        environ |= {"CROUPIER_PORT": str(port), "CROUPIER_DATA": str(Path(folder, "data"))}
        with log.open("wb") as told:
            launcher = subprocess.Popen(
                (sys.executable, "-m", "service.runtime.launcher"),
                cwd=CHECKOUT,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for us: we stop the server ourselves
            )
        try:
            wait_until_it_answers(url := f"http://127.0.0.1:{port}", launcher, log)
            yield url
        finally:
            launcher.terminate()
            try:
                launcher.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                launcher.kill()
                launcher.wait()


def wait_until_it_answers(url: str, launcher: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for our own server to be up."""
    deadline = time.monotonic() + START_SECONDS
    while not answers(url):
        if launcher.poll() is not None or time.monotonic() > deadline:
            raise CannotPlay(f"the server did not start; it said:\n{log.read_text(errors='replace')}")
        time.sleep(GLANCE_SECONDS)


def answers(url: str) -> bool:
    """Tell whether there is a server that can work, and is ours."""
    try:
        return bool(Client(url).get("/readyz")["status"] == "ok")
    except (CannotPlay, OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
        return False


def free_port() -> int:
    """Give a port of this machine that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# The players.


class Player:
    """A seat's client. It knows no rulebook: it answers whatever it is asked."""

    def __init__(self, url: str, game: str, name: str) -> None:
        self.name = name
        taken = Client(url).post(f"/v1/games/{game}/seats", {"name": name})
        self._client = Client(url, taken["token"])
        self._game = game

    def answer(self) -> bool:
        """Answer the first thing that the seat is asked; tell whether there was one."""
        asked = self._client.get(f"/v1/games/{self._game}/choices")["choices"]
        if not asked:
            return False
        move = random.choice(asked[0]["schema"]["oneOf"])["properties"]
        args = {name: value_fitting(schema) for name, schema in move["args"]["properties"].items()}
        command = {"choice": asked[0]["choice"], "move": move["move"]["const"], "args": args}
        self._client.post(f"/v1/games/{self._game}/commands", command)
        return True


def value_fitting(schema: dict[str, Any]) -> Any:
    """Give a random value that fits the schema of a field."""
    if "enum" in schema:
        return random.choice(schema["enum"])
    if schema["type"] == "integer":
        return random.randint(schema["minimum"], schema["maximum"])
    options = schema["items"].get("enum", ())
    return random.sample(options, random.randint(schema["minItems"], schema["maxItems"]))


# The table, as anybody may watch it.


class Watcher:
    """Watches a game without a token, and shows each thing that happens."""

    def __init__(self, url: str, game: str, names: tuple[str, ...]) -> None:
        self._client = Client(url)
        self._path = f"/v1/games/{game}"
        self._names = names
        self._seen = 0
        self._turn = 0
        self._just_taken: int | None = None

    def show_what_happened(self) -> bool:
        """Show what is new; tell whether a card came to lie in a row, or the game is over."""
        page = self._client.get(f"{self._path}/events?after={self._seen}&limit=500")
        self._seen = page["version"]
        facts = [fact for event in page["events"] for fact in event["facts"]]
        for fact in facts:
            if line := self._told(fact):
                print(line)
        return any(fact["type"] in ("rows_opened", "put_in_row", "finished") for fact in facts)

    def show_table(self) -> dict[str, Any]:
        """Show the rows and the points; give the game as all may see it."""
        game: dict[str, Any] = self._client.get(self._path)
        for place, row in enumerate(game["state"]["rows"], start=1):
            print(f"    row {place} │ {' '.join(f'{card:3}' for card in row)}")
        print("    points│ " + "   ".join(f"{seat['name']} {seat['points']}" for seat in game["seats"]))
        return game

    def _told(self, fact: dict[str, Any]) -> str | None:
        """What is said of a fact; nothing of those that are seen on the table."""
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
                self._just_taken = fact["row"]
                cards = " ".join(map(str, fact["cards"]))
                heads = "1 head" if fact["heads"] == 1 else f"{fact['heads']} heads"
                return f"    {name} takes row {fact['row'] + 1} ({cards}): {heads}"
            case "put_in_row":
                opens = fact["row"] == self._just_taken
                self._just_taken = None
                return f"    {name}’s {fact['card']} {'opens' if opens else 'joins'} row {fact['row'] + 1}"
        return None


def play(url: str, delay: float) -> str:
    """Play one game and show it; give its address."""
    game = Client(url).post("/v1/games", {"rulebook": RULEBOOK, "seats": len(NAMES)})["game"]["game"]
    players = [Player(url, game, name) for name in NAMES]
    watcher = Watcher(url, game, NAMES)
    print(f"A game of 6 nimmt! at {url}/v1/games/{game}")
    watcher.show_what_happened()
    shown = watcher.show_table()
    while shown["status"] == "running":
        if not [player.name for player in players if player.answer()]:
            raise CannotPlay("the game is not over, and nobody is asked anything")
        if watcher.show_what_happened():
            shown = watcher.show_table()
            time.sleep(delay)
    show_ranking(shown)
    return f"{url}/v1/games/{game}"


def show_ranking(game: dict[str, Any]) -> None:
    """Show who has won."""
    print("\n━━ The game is over ━━")
    result = game["result"]
    for place, seat in sorted(zip(result["places"], game["seats"], strict=True), key=lambda ranked: ranked[0]):
        print(f"  {place}. {seat['name']:<6}{result['points'][seat['seat']]:4} points left")


def main() -> int:
    """Play; the exit status: 0, or 1 when it cannot be played."""
    parser = argparse.ArgumentParser(description="A four-seat game of 6 nimmt! through HTTP, move by move.")
    usual = TERMINAL_DELAY if sys.stdout.isatty() else 0.0
    parser.add_argument("--delay", type=float, default=usual, metavar="SECONDS", help="pause after each turn; 0: none")
    parser.add_argument("--stay", action="store_true", help="keep a server of our own running until Ctrl-C")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # our own server is stopped either way
    try:
        with some_server() as (url, own):
            print(f"\nThe game is kept at {play(url, max(0.0, chosen.delay))}")
            if own and chosen.stay:
                print("The server runs on until Ctrl-C.")
                signal.pause()
            elif own:
                print("The server of this demo stops now, and forgets it. “make run” starts one that remembers.")
    except (CannotPlay, OSError, http.client.HTTPException) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
