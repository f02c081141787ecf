"""The line to the store: many callers, few trips, each its own answer."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import NoScriptError, RedisError, ResponseError

from events.store import pipeline as lines
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.pipeline import PipelinedConnection
from tests.stores import until

CALLERS = 20


@pytest.fixture
def client(store_url: str) -> Iterator[Redis]:
    with connect(store_url) as connected:
        assert isinstance(connected, Redis)
        connected.flushdb()
        yield connected


@pytest.fixture
def line(client: Redis) -> PipelinedConnection:
    return PipelinedConnection(client)


class Held:
    """Holds up the trips of a line, and counts the commands of each."""

    def __init__(self, line: PipelinedConnection, monkeypatch: pytest.MonkeyPatch) -> None:
        self.trips: list[int] = []
        self.go = threading.Event()
        self._exchange = line._round_trip
        monkeypatch.setattr(line, "_round_trip", self.round_trip)

    def round_trip(self, company: list[Any]) -> None:
        self.trips.append(len(company))
        self.go.wait()
        self._exchange(company)


@pytest.fixture
def held(line: PipelinedConnection, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    holding = Held(line, monkeypatch)
    yield holding
    holding.go.set()


def at_once(calls: list[Callable[[], Any]]) -> tuple[list[threading.Thread], dict[int, Any]]:
    """Start a thread for each call; what they gave or raised is gathered by place."""
    answers: dict[int, Any] = {}

    def run(place: int, call: Callable[[], Any]) -> None:
        try:
            answers[place] = call()
        except RedisError as error:
            answers[place] = error

    threads = [threading.Thread(target=run, args=(place, call)) for place, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    return threads, answers


def finish(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()


def test_a_command_is_answered_as_the_server_tells_it(line: PipelinedConnection) -> None:
    assert line.call("SET", "a", b"1") == b"OK"
    assert line.call("INCRBY", "a", 4) == 5
    assert line.call("GET", "b") is None


def test_a_refusal_is_raised_and_the_line_goes_on(line: PipelinedConnection) -> None:
    with pytest.raises(NoScriptError):
        line.call("EVALSHA", "f" * 40, 0)
    assert line.call("ECHO", "on") == b"on"


def test_those_who_come_while_others_travel_travel_together(line: PipelinedConnection, held: Held) -> None:
    threads, answers = at_once([partial(line.call, "ECHO", str(place)) for place in range(CALLERS)])
    until(lambda: len(line._waiting) == CALLERS - 1, "all but the first wait")
    held.go.set()
    finish(threads)
    assert held.trips == [1, CALLERS - 1]
    assert answers == {place: f"{place}".encode() for place in range(CALLERS)}


def test_no_more_travel_together_than_may(
    line: PipelinedConnection, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_BATCH", 5)
    threads, answers = at_once([lambda: line.call("INCR", "count") for _ in range(12)])
    until(lambda: len(line._waiting) == 11, "all but the first wait")
    held.go.set()
    finish(threads)
    assert held.trips == [1, 5, 5, 1]
    assert sorted(answers.values()) == list(range(1, 13))


def test_a_refusal_is_told_to_its_caller_alone(line: PipelinedConnection, held: Held) -> None:
    calls = [
        (lambda: line.call("ECHO", "well")) if place % 2 else (lambda: line.call("NONSENSE"))
        for place in range(CALLERS)
    ]
    threads, answers = at_once(calls)
    until(lambda: len(line._waiting) == CALLERS - 1, "all but the first wait")
    held.go.set()
    finish(threads)
    assert {type(answer) for place, answer in answers.items() if place % 2 == 0} == {ResponseError}
    assert {answer for place, answer in answers.items() if place % 2} == {b"well"}


def test_with_many_callers_every_command_is_carried_out_once_and_answered_to_its_caller(
    line: PipelinedConnection,
) -> None:
    def calls(name: str) -> list[int]:
        return [line.call("INCR", name) for _ in range(50)]

    threads, answers = at_once([partial(calls, f"count {place}") for place in range(CALLERS)])
    finish(threads)
    assert answers == {place: list(range(1, 51)) for place in range(CALLERS)}


def test_when_the_connection_is_lost_all_who_travel_are_told(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server, connect(server.url) as client:
        assert isinstance(client, Redis)
        line = PipelinedConnection(client)
        assert line.call("ECHO", "on") == b"on"
        server.kill()
        threads, answers = at_once([lambda: line.call("INCR", "count")] * CALLERS)
        finish(threads)
        assert {type(answer) for answer in answers.values()} == {LostConnection}
        server.start()
        until(lambda: answers_again(line), "the line is there again")
        assert line.call("GET", "count") is None, "nothing was sent again by itself"


def test_a_server_that_was_started_again_meanwhile_is_not_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "IDLE_SECONDS", 0.0)
    with EmbeddedServer(tmp_path) as server, connect(server.url) as client:
        assert isinstance(client, Redis)
        line = PipelinedConnection(client)
        assert line.call("INCR", "count") == 1
        server.kill()
        server.start()
        assert line.call("INCR", "count") == 2


def answers_again(line: PipelinedConnection) -> bool:
    try:
        return bool(line.call("ECHO", "on") == b"on")
    except LostConnection:
        return False


GREENLETS = """
    from gevent import monkey
    monkey.patch_all()
    import sys
    import gevent
    from events.store.connection import connect
    from events.store.pipeline import PipelinedConnection

    line = PipelinedConnection(connect(sys.argv[1]))
    exchange, go = line._round_trip, gevent.event.Event()

    def held(company):
        go.wait()
        exchange(company)

    line._round_trip = held
    appoint_next = line._promote_next

    def killed_when_appointed():
        if line._waiting and sys.argv[2] == "the next":
            callers[1].kill(block=False)
        appoint_next()

    line._promote_next = killed_when_appointed
    callers = [gevent.spawn(line.call, "ECHO", str(place)) for place in range(6)]
    gevent.sleep(0)
    assert len(line._waiting) == 5
    if sys.argv[2] == "one of them":
        callers[2].kill()
    go.set()
    gevent.joinall(callers, timeout=10)
    print([caller.value.decode() for caller in callers if isinstance(caller.value, bytes)])
"""


@pytest.mark.parametrize(
    ("killed", "answered"), [("one of them", ["0", "1", "3", "4", "5"]), ("the next", ["0", "2", "3", "4", "5"])]
)
def test_a_greenlet_that_is_killed_while_it_waits_leaves_the_others_their_answers(
    store_url: str, killed: str, answered: list[str]
) -> None:
    command = [sys.executable, "-c", dedent(GREENLETS), store_url, killed]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert ran.stderr == ""
    assert ran.stdout.strip() == str(answered)
