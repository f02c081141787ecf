"""Archiving in batches: a game that cannot be archived keeps no other waiting, and is not filed as if it were."""

import pytest
from redis.connection import AbstractConnection

from events.games.participants import new_person
from events.lists.game_index import ANY, PREFIX
from events.store import archiving_store, chain, keys
from events.store.chain import ChainBroken
from events.store.errors import StoreUnavailable
from events.store.log_store import Conflict, LogStore
from games.kernel import Clock, GameSetup, close, leave_seat, take_seat
from tests.clocks import StoppedClock
from tests.workers.test_retries import broken
from workers import archive, resources, retries
from workers.project import project

NAMES = [f"batch{number:011d}" for number in range(4)]
FIRST, *OTHERS = NAMES


@pytest.fixture
def over(games):
    """Games that are over and wait to be archived."""
    for name in NAMES:
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), name)
        games.decide(name, close)
        project(name)
    return games


def end_of_rest(games):
    return games.clock() + archive.ARCHIVE_DELAY_MS


def break_chain(store, game):
    (number, decision, _), *later = store.read_after(game, 0)
    store.client.delete(keys.log(game))
    store.client.xadd(keys.log(game), {"d": decision, "h": "00" * 32}, id=f"{number}-0")
    for entry in later:
        store.client.xadd(keys.log(game), {"d": entry.decision, "h": entry.hash}, id=f"{entry.number}-0")


def go_on(store, game):
    """Append to a game whatever it is."""
    last = store.head(game)
    store.append(game, last.number, b"{}", chain.next_hash(last.hash, b"{}"), alarm=None, meta={})


@pytest.fixture
def first_goes_on(over, monkeypatch):
    """The first game goes on once between the reading of its log and its archiving."""
    put, gone_on = resources.store().archive, []

    def put_late(game, last, record):
        if game == FIRST and not gone_on:
            go_on(over.store, game)
            gone_on.append(game)
        put(game, last, record)

    monkeypatch.setattr(resources.store(), "archive", put_late)
    return over


def archived():
    return [name for name in NAMES if resources.store().record(name) is not None]


def test_a_log_that_is_broken_keeps_no_other_game_from_being_archived(over):
    break_chain(over.store, FIRST)
    with pytest.raises(ChainBroken):
        archive.archive(*NAMES)
    assert archived() == OTHERS


def test_a_log_that_is_broken_is_tried_again_later_and_later(over, monkeypatch):
    break_chain(over.store, FIRST)
    clock = StoppedClock(end_of_rest(over))
    monkeypatch.setattr(retries, "now_ms", clock)
    for wait in (2_000, 4_000, 8_000):
        with pytest.raises(ChainBroken):
            archive.archive(*NAMES)
        clock.now += wait - 1
        assert archive.due_for_archive(clock.now) == []
        clock.now += 1
        assert archive.due_for_archive(clock.now) == [FIRST]


def test_a_game_that_goes_on_meanwhile_is_not_filed_as_archived(first_goes_on, monkeypatch):
    monkeypatch.setenv("CROUPIER_KEEP_DAYS", "1")
    resources.settings.cache_clear()
    with pytest.raises(Conflict):
        archive.archive(*NAMES)
    assert archived() == OTHERS
    assert archive.delete_expired(first_goes_on.clock() + 2 * archive.DAY_MS) == len(OTHERS)
    assert len(resources.store().read_after(FIRST, 0)) == 3


def test_a_game_that_went_on_meanwhile_is_archived_at_the_next_try(first_goes_on):
    with pytest.raises(Conflict):
        archive.archive(*NAMES)
    assert archive.due_for_archive(end_of_rest(first_goes_on)) == [FIRST]
    archive.archive(FIRST)
    assert archived() == NAMES
    assert archive.due_for_archive(end_of_rest(first_goes_on) + archiving_store.LEASE_MS) == []


def test_a_failure_to_archive_leaves_the_time_since_when_a_game_is_over(over, monkeypatch):
    ended = over.read(FIRST).game.at
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(resources.store(), "archive_game", broken)
        with pytest.raises(ZeroDivisionError):
            archive.archive(FIRST)
    archive.archive(FIRST)
    shard = keys.shard_of(FIRST)
    assert FIRST in resources.store().archived_before(shard, ended)
    assert FIRST not in resources.store().archived_before(shard, ended - 1)


def test_a_game_that_is_archived_gets_no_snapshot_beside_its_log(over, monkeypatch):
    monkeypatch.setattr("workers.project.SNAPSHOT_EVERY", 1)
    archive.archive(FIRST)
    project(FIRST)
    assert over.store.snapshot(FIRST) is None


def test_a_game_that_goes_on_gets_a_snapshot(games, monkeypatch):
    monkeypatch.setattr("workers.project.SNAPSHOT_EVERY", 1)
    games.create(FIRST, "six-nimmt", GameSetup(2), {}, Clock(), FIRST)
    project(FIRST)
    assert games.store.snapshot(FIRST).number == 1


# Deleting what is old.


def archived_with(games, name, *players):
    """Have a game archived at which these have sat, the first of whom has left again."""
    games.create(name, "six-nimmt", GameSetup(len(players) + 1), {}, Clock(), name)
    for player in players:
        person = new_person(player, player)
        games.decide(
            name,
            lambda rules, state, now, person=person: take_seat(rules, state, None, person.reference, now),
            person,
        )
    project(name)
    games.decide(name, lambda rules, state, now: leave_seat(rules, state, 0, now))
    games.decide(name, close)
    project(name)
    archive.archive(name)


def after_two_days(games):
    return games.clock() + 2 * archive.DAY_MS


def lists_of(game):
    """The keys of the lists on which a game is."""
    return [key for key, held in resources.game_index().contents().items() if game in str(held)]


@pytest.fixture
def keeps_one_day(monkeypatch):
    monkeypatch.setenv("CROUPIER_KEEP_DAYS", "1")
    resources.settings.cache_clear()


def test_a_game_that_is_deleted_is_on_no_list_of_anybody_who_ever_sat_there(games, keeps_one_day):
    archived_with(games, FIRST, "ana", "ben")
    assert {key.rpartition(":")[2] for key in lists_of(FIRST)} == {"ana", "ben", "*"}
    generation = resources.game_index().begin_rebuild()
    project(FIRST)
    assert archive.delete_expired(after_two_days(games)) == 1
    assert lists_of(FIRST) == []
    resources.game_index().end_rebuild(generation)
    assert lists_of(FIRST) == []


def test_deleting_a_game_costs_the_same_however_many_lists_there_are(games, keeps_one_day, monkeypatch):
    trips = count_round_trips(monkeypatch)
    told = []
    for name, others in zip(NAMES[:2], (1, 40), strict=True):
        archived_with(games, name, "ana", "ben")
        for number in range(others):
            resources.client().zadd(f"{PREFIX}1:games:open:{ANY}:player{number}", {"other": number})
        trips.clear()
        assert archive.delete_expired(after_two_days(games)) == 1
        told.append(len(trips))
    assert told[0] == told[1]


def count_round_trips(monkeypatch):
    """Gives a list that gets longer with each round trip to the store."""
    send, trips = AbstractConnection.send_packed_command, []

    def send_and_count(connection, command, check_health=True):
        trips.append(connection)
        return send(connection, command, check_health)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", send_and_count)
    return trips


def test_a_deletion_that_was_cut_short_is_finished_by_the_next(games, keeps_one_day, monkeypatch):
    archived_with(games, FIRST, "ana", "ben")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(resources.client(), "delete", away)
        with pytest.raises(StoreUnavailable):
            archive.delete_expired(after_two_days(games))
    assert archive.delete_expired(after_two_days(games)) == 1
    assert list(games.store.client.scan_iter(match=f"*{FIRST}*")) == []


def away(*keys):
    raise StoreUnavailable


def test_a_deletion_that_was_cut_short_at_its_very_end_is_finished_by_the_next(games, keeps_one_day):
    archived_with(games, FIRST, "ana", "ben")
    LogStore.delete(resources.store(), FIRST)
    assert archive.delete_expired(after_two_days(games)) == 1
    assert archive.delete_expired(after_two_days(games)) == 0
