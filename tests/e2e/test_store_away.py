"""The store is unavailable for ten seconds under load: clients get 503 with Retry-After, and nothing is lost."""

import contextlib
import http.client
import json
import os
import signal
import sys
import threading
import time

import pytest

from events.store.embedded import free_port
from tests.processes import process_launcher

AWAY_SECONDS = 10.0
SEATS = 4
TABLES = 3


class Transport:
    """A client with its own connection, which it opens again when it breaks."""

    def __init__(self, port):
        self.port = port
        self._connection = None

    def say(self, method, path, body=None, token=None):
        """Send a request; return status, headers and body."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            return answer.status, answer.headers, json.loads(answer.read() or b"null")
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._connection = None
            raise

    def close(self):
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


@pytest.fixture
def served(tmp_path):
    port = free_port()
    with process_launcher() as launch:
        table = launch(
            [sys.executable, "-m", "service.runtime.launcher"], tmp_path, CROUPIER_PORT=str(port), CROUPIER_LIMITS="0"
        )
        table.wait_for_output("Croupier is ready")
        yield table


class Player(threading.Thread):
    """A seat that plays by its choices until the game is over, and repeats commands that failed temporarily."""

    def __init__(self, port, game, token):
        super().__init__()
        self.api, self.game, self.token = Transport(port), game, token
        self.acknowledged, self.away, self.odd = [], 0, []

    def run(self):
        try:
            self._play()
        finally:
            self.api.close()

    def _play(self):
        while True:
            status, answer = self.patiently("GET", f"/v1/games/{self.game}/choices")
            if status != 200:
                self.odd.append((status, answer))
                return
            for choice in answer["choices"]:
                args = choice["schema"]["oneOf"][0]["properties"]["args"]["properties"]
                move = choice["schema"]["oneOf"][0]["properties"]["move"]["const"]
                command = {
                    "choice": choice["choice"],
                    "move": move,
                    "args": {name: field["enum"][0] for name, field in args.items()},
                }
                status, answer = self.patiently("POST", f"/v1/games/{self.game}/commands", command)
                if status in (200, 201):
                    self.acknowledged.append((answer["decision"]["number"], choice["choice"]))
                else:
                    self.odd.append((status, answer))
            if not answer["choices"]:
                status, answer = self.patiently("GET", f"/v1/games/{self.game}")
                if answer["status"] == "finished":
                    return

    def patiently(self, method, path, body=None):
        while True:
            status, headers, answer = self.api.say(method, path, body, self.token)
            if status != 503:
                return status, answer
            assert headers["Retry-After"]
            assert answer["type"].endswith(":store-unavailable")
            self.away += 1
            time.sleep(0.2)


def test_a_store_frozen_for_ten_seconds_only_delays_commands(served):
    with contextlib.closing(Transport(served.port)) as host:
        _stand_still(served, host)


def _stand_still(served, host):
    players = []
    for _ in range(TABLES):
        _, _, created = host.say("POST", "/v1/games", {"rulebook": "six-nimmt", "seats": SEATS})
        game = created["game"]["game"]
        for seat in range(SEATS):
            _, _, given = host.say("POST", f"/v1/games/{game}/seats", {"name": f"player {seat}"})
            players.append(Player(served.port, game, given["token"]))
    before = {program.pid for program in served.children()}
    store = served.program("croupier-store")
    for player in players:
        player.start()
    served.wait_until(lambda: all(len(player.acknowledged) >= 2 for player in players), "play has begun")
    os.kill(store.pid, signal.SIGSTOP)
    start = time.monotonic()
    try:
        status, headers, _ = host.say("GET", "/readyz")
        assert (status, headers["Retry-After"]) == (503, "1")
        time.sleep(max(0.0, AWAY_SECONDS - (time.monotonic() - start)))
    finally:
        os.kill(store.pid, signal.SIGCONT)
    for player in players:
        player.join(120)
        assert not player.is_alive()
        assert player.odd == []
    assert sum(player.away for player in players) > 0
    for game in {player.game for player in players}:
        _, _, page = host.say("GET", f"/v1/games/{game}/events?limit=500")
        numbers = [event["number"] for event in page["events"]]
        assert numbers == list(range(1, len(numbers) + 1))
        acknowledged = [entry for player in players if player.game == game for entry in player.acknowledged]
        assert (
            len({number for number, _ in acknowledged})
            == len(acknowledged)
            == len({choice for _, choice in acknowledged})
        )
        assert {number for number, _ in acknowledged} <= set(numbers)
    assert {program.pid for program in served.children()} == before
