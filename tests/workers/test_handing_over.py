"""How the alarm loop hands over due games: before other jobs, in one job, and only one job at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import pytest
from redis import Redis
from rq import Queue

from events.jobs.queue import FIRE_ALARMS, PROJECT, enqueue, open_queue
from events.store import keys
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.log_store import LogStore
from workers.alarms import AlarmLoop, ClaimHandOver

NOW = 1_000_000


class FakeHandOver:
    """The batches of games that were handed over, and whether the last one still waits."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.waits = False

    def put(self, games: list[str]) -> None:
        self.batches.append(games)


@pytest.fixture
def store(own_store: EmbeddedServer) -> Iterator[LogStore]:
    with connect(own_store.url) as client:
        yield LogStore(client)


@pytest.fixture
def handed_over() -> FakeHandOver:
    return FakeHandOver()


@pytest.fixture
def loop(store: LogStore, handed_over: FakeHandOver) -> AlarmLoop:
    return loop_on(store, handed_over)


def loop_on(store: LogStore, handed_over: FakeHandOver, **settings: int) -> AlarmLoop:
    def listener() -> NoReturn:
        pytest.fail("the loop does not listen in these tests")

    loop = AlarmLoop(store, listener, handed_over.put, lambda: handed_over.waits, lambda: NOW, **settings)
    loop.check_all_shards()
    return loop


def games_due(store: LogStore, number: int) -> list[str]:
    """Games of several shards whose alarms are due, the earliest first."""
    games = [f"game {place}" for place in range(number)]
    for place, game in enumerate(games):
        store.append(game, 0, b"1", f"{1:064x}", now=0, alarm=NOW - number + place, meta={})
    return games


def test_due_games_of_several_shards_are_handed_over_together(
    loop: AlarmLoop, store: LogStore, handed_over: FakeHandOver
) -> None:
    games = games_due(store, 10)
    assert len({keys.game_shard(game) for game in games}) > 1
    loop.claim_due()
    assert [sorted(batch) for batch in handed_over.batches] == [games]


def test_while_the_last_batch_waits_nothing_more_is_claimed(
    loop: AlarmLoop, store: LogStore, handed_over: FakeHandOver
) -> None:
    first = games_due(store, 1)
    loop.claim_due()
    handed_over.waits = True
    games_due(store, 10)
    loop.check_all_shards()
    loop.claim_due()
    assert handed_over.batches == [first]
    handed_over.waits = False
    loop.claim_due()
    assert [len(batch) for batch in handed_over.batches] == [1, 9]


def test_games_beyond_the_largest_batch_come_in_the_next(store: LogStore, handed_over: FakeHandOver) -> None:
    loop = loop_on(store, handed_over, max_batch=4)
    games = games_due(store, 10)
    for _ in range(3):
        loop.claim_due()
    assert [len(batch) for batch in handed_over.batches] == [4, 4, 2]
    assert sorted(game for batch in handed_over.batches for game in batch) == games


# With the real queue.


@pytest.fixture
def queue(own_store: EmbeddedServer) -> Iterator[Queue]:
    queue = open_queue(own_store.url)
    yield queue
    queue.connection.close()


@pytest.fixture
def hand_over(queue: Queue) -> ClaimHandOver:
    return ClaimHandOver(queue)


def test_alarms_are_fired_before_all_other_jobs(hand_over: ClaimHandOver, queue: Queue) -> None:
    enqueue(queue, PROJECT, "other")
    hand_over(["late"])
    assert [job.func_name for job in queue.get_jobs()] == [FIRE_ALARMS, PROJECT]


def test_a_job_waits_until_a_worker_takes_it(hand_over: ClaimHandOver, queue: Queue, own_store: EmbeddedServer) -> None:
    assert not hand_over.is_waiting()
    hand_over(["late"])
    assert hand_over.is_waiting()
    with Redis.from_url(own_store.url) as worker:
        assert worker.lpop(queue.key) is not None
    assert not hand_over.is_waiting()


def test_a_job_that_nobody_takes_within_a_lease_no_longer_waits(queue: Queue) -> None:
    hand_over = ClaimHandOver(queue, lease_ms=0)
    hand_over(["late"])
    assert not hand_over.is_waiting()
