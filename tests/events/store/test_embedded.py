"""The server that we start ourselves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from events.store import embedded
from events.store.connection import check_server, connect
from events.store.embedded import EmbeddedServer, StartFailed, free_port
from tests.stores import require, until

START_AND_WAIT = """
import sys
from pathlib import Path
from events.store.embedded import EmbeddedServer
print(EmbeddedServer(Path(sys.argv[1])).start().pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "var" / "store"


@pytest.fixture
def server(folder: Path) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(folder).start()
    yield server
    server.kill()


def ask(server: EmbeddedServer, *command: str) -> object:
    with connect(server.url) as client:  # it does not try again while the server is loading
        return client.execute_command(*command)


def test_it_answers_as_soon_as_it_is_started_and_is_gone_when_it_was_stopped(folder):
    server = EmbeddedServer(folder)
    assert server.pid is None
    with server:
        assert ask(server, "PING") is True
        pid = server.pid
    assert server.pid is None
    assert not psutil.pid_exists(pid)


def test_it_is_fit_to_hold_games(server):
    client = connect(server.url)
    assert check_server(client) == ()
    client.close()


def test_it_listens_on_the_loopback_interface_only(server):
    listening = {each.laddr for each in psutil.Process(server.pid).net_connections() if each.status == "LISTEN"}
    assert listening == {("127.0.0.1", server.port)}


def test_its_folder_is_for_its_owner_only(server, folder):
    assert folder.stat().st_mode & 0o777 == 0o700


def test_it_takes_the_port_that_it_is_given(folder):
    port = free_port()
    with EmbeddedServer(folder, port=port) as server:
        assert server.url == f"redis://127.0.0.1:{port}/0"
        assert ask(server, "PING") is True


def test_what_was_written_is_there_after_a_stop(server):
    ask(server, "SET", "word", "kept")
    port = server.port
    server.stop()
    server.start()
    assert server.port == port
    assert ask(server, "GET", "word") == b"kept"


def test_what_was_written_is_there_after_a_kill(server):
    ask(server, "SET", "word", "kept")
    server.kill()
    server.start()
    assert ask(server, "GET", "word") == b"kept"


def test_starting_stopping_and_killing_twice_is_harmless(server):
    pid = server.pid
    assert server.start().pid == pid
    server.stop()
    server.stop()
    server.kill()
    server.start()
    server.kill()
    server.kill()
    server.stop()


def test_a_server_that_does_not_stop_is_killed(server):
    pid = server.pid
    os.kill(pid, signal.SIGSTOP)
    server.stop(seconds=0.05)
    assert not psutil.pid_exists(pid)


def test_it_has_a_session_of_its_own_so_that_ctrl_c_reaches_only_us(server):
    assert os.getsid(server.pid) == server.pid


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_it_dies_with_the_process_that_started_it(folder, how):
    require(sys.platform == "linux", "only Linux tells a child of its parent's death")
    with another_process(folder) as (parent, pid):
        assert is_running(pid)
        parent.send_signal(how)
        parent.wait()
        until(lambda: not is_running(pid), "the server has died")


def test_a_successor_waits_for_the_server_of_a_process_that_died(folder):
    require(sys.platform == "linux", "only Linux tells a child of its parent's death")
    with another_process(folder) as (parent, pid):
        parent.kill()
        parent.wait()
        with EmbeddedServer(folder):
            assert not is_running(pid)


def test_two_servers_never_share_a_folder(server, folder):
    with pytest.raises(StartFailed, match="another server is using the folder"):
        EmbeddedServer(folder, start_seconds=0.1).start()
    assert ask(server, "PING") is True


def test_the_error_for_a_server_that_ends_at_once_holds_the_end_of_its_log(folder):
    with EmbeddedServer(folder) as before:
        ask(before, "SET", "word", "old")
    broken = EmbeddedServer(folder, flags=("--maxmemory-policy", "whatever"))
    broken.folder.joinpath("server.log").write_text("an old line\n")
    with pytest.raises(StartFailed) as failed:
        broken.start()
    assert "ended at once" in str(failed.value)
    assert "an old line" not in str(failed.value)
    assert broken.pid is None


def test_the_error_holds_the_reason_that_the_server_logs(folder, server):
    """The file of another server cannot be read: the log names it."""
    elsewhere = folder.with_name("broken")
    with EmbeddedServer(elsewhere) as other:
        ask(other, "SET", "word", "old")
    for file in elsewhere.glob("appendonlydir/*.incr.aof"):
        file.write_bytes(b"nonsense\r\n" + file.read_bytes())
    with pytest.raises(StartFailed, match=r"(?i)append only file"):
        EmbeddedServer(elsewhere).start()


def test_another_program_on_the_port_is_not_mistaken_for_the_server(server, folder):
    with pytest.raises(StartFailed, match=r"(?i)address already in use"):
        EmbeddedServer(folder.with_name("second"), port=server.port).start()
    assert ask(server, "PING") is True


def test_a_program_that_never_answers_is_given_up(folder, tmp_path):
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o700)
    server = EmbeddedServer(folder, binary=silent, start_seconds=0.2)
    with pytest.raises(StartFailed, match="does not answer"):
        server.start()
    assert server.pid is None


def test_a_program_that_does_not_exist_is_reported(folder, tmp_path):
    with pytest.raises(StartFailed, match="nowhere"):
        EmbeddedServer(folder, binary=tmp_path / "nowhere").start()


def test_it_is_not_started_from_a_thread_whose_end_would_stop_it(folder):
    refused = []

    def start() -> None:
        try:
            EmbeddedServer(folder).start()
        except RuntimeError as error:
            refused.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert len(refused) == 1


def test_it_waits_until_the_server_has_read_its_file(folder):
    """Meanwhile the server answers that it is loading; it is slowed down so that this lasts."""
    server = EmbeddedServer(folder, flags=("--key-load-delay", "-4")).start()
    with connect(server.url) as client, client.pipeline(transaction=False) as pipeline:
        for number in range(15_000):
            pipeline.set(str(number), "x")
        pipeline.execute()
    server.kill()
    server.start()
    try:
        assert ask(server, "DBSIZE") == 15_000
    finally:
        server.kill()


@contextmanager
def another_process(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Another process that has started a server and waits, and the server's process id."""
    command = [sys.executable, "-c", START_AND_WAIT, str(folder)]
    root = Path(embedded.__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        try:
            yield parent, pid
        finally:
            parent.kill()
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def is_running(pid: int) -> bool:
    """Whether the process lives; one that waits to be reaped does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
