"""Archiving in batches: a game that cannot be archived keeps no other waiting, and is not filed as if it were."""

import pytest

from events import chain, keys, logs
from events.chain import ChainBroken
from events.store import Conflict
from games.kernel import Clock, Seats, close
from tests.clocks import StoppedClock
from tests.workers.test_trying import broken
from workers import archive, desk, trying
from workers.project import project

NAMES = [f"batch{number:011d}" for number in range(4)]
FIRST, *OTHERS = NAMES


@pytest.fixture
def over(games):
    """Games that are over and wait to be archived."""
    for name in NAMES:
        games.create(name, "six-nimmt", Seats(2), {}, Clock(), name)
        games.decide(name, close)
        project(name)
    return games


def end_of_rest(games):
    return games.clock() + archive.REST


def break_chain(store, game):
    (number, decision, _), *later = store.tail(game, 0)
    store.client.delete(keys.log(game))
    store.client.xadd(keys.log(game), {"d": decision, "h": "00" * 32}, id=f"{number}-0")
    for entry in later:
        store.client.xadd(keys.log(game), {"d": entry.decision, "h": entry.hash}, id=f"{entry.number}-0")


def go_on(store, game):
    """Append to a game whatever it is."""
    last = store.head(game)
    store.append(game, last.number, b"{}", chain.link(last.hash, b"{}"), alarm=None, meta={})


@pytest.fixture
def first_goes_on(over, monkeypatch):
    """The first game goes on once between the reading of its log and its archiving."""
    put, gone_on = desk.store().archive, []

    def put_late(game, last, record):
        if game == FIRST and not gone_on:
            go_on(over.store, game)
            gone_on.append(game)
        put(game, last, record)

    monkeypatch.setattr(desk.store(), "archive", put_late)
    return over


def archived():
    return [name for name in NAMES if desk.store().record(name) is not None]


def test_a_log_that_is_broken_keeps_no_other_game_from_being_archived(over):
    break_chain(over.store, FIRST)
    with pytest.raises(ChainBroken):
        archive.archive(*NAMES)
    assert archived() == OTHERS


def test_a_log_that_is_broken_is_tried_again_later_and_later(over, monkeypatch):
    break_chain(over.store, FIRST)
    clock = StoppedClock(end_of_rest(over))
    monkeypatch.setattr(trying, "now_in_milliseconds", clock)
    for wait in (2_000, 4_000, 8_000):
        with pytest.raises(ChainBroken):
            archive.archive(*NAMES)
        clock.now += wait - 1
        assert archive.rested(clock.now) == []
        clock.now += 1
        assert archive.rested(clock.now) == [FIRST]


def test_a_game_that_goes_on_meanwhile_is_not_filed_as_archived(first_goes_on, monkeypatch):
    monkeypatch.setenv("CROUPIER_KEEP_DAYS", "1")
    with pytest.raises(Conflict):
        archive.archive(*NAMES)
    assert archived() == OTHERS
    assert archive.drop_old(first_goes_on.clock() + 2 * archive.DAY) == len(OTHERS)
    assert len(desk.store().tail(FIRST, 0)) == 3


def test_a_game_that_went_on_meanwhile_is_archived_at_the_next_try(first_goes_on):
    with pytest.raises(Conflict):
        archive.archive(*NAMES)
    assert archive.rested(end_of_rest(first_goes_on)) == [FIRST]
    archive.archive(FIRST)
    assert archived() == NAMES
    assert archive.rested(end_of_rest(first_goes_on) + logs.LEASE) == []


def test_a_failure_to_archive_leaves_the_time_since_when_a_game_is_over(over, monkeypatch):
    ended = over.read(FIRST).game.at
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(desk.store(), "pack_away", broken)
        with pytest.raises(ZeroDivisionError):
            archive.archive(FIRST)
    archive.archive(FIRST)
    shard = keys.shard_of(FIRST)
    assert FIRST in desk.store().archived_before(shard, ended)
    assert FIRST not in desk.store().archived_before(shard, ended - 1)


def test_a_game_that_is_archived_gets_no_snapshot_beside_its_log(over, monkeypatch):
    monkeypatch.setattr("workers.project.SNAPSHOT_EVERY", 1)
    archive.archive(FIRST)
    project(FIRST)
    assert over.store.snapshot(FIRST) is None


def test_a_game_that_goes_on_gets_a_snapshot(games, monkeypatch):
    monkeypatch.setattr("workers.project.SNAPSHOT_EVERY", 1)
    games.create(FIRST, "six-nimmt", Seats(2), {}, Clock(), FIRST)
    project(FIRST)
    assert games.store.snapshot(FIRST).number == 1
