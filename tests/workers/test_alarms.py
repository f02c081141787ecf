"""The alarm loop on the real store: when it hands games over, and what it does when the store is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis

from events.games.command_handler import now_ms
from events.jobs.queue import enqueue, open_queue
from events.store import keys
from events.store.connection import connect, connect_listener
from events.store.embedded import EmbeddedServer
from events.store.log_store import LogStore
from tests.stores import until
from workers.alarms import LEASE_MS, AlarmLoop
from workers.jobs import build_worker
from workers.resources import Resources

SOON = 300  # milliseconds
FAR = 60_000


class HandedOver:
    """The games that the loop handed over, each with the time, in milliseconds since the epoch."""

    def __init__(self) -> None:
        self.games: list[tuple[str, int]] = []

    def put(self, games: list[str]) -> None:
        self.games += [(game, now_ms()) for game in games]

    def times(self, game: str) -> list[int]:
        return [at for name, at in self.games if name == game]


@contextmanager
def running_loop(url: str) -> Iterator[HandedOver]:
    """Run the loop in a thread."""
    handed_over, stop = HandedOver(), threading.Event()
    with connect(url) as client, connect_listener(url) as listener:
        loop = AlarmLoop(LogStore(client), lambda: listener, handed_over.put)
        thread = threading.Thread(target=loop.run, args=(stop,))
        thread.start()
        until(lambda: len(loop._next) == keys.SHARDS, "the loop has looked at every shard")
        try:
            yield handed_over
        finally:
            stop.set()
            wake(url)
            thread.join(20)
            assert not thread.is_alive()


def wake(url: str) -> None:
    with connect(url) as client:
        client.publish(keys.alarm_channel(0), str(now_ms() + FAR))


def set_alarm(url: str, game: str, number: int, at: int) -> None:
    """Append to a game, and so set its alarm."""
    with connect(url) as client:
        LogStore(client).append(game, number - 1, b"%d" % number, f"{number:064x}", now=0, alarm=at, meta={})


@pytest.fixture
def server(own_store: EmbeddedServer) -> EmbeddedServer:
    return own_store


def test_a_game_is_handed_over_when_its_alarm_is_due_and_not_before(server: EmbeddedServer) -> None:
    with running_loop(server.url) as handed_over:
        due = now_ms() + SOON
        set_alarm(server.url, "game", 1, due)
        until(lambda: handed_over.games, "the alarm is claimed")
    assert handed_over.times("game")[0] >= due


def test_the_loop_does_not_sleep_past_a_new_alarm_that_is_due_earlier(server: EmbeddedServer) -> None:
    set_alarm(server.url, "far", 1, now_ms() + FAR)
    with running_loop(server.url) as handed_over:
        set_alarm(server.url, "near", 1, now_ms() + SOON)
        until(lambda: handed_over.times("near"), "the nearer alarm is claimed")
        assert handed_over.times("far") == []


def test_an_alarm_that_was_moved_to_later_is_not_fired_early(server: EmbeddedServer) -> None:
    with running_loop(server.url) as handed_over:
        set_alarm(server.url, "put off", 1, now_ms() + SOON)
        set_alarm(server.url, "put off", 2, now_ms() + FAR)
        set_alarm(server.url, "after it", 1, now_ms() + 2 * SOON)
        until(lambda: handed_over.times("after it"), "a later alarm is claimed")
        assert handed_over.times("put off") == []


def test_all_games_are_handed_over_even_if_there_are_more_than_one_batch_holds(server: EmbeddedServer) -> None:
    games = {f"game {number}" for number in range(250)}
    shard = keys.game_shard("one shard")
    with connect(server.url) as client:
        client.zadd(keys.alarms(shard), dict.fromkeys(games, now_ms() - 1))
    with running_loop(server.url) as handed_over:
        until(lambda: {game for game, _ in handed_over.games} == games, "all of them are handed over")


def test_a_game_whose_alarm_was_not_fired_is_handed_over_again_when_the_lease_ends(server: EmbeddedServer) -> None:
    set_alarm(server.url, "game", 1, now_ms())
    with running_loop(server.url) as handed_over:
        until(lambda: len(handed_over.games) > 1, "the alarm is claimed again")
    first, second, *_ = handed_over.times("game")
    assert second - first >= LEASE_MS / 2


def test_alarms_are_claimed_again_after_the_store_was_lost(server: EmbeddedServer) -> None:
    with running_loop(server.url) as handed_over:
        set_alarm(server.url, "before", 1, now_ms())
        until(lambda: handed_over.times("before"), "an alarm is claimed")
        server.kill()
        server.start()
        set_alarm(server.url, "after", 1, now_ms() + SOON)
        until(lambda: handed_over.times("after"), "an alarm is claimed after the store is back")


def test_a_job_that_is_not_listed_is_not_run(
    server: EmbeddedServer, resources: Resources, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    queue = open_queue(server.url)
    enqueue(queue, "os.mkdir", str(tmp_path / "intruder"))
    enqueue(queue, "workers.sweep.sweep")
    build_worker(resources).work(burst=True, logging_level="CRITICAL")
    with Redis.from_url(server.url) as client:
        assert client.llen(f"rq:queue:{queue.name}") == 0
        assert client.zcard(f"rq:failed:{queue.name}") == 2
    assert caplog.text.count("is not a job of this worker") >= 2
    assert not (tmp_path / "intruder").exists()
