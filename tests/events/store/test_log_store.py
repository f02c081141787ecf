"""The store of decisions, on every kind of server that it promises to work on, and when servers fail."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from redis import exceptions

from events.store import keys
from events.store.connection import Client, connect
from events.store.embedded import EmbeddedServer
from events.store.errors import StoreUnavailable
from events.store.log_store import AppendResult, Entry, LogStore, Snapshot
from tests.events.store.store_tests import StoreTests
from tests.stores import LosingAnswers, append, next_entry, play, until


class TestOnTheEmbeddedServer(StoreTests):
    @pytest.fixture
    def url(self, store_url):
        return store_url


class TestOnTheInstalledRedis(StoreTests):
    @pytest.fixture
    def url(self, installed_url):
        return installed_url


class TestOnACluster(StoreTests):
    @pytest.fixture
    def url(self, cluster_servers):
        return f"redis+cluster://127.0.0.1:{cluster_servers[0].port}"

    def test_games_are_spread_over_the_nodes(self, client):
        nodes = {client.get_node_from_key(keys.alarms(shard)).name for shard in range(keys.SHARDS)}
        assert len(nodes) == 3

    def test_games_on_other_nodes_continue_while_one_node_is_down(self, client, store, new_game, cluster_servers):
        of_shard = {}
        while len(of_shard) < keys.SHARDS:
            game = new_game()
            of_shard[keys.game_shard(game)] = game
        games = list(of_shard.values())
        histories = {game: play(store, game, 1) for game in games}
        down = cluster_servers[1]
        struck = [game for game in games if client.get_node_from_key(keys.log(game)).port == down.port]
        assert 0 < len(struck) < len(games)
        down.kill()
        for game in games:
            entry = next_entry(histories[game], game, b"second")
            if game in struck:
                with pytest.raises(StoreUnavailable):
                    append(store, game, entry)
            else:
                append(store, game, entry)
        down.start()
        for game in games:
            until(lambda game=game: answers(store, game), "the cluster has come back")
            if game in struck:
                append(store, game, next_entry(histories[game], game, b"second"))
            assert [entry.decision for entry in store.read_after(game, 1)] == [b"second"]


def answers(store: LogStore, game: str) -> bool:
    try:
        store.head(game)
    except StoreUnavailable:
        return False
    return True


# --- faults: each on a server of its own -----------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(tmp_path).start()
    yield server
    server.kill()


@pytest.fixture
def client(server: EmbeddedServer) -> Iterator[Client]:
    client = connect(server.url)
    yield client
    client.close()


def test_acknowledged_appends_survive_kill_9_of_the_server(server, client):
    store = LogStore(client)
    writers = [f"game-{number}" for number in range(4)]
    acknowledged = {game: [] for game in writers}
    in_doubt = {}

    def write(game: str) -> None:
        while True:
            entry = next_entry(acknowledged[game], game, b"decision %d" % len(acknowledged[game]))
            try:
                append(store, game, entry)
            except StoreUnavailable:
                in_doubt[game] = entry
                return
            acknowledged[game].append(entry)

    threads = [threading.Thread(target=write, args=(game,)) for game in writers]
    for thread in threads:
        thread.start()
    until(lambda: min(map(len, acknowledged.values())) >= 100, "a hundred acknowledged appends a game")
    server.kill()
    for thread in threads:
        thread.join()
    server.start()

    for game in writers:
        log = store.read_after(game, 0)
        assert log in (acknowledged[game], [*acknowledged[game], in_doubt[game]])
        append(store, game, in_doubt[game])
        assert store.read_after(game, 0) == [*acknowledged[game], in_doubt[game]]
        assert store.meta(game)["head"] == str(in_doubt[game].number)


@pytest.mark.parametrize("hang_up", [True, False], ids=["the connection closes", "silence"])
def test_an_append_whose_reply_is_lost_fails_and_succeeds_when_repeated(store_url, hang_up):
    game = uuid4().hex
    with LosingAnswers(store_url) as proxy:
        client = connect(proxy.url + "?socket_timeout=0.3")
        store = LogStore(client)
        history = play(store, game, 1)
        history.append(next_entry(history, game, b"second"))
        proxy.losing, proxy.hang_up = True, hang_up
        with pytest.raises(StoreUnavailable):
            append(store, game, history[1])
        assert proxy.lost == 1
        proxy.losing = False
        assert append(store, game, history[1]) == AppendResult(repeated=True)
        assert store.read_after(game, 0) == history
        client.close()


def test_every_method_reports_a_server_that_is_gone(server, client):
    store = LogStore(client)
    play(store, "game", 1)
    server.kill()
    for call in (
        lambda: append(store, "game", Entry(2, b"", "00" * 32)),
        lambda: store.read_after("game", 0),
        lambda: store.read_before("game", None, 1),
        lambda: store.head("game"),
        lambda: store.load("game"),
        lambda: store.save_snapshot("game", Snapshot(1, "00" * 32, b"")),
        lambda: store.snapshot("game"),
        lambda: store.meta("game"),
        lambda: store.archive("game", 1, b""),
        lambda: store.record("game"),
        lambda: store.claim_due(0, 1, 1),
        lambda: store.set_alarm("game", 0),
        lambda: store.alarm("game"),
        lambda: store.end_projection("game", 1),
        lambda: list(store.games()),
        lambda: store.delete("game"),
    ):
        with pytest.raises(StoreUnavailable):
            call()


def test_the_client_finds_the_server_again_after_a_restart(server, client):
    store = LogStore(client)
    history = play(store, "game", 1)
    server.kill()
    server.start()
    history.append(next_entry(history, "game", b"second"))
    append(store, "game", history[1])
    assert store.read_after("game", 0) == history


def test_a_server_without_memory_refuses_an_append_as_a_whole(server, client):
    store = LogStore(client)
    history = play(store, "game", 1, alarm=5, status="open")
    client.config_set("maxmemory", "1")
    entry = next_entry(history, "game", b"second")
    with pytest.raises(StoreUnavailable):
        append(store, "game", entry, alarm=None, status="running")
    client.config_set("maxmemory", "0")
    assert store.read_after("game", 0) == history
    assert store.meta("game") == {"status": "open", "head": "1"}
    assert store.alarm("game") == 5
    append(store, "game", entry)


def test_a_server_that_has_become_a_replica_refuses_an_append_as_a_whole(server, client):
    store = LogStore(client)
    history = play(store, "game", 1)
    client.replicaof("127.0.0.1", 1)
    with pytest.raises(StoreUnavailable):
        append(store, "game", next_entry(history, "game", b"second"))
    client.replicaof("NO", "ONE")
    assert store.read_after("game", 0) == history


@pytest.mark.parametrize(
    "refusal",
    [
        b"-LOADING Redis is loading the dataset in memory",
        b"-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        b"-CLUSTERDOWN The cluster is down",
        b"-TRYAGAIN Multiple keys request during rehashing of slot",
        b"-MISCONF Errors writing to the AOF file: No space left on device",
        b"-NOREPLICAS Not enough good replicas to write.",
        b"-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        b"-ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -OOM command not allowed",
        b"-ERR max number of clients reached",
        b"HTTP/1.1 400 Bad Request",
    ],
)
@pytest.mark.parametrize("connected", [True, False], ids=["on an open connection", "on a new one"])
def test_a_temporary_refusal_means_that_the_store_is_unavailable(store_url, refusal, connected):
    game = uuid4().hex
    with LosingAnswers(store_url) as proxy:
        client = connect(proxy.url + "?socket_timeout=1")
        store = LogStore(client)
        if connected:
            store.read_after(game, 0)
        proxy.losing, proxy.instead = True, refusal + b"\r\n"
        with pytest.raises(StoreUnavailable):
            store.read_after(game, 0)
        with pytest.raises(StoreUnavailable):
            append(store, game, Entry(1, b"", "00" * 32))
        client.close()


def test_a_programming_error_is_not_reported_as_an_unavailable_store(server, client):
    store = LogStore(client)
    client.set(keys.log("game"), "not a stream")
    with pytest.raises(exceptions.ResponseError):
        store.read_after("game", 0)
