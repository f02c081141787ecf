"""Tests of the store for every kind of server: a class to be inherited, with a server as fixture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from events.games.command_handler import now_ms
from events.store import chain, keys
from events.store.connection import Client, check_server, connect
from events.store.log_store import (
    CONFLICT_ENTRIES,
    AppendNotice,
    AppendResult,
    ArchivedGame,
    Conflict,
    Entry,
    LogStore,
    Snapshot,
    read_notice,
)
from tests.stores import append, heard, listening, next_entry, of_one_shard, play, waiting_since


class StoreTests:
    """What holds on every server. A concrete class gives the fixture `url`."""

    @pytest.fixture
    def client(self, url: str) -> Iterator[Client]:
        client = connect(url)
        yield client
        client.close()

    @pytest.fixture
    def store(self, client: Client) -> LogStore:
        return LogStore(client)

    @pytest.fixture
    def new_game(self, store: LogStore, client: Client) -> Iterator[Callable[[], str]]:
        """Ids of games that are gone after the test, in shards without alarms of others."""
        made: list[str] = []

        def new() -> str:
            game = uuid4().hex
            made.append(game)
            client.delete(keys.alarms(keys.game_shard(game)))
            return game

        yield new
        for game in made:
            store.delete(game)

    @pytest.fixture
    def game(self, new_game: Callable[[], str]) -> str:
        return new_game()

    # --- append ------------------------------------------------------------------------------------

    def test_decisions_are_read_back_as_they_were_written(self, store, game):
        history = [next_entry([], game, b'{"a": 1}')]
        history.append(next_entry(history, game, bytes(range(256))))
        history.append(next_entry(history, game, b""))
        for entry in history:
            append(store, game, entry)
        assert store.read_after(game, 0) == history

    def test_a_decision_is_refused_unless_it_follows_the_last(self, store, game):
        history = play(store, game, 3)
        for expected in (0, 1, 2, 4, 5, 300):
            with pytest.raises(Conflict):
                store.append(game, expected, b"other", "00" * 32, now=0, alarm=7, meta={"status": "wrong"})
        assert store.read_after(game, 0) == history
        assert store.meta(game) == {"head": "3"}
        assert store.alarm(game) is None

    def test_a_game_is_created_only_once(self, store, game):
        play(store, game, 1)
        with pytest.raises(Conflict) as conflict:
            store.append(game, 0, b"another first", "00" * 32, now=0, alarm=None, meta={})
        assert conflict.value.head == 1

    def test_a_game_that_was_not_created_takes_no_decision(self, store, game):
        with pytest.raises(Conflict) as conflict:
            store.append(game, 1, b"second", "00" * 32, now=0, alarm=None, meta={})
        assert (conflict.value.head, conflict.value.entries) == (0, ())

    def test_numbers_are_ordered_as_numbers_and_not_as_text(self, store, game):
        history = play(store, game, 102)
        assert [entry.number for entry in store.read_after(game, 8)] == list(range(9, 103))
        assert store.read_after(game, 0) == history

    def test_a_conflict_brings_the_entries_after_the_expected_one(self, store, game):
        history = play(store, game, 5)
        with pytest.raises(Conflict) as conflict:
            store.append(game, 2, b"late", "00" * 32, now=0, alarm=None, meta={})
        assert conflict.value.entries == tuple(history[2:])
        assert conflict.value.head == 5

    def test_a_conflict_far_behind_brings_the_first_entries_and_the_head(self, store, game):
        history = play(store, game, CONFLICT_ENTRIES + 3)
        with pytest.raises(Conflict) as conflict:
            store.append(game, 1, b"late", "00" * 32, now=0, alarm=None, meta={})
        assert conflict.value.entries == tuple(history[1 : CONFLICT_ENTRIES + 1])
        assert conflict.value.head == CONFLICT_ENTRIES + 3

    def test_a_conflict_is_raised_for_a_caller_that_is_ahead_of_the_store(self, store, game):
        play(store, game, 2)
        with pytest.raises(Conflict) as conflict:
            store.append(game, 9, b"ahead", "00" * 32, now=0, alarm=None, meta={})
        assert (conflict.value.head, conflict.value.entries) == (2, ())

    def test_the_same_append_again_is_a_success_and_there_once(self, store, game):
        entry = next_entry([], game, b"first")
        assert not append(store, game, entry).repeated
        assert append(store, game, entry) == AppendResult(repeated=True)
        assert store.read_after(game, 0) == [entry]

    def test_the_same_append_again_is_a_success_after_others_have_followed(self, store, game):
        history = play(store, game, 4, status="running")
        _, (number, decision, chain_hash), *_ = history
        assert store.append(game, number - 1, decision, chain_hash, now=0, alarm=5, meta={"status": "old"}).repeated
        assert store.read_after(game, 0) == history
        assert store.meta(game) == {"status": "running", "head": "4"}
        assert store.alarm(game) is None

    def test_the_same_bytes_with_another_hash_and_other_bytes_with_the_same_hash_are_a_conflict(self, store, game):
        history = play(store, game, 2)
        with pytest.raises(Conflict):
            store.append(game, 1, history[1].decision, "00" * 32, now=0, alarm=None, meta={})
        with pytest.raises(Conflict):
            store.append(game, 1, b"other words", history[1].hash, now=0, alarm=None, meta={})

    def test_sixteen_writers_lose_and_repeat_no_decision(self, store, game):
        writers, each = 16, 12

        def write(writer: int) -> list[Entry]:
            mine: list[Entry] = []
            history: list[Entry] = []
            while len(mine) < each:
                entry = next_entry(history, game, b"%d/%d" % (writer, len(mine)))
                try:
                    append(store, game, entry)
                except Conflict as conflict:
                    history += conflict.entries
                else:
                    history.append(entry)
                    mine.append(entry)
            return mine

        with ThreadPoolExecutor(writers) as pool:
            acknowledged = [entry for mine in pool.map(write, range(writers)) for entry in mine]
        log = store.read_after(game, 0)
        assert log == sorted(acknowledged)
        assert len({entry.decision for entry in log}) == writers * each
        assert chain.verify(game, log) == log[-1].hash

    def test_meta_is_merged_and_knows_the_head(self, store, game):
        append(store, game, first := next_entry([], game, b"1"), rulebook="six-nimmt", status="open")
        append(store, game, next_entry([first], game, b"2"), status="running", head="7")
        assert store.meta(game) == {"rulebook": "six-nimmt", "status": "running", "head": "2"}

    def test_scripts_are_loaded_again_after_they_were_flushed(self, store, client, game):
        history = play(store, game, 1, alarm=1)
        client.script_flush()
        history.append(next_entry(history, game, b"after"))
        append(store, game, history[1], alarm=1)
        client.script_flush()
        assert store.load(game).entries == history
        client.script_flush()
        assert store.claim_due(keys.game_shard(game), now=1, lease=1).games == [game]

    # --- reading -----------------------------------------------------------------------------------

    def test_the_log_can_be_read_in_pages(self, store, game):
        history = play(store, game, 7)
        assert store.read_after(game, 0, 3) == history[:3]
        assert store.read_after(game, 3, 3) == history[3:6]
        assert store.read_after(game, 6, 3) == history[6:]
        assert store.read_after(game, 7, 3) == []
        assert store.read_after(game, 99) == []

    def test_the_log_can_be_read_backwards_in_pages(self, store, game):
        history = play(store, game, 7)
        assert store.read_before(game, None, 3) == history[:3:-1]
        assert store.read_before(game, 5, 3) == [history[3], history[2], history[1]]
        assert store.read_before(game, 2, 3) == history[:1]
        assert store.read_before(game, 1, 3) == []

    def test_the_head_is_the_last_entry(self, store, game):
        assert store.head(game) is None
        history = play(store, game, 2)
        assert store.head(game) == history[-1]

    def test_an_unknown_game_has_nothing_in_the_store(self, store, game):
        assert store.read_after(game, 0) == []
        assert store.load(game) == (None, [])
        assert store.meta(game) == {}
        assert store.record(game) is None
        assert store.snapshot(game) is None
        assert store.alarm(game) is None

    def test_every_game_is_listed(self, store, new_game):
        games = {new_game() for _ in range(20)}
        for game in games:
            play(store, game, 1)
        assert games <= set(store.games())

    def test_a_deleted_game_leaves_nothing(self, store, client, game):
        history = play(store, game, 2, alarm=1)
        store.save_snapshot(game, Snapshot(2, history[1].hash, b"state"))
        store.delete(game)
        assert list(client.scan_iter(match=keys.of_game(game).replace("{", "[{]") + "*")) == []
        assert store.alarm(game) is None

    # --- snapshots ---------------------------------------------------------------------------------

    def test_a_cold_load_without_a_snapshot_brings_the_whole_log(self, store, game):
        history = play(store, game, 3)
        assert store.load(game) == (None, history)

    @pytest.mark.parametrize("number", [1, 2, 4])
    def test_a_cold_load_starts_at_the_snapshot(self, store, game, number):
        history = play(store, game, 4)
        snapshot = Snapshot(number, history[number - 1].hash, b"binary \x00\n state")
        store.save_snapshot(game, snapshot)
        assert store.load(game) == (snapshot, history[number:])
        assert store.snapshot(game) == snapshot

    def test_a_snapshot_of_another_history_is_ignored(self, store, game):
        history = play(store, game, 3)
        store.save_snapshot(game, Snapshot(2, chain.next_hash(history[0].hash, b"other"), b"state"))
        assert store.load(game) == (None, history)

    def test_a_snapshot_ahead_of_the_log_is_ignored(self, store, game):
        history = play(store, game, 3)
        store.save_snapshot(game, Snapshot(4, next_entry(history, game, b"lost").hash, b"state"))
        assert store.load(game) == (None, history)

    def test_a_malformed_snapshot_is_ignored(self, store, client, game):
        history = play(store, game, 2)
        client.set(keys.snapshot(game), b"nonsense")
        assert store.load(game) == (None, history)

    # --- alarms ------------------------------------------------------------------------------------

    def test_an_append_sets_replaces_and_removes_the_alarm(self, store, game):
        history = []
        for alarm in (1_900_000_000_123, 1_800_000_000_001, 1_950_000_000_999, None, None):
            history.append(next_entry(history, game, b"."))
            append(store, game, history[-1], alarm)
            assert store.alarm(game) == alarm
            assert store.claim_due(keys.game_shard(game), now=0, lease=0) == ([], alarm)

    def test_only_alarms_that_are_due_are_claimed(self, store, game):
        play(store, game, 1, alarm=1_700_000_000_500)
        shard = keys.game_shard(game)
        assert store.claim_due(shard, now=1_700_000_000_499, lease=1000) == ([], 1_700_000_000_500)
        assert store.claim_due(shard, now=1_700_000_000_500, lease=1000) == ([game], 1_700_000_001_500)

    def test_a_claimed_alarm_cannot_be_claimed_again_until_the_lease_ends(self, store, game):
        play(store, game, 1, alarm=100)
        shard = keys.game_shard(game)
        assert store.claim_due(shard, now=5_000, lease=1000).games == [game]
        assert store.claim_due(shard, now=5_000, lease=1000).games == []
        assert store.claim_due(shard, now=5_999, lease=1000) == ([], 6_000)
        assert store.claim_due(shard, now=6_000, lease=1000).games == [game]

    def test_only_one_of_many_callers_claims_an_alarm(self, store, game):
        play(store, game, 1, alarm=100)
        shard = keys.game_shard(game)
        with ThreadPoolExecutor(8) as pool:
            claims = list(pool.map(lambda _: store.claim_due(shard, now=100, lease=1000).games, range(8)))
        assert sorted(claims) == [[]] * 7 + [[game]]

    def test_an_append_ends_the_lease(self, store, game):
        history = play(store, game, 1, alarm=100)
        shard = keys.game_shard(game)
        store.claim_due(shard, now=100, lease=1000)
        append(store, game, next_entry(history, game, b"fired"), alarm=300)
        assert store.claim_due(shard, now=300, lease=1000).games == [game]

    def test_the_earliest_alarms_are_claimed_first_up_to_a_limit(self, store, new_game):
        games = of_one_shard(new_game, 3)
        shard = keys.game_shard(games[0])
        for alarm, game in zip((20, 10, 30), games, strict=True):
            play(store, game, 1, alarm=alarm)
        assert store.claim_due(shard, now=50, lease=1000, limit=2) == ([games[1], games[0]], 30)
        assert store.claim_due(shard, now=50, lease=1000, limit=2) == ([games[2]], 1050)

    def test_a_shard_without_alarms_has_no_next_one(self, store, game):
        assert store.claim_due(keys.game_shard(game), now=10**13, lease=1) == ([], None)

    def test_a_claimed_alarm_can_be_set_to_now_and_the_change_is_published(self, url, store, game):
        play(store, game, 1, alarm=100)
        shard = keys.game_shard(game)
        store.claim_due(shard, now=5_000, lease=1000)
        with listening(url, keys.alarm_channel(shard)) as channel:
            store.set_alarm(game, 5_001)
            assert heard(channel) == b"5001"
        assert store.claim_due(shard, now=5_001, lease=1000).games == [game]

    def test_setting_the_alarm_of_a_game_without_one_does_nothing(self, store, game):
        play(store, game, 1, alarm=None)
        store.set_alarm(game, 5_000)
        assert store.alarm(game) is None

    # --- notices and the projector --------------------------------------------------------------------

    def test_every_append_is_published_on_the_channel_of_the_shard(self, url, store, game):
        with listening(url, keys.append_channel(keys.game_shard(game))) as channel:
            history = play(store, game, 2)
            append(store, game, history[1])
            with pytest.raises(Conflict):
                append(store, game, Entry(1, b"other", "00" * 32))
            append(store, game, next_entry(history, game, b"third"))
            told = [read_notice(heard(channel)) for _ in range(3)]
        assert told == [AppendNotice(game, 1), AppendNotice(game, 2), AppendNotice(game, 3)]

    def test_an_alarm_is_published_when_it_is_the_earliest_of_its_shard(self, url, store, new_game):
        early, late = of_one_shard(new_game, 2)
        assert keys.channel_shard(keys.alarm_channel(keys.game_shard(early))) == keys.game_shard(early)
        with listening(url, keys.alarm_channel(keys.game_shard(early))) as channel:
            play(store, early, 1, alarm=200)
            play(store, late, 1, alarm=300)
            append(store, late, next_entry(store.read_after(late, 0), late, b"sooner"), alarm=100)
            told = [int(heard(channel)) for _ in range(2)]
        assert told == [200, 100]

    def test_a_game_waits_for_the_projector_from_its_first_change_until_it_is_projected(self, store, game):
        before = now_ms()
        play(store, game, 1)
        first_changed = now_ms()
        assert before <= waiting_since(store, game) <= first_changed
        append(store, game, next_entry(store.read_after(game, 0), game, b"more"))
        assert waiting_since(store, game) <= first_changed
        assert store.end_projection(game, 2)
        assert waiting_since(store, game) is None

    def test_a_game_that_grew_while_it_was_projected_still_waits(self, store, game):
        play(store, game, 3)
        assert not store.end_projection(game, 2)
        assert waiting_since(store, game) is not None

    def test_a_game_that_changed_after_it_was_projected_waits_again(self, store, game):
        history = play(store, game, 2)
        assert store.end_projection(game, 2)
        append(store, game, next_entry(history, game, b"third"))
        assert waiting_since(store, game) is not None

    # --- records -----------------------------------------------------------------------------------

    def test_the_record_takes_the_place_of_the_log(self, store, client, game):
        history = play(store, game, 3, alarm=50, status="finished")
        store.save_snapshot(game, Snapshot(3, history[2].hash, b"state"))
        store.archive(game, 3, b"record \x00")
        assert store.record(game) == b"record \x00"
        assert store.read_after(game, 0) == []
        assert store.load(game) == (None, [])
        assert store.alarm(game) is None
        assert store.meta(game) == {"status": "finished", "head": "3"}
        assert client.exists(keys.snapshot(game)) == 0

    def test_a_game_is_not_archived_when_the_record_ends_earlier_or_later(self, store, game):
        history = play(store, game, 3)
        with pytest.raises(Conflict) as conflict:
            store.archive(game, 2, b"record")
        assert conflict.value.entries == (history[2],)
        with pytest.raises(Conflict):
            store.archive(game, 4, b"record")
        assert store.read_after(game, 0) == history
        assert store.record(game) is None

    def test_a_game_that_does_not_exist_is_not_archived(self, store, game):
        for last in (0, 1):
            with pytest.raises(Conflict):
                store.archive(game, last, b"record")
        assert store.record(game) is None

    def test_archiving_twice_keeps_the_first_record(self, store, game):
        play(store, game, 1)
        store.archive(game, 1, b"record")
        store.archive(game, 1, b"again")
        assert store.record(game) == b"record"

    def test_an_archived_game_takes_no_decision_and_is_not_created_anew(self, store, game):
        history = play(store, game, 2)
        store.archive(game, 2, b"record")
        for entry in (*history, next_entry(history, game, b"third")):
            with pytest.raises(ArchivedGame):
                append(store, game, entry, alarm=9)
        assert store.read_after(game, 0) == []
        assert store.alarm(game) is None

    # --- the server as a whole ---------------------------------------------------------------------

    def test_the_server_is_fit(self, client):
        assert check_server(client) == ()
