"""The sweep: a lost projection is requested once, by whichever worker sweeps first, and again if that job is lost."""

from dataclasses import replace

import pytest

from events.games.command_handler import now_ms
from events.games.commands import CloseGame
from events.jobs import leases
from events.jobs.queue import ARCHIVE, PROJECT
from events.store import keys
from games.kernel import Clock, GameSetup
from tests.clocks import StoppedClock
from workers import archive, sweep
from workers.project import project

NAMES = [f"overdue{number:09d}" for number in range(4)]


@pytest.fixture
def later():
    """The time of the sweep: long enough after everything that has happened."""
    return StoppedClock(now_ms() + sweep.OVERDUE_MS + archive.ARCHIVE_DELAY_MS)


@pytest.fixture
def resources(resources, later):
    """The resources of a worker whose clock is `later`."""
    return replace(resources, clock=later)


@pytest.fixture
def overdue(games, later):
    for name in NAMES:
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), name)
    return games


@pytest.fixture
def ended(overdue, resources):
    for name in NAMES:
        overdue.handle(name, CloseGame())
        project(resources, name)
    return overdue


def requested(resources, job):
    return sorted(game for queued in resources.queue.jobs if queued.func_name == job for game in queued.args)


def lose_jobs(resources):
    resources.queue.empty()


def test_a_lost_projection_is_requested_again(overdue, resources):
    assert sweep.sweep(resources) == len(NAMES)
    assert requested(resources, PROJECT) == NAMES


def test_a_projection_that_may_still_be_running_is_not_requested(overdue, later, resources):
    later.now = now_ms()
    assert sweep.sweep(resources) == 0
    assert requested(resources, PROJECT) == []


def test_only_one_of_many_sweeps_requests_a_projection(overdue, resources):
    assert [sweep.sweep(resources) for _ in range(3)] == [len(NAMES), 0, 0]
    assert requested(resources, PROJECT) == NAMES


def test_only_one_of_many_sweeps_requests_archiving(ended, resources):
    for _ in range(3):
        sweep.sweep(resources)
    assert requested(resources, ARCHIVE) == NAMES


def test_a_projection_that_is_lost_twice_is_requested_again_when_the_lease_ends(overdue, later, resources):
    sweep.sweep(resources)
    lose_jobs(resources)
    later.now += leases.LEASE_MS - 1
    assert sweep.sweep(resources) == 0
    later.now += 1
    assert sweep.sweep(resources) == len(NAMES)
    assert requested(resources, PROJECT) == NAMES


def test_a_lost_archiving_job_is_requested_again_when_the_lease_ends(ended, later, resources):
    sweep.sweep(resources)
    lose_jobs(resources)
    later.now += leases.LEASE_MS
    sweep.sweep(resources)
    assert requested(resources, ARCHIVE) == NAMES


def test_a_game_that_changes_after_its_projection_need_not_wait_for_a_lease(overdue, resources):
    sweep.sweep(resources)
    project(resources, *NAMES)
    lose_jobs(resources)
    overdue.handle(NAMES[1], CloseGame())
    assert sweep.sweep(resources) == 1
    assert requested(resources, PROJECT) == [NAMES[1]]


def test_a_failed_projection_is_requested_when_its_retry_is_due_and_not_before(overdue, later, resources):
    project(resources, *NAMES[1:])
    wait = resources.leases.back_off(NAMES[0], later.now, "project")
    later.now += wait - 1
    assert sweep.sweep(resources) == 0
    later.now += 1
    assert sweep.sweep(resources) == 1


def test_sweeps_and_failures_do_not_change_since_when_a_game_waits(overdue, later, resources):
    shard = keys.game_shard(NAMES[0])
    since = overdue.store.oldest_unprojected(shard)
    assert since is not None
    sweep.sweep(resources)
    resources.leases.back_off(NAMES[0], later.now, "project")
    assert overdue.store.oldest_unprojected(shard) == since


def test_a_deleted_game_leaves_no_lease(overdue, resources):
    sweep.sweep(resources)
    assert list(overdue.store.client.scan_iter(match="*:leases:*")) != []
    for name in NAMES:
        archive.delete_game(resources, name)
    assert list(overdue.store.client.scan_iter(match="*:leases:*")) == []
