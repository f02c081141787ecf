"""How the clock hands over what is due: before other jobs, together, and no more while the last has not been taken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from events.jobs.queue import FIRE_ALARMS, PROJECT, enqueue, open_queue
from events.store import keys
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.log_store import LogStore
from workers import alarms, resources
from workers.alarms import AlarmLoop, ClaimHandOver

NOW = 1_000_000


class Given:
    """What was handed over, and whether it waits."""

    def __init__(self) -> None:
        self.lots: list[list[str]] = []
        self.waits = False

    def put(self, games: list[str]) -> None:
        self.lots.append(games)


@pytest.fixture
def store(own_store: EmbeddedServer) -> Iterator[LogStore]:
    with connect(own_store.url) as client:
        yield LogStore(client)


@pytest.fixture
def given() -> Given:
    return Given()


@pytest.fixture
def timer(store: LogStore, given: Given) -> AlarmLoop:
    made = AlarmLoop(store, lambda: pytest.fail("it does not listen here"), given.put, lambda: given.waits, lambda: NOW)
    made._next = dict.fromkeys(range(keys.SHARDS), 0)
    return made


def games_due(store: LogStore, number: int) -> list[str]:
    """Games of several shards whose alarms are due, the earliest first."""
    games = [f"game {place}" for place in range(number)]
    for place, game in enumerate(games):
        store.append(game, 0, b"1", f"{1:064x}", alarm=NOW - number + place, meta={})
    return games


def test_what_is_due_in_several_shards_is_handed_over_together(timer: AlarmLoop, store: LogStore, given: Given) -> None:
    games = games_due(store, 10)
    assert len({keys.shard_of(game) for game in games}) > 1
    timer._claim_what_is_due()
    assert [sorted(lot) for lot in given.lots] == [games]


def test_while_the_last_lot_waits_nothing_more_is_claimed(timer: AlarmLoop, store: LogStore, given: Given) -> None:
    first = games_due(store, 1)
    timer._claim_what_is_due()
    given.waits = True
    games_due(store, 10)
    timer._next = dict.fromkeys(range(keys.SHARDS), 0)
    timer._claim_what_is_due()
    assert given.lots == [first]
    given.waits = False
    timer._claim_what_is_due()
    assert [len(lot) for lot in given.lots] == [1, 9]


def test_what_is_too_much_for_one_lot_comes_in_the_next(
    timer: AlarmLoop, store: LogStore, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alarms, "MAX_BATCH", 4)
    games = games_due(store, 10)
    for _ in range(3):
        timer._claim_what_is_due()
    assert [len(lot) for lot in given.lots] == [4, 4, 2]
    assert sorted(game for lot in given.lots for game in lot) == games


# With the real queue.


@pytest.fixture
def hand_over(own_store: EmbeddedServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClaimHandOver]:
    queue = open_queue(own_store.url)
    monkeypatch.setattr(resources, "queue", lambda: queue)
    yield ClaimHandOver()
    queue.connection.close()


def test_alarms_are_fired_before_anything_else_is_done(hand_over: ClaimHandOver) -> None:
    enqueue(resources.queue(), PROJECT, "other")
    hand_over(["late"])
    assert [job.func_name for job in resources.queue().get_jobs()] == [FIRE_ALARMS, PROJECT]


def test_it_waits_until_a_worker_has_taken_it(hand_over: ClaimHandOver, own_store: EmbeddedServer) -> None:
    assert not hand_over.is_waiting()
    hand_over(["late"])
    assert hand_over.is_waiting()
    with Redis.from_url(own_store.url) as worker:
        assert worker.lpop(resources.queue().key) is not None
    assert not hand_over.is_waiting()


def test_what_nobody_takes_within_a_lease_is_given_up(
    hand_over: ClaimHandOver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_over(["late"])
    monkeypatch.setattr(alarms, "LEASE_MS", 0)
    assert not hand_over.is_waiting()
