"""The pipelined connection: many callers, few round trips, and each caller gets its own reply."""

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

from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.pipeline import MAX_BATCH, Call, PipelinedConnection
from tests.stores import until

CALLERS = 20


@pytest.fixture
def client(store_url: str) -> Iterator[Redis]:
    with connect(store_url) as connected:
        assert isinstance(connected, Redis)
        connected.flushdb()
        yield connected


@pytest.fixture
def connection(client: Redis) -> PipelinedConnection:
    return PipelinedConnection(client)


class BlockedConnection(PipelinedConnection):
    """Blocks its round trips until `go` is set, and records how many calls each of them carries."""

    def __init__(self, client: Redis, max_batch: int = MAX_BATCH) -> None:
        super().__init__(client, max_batch)
        self.trips: list[int] = []
        self.go = threading.Event()

    def waiting(self) -> int:
        return self._batcher.number_waiting("")

    def _round_trip(self, queue: str, calls: list[Call]) -> None:
        self.trips.append(len(calls))
        self.go.wait()
        super()._round_trip(queue, calls)


@pytest.fixture
def blocked(client: Redis) -> BlockedConnection:
    return BlockedConnection(client)


def at_once(calls: list[Callable[[], Any]]) -> tuple[list[threading.Thread], dict[int, Any]]:
    """Start a thread for each call; what each returned or raised is stored by its place."""
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


def test_a_command_gets_the_reply_of_the_server(connection: PipelinedConnection) -> None:
    assert connection.call("SET", "a", b"1") == b"OK"
    assert connection.call("INCRBY", "a", 4) == 5
    assert connection.call("GET", "b") is None


def test_a_refusal_is_raised_and_the_connection_stays_usable(connection: PipelinedConnection) -> None:
    with pytest.raises(NoScriptError):
        connection.call("EVALSHA", "f" * 40, 0)
    assert connection.call("ECHO", "on") == b"on"


def test_calls_that_arrive_during_a_round_trip_share_the_next_one(blocked: BlockedConnection) -> None:
    threads, answers = at_once([partial(blocked.call, "ECHO", str(place)) for place in range(CALLERS)])
    until(lambda: blocked.waiting() == CALLERS - 1, "all but the first wait")
    blocked.go.set()
    finish(threads)
    assert blocked.trips == [1, CALLERS - 1]
    assert answers == {place: f"{place}".encode() for place in range(CALLERS)}


def test_a_round_trip_carries_a_limited_number_of_calls(client: Redis) -> None:
    blocked = BlockedConnection(client, max_batch=5)
    threads, answers = at_once([lambda: blocked.call("INCR", "count") for _ in range(12)])
    until(lambda: blocked.waiting() == 11, "all but the first wait")
    blocked.go.set()
    finish(threads)
    assert blocked.trips == [1, 5, 5, 1]
    assert sorted(answers.values()) == list(range(1, 13))


def test_a_refusal_is_raised_only_for_its_caller(blocked: BlockedConnection) -> None:
    calls = [
        (lambda: blocked.call("ECHO", "well")) if place % 2 else (lambda: blocked.call("NONSENSE"))
        for place in range(CALLERS)
    ]
    threads, answers = at_once(calls)
    until(lambda: blocked.waiting() == CALLERS - 1, "all but the first wait")
    blocked.go.set()
    finish(threads)
    assert {type(answer) for place, answer in answers.items() if place % 2 == 0} == {ResponseError}
    assert {answer for place, answer in answers.items() if place % 2} == {b"well"}


def test_with_many_callers_every_command_is_executed_once_and_each_caller_gets_its_own_reply(
    connection: PipelinedConnection,
) -> None:
    def calls(name: str) -> list[int]:
        return [connection.call("INCR", name) for _ in range(50)]

    threads, answers = at_once([partial(calls, f"count {place}") for place in range(CALLERS)])
    finish(threads)
    assert answers == {place: list(range(1, 51)) for place in range(CALLERS)}


def test_when_the_connection_is_lost_all_calls_of_the_round_trip_fail(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server, connect(server.url) as client:
        assert isinstance(client, Redis)
        connection = PipelinedConnection(client)
        assert connection.call("ECHO", "on") == b"on"
        server.kill()
        threads, answers = at_once([lambda: connection.call("INCR", "count")] * CALLERS)
        finish(threads)
        assert {type(answer) for answer in answers.values()} == {LostConnection}
        server.start()
        until(lambda: answers_again(connection), "the connection works again")
        assert connection.call("GET", "count") is None, "nothing was sent again by itself"


def test_a_restart_of_the_server_while_the_connection_is_idle_causes_no_error(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server, connect(server.url) as client:
        assert isinstance(client, Redis)
        connection = PipelinedConnection(client, idle_seconds=0.0)
        assert connection.call("INCR", "count") == 1
        server.kill()
        server.start()
        assert connection.call("INCR", "count") == 2


def answers_again(connection: PipelinedConnection) -> bool:
    try:
        return bool(connection.call("ECHO", "on") == b"on")
    except LostConnection:
        return False


GREENLETS = """
    from gevent import monkey
    monkey.patch_all()
    import sys
    import gevent
    from events.store.connection import connect
    from events.store.pipeline import PipelinedConnection

    go = gevent.event.Event()

    class Blocked(PipelinedConnection):
        def _round_trip(self, queue, calls):
            go.wait()
            super()._round_trip(queue, calls)

    connection = Blocked(connect(sys.argv[1]))
    batcher = connection._batcher
    promote_next = batcher._promote_next

    def kill_the_next_leader(queue, left):
        if batcher.number_waiting(queue) and sys.argv[2] == "the next leader":
            callers[1].kill(block=False)
        promote_next(queue, left)

    batcher._promote_next = kill_the_next_leader
    callers = [gevent.spawn(connection.call, "ECHO", str(place)) for place in range(6)]
    gevent.sleep(0)
    assert batcher.number_waiting("") == 5
    if sys.argv[2] == "a follower":
        callers[2].kill()
    go.set()
    gevent.joinall(callers, timeout=10)
    print([caller.value.decode() for caller in callers if isinstance(caller.value, bytes)])
"""


@pytest.mark.parametrize(
    ("killed", "answered"),
    [("a follower", ["0", "1", "3", "4", "5"]), ("the next leader", ["0", "2", "3", "4", "5"])],
)
def test_when_a_waiting_greenlet_is_killed_the_others_get_their_replies(
    store_url: str, killed: str, answered: list[str]
) -> None:
    command = [sys.executable, "-c", dedent(GREENLETS), store_url, killed]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert ran.stderr == ""
    assert ran.stdout.strip() == str(answered)
