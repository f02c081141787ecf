"""Streams under gunicorn: clients that leave or do not read, and a service that stops."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from events.games.command_handler import CommandHandler
from events.games.commands import RequestPause
from events.store.connection import MAX_CONNECTIONS
from events.store.embedded import EmbeddedServer, free_port
from service.streaming.broadcast import MAX_LAG, PING_SECONDS
from tests.service.streaming.clients import SECRET, SSE, Event, Table, decisions, read_event
from tests.stores import until

CHECKOUT = Path(__file__).resolve().parents[2]
SECONDS = 60.0
MANY = 2000
AT_A_TIME = 100
FILES_TO_SPARE = 10
"""Files and sockets, other than connections to the store, that may be open more than before."""
STORE_CONNECTIONS = MAX_CONNECTIONS + 4
"""A process keeps idle connections to the store: at most its pool, and a few with tasks of their own."""
FEW_BYTES = 4096
MIB = 2**20


class Served:
    """The service under gunicorn, as the launcher starts it, on a store of its own, with access to its games."""

    def __init__(self, folder: Path, url: str, processes: int):
        self.port = free_port()
        self.table = Table(url)
        self.store_port = urlsplit(url).port
        self._clients: list[Client] = []
        self._said = folder / f"gunicorn-{self.port}"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
        own = {
            "CROUPIER_PORT": str(self.port),
            "CROUPIER_DATA": str(folder),
            "CROUPIER_REDIS_URL": url,
            "CROUPIER_QUEUE_URL": url,
            "CROUPIER_SECRET_KEY": SECRET,
            "CROUPIER_WEB_PROCESSES": str(processes),
        }
        argv = (
            sys.executable,
            "-m",
            "gunicorn",
            "--config",
            "python:service.runtime.gunicorn_conf",
            "service.app:create_app()",
        )
        with self._said.open("wb") as output:
            self.process = subprocess.Popen(
                argv, cwd=CHECKOUT, env=inherited | own, stdout=output, stderr=subprocess.STDOUT
            )
        self.until(lambda: len(self.workers()) == processes and self.answers("/healthz"), "gunicorn answers")

    def said(self) -> str:
        return self._said.read_text()

    def until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + SECONDS
        while not condition():
            if time.monotonic() > deadline or self.process.poll() is not None:
                pytest.fail(f"not after {SECONDS} s: {what}\n{self.said()}")
            time.sleep(0.02)

    def workers(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children()

    def open_files(self) -> int:
        """All files and sockets that the workers have open, but for connections to the store."""
        return sum(worker.num_fds() for worker in self.workers()) - self.store_connections()

    def store_connections(self) -> int:
        """How many connections to the store the workers have open."""
        connections = [each for worker in self.workers() for each in worker.net_connections("tcp")]
        return sum(bool(each.raddr) and each.raddr.port == self.store_port for each in connections)

    def clients(self) -> int:
        """How many connections the workers have accepted and not closed."""
        connections = [each for worker in self.workers() for each in worker.net_connections("tcp")]
        return sum(each.status == psutil.CONN_ESTABLISHED and each.laddr.port == self.port for each in connections)

    def threads(self) -> int:
        return sum(worker.num_threads() for worker in self.workers())

    def memory(self) -> int:
        return sum(worker.memory_info().rss for worker in self.workers())

    def answers(self, path: str, **headers: str) -> bool:
        with contextlib.suppress(OSError), self.request(path, headers) as client:
            return client.head().startswith(b"HTTP/1.1 200")
        return False

    def request(self, path: str, headers: dict[str, str], *, few_bytes: bool = False) -> Client:
        self._clients.append(Client(self.port, path, headers, few_bytes=few_bytes))
        return self._clients[-1]

    def listen(self, game: str, token: str | None = None, *, few_bytes: bool = False, **headers: str) -> Client:
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return self.request(f"/v1/games/{game}/events", headers | {"Accept": SSE}, few_bytes=few_bytes)

    def end(self) -> None:
        for client in self._clients:
            client.close()
        self.table.broadcaster.close()
        self.process.terminate()
        try:
            self.process.wait(SECONDS)
        finally:
            self.process.kill()
            self.process.wait()


class Client:
    """A connection with one request, whose response is read step by step."""

    def __init__(self, port: int, path: str, headers: dict[str, str], *, few_bytes: bool):
        self._socket = socket.socket()
        if few_bytes:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, FEW_BYTES)
        self._socket.settimeout(SECONDS)
        self._socket.connect(("127.0.0.1", port))
        lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items()]
        self._socket.sendall(f"GET {path} HTTP/1.1\r\nHost: test\r\n{''.join(lines)}\r\n".encode())
        self.received = b""
        self.is_at_end = False

    def __enter__(self):
        return self

    def __exit__(self, *_: object):
        self.close()

    def close(self) -> None:
        self._socket.close()

    def reset(self) -> None:
        """Reset the connection."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def more(self) -> bool:
        """Read more bytes; return False at the end."""
        try:
            received = self._socket.recv(65536)
        except ConnectionResetError:
            received = b""
        self.received += received
        self.is_at_end = not received
        return bool(received)

    def head(self) -> bytes:
        while b"\r\n\r\n" not in self.received and self.more():
            pass
        return self.received.partition(b"\r\n\r\n")[0]

    def events(self) -> list[Event]:
        """All complete events so far."""
        frames = self.body().split(b"\n\n")[:-1]
        return [event for frame in frames if (event := read_event(frame)) is not None]

    def body(self) -> bytes:
        """The body so far, without its chunk headers and incomplete chunks."""
        _, _, rest = self.received.partition(b"\r\n\r\n")
        body = b""
        while rest:
            size, found, rest = rest.partition(b"\r\n")
            if not found or len(rest) < int(size, 16) + 2:
                break
            body += rest[: int(size, 16)]
            rest = rest[int(size, 16) + 2 :]
        return body

    def ended_in_good_order(self) -> bool:
        return self.received.endswith(b"0\r\n\r\n")

    def until(self, is_enough: Callable[[list[Event]], object]) -> list[Event]:
        """Read until there are enough events, or to the end."""
        assert self.head().startswith(b"HTTP/1.1 200"), self.received
        while not is_enough(self.events()) and self.more():
            pass
        return self.events()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[int], Served]]:
    """Starts the service with a number of processes."""
    with contextlib.ExitStack() as ends, EmbeddedServer(tmp_path / "store") as server:

        def start(processes: int) -> Served:
            served = Served(tmp_path, server.url, processes)
            ends.callback(served.end)
            return served

        yield start


def test_two_thousand_clients_leave_nothing_behind(serve: Callable[[int], Served]):
    allow_files(MANY + 200)
    served = serve(2)
    seats = seats_of(served, 100)
    come_and_go(served, seats, 200)
    idle = (served.open_files(), served.threads(), connections_of(served))
    come_and_go(served, seats, MANY)
    after_many = served.memory()
    come_and_go(served, seats, MANY)
    assert served.open_files() <= idle[0] + FILES_TO_SPARE
    assert served.store_connections() <= 2 * STORE_CONNECTIONS
    assert served.threads() <= idle[1]
    assert connections_of(served) <= idle[2]
    assert served.memory() - after_many < 20 * MIB, "two thousand greenlets are more than that"
    game, _ = seats[0]
    with served.listen(game) as stream:
        stream.until(lambda events: events)
        served.table.play(game, 2)
        assert [event.id for event in stream.until(lambda events: len(events) >= 3)] == [5, 6, 7]
    assert "Traceback" not in served.said()


def seats_of(served: Served, games: int) -> list[tuple[str, str]]:
    """Create games of four; return each seat as the game and its token."""
    new = [served.table.new_game(f"{served.port} {number}", 4) for number in range(games)]
    return [(game, served.table.token(game, seat)) for game in new for seat in range(4)]


def come_and_go(served: Served, seats: list[tuple[str, str]], number: int) -> None:
    """Open many streams at the same time and close them: gracefully, by a reset, or before the first event."""
    before = served.open_files()
    clients: list[Client] = []
    while len(clients) < number:
        come = [served.listen(*seats[(len(clients) + count) % len(seats)]) for count in range(AT_A_TIME)]
        for client in come[: -AT_A_TIME // 10]:
            client.until(bool)
        clients += come
    for count, client in enumerate(clients):
        (client.reset if count % 3 == 0 else client.close)()
    served.until(lambda: served.open_files() <= before + FILES_TO_SPARE, "all of them are forgotten")


def connections_of(served: Served) -> int:
    """The number of subscribed clients of the store: one for each process."""
    client: Any = served.table.games.store.client
    return sum(int(each["sub"]) > 0 for each in client.client_list())


def allow_files(number: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if most == resource.RLIM_INFINITY else max(number, most), most))


def test_a_client_that_does_not_read_is_disconnected_and_resumes(serve: Callable[[int], Served]):
    served = serve(1)
    game = served.table.new_game("takes nothing")
    token = served.table.token(game, 0)
    with served.listen(game, token) as good, served.listen(game, token, few_bytes=True) as slow:
        for stream in (good, slow):
            stream.until(lambda events: events)
        open_files = served.open_files()
        written = 0
        while served.open_files() >= open_files and written < 20 * MAX_LAG:
            written += pause_and_go_on(served.table.games, game)
            good.until(partial(has_decision, written + 3))
            assert served.answers(f"/v1/games/{game}/choices", Authorization=f"Bearer {token}")
        while slow.more():
            pass
        assert not slow.ended_in_good_order()
        received = decisions(slow.events())
        assert len(received) < written
        assert len(decisions(good.events())) == written
    after = str(received[-1]["number"]) if received else "3"
    with served.listen(game, token, Last_Event_ID=after) as resumed:
        received += decisions(resumed.until(partial(has_decision, written + 3)))
    assert received == served.table.log(game, token)[3:]
    assert "Traceback" not in served.said()


def pause_and_go_on(games: CommandHandler, game: str) -> int:
    """Let both seats request pauses and their end, a hundred decisions; each changes the choices of a seat."""
    for count in range(100):
        seat = count % 2
        games.handle(game, RequestPause(seat))  # type: ignore[misc]
    return 100


def has_decision(number: int, events: list[Event]) -> bool:
    return any(event.id == number for event in events[-3:])


@pytest.mark.parametrize("accept", [SSE, "application/json"])
def test_a_stopping_service_ends_its_streams_gracefully(serve: Callable[[int], Served], accept: str):
    served = serve(2)
    path = "/v1/games/{}/events?" + ("" if accept == SSE else "after=5&wait=25")
    clients = [
        served.request(path.format(game), {"Accept": accept, "Authorization": f"Bearer {token}"})
        for game, token in seats_of(served, 15)
    ]
    if accept == SSE:
        for client in clients:
            client.until(lambda events: events)
    served.until(lambda: served.clients() >= 60, "all of them are let in")
    served.process.send_signal(signal.SIGTERM)
    for client in clients:
        while client.more():
            pass
        if accept == SSE:
            assert client.ended_in_good_order()
            assert [event.name for event in client.events()] == ["game"]
        else:
            assert json.loads(client.received.partition(b"\r\n\r\n")[2]) == {"events": [], "version": 5, "more": False}
    served.process.wait(SECONDS)
    assert "graceful timeout" not in served.said()
    assert "Traceback" not in served.said()


def test_streams_of_every_process_get_decisions_of_any_process(
    serve: Callable[[int], Served],
):
    served = serve(2)
    games = [served.table.new_game(f"every process {number}") for number in range(4)]
    tokens = [served.table.token(game, 0) for game in games]
    streams = [served.listen(games[count % 4], tokens[count % 4]) for count in range(40)]
    for stream in streams:
        stream.until(lambda events: events)
    until(lambda: connections_of(served) in (1, 2), "the readers have subscribed")
    for game in games:
        served.table.play(game, 4)
    for count, stream in enumerate(streams):
        received = decisions(stream.until(partial(has_decision, 7)))
        assert received == served.table.log(games[count % 4], tokens[count % 4])[3:7]
        stream.close()
    assert connections_of(served) <= len(served.workers())


def test_streams_survive_a_lost_connection_of_the_reader(serve: Callable[[int], Served]):
    served = serve(1)
    game = served.table.new_game("lost connection")
    with served.listen(game) as stream:
        stream.until(lambda events: events)
        for played in range(1, 4):
            client = connect_to(served)
            until(lambda: connections_of(served) == 1, "the reader has subscribed")
            client.client_kill_filter(_type="pubsub")
            served.table.play(game, 1)
            assert has_decision(3 + played, stream.until(partial(has_decision, 3 + played)))
    assert PING_SECONDS < SECONDS


def connect_to(served: Served) -> Any:
    client: Any = served.table.games.store.client
    return client
