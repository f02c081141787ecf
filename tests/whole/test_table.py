"""The whole table, with real processes: played to the end, at the same instant, killed in the middle, started again."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from events import chain
from events.connection import connect
from events.logs import Logs
from games.kernel import fold
from games.rulebooks import RULEBOOKS
from service.settings import STORE_URL_FILE
from tests.service.launched import Launched
from tests.whole.playing import Line, Table, any_command, open_table, play, served

ROUNDS = 1000
TABLES_OF_ROUNDS = 10


@pytest.fixture(scope="module")
def launched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launched]:
    with served(tmp_path_factory.mktemp("table")) as launched:
        yield launched


@pytest.fixture
def line(launched: Launched) -> Iterator[Line]:
    with contextlib.closing(Line(launched.port)) as line:
        yield line


def store_of(launched: Launched) -> Logs:
    return Logs(connect((launched.data / STORE_URL_FILE).read_text().strip()))


def folded(launched: Launched, table: Table) -> Any:
    """The log of a game, checked and folded."""
    with store_of(launched).client as client:
        entries = Logs(client).tail(table.game, 0)
    chain.verify(table.game, entries)
    state, rulebook = None, RULEBOOKS["six-nimmt"]
    decisions = [rulebook.decode(entry.decision) for entry in entries]
    for decision in decisions:
        state = fold(rulebook, state, decision)
    return state, decisions


def test_four_clients_that_know_no_rulebook_play_a_game_to_the_end(launched: Launched, line: Line) -> None:
    table = open_table(line, 4)
    players = play(launched.port, table)
    final = line.say("GET", table.path).body
    state, decisions = folded(launched, table)
    assert final["status"] == "finished"
    assert final["version"] == state.number == len(decisions)
    assert final["result"]["points"] == [player.points for player in state.table.players]
    assert [seat["points"] for seat in final["seats"]] == list(state.lobby.result.points)
    acknowledged = [number for player in players for number in player.acknowledged]
    assert len(set(acknowledged)) == len(acknowledged)
    assert_no_card_was_seen_too_early(players, decisions)


def assert_no_card_was_seen_too_early(players: list[Any], decisions: list[Any]) -> None:
    """In every body that a seat received, whatever lies in another's hand or face down is hidden."""
    for player in players:
        for body in player.received:
            for other in (body.get("table") or {}).get("players", ()):
                if other["seat"] != player.seat:
                    assert isinstance(other["hand"], dict), "another's hand was shown"
                    assert other["laid"] is None or isinstance(other["laid"], dict), "a card face down was shown"
            for choice in body.get("choices", ()):
                assert choice["seat"] == player.seat
            for fact in (body.get("decision") or {}).get("facts", ()):
                if fact["type"] in ("hand_dealt", "laid_face_down") and fact["seat"] != player.seat:
                    assert "hidden" in json.dumps(fact)


def test_four_seats_that_lay_at_the_same_instant_are_all_accepted_a_thousand_times(
    launched: Launched, line: Line
) -> None:
    left = ROUNDS
    while left > 0:
        tables = [open_table(line, 4) for _ in range(TABLES_OF_ROUNDS)]
        seats = [(table, seat) for table in tables for seat in range(4)]
        gate = threading.Barrier(len(seats))
        faults: list[Any] = []
        laid: Counter[str] = Counter()

        def lay_ten_times(
            table: Table, seat: int, gate: threading.Barrier, faults: list[Any], laid: Counter[str]
        ) -> None:
            token, times = table.tokens[seat], 0
            with contextlib.closing(Line(launched.port)) as mine:
                while times < 10 and not faults:
                    choices = mine.insist("GET", f"{table.path}/choices", token=token).body["choices"]
                    if not choices:
                        time.sleep(0.005)
                        continue
                    if choices[0]["prompt"] == "Lay a card face down.":
                        times += 1
                        with contextlib.suppress(threading.BrokenBarrierError):
                            gate.wait(0.5)
                    said = mine.insist("POST", f"{table.path}/commands", any_command(choices[0]), token)
                    if said.status != 201:
                        faults.append(said)
                    elif said.body["decision"]["move"] == "lay":
                        laid[table.game] += 1

        threads = [threading.Thread(target=lay_ten_times, args=(*seat, gate, faults, laid)) for seat in seats]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
            assert not thread.is_alive()
        assert faults == []
        for table in tables:
            _, decisions = folded(launched, table)
            answered = Counter(decision.choice for decision in decisions if decision.move == "lay")
            assert set(answered.values()) == {1}
            assert sum(answered.values()) == laid[table.game]
            left -= laid[table.game] // 4
        assert sum(laid.values()) > 0


def test_the_same_command_ten_times_at_once_is_played_once_and_answered_alike(launched: Launched, line: Line) -> None:
    table = open_table(line, 2)
    (choice,) = line.say("GET", f"{table.path}/choices", token=table.tokens[0]).body["choices"]
    command, gate, said = any_command(choice), threading.Barrier(10), []

    def send() -> None:
        with contextlib.closing(Line(launched.port)) as mine:
            gate.wait()
            said.append(mine.say("POST", f"{table.path}/commands", command, table.tokens[0]))

    threads = [threading.Thread(target=send) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answer.status for answer in said) == [200] * 9 + [201]
    assert len({json.dumps(answer.body["decision"], sort_keys=True) for answer in said}) == 1
    _, decisions = folded(launched, table)
    assert [decision.choice for decision in decisions].count(choice["choice"]) == 1


@pytest.mark.parametrize("program", ["gunicorn", "workers", "valkey"])
def test_the_game_goes_on_after_kill_9(launched: Launched, line: Line, program: str) -> None:
    table = open_table(line, 4)
    killed = threading.Event()

    def kill_once() -> None:
        """After some moves, before another: kill the program, and go on at once."""
        _, decisions = folded(launched, table) if not killed.is_set() else (None, ())
        if len(decisions) > 20 and not killed.is_set():
            killed.set()
            launched.kill(launched.programs(program)[0])

    gate = threading.Lock()

    def one_at_a_time() -> None:
        if not killed.is_set():
            with gate, contextlib.suppress(Exception):
                kill_once()

    players = play(launched.port, table, before=one_at_a_time)
    assert killed.is_set()
    state, decisions = folded(launched, table)
    assert state.lobby.status == "finished"
    acknowledged = [number for player in players for number in player.acknowledged]
    assert set(acknowledged) <= {decision.number for decision in decisions}
    answered = Counter(decision.choice for decision in decisions if decision.choice is not None)
    assert set(answered.values()) == {1}
    launched.until(lambda: launched.programs(program), f"{program} is started again")


def test_a_web_process_that_is_killed_costs_nothing_but_its_connections(launched: Launched, line: Line) -> None:
    table = open_table(line, 2)
    web = launched.program("gunicorn")
    launched.kill(web.children()[0])
    play(launched.port, table)
    assert line.insist("GET", table.path).body["status"] == "finished"


def seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def test_a_silent_seats_card_is_laid_by_the_clock_within_its_time_and_a_second(launched: Launched, line: Line) -> None:
    table = open_table(line, 2, clock={"seconds_per_choice": 1.0})
    (choice,) = line.say("GET", f"{table.path}/choices", token=table.tokens[0]).body["choices"]
    due = seconds(choice["deadline"])
    launched.until(lambda: line.insist("GET", table.path).body["version"] >= 5, "the clock lays for both")
    events = line.say("GET", f"{table.path}/events?after=3").body["events"]
    laid = [event for event in events if any(fact["type"] == "time_ran_out" for fact in event["facts"])]
    assert 0 <= seconds(laid[0]["at"]) - due <= 1.0


def test_a_worker_that_was_down_catches_up_and_a_late_command_is_stale(launched: Launched, line: Line) -> None:
    table = open_table(line, 2, clock={"seconds_per_choice": 1.5})
    (choice,) = line.say("GET", f"{table.path}/choices", token=table.tokens[0]).body["choices"]
    launched.kill(launched.program("workers"))
    while time.time() <= seconds(choice["deadline"]):
        time.sleep(0.05)
    late = line.say("POST", f"{table.path}/commands", any_command(choice), table.tokens[0])
    assert late.status == 409
    assert late.body["type"].endswith(":stale-choice")
    launched.until(
        lambda: line.insist("GET", table.path).body["version"] >= 9, "the worker is back, and the game goes on"
    )


def test_started_again_every_game_is_still_there(tmp_path: Path) -> None:
    with served(tmp_path) as first, contextlib.closing(Line(first.port)) as line:
        table = open_table(line, 2)
        (choice,) = line.say("GET", f"{table.path}/choices", token=table.tokens[1]).body["choices"]
        line.say("POST", f"{table.path}/commands", any_command(choice), table.tokens[1])
        before = line.say("GET", table.path, token=table.tokens[1]).body
        first.asked_to_stop_again()
        first.until_nothing_is_left()
    with served(tmp_path) as second, contextlib.closing(Line(second.port)) as line:
        assert line.insist("GET", table.path, token=table.tokens[1]).body == before
        play(second.port, table)
