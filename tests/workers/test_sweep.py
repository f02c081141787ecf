"""The sweep: what was dropped is asked for once, by whichever worker sweeps first, and again when the job was lost."""

import pytest

from events.games.commands import now_ms
from events.jobs.queue import ARCHIVE, PROJECT
from events.store import archiving_store, keys
from games.kernel import Clock, GameSetup, close
from tests.clocks import StoppedClock
from workers import archive, resources, sweep
from workers.project import project

NAMES = [f"overdue{number:09d}" for number in range(4)]


@pytest.fixture
def later(monkeypatch):
    """The time of the sweep: long enough after everything that has happened."""
    clock = StoppedClock(now_ms() + sweep.OVERDUE_MS + archive.ARCHIVE_DELAY_MS)
    monkeypatch.setattr(sweep, "now_ms", clock)
    return clock


@pytest.fixture
def overdue(games, later):
    for name in NAMES:
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), name)
    return games


@pytest.fixture
def resting(overdue):
    for name in NAMES:
        overdue.decide(name, close)
        project(name)
    return overdue


def asked_for(job):
    return sorted(game for each in resources.queue().jobs if each.func_name == job for game in each.args)


def jobs_are_lost():
    resources.queue().empty()


def test_a_projection_whose_job_was_dropped_is_asked_for_again(overdue):
    assert sweep.sweep() == len(NAMES)
    assert asked_for(PROJECT) == NAMES


def test_a_projection_that_may_still_be_under_way_is_not_asked_for(overdue, later):
    later.now = now_ms()
    assert sweep.sweep() == 0
    assert asked_for(PROJECT) == []


def test_of_many_sweeps_one_asks_for_a_projection(overdue):
    assert [sweep.sweep() for _ in range(3)] == [len(NAMES), 0, 0]
    assert asked_for(PROJECT) == NAMES


def test_of_many_sweeps_one_has_a_game_archived(resting):
    for _ in range(3):
        sweep.sweep()
    assert asked_for(ARCHIVE) == NAMES


def test_what_was_asked_for_and_lost_is_asked_for_again_when_the_lease_is_over(overdue, later):
    sweep.sweep()
    jobs_are_lost()
    later.now += archiving_store.LEASE_MS - 1
    assert sweep.sweep() == 0
    later.now += 1
    assert sweep.sweep() == len(NAMES)
    assert asked_for(PROJECT) == NAMES


def test_an_archiving_that_was_lost_is_asked_for_again_when_the_lease_is_over(resting, later):
    sweep.sweep()
    jobs_are_lost()
    later.now += archiving_store.LEASE_MS
    sweep.sweep()
    assert asked_for(ARCHIVE) == NAMES


def test_a_game_that_changes_after_its_projection_waits_for_no_lease(overdue):
    sweep.sweep()
    project(*NAMES)
    jobs_are_lost()
    overdue.decide(NAMES[1], close)
    assert sweep.sweep() == 1
    assert asked_for(PROJECT) == [NAMES[1]]


def test_a_projection_that_failed_is_asked_for_when_its_time_comes_and_not_before(overdue, later):
    project(*NAMES[1:])
    wait = resources.store().back_off(NAMES[0], later.now, "project")
    later.now += wait - 1
    assert sweep.sweep() == 0
    later.now += 1
    assert sweep.sweep() == 1


def test_neither_sweeps_nor_failures_hide_since_when_a_game_waits(overdue, later):
    shard = keys.shard_of(NAMES[0])
    since = overdue.store.oldest_unprojected(shard)
    assert since is not None
    sweep.sweep()
    resources.store().back_off(NAMES[0], later.now, "project")
    assert overdue.store.oldest_unprojected(shard) == since


def test_of_a_game_that_is_deleted_no_lease_is_left(overdue):
    sweep.sweep()
    assert list(overdue.store.client.scan_iter(match="*:asked:*")) != []
    for name in NAMES:
        resources.store().delete(name)
    assert list(overdue.store.client.scan_iter(match="*:asked:*")) == []
