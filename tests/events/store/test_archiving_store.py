"""The archive: packed logs come back to the byte, and archived games are read like all others."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.games.command_handler import CommandHandler
from events.games.commands import AnswerChoice, TakeSeat
from events.games.participants import new_person
from events.games.repository import GameNotFound
from events.jobs.leases import LEASE_MS, JobLeases
from events.store import keys
from events.store.archiving_store import ArchivingStore
from events.store.chain import ChainBroken
from events.store.connection import connect
from events.store.log_codec import pack, unpack
from events.store.log_store import ArchivedGame
from games.kernel import Chance, Clock, GameSetup, Refusal, bots_to_move, observe
from games.rulebooks import RULEBOOKS

GAME = "archived00000000"

texts = st.sampled_from(["lay", "deadbeef" * 4, "007", "1e5", '"q"', "é", "ab" * 40, "\\", "\x00"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | texts,
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=9,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(["number", "at", "facts", "x1"]), values, max_size=4), max_size=8))
def test_whatever_json_is_packed_comes_back_to_the_byte(decisions):
    written = [json.dumps(decision, separators=(",", ":")).encode() for decision in decisions]
    assert list(unpack(pack(written))) == written


@pytest.mark.parametrize(
    "text",
    [b'{"a":-0}', b'{"a":1.50}', b'{"a":1e-7}', b'{"a":00}', b"9" * 30, b'"0123456789abcdefABCDEF0123456789"', b""],
)
def test_odd_numbers_and_texts_come_back_to_the_byte(text):
    assert list(unpack(pack([text, text]))) == [text, text]


@pytest.fixture
def store(store_url):
    store = ArchivingStore(connect(store_url))
    store.delete(GAME)
    return store


@pytest.fixture
def finished(store):
    """A game of two bots that was played to its end."""
    games = CommandHandler(store, RULEBOOKS)
    games.create(GAME, "six-nimmt", GameSetup(2), {}, Clock(), "seed")
    for seat in range(2):
        games.handle(GAME, TakeSeat(new_person(f"p{seat}", None), seat, "random"))
    while seats := bots_to_move((current := games.read(GAME)).game):
        command = current.rulebook.bots["random"](
            observe(current.rulebook, current.game, seats[0]), Chance("bots", current.game.number)
        )
        games.handle(GAME, AnswerChoice(seats[0], command.choice, command.move, command.args, by_bot=True))
    return games.read(GAME)


def test_an_archived_game_is_read_as_it_was_by_every_process(store, finished):
    before = store.read_after(GAME, 0)
    warm = CommandHandler(store, RULEBOOKS)
    warm.read(GAME)
    store.archive_game(GAME)
    for games in (warm, CommandHandler(ArchivingStore(store.client), RULEBOOKS)):
        assert games.read(GAME).game == finished.game
        assert games.read(GAME).hash == finished.hash
        assert [decision.number for decision in games.decisions(GAME, 10, 5)] == [11, 12, 13, 14, 15]
    fresh = ArchivingStore(store.client)
    assert fresh.read_after(GAME, 0) == before
    assert fresh.read_before(GAME, None, 3) == before[::-1][:3]
    assert fresh.read_before(GAME, 3, 9) == before[1::-1]
    assert fresh.read_before(GAME, 1, 9) == []


def test_the_last_command_of_an_archived_game_sent_again_gets_its_decision(store, finished):
    last = next(
        finished.rulebook.decode(entry.decision)
        for entry in store.read_before(GAME, None, 9)
        if b'"choice"' in entry.decision
    )
    store.archive_game(GAME)
    games = CommandHandler(ArchivingStore(store.client), RULEBOOKS)
    again = games.handle(GAME, AnswerChoice(last.by, last.choice, last.move, last.args, by_bot=True))
    assert again.repeated
    assert again.decision == last
    with pytest.raises(Refusal, match="game-over"):
        games.handle(GAME, AnswerChoice(last.by, last.choice, last.move, {"card": 0}, by_bot=True))


def test_an_archived_game_takes_no_append(store, finished):
    store.archive_game(GAME)
    with pytest.raises(ArchivedGame):
        store.append(GAME, finished.game.number, b"{}", "00" * 32, now=0, alarm=None, meta={})


def test_archiving_a_game_twice_changes_nothing(store, finished):
    store.archive_game(GAME)
    record = store.record(GAME)
    store.archive_game(GAME)
    assert store.record(GAME) == record


def test_a_log_whose_chain_is_broken_is_not_archived(store, finished):
    key = next(key for key in store.client.scan_iter("*") if key.endswith(f"{GAME}:log".encode()))
    entries = store.read_after(GAME, 0)
    store.client.delete(key)
    for entry in entries:
        forged = entry.decision.replace(b'"move"', b'"mOve"') if entry.number == 7 else entry.decision
        store.client.xadd(key, {"d": forged, "h": entry.hash}, id=f"{entry.number}-0")
    with pytest.raises(ChainBroken):
        store.archive_game(GAME)
    assert len(store.read_after(GAME, 0)) == len(entries)


def test_a_deleted_game_is_unknown(store, finished):
    store.archive_game(GAME)
    store.delete(GAME)
    with pytest.raises(GameNotFound):
        CommandHandler(ArchivingStore(store.client), RULEBOOKS).read(GAME)


def test_a_game_waits_before_it_is_archived_and_is_found_by_its_end(store):
    shard = keys.game_shard(GAME)
    store.schedule_archive(GAME, 1_000)
    store.schedule_archive(GAME, 5_000)
    leases = JobLeases(store.client)
    assert GAME not in leases.claim("archive", 999, 9_000)
    assert GAME in leases.claim("archive", 1_000, 9_000)
    store.finish_archive(GAME)
    assert GAME not in leases.claim("archive", 9_000, 9_000 + LEASE_MS)
    assert GAME in store.archived_before(shard, 1_000)
