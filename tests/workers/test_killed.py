"""Alarms when their worker is killed before any of its calls to the store: each alarm fires exactly once.

`make test` kills before every third call, `make soak` before every call.
"""

import multiprocessing
import os
import signal
import time
from collections import Counter

import pytest
from redis import Redis
from redis.connection import AbstractConnection

from events.games.command_handler import CommandHandler, now_ms
from events.games.commands import TakeSeat
from events.games.participants import new_person
from events.jobs.queue import QUEUE
from events.settings import Settings
from events.store import keys
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from games.kernel import Clock, GameSetup, next_alarm
from games.rulebooks import RULEBOOKS
from tests.stores import until
from workers import alarms
from workers.jobs import build_worker
from workers.resources import open_resources

LEASE_MS = 100  # so that a test need not wait long for the claims of a dead worker
MAX_CALLS = 300
DEADLINE_SECONDS = 20.0

FORK = multiprocessing.get_context("fork")


def run_worker_once(url, kill_at):
    """Claim the due alarms, and run the jobs that follow; die by SIGKILL before call number `kill_at`."""
    resources = open_resources(Settings(redis_url=url, queue_url=url))
    store = ArchivingStore(connect(url))
    send, calls = AbstractConnection.send_packed_command, Counter()

    def send_or_die(connection, command, check_health=True):
        calls["sent"] += 1
        if calls["sent"] == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return send(connection, command, check_health)

    AbstractConnection.send_packed_command = send_or_die
    loop = alarms.AlarmLoop(store, lambda: None, alarms.ClaimHandOver(resources.queue), lease_ms=LEASE_MS)
    loop.check_all_shards()
    loop.claim_due()
    build_worker(resources).work(burst=True, logging_level="CRITICAL")


def was_killed(url, kill_at=0):
    """Run a worker once in a process of its own; return whether it was killed."""
    process = FORK.Process(target=run_worker_once, args=(url, kill_at))
    process.start()
    process.join(DEADLINE_SECONDS)
    assert process.exitcode is not None, "a worker did not end"
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


@pytest.fixture
def games(store_url):
    client = connect(store_url)
    for shard in range(keys.SHARDS):
        client.delete(keys.alarms(shard))
    Redis.from_url(store_url).delete(f"rq:queue:{QUEUE}")
    return CommandHandler(ArchivingStore(client), RULEBOOKS)


def create_due_game(games, name):
    """A game of two seats whose time for a choice has just run out; return the number of its last decision."""
    games.create(name, "six-nimmt", GameSetup(2), {}, Clock(seconds_per_choice=0.05), "seed")
    for seat in range(2):
        games.handle(name, TakeSeat(new_person(f"p{seat}", None), seat))
    until(lambda: next_alarm(games.read(name).game) <= now_ms(), "the time of the seats has run out")
    return games.read(name).game.number


def is_due(games, name):
    """Would a worker claim this game now?"""
    return (games.store.alarm(name) or 0) <= now_ms()


def clock_decisions(games, name, after):
    return [decision for decision in games.decisions(name, after, 500) if decision.by == "clock"]


def kill_before_calls(games, store_url, calls):
    """Kill a worker before each of these calls in turn; each time, other workers must fire both alarms, once.

    It ends at the first call before which the worker had fired both alarms: when killed later, it leaves the same log
    as a worker that is not killed, or the beginning of that log.
    """
    for kill_at in calls:
        name = f"killed{kill_at:010d}"
        games.store.delete(name)
        before = create_due_game(games, name)
        assert was_killed(store_url, kill_at), f"the worker made fewer than {kill_at} calls and fired too few alarms"
        had_fired = len(clock_decisions(games, name, before))
        deadline = time.monotonic() + DEADLINE_SECONDS
        while len(clock_decisions(games, name, before)) < 2:
            assert time.monotonic() < deadline, f"killed before call {kill_at}: an alarm was never fired"
            until(lambda name=name: is_due(games, name), "the alarms that the dead worker had claimed are due again")
            was_killed(store_url)
        check_fired_once(games, name, before)
        games.store.delete(name)
        if had_fired >= 2:
            assert kill_at > 10, "the worker hardly called the store"
            return
    pytest.fail(f"the worker needs more than {MAX_CALLS} calls")


def test_a_worker_killed_before_every_third_call_to_the_store_leaves_each_alarm_to_be_fired_once(games, store_url):
    kill_before_calls(games, store_url, range(1, MAX_CALLS, 3))


@pytest.mark.soak
def test_a_worker_killed_before_any_call_to_the_store_leaves_each_alarm_to_be_fired_once(games, store_url):
    kill_before_calls(games, store_url, range(1, MAX_CALLS))


def test_a_worker_that_is_not_killed_fires_each_alarm_once(games, store_url):
    before = create_due_game(games, "unharmed00000000")
    assert not was_killed(store_url)
    assert len(clock_decisions(games, "unharmed00000000", before)) >= 2
    check_fired_once(games, "unharmed00000000", before)


def check_fired_once(games, name, before):
    answers = Counter(decision.choice for decision in games.decisions(name, before, 500))
    assert set(answers.values()) == {1}


def test_two_workers_with_the_same_alarm_fire_it_once(games, store_url):
    before = create_due_game(games, "twice00000000000")
    both = [FORK.Process(target=run_fire, args=(store_url, "twice00000000000")) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(DEADLINE_SECONDS)
        assert process.exitcode == 0
    assert len(clock_decisions(games, "twice00000000000", before)) >= 2
    check_fired_once(games, "twice00000000000", before)


def run_fire(url, game):
    alarms.fire_alarms(open_resources(Settings(redis_url=url, queue_url=url)), game)


def test_an_alarm_whose_job_was_lost_from_the_queue_is_fired_nevertheless(games, store_url):
    before = create_due_game(games, "lost000000000000")
    claimed = []
    loop = alarms.AlarmLoop(games.store, lambda: None, claimed.extend)
    loop.check_all_shards()
    loop.claim_due()
    assert claimed == ["lost000000000000"]
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not clock_decisions(games, "lost000000000000", before):
        assert time.monotonic() < deadline
        was_killed(store_url)
        time.sleep(0.05)
    check_fired_once(games, "lost000000000000", before)
