"""Archiving in batches: a game that cannot be archived delays no other, and is not listed as archived."""

from dataclasses import replace

import pytest
from redis.connection import AbstractConnection

from events.games.commands import CloseGame, LeaveSeat, TakeSeat
from events.games.participants import new_person
from events.jobs import leases
from events.lists.game_index import ANY, PREFIX
from events.settings import Settings
from events.store import chain, keys
from events.store.chain import ChainBroken
from events.store.errors import StoreUnavailable
from events.store.log_store import Conflict, LogStore
from games.kernel import Clock, GameSetup
from tests.clocks import StoppedClock
from tests.workers.conftest import resources_on
from tests.workers.test_retries import broken
from workers import archive
from workers.project import project

NAMES = [f"batch{number:011d}" for number in range(4)]
FIRST, *OTHERS = NAMES


@pytest.fixture
def over(games, resources):
    """Games that are over and wait to be archived."""
    for name in NAMES:
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), name)
        games.handle(name, CloseGame())
        project(resources, name)
    return games


def end_of_delay(games):
    return games.clock() + archive.ARCHIVE_DELAY_MS


def break_chain(store, game):
    (number, decision, _), *later = store.read_after(game, 0)
    store.client.delete(keys.log(game))
    store.client.xadd(keys.log(game), {"d": decision, "h": "00" * 32}, id=f"{number}-0")
    for entry in later:
        store.client.xadd(keys.log(game), {"d": entry.decision, "h": entry.hash}, id=f"{entry.number}-0")


def append_something(store, game):
    """Append an entry to a game, even if it is over."""
    last = store.head(game)
    store.append(game, last.number, b"{}", chain.next_hash(last.hash, b"{}"), now=0, alarm=None, meta={})


@pytest.fixture
def first_grows(over, monkeypatch, resources):
    """The first game grows once, after its log was read and before it is archived."""
    archive_now, grown = resources.store.archive, []

    def archive_late(game, last, record):
        if game == FIRST and not grown:
            append_something(over.store, game)
            grown.append(game)
        archive_now(game, last, record)

    monkeypatch.setattr(resources.store, "archive", archive_late)
    return over


def archived(resources):
    return [name for name in NAMES if resources.store.record(name) is not None]


def test_a_broken_log_does_not_keep_other_games_from_being_archived(over, resources):
    break_chain(over.store, FIRST)
    with pytest.raises(ChainBroken):
        archive.archive(resources, *NAMES)
    assert archived(resources) == OTHERS


def test_a_broken_log_is_retried_at_growing_intervals(over, resources):
    break_chain(over.store, FIRST)
    clock = StoppedClock(end_of_delay(over))
    resources = replace(resources, clock=clock)
    for wait in (2_000, 4_000, 8_000):
        with pytest.raises(ChainBroken):
            archive.archive(resources, *NAMES)
        clock.now += wait - 1
        assert archive.due_for_archive(resources, clock.now) == []
        clock.now += 1
        assert archive.due_for_archive(resources, clock.now) == [FIRST]


def test_a_game_that_grows_while_it_is_archived_is_not_listed_as_archived(first_grows, resources):
    resources = replace(resources, settings=Settings(keep_days=1))
    with pytest.raises(Conflict):
        archive.archive(resources, *NAMES)
    assert archived(resources) == OTHERS
    assert archive.delete_expired(resources, first_grows.clock() + 2 * archive.DAY_MS) == len(OTHERS)
    assert len(resources.store.read_after(FIRST, 0)) == 3


def test_a_game_that_grew_meanwhile_is_archived_by_the_next_job(first_grows, resources):
    with pytest.raises(Conflict):
        archive.archive(resources, *NAMES)
    assert archive.due_for_archive(resources, end_of_delay(first_grows)) == [FIRST]
    archive.archive(resources, FIRST)
    assert archived(resources) == NAMES
    assert archive.due_for_archive(resources, end_of_delay(first_grows) + leases.LEASE_MS) == []


def test_a_failure_to_archive_does_not_change_when_the_game_ended(over, monkeypatch, resources):
    ended = over.read(FIRST).game.at
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(resources.store, "archive_game", broken)
        with pytest.raises(ZeroDivisionError):
            archive.archive(resources, FIRST)
    archive.archive(resources, FIRST)
    shard = keys.game_shard(FIRST)
    assert FIRST in resources.store.archived_before(shard, ended)
    assert FIRST not in resources.store.archived_before(shard, ended - 1)


def test_an_archived_game_gets_no_snapshot(over, resources):
    resources = replace(resources, snapshot_every=1)
    archive.archive(resources, FIRST)
    project(resources, FIRST)
    assert over.store.snapshot(FIRST) is None


def test_a_running_game_gets_a_snapshot(games, resources):
    resources = replace(resources, snapshot_every=1)
    games.create(FIRST, "six-nimmt", GameSetup(2), {}, Clock(), FIRST)
    project(resources, FIRST)
    assert games.store.snapshot(FIRST).number == 1


# Deleting old games.


def archived_with(resources, games, name, *players):
    """Archive a game in which these players took seats, and the first left again."""
    games.create(name, "six-nimmt", GameSetup(len(players) + 1), {}, Clock(), name)
    for player in players:
        person = new_person(player, player)
        games.handle(name, TakeSeat(person))
    project(resources, name)
    games.handle(name, LeaveSeat(0, by=0))
    games.handle(name, CloseGame())
    project(resources, name)
    archive.archive(resources, name)


def after_two_days(games):
    return games.clock() + 2 * archive.DAY_MS


def lists_of(game, resources):
    """The keys of the lists that contain a game."""
    return [key for key, content in resources.game_index.contents().items() if game in str(content)]


@pytest.fixture
def one_day_resources(own_store):
    """The resources of a worker that deletes games after one day."""
    return resources_on(own_store.url, keep_days=1)


def test_a_deleted_game_is_on_no_list_of_any_player_who_ever_had_a_seat(games, one_day_resources):
    resources = one_day_resources
    archived_with(resources, games, FIRST, "ana", "ben")
    assert {key.rpartition(":")[2] for key in lists_of(FIRST, resources)} == {"ana", "ben", "*"}
    generation = resources.game_index.begin_rebuild()
    project(resources, FIRST)
    assert archive.delete_expired(resources, after_two_days(games)) == 1
    assert lists_of(FIRST, resources) == []
    resources.game_index.end_rebuild(generation)
    assert lists_of(FIRST, resources) == []


def test_deleting_a_game_costs_the_same_for_any_number_of_lists(games, one_day_resources, monkeypatch):
    resources = one_day_resources
    trips = count_round_trips(monkeypatch)
    counts = []
    for name, others in zip(NAMES[:2], (1, 40), strict=True):
        archived_with(resources, games, name, "ana", "ben")
        for number in range(others):
            resources.client.zadd(f"{PREFIX}1:games:open:{ANY}:player{number}", {"other": number})
        trips.clear()
        assert archive.delete_expired(resources, after_two_days(games)) == 1
        counts.append(len(trips))
    assert counts[0] == counts[1]


def count_round_trips(monkeypatch):
    """Return a list that gets longer with each round trip to the store."""
    send, trips = AbstractConnection.send_packed_command, []

    def send_and_count(connection, command, check_health=True):
        trips.append(connection)
        return send(connection, command, check_health)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", send_and_count)
    return trips


def test_an_interrupted_deletion_is_finished_by_the_next(games, one_day_resources, monkeypatch):
    resources = one_day_resources
    archived_with(resources, games, FIRST, "ana", "ben")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(resources.client, "delete", unavailable)
        with pytest.raises(StoreUnavailable):
            archive.delete_expired(resources, after_two_days(games))
    assert archive.delete_expired(resources, after_two_days(games)) == 1
    assert list(games.store.client.scan_iter(match=f"*{FIRST}*")) == []


def unavailable(*keys):
    raise StoreUnavailable


def test_a_deletion_interrupted_at_its_very_end_is_finished_by_the_next(games, one_day_resources):
    resources = one_day_resources
    archived_with(resources, games, FIRST, "ana", "ben")
    LogStore.delete(resources.store, FIRST)
    assert archive.delete_expired(resources, after_two_days(games)) == 1
    assert archive.delete_expired(resources, after_two_days(games)) == 0
