"""Clients of the store, and the check of a server before it holds games."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import exceptions

from events.store import connection, keys
from events.store.connection import Client, IncompatibleStore, check_server, connect, connect_listener, version_fault
from events.store.embedded import EmbeddedServer, free_port
from tests.stores import LosingAnswers

USER = ("croupier", "on", ">secret", "~*", "&*", "+@all")


@contextmanager
def connected(url: str) -> Iterator[Client]:
    client = connect(url)
    try:
        yield client
    finally:
        client.close()


@contextmanager
def a_server(folder: Path, *flags: str) -> Iterator[Client]:
    """A client of a server with these flags after ours."""
    server = EmbeddedServer(folder, flags=flags).start()
    try:
        with connected(server.url) as client:
            yield client
    finally:
        server.kill()


def test_a_command_whose_reply_is_lost_is_not_sent_again(store_url):
    with LosingAnswers(store_url) as proxy, connected(proxy.url) as client, connected(store_url) as straight:
        client.set("counted", 0)
        proxy.losing = True
        with pytest.raises(exceptions.ConnectionError):
            client.incr("counted")
        assert straight.getdel("counted") == b"1"
        assert proxy.lost == 1


def test_a_command_that_is_not_answered_in_time_is_not_sent_again(store_url):
    with LosingAnswers(store_url) as proxy, connected(store_url) as straight:
        with connected(proxy.url + "?socket_timeout=0.2") as client:
            client.set("counted", 0)
            proxy.losing, proxy.hang_up = True, False
            with pytest.raises(exceptions.TimeoutError):
                client.incr("counted")
        assert straight.getdel("counted") == b"1"
        assert proxy.lost == 1


def test_a_burst_waits_for_free_connections(store_url):
    """Twice as many callers as connections, each blocking for a moment: all are served."""
    callers = 2 * connection.MAX_CONNECTIONS
    together = threading.Barrier(callers)

    def call(number: int) -> bytes | None:
        together.wait()
        client.blpop([f"nothing-{number}"], timeout=0.1)
        return client.echo(str(number))

    with connected(store_url) as client, ThreadPoolExecutor(callers) as pool:
        answers = list(pool.map(call, range(callers)))
        most = client.info("clients")["connected_clients"]
    assert answers == [b"%d" % number for number in range(callers)]
    assert connection.MAX_CONNECTIONS <= most < callers


def test_a_listener_waits_longer_than_a_writer_would(store_url):
    with connect(store_url, answer_seconds=0.1) as writer, pytest.raises(exceptions.TimeoutError):
        writer.blpop(["nothing"], timeout=1)
    listener = connect_listener(store_url)
    assert listener.blpop(["nothing"], timeout=0.3) is None
    listener.close()


def test_a_unix_socket_can_be_used(tmp_path):
    place = tmp_path / "socket"
    with EmbeddedServer(tmp_path, flags=("--unixsocket", str(place))), connected(f"unix://{place}") as client:
        assert check_server(client) == ()


@pytest.mark.parametrize("option", ["protocol=3", "decode_responses=true", "db=0&protocol=2"])
def test_a_url_may_not_change_the_shape_of_replies(store_url, option):
    with pytest.raises(IncompatibleStore, match="may not set"):
        connect(f"{store_url}?{option}")


def test_a_url_of_an_unknown_kind_is_refused():
    with pytest.raises(IncompatibleStore, match="http://"):
        connect("http://127.0.0.1:1")


# --- the check -------------------------------------------------------------------------------------


def test_a_server_as_we_start_it_is_fit_without_warnings(store_url):
    with connected(store_url) as client:
        assert check_server(client) == ()
        assert check_server(client) == ()


def test_a_server_that_does_not_answer_is_unfit():
    with connected(f"redis://127.0.0.1:{free_port()}") as client, pytest.raises(IncompatibleStore, match="not answer"):
        check_server(client)


def test_a_cluster_that_does_not_answer_is_unfit():
    with pytest.raises(IncompatibleStore, match="not answer"):
        connect(f"redis+cluster://127.0.0.1:{free_port()}")


def test_a_server_that_is_no_cluster_is_unfit_as_one(store_url):
    with pytest.raises(IncompatibleStore):
        connect(store_url.removesuffix("/0").replace("redis://", "redis+cluster://"))


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
def test_a_server_that_may_evict_games_is_unfit(tmp_path, policy):
    with (
        a_server(tmp_path, "--maxmemory-policy", policy) as client,
        pytest.raises(IncompatibleStore, match=f"may evict .*{policy}"),
    ):
        check_server(client)


def test_a_replica_is_unfit(tmp_path):
    with a_server(tmp_path, "--replicaof", "127.0.0.1 1") as client, pytest.raises(IncompatibleStore, match="replica"):
        check_server(client)


def test_a_server_that_keeps_no_file_is_warned_of(tmp_path):
    with a_server(tmp_path, "--appendonly", "no") as client:
        (warning,) = check_server(client)
    assert "no append-only file" in warning


@pytest.mark.parametrize("policy", ["everysec", "no"])
def test_a_server_that_acknowledges_before_the_disk_does_is_warned_of(tmp_path, policy):
    with a_server(tmp_path, "--appendfsync", policy) as client:
        (warning,) = check_server(client)
    assert f"appendfsync '{policy}'" in warning


def test_a_server_that_hides_its_settings_is_warned_of(tmp_path):
    with (
        EmbeddedServer(tmp_path, flags=("--user", *USER, "-config")) as server,
        connected(server.url.replace("//", "//croupier:secret@")) as client,
    ):
        (warning,) = check_server(client)
    assert "does not tell its appendfsync" in warning


def test_a_server_that_wants_a_password_is_unfit_without_it(tmp_path):
    with (
        EmbeddedServer(tmp_path, flags=("--user", *USER)) as server,
        connected(server.url.replace("//", "//croupier:wrong@")) as client,
        pytest.raises(IncompatibleStore, match="not answer"),
    ):
        check_server(client)


def test_a_store_begun_with_another_number_of_shards_is_unfit(tmp_path):
    with a_server(tmp_path) as client:
        client.set(keys.SHARDS_KEY, 8)
        with pytest.raises(IncompatibleStore, match="8 shards and this version has 16"):
            check_server(client)
        assert client.get(keys.SHARDS_KEY) == b"8"


def test_the_first_check_fixes_the_number_of_shards(tmp_path):
    with a_server(tmp_path) as client:
        check_server(client)
        assert client.get(keys.SHARDS_KEY) == b"16"


@pytest.mark.parametrize(
    "info",
    [
        {"redis_version": "6.2.0"},
        {"redis_version": "6.2.14"},
        {"redis_version": "7.0.15"},
        {"redis_version": "10.0.1"},
        {"redis_version": 8.2},
        {"redis_version": "8.2-rc1"},
        {"redis_version": "7.2.4", "server_name": "valkey", "valkey_version": "9.1.2"},
        {"server_name": "valkey"},
    ],
)
def test_redis_from_6_2_on_and_valkey_are_new_enough(info):
    assert version_fault(info) is None


@pytest.mark.parametrize("version", ["6.0.16", "5.0.7", "6.1.240", "2.8.0", "6.0"])
def test_an_older_redis_is_refused_with_its_version(version):
    assert version in (version_fault({"redis_version": version}) or "")


@pytest.mark.parametrize("info", [{}, {"redis_version": "unknown"}, {"redis_version": "7"}])
def test_a_server_without_a_version_is_refused(info):
    assert version_fault(info) is not None


# --- keys ------------------------------------------------------------------------------------------


def test_the_shard_of_a_game_never_changes():
    """Written down once: games are found again by every later version."""
    assert [keys.game_shard(game) for game in ("k7f3", "a", "", "Zoë")] == [12, 3, 0, 10]


def test_all_keys_of_a_game_lie_in_the_slot_of_its_shard():
    game = "k7f3"
    names = [keys.log, keys.meta, keys.snapshot, keys.record]
    shard = keys.game_shard(game)
    assert {name(game).split(":")[0] for name in names} == {keys.tag(shard)}
    assert keys.alarms(shard).startswith(keys.tag(shard))
    assert keys.append_channel(shard).startswith(keys.tag(shard))
    assert len({name(game) for name in names}) == len(names)


@pytest.mark.parametrize("game", ["k7f3", "with:colon", "a:game:b"])
def test_a_game_is_read_back_from_its_keys(game):
    assert keys.game_in_key(keys.meta(game)) == game
