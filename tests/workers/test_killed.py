"""The clock when its worker is killed, at each of its calls to the store, one after the other: an alarm fires once."""

import multiprocessing
import os
import signal
import time
from collections import Counter

import pytest
from redis import Redis
from redis.connection import AbstractConnection

from events.games.commands import CommandHandler, now_ms
from events.jobs.queue import QUEUE
from events.store import keys
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from games.kernel import Clock, GameSetup, next_alarm, take_seat
from games.rulebooks import RULEBOOKS
from tests.stores import until
from workers import alarms

LEASE = 100  # milliseconds, so that a test need not wait long for what a dead worker had claimed
MOST_CALLS = 300
DEADLINE = 20.0

FORK = multiprocessing.get_context("fork")


def run_clock_once(url, kill_at):
    """Claim what is due, and run the jobs that this leads to; die by kill -9 before the call number `kill_at`."""
    os.environ["CROUPIER_REDIS_URL"] = os.environ["CROUPIER_QUEUE_URL"] = url
    alarms.LEASE_MS = LEASE
    send, calls = AbstractConnection.send_packed_command, Counter()

    def send_or_die(connection, command, check_health=True):
        calls["sent"] += 1
        if calls["sent"] == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return send(connection, command, check_health)

    from workers import __main__ as program  # noqa: PLC0415 - what it makes belongs to the child

    store = ArchivingStore(connect(url))
    AbstractConnection.send_packed_command = send_or_die
    timer = alarms.AlarmLoop(store, lambda: None, program.hand_over)
    timer._next = dict.fromkeys(range(keys.SHARDS), 0)
    timer._claim_what_is_due()
    program.our_worker().work(burst=True, logging_level="CRITICAL")


def child(url, kill_at=0):
    """Run the clock once in a process of its own; tell whether it was killed."""
    process = FORK.Process(target=run_clock_once, args=(url, kill_at))
    process.start()
    process.join(DEADLINE)
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


def game_that_is_due(games, name):
    """A two-seat game in which seat 0 has laid and the time of seat 1 has just run out."""
    games.create(name, "six-nimmt", GameSetup(2), {}, Clock(seconds_per_choice=0.05), "seed")
    for seat in range(2):
        games.decide(name, lambda rules, state, now, seat=seat: take_seat(rules, state, seat, f"p{seat}", now))
    until(lambda: next_alarm(games.read(name).game) <= now_ms(), "the time of seat 1 has run out")
    return games.read(name).game.number


def is_due(games, name):
    """Would a worker claim this game now?"""
    return (games.store.alarm(name) or 0) <= now_ms()


def clock_decisions(games, name, after):
    return [d for d in games.decisions(name, after, 500) if d.by == "clock"]


def test_a_worker_killed_at_any_call_to_the_store_leaves_each_alarm_to_be_fired_once(games, store_url):
    """Up to the first call before which it had fired both: killed later, it leaves the log of one that is not killed
    at all, or the beginning of that log."""
    for kill_at in range(1, MOST_CALLS):
        name = f"killed{kill_at:010d}"
        games.store.delete(name)
        before = game_that_is_due(games, name)
        assert child(store_url, kill_at), f"the clock called the store {kill_at - 1} times and fired too few alarms"
        had_fired = len(clock_decisions(games, name, before))
        deadline = time.monotonic() + DEADLINE
        while len(clock_decisions(games, name, before)) < 2:
            assert time.monotonic() < deadline, f"killed at call {kill_at}: an alarm was never fired"
            until(lambda name=name: is_due(games, name), "what the dead worker had claimed is due again")
            child(store_url)
        check_fired_once(games, name, before)
        games.store.delete(name)
        if had_fired >= 2:
            assert kill_at > 10, "the clock hardly called the store"
            return
    pytest.fail(f"the clock needs more than {MOST_CALLS} calls")


def test_a_worker_that_is_not_killed_fires_each_alarm_once(games, store_url):
    before = game_that_is_due(games, "unharmed00000000")
    assert not child(store_url)
    assert len(clock_decisions(games, "unharmed00000000", before)) >= 2
    check_fired_once(games, "unharmed00000000", before)


def check_fired_once(games, name, before):
    answered = Counter(d.choice for d in games.decisions(name, before, 500))
    assert set(answered.values()) == {1}


def test_two_workers_with_the_same_alarm_fire_it_once(games, store_url):
    before = game_that_is_due(games, "twice00000000000")
    both = [FORK.Process(target=run_fire, args=(store_url, "twice00000000000")) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(DEADLINE)
        assert process.exitcode == 0
    answered = Counter(d.choice for d in games.decisions("twice00000000000", before, 500))
    assert len(answered) >= 2
    assert set(answered.values()) == {1}


def run_fire(url, game):
    os.environ["CROUPIER_REDIS_URL"] = os.environ["CROUPIER_QUEUE_URL"] = url
    alarms.fire_alarms(game)


def test_an_alarm_whose_job_was_flushed_from_the_queue_is_fired_all_the_same(games, store_url):
    before = game_that_is_due(games, "flushed000000000")
    claimed = []
    timer = alarms.AlarmLoop(games.store, lambda: None, claimed.extend)
    timer._next = dict.fromkeys(range(keys.SHARDS), 0)
    timer._claim_what_is_due()
    assert claimed == ["flushed000000000"]
    deadline = time.monotonic() + DEADLINE
    while not clock_decisions(games, "flushed000000000", before):
        assert time.monotonic() < deadline
        child(store_url)
        time.sleep(0.05)
    answered = Counter(d.choice for d in games.decisions("flushed000000000", before, 500))
    assert set(answered.values()) == {1}
