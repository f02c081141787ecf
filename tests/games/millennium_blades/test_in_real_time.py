"""A whole game of five seats through HTTP in real time: all act at once, and the workers close every window."""

from __future__ import annotations

import http.client
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from events.records.record import read_record
from events.store.embedded import free_port
from games.kernel import event_view
from games.millennium_blades import MILLENNIUM_BLADES
from tests.processes import process_launcher
from tests.service.players import Caller, HttpResponse, Player, Table, Transport, full_table, matching_value

LAUNCHER = (sys.executable, "-m", "service.runtime.launcher")
FASTER = 720
"""How much faster the clock runs: three times twenty minutes take five seconds."""

MAX_SECONDS = 180.0
SEATS = 5


def api_at(port: int) -> Transport:
    """Return a transport to a server that opens a connection for each request."""

    def carry(method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> HttpResponse:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            return HttpResponse(
                answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
            )
        finally:
            connection.close()

    return carry


class Trader(threading.Thread):
    """A seat that makes random moves as fast as it can, and is never ready before its window closes."""

    def __init__(self, player: Player, deadline: float) -> None:
        super().__init__(name=f"seat {player.seat}", daemon=True)
        self.player = player
        self.deadline = deadline
        self.answers: Counter[tuple[int, str | None]] = Counter()
        self.is_done = False

    def run(self) -> None:
        chance = random.Random(self.player.seat)
        while time.monotonic() < self.deadline:
            choices = self.player.choices()
            if choices:
                answer = self.player.send(self._command(chance.choice(choices), chance))
                self.answers[answer.status, answer.problem] += 1
            elif self.player.view()["status"] != "running":
                self.is_done = True
                return
            else:
                time.sleep(0.05)

    def _command(self, choice: Any, chance: random.Random) -> dict[str, Any]:
        shapes = [shape for shape in choice["schema"]["oneOf"] if shape["properties"]["move"]["const"] != "ready"]
        return {"choice": choice["choice"], **matching_value(chance.choice(shapes), chance)}


def test_five_seats_trade_at_once_and_the_clock_closes_every_window(tmp_path: Path) -> None:
    with process_launcher() as launch:
        port = free_port()
        launch(LAUNCHER, tmp_path, CROUPIER_PORT=str(port)).wait_for_output("Croupier is ready")
        api = api_at(port)
        table = full_table(api, rulebook="millennium-blades", seats=SEATS, clock={"factor": 1 / FASTER})
        traders = [Trader(player, time.monotonic() + MAX_SECONDS) for player in table.players]
        for trader in traders:
            trader.start()
        for trader in traders:
            trader.join(MAX_SECONDS + 60)
        assert all(trader.is_done for trader in traders), "the game does not end"
        check_answers(traders)
        check_record(api, table)


def check_answers(traders: list[Trader]) -> None:
    """All seats acted. Answers that came too late were refused as such, and nothing else was refused."""
    for trader in traders:
        assert trader.answers[201, None] > 20
        assert {problem for _, problem in trader.answers} <= {None, "illegal-move", "stale-choice", "game-over"}


def check_record(api: Transport, table: Table) -> None:
    """The record is valid; the clock closed nine windows; each seat received exactly what it may know."""
    audit = Caller(api).get(f"{table.path}/audit").json
    assert audit["valid"], audit
    record = read_record(Caller(api).get(f"{table.path}/record").body.splitlines(keepends=True))
    decisions = [MILLENNIUM_BLADES.decode(entry.decision) for entry in record.entries]
    assert sum(decision.by == "clock" for decision in decisions) == 9
    by_seat = {decision.by for decision in decisions if isinstance(decision.by, int)}
    assert by_seat == set(range(SEATS))
    for player in table.players:
        received = [event["facts"] for event in all_events(player)]
        expected = [event_view(MILLENNIUM_BLADES, decision, player.seat)["facts"] for decision in decisions]
        assert received == json.loads(msgspec.json.encode(expected))


def all_events(player: Player) -> list[Any]:
    events: list[Any] = []
    while True:
        page = player.events(after=len(events))
        events += page["events"]
        if not page["more"]:
            return events
