"""Servers for the tests of the store: Debian's, a cluster of three, and one whose answers get lost."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import pytest
from redis import Redis
from redis.client import PubSub

from events.games.command_handler import now_ms
from events.store import chain, keys
from events.store.connection import connect_listener
from events.store.embedded import HOST, EmbeddedServer, free_port
from events.store.log_store import AppendResult, Entry, LogStore

NODES = 3
SLOTS = 16384
SECONDS = 20.0


def require(condition: object, reason: str) -> None:
    """Skip the test, saying why, unless the condition holds; with CROUPIER_REQUIRE_ALL=1 fail it instead."""
    if condition:
        return
    if os.environ.get("CROUPIER_REQUIRE_ALL") == "1":
        pytest.fail(f"required here, but {reason}")
    pytest.skip(reason)


def until(condition: Callable[[], object], what: str, seconds: float = SECONDS) -> None:
    """Wait for a condition; fail when it does not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"not after {seconds} s: {what}")
        time.sleep(0.005)


@contextmanager
def listening(url: str, channel: str) -> Iterator[PubSub]:
    """A listener that is known to be subscribed to the channel."""
    client = connect_listener(url)
    try:
        with client.pubsub() as listener:
            listener.subscribe(channel)
            heard(listener)  # that it is subscribed
            yield listener
    finally:
        client.close()


def heard(listener: PubSub) -> bytes:
    """What the next message says."""
    messages: list[dict] = []

    def one_came() -> bool:
        message = listener.get_message(timeout=0.1)
        if message:
            messages.append(message)
        return bool(messages)

    until(one_came, "a message on the channel")
    return messages[0]["data"]


def next_entry(history: list[Entry], game: str, decision: bytes) -> Entry:
    previous = history[-1].hash if history else chain.genesis_hash(game)
    return Entry(len(history) + 1, decision, chain.next_hash(previous, decision))


def append(store: LogStore, game: str, entry: Entry, alarm: int | None = None, **meta: str) -> AppendResult:
    return store.append(game, entry.number - 1, entry.decision, entry.hash, now=now_ms(), alarm=alarm, meta=meta)


def play(store: LogStore, game: str, length: int, alarm: int | None = None, **meta: str) -> list[Entry]:
    """Append so many decisions to a game that has none."""
    history: list[Entry] = []
    for number in range(1, length + 1):
        history.append(next_entry(history, game, b"decision %d of %s" % (number, game.encode())))
        append(store, game, history[-1], alarm, **meta)
    return history


def waiting_since(store: LogStore, game: str) -> int | None:
    """Since when a game waits for the projector, in milliseconds since the epoch; None: it does not."""
    since: Any = store.client.zscore(keys.projection_queue(keys.game_shard(game)), game)
    return None if since is None else int(since)


def of_one_shard(new_game: Callable[[], str], number: int) -> list[str]:
    """So many new games that share a shard."""
    first = new_game()
    others = (game for game in iter(new_game, "") if keys.game_shard(game) == keys.game_shard(first))
    return [first, *islice(others, number - 1)]


def installed_redis() -> Path | None:
    """The machine's own redis-server, such as Debian's."""
    found = shutil.which("redis-server")
    return Path(found) if found else None


@contextmanager
def cluster(folder: Path) -> Iterator[list[EmbeddedServer]]:
    """A Redis Cluster of three primaries from the embedded binary; gives its servers."""
    with ExitStack() as running:
        servers = [running.enter_context(_node(folder / f"node{number}")) for number in range(NODES)]
        nodes = [running.enter_context(Redis(host=HOST, port=server.port or 0)) for server in servers]
        for number, node in enumerate(nodes):
            node.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            first, last = SLOTS * number // NODES, SLOTS * (number + 1) // NODES - 1
            node.execute_command("CLUSTER", "ADDSLOTSRANGE", first, last)
        for server in servers[1:]:
            bus = server.folder.joinpath("bus").read_text()
            nodes[0].execute_command("CLUSTER", "MEET", HOST, server.port, bus)
        until(lambda: all(map(_agrees, nodes)), "the nodes of the cluster have met")
        yield servers


def _node(folder: Path) -> EmbeddedServer:
    folder.mkdir(parents=True)
    bus = str(free_port())
    folder.joinpath("bus").write_text(bus)
    flags = ("--cluster-enabled", "yes", "--cluster-port", bus, "--cluster-node-timeout", "3000")
    return EmbeddedServer(folder, flags=flags)


def _agrees(node: Redis) -> bool:
    lines = node.execute_command("CLUSTER", "INFO").decode().splitlines()
    return {"cluster_state:ok", f"cluster_known_nodes:{NODES}"} <= set(lines)


class LosingAnswers:
    """A proxy before a server. While `losing`, requests reach the server and its answers go nowhere.

    What the client sees instead: the bytes `instead` if there are any; otherwise the connection closed, or
    silence when not `hang_up`.
    """

    def __init__(self, url: str) -> None:
        self._server = (HOST, urlsplit(url).port or 0)
        self._listening = socket.create_server((HOST, 0))
        self._sockets: list[socket.socket] = [self._listening]
        self.losing = False
        self.hang_up = True
        self.instead = b""
        self.lost = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self._listening.getsockname()[1]}/0"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(self._server)
                self._sockets += [client, server]
                threading.Thread(target=self._requests, args=(client, server), daemon=True).start()
                threading.Thread(target=self._answers, args=(client, server), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while asked := client.recv(65536):
                server.sendall(asked)
            server.shutdown(socket.SHUT_WR)

    def _answers(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while answer := server.recv(65536):
                if not self.losing:
                    client.sendall(answer)
                    continue
                self.lost += 1
                if self.instead:
                    client.sendall(self.instead)
                elif self.hang_up:
                    client.shutdown(socket.SHUT_RDWR)
