"""The loop of the clock on the real store: when it hands games over, and what it does when the store goes away."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis

from events.games.commands import now_ms
from events.jobs.queue import enqueue, open_queue
from events.store import keys
from events.store.connection import connect, connect_listener
from events.store.embedded import EmbeddedServer
from events.store.log_store import LogStore
from tests.stores import until
from workers.__main__ import our_worker
from workers.alarms import LEASE_MS, AlarmLoop

SOON = 300  # milliseconds
FAR = 60_000


class Desk:
    """Where the loop puts the games: with the time at which it did, in milliseconds since the epoch."""

    def __init__(self) -> None:
        self.given: list[tuple[str, int]] = []

    def put(self, games: list[str]) -> None:
        self.given += [(game, now_ms()) for game in games]

    def times(self, game: str) -> list[int]:
        return [at for name, at in self.given if name == game]


@contextmanager
def ticking(url: str) -> Iterator[Desk]:
    """The loop, in a thread of its own, until the end."""
    desk, stop = Desk(), threading.Event()
    with connect(url) as client, connect_listener(url) as listener:
        timer = AlarmLoop(LogStore(client), lambda: listener, desk.put)
        thread = threading.Thread(target=timer.run, args=(stop,))
        thread.start()
        until(lambda: len(timer._next) == keys.SHARDS, "the loop has looked at every shard")
        try:
            yield desk
        finally:
            stop.set()
            wake(url)
            thread.join(20)
            assert not thread.is_alive()


def wake(url: str) -> None:
    with connect(url) as client:
        client.publish(keys.alarm_channel(0), str(now_ms() + FAR))


def set_alarm(url: str, game: str, number: int, at: int) -> None:
    """What an append to a game does that sets its alarm."""
    with connect(url) as client:
        LogStore(client).append(game, number - 1, b"%d" % number, f"{number:064x}", alarm=at, meta={})


@pytest.fixture
def server(own_store: EmbeddedServer) -> EmbeddedServer:
    return own_store


def test_a_game_is_handed_over_when_its_alarm_is_due_and_not_before(server: EmbeddedServer) -> None:
    with ticking(server.url) as desk:
        due = now_ms() + SOON
        set_alarm(server.url, "game", 1, due)
        until(lambda: desk.given, "the alarm rings")
    assert desk.times("game")[0] >= due


def test_an_alarm_that_is_due_earlier_than_all_others_is_not_slept_through(server: EmbeddedServer) -> None:
    set_alarm(server.url, "far", 1, now_ms() + FAR)
    with ticking(server.url) as desk:
        set_alarm(server.url, "near", 1, now_ms() + SOON)
        until(lambda: desk.times("near"), "the nearer alarm rings")
        assert desk.times("far") == []


def test_an_alarm_that_was_set_later_again_does_not_ring(server: EmbeddedServer) -> None:
    with ticking(server.url) as desk:
        set_alarm(server.url, "put off", 1, now_ms() + SOON)
        set_alarm(server.url, "put off", 2, now_ms() + FAR)
        set_alarm(server.url, "after it", 1, now_ms() + 2 * SOON)
        until(lambda: desk.times("after it"), "a later alarm rings")
        assert desk.times("put off") == []


def test_more_games_than_are_claimed_at_once_are_all_handed_over(server: EmbeddedServer) -> None:
    games = {f"game {number}" for number in range(250)}
    shard = keys.shard_of("one shard")
    with connect(server.url) as client:
        client.zadd(keys.alarms(shard), dict.fromkeys(games, now_ms() - 1))
    with ticking(server.url) as desk:
        until(lambda: {game for game, _ in desk.given} == games, "all of them are handed over")


def test_a_game_that_nobody_fired_is_handed_over_again_when_its_lease_is_over(server: EmbeddedServer) -> None:
    set_alarm(server.url, "game", 1, now_ms())
    with ticking(server.url) as desk:
        until(lambda: len(desk.given) > 1, "it rings again")
    first, second, *_ = desk.times("game")
    assert second - first >= LEASE_MS / 2


def test_an_alarm_rings_also_after_the_store_was_away(server: EmbeddedServer) -> None:
    with ticking(server.url) as desk:
        set_alarm(server.url, "before", 1, now_ms())
        until(lambda: desk.times("before"), "an alarm rings")
        server.kill()
        server.start()
        set_alarm(server.url, "after", 1, now_ms() + SOON)
        until(lambda: desk.times("after"), "an alarm rings after the store has come back")


def test_a_job_that_is_not_ours_is_not_run(
    server: EmbeddedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    queue = open_queue(server.url)
    enqueue(queue, "os.mkdir", str(tmp_path / "taken over"))
    enqueue(queue, "workers.sweep.sweep")
    our_worker().work(burst=True, logging_level="CRITICAL")
    with Redis.from_url(server.url) as client:
        assert client.llen(f"rq:queue:{queue.name}") == 0
        assert client.zcard(f"rq:failed:{queue.name}") == 2
    assert caplog.text.count("is not a job of this worker") >= 2
    assert not (tmp_path / "taken over").exists()
