"""`make run` as an operator uses it: what it refuses, what it survives, and that it leaves no process behind."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from redis import Redis
from redis.exceptions import RedisError

from events.settings import Settings
from events.store.embedded import EmbeddedServer, free_port
from service.cli.main import store_and_queue_urls
from service.runtime.launcher import redact_url
from tests.processes import Launch, Running, process_launcher

LAUNCHER = (sys.executable, "-m", "service.runtime.launcher")
PROGRAMS = ("croupier-store", "croupier-queue", "gunicorn", "workers")
ONE_PROCESS = {"CROUPIER_WEB_PROCESSES": "1"}
"""For tests of the store and the queue: each process of the web takes a second to start, and they do not need it."""
Start = Callable[..., Running]


@pytest.fixture
def launch(tmp_path: Path, launch_process: Launch) -> Start:
    """Return a function that starts a launcher on a free port, always on the same data."""

    def start(**environ: str) -> Running:
        environ = {"CROUPIER_PORT": str(free_port()), **environ}
        return launch_process(LAUNCHER, tmp_path, **environ)

    return start


@pytest.fixture
def table(launch: Start) -> Running:
    """A launcher that is ready."""
    running = launch()
    running.wait_for_output("Croupier is ready")
    return running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A launcher that is ready, for tests that leave it running."""
    with process_launcher() as launch:
        port = str(free_port())
        running = launch(LAUNCHER, tmp_path_factory.mktemp("shared"), CROUPIER_PORT=port)
        running.wait_for_output("Croupier is ready")
        yield running


@pytest.fixture
def evicting_store(tmp_path: Path) -> Iterator[str]:
    """A store that may evict games when its memory is full."""
    with EmbeddedServer(tmp_path / "evicting", flags=("--maxmemory-policy", "allkeys-lru")) as server:
        yield server.url


def refusal(running: Running) -> str:
    """The only line of output of a launcher that refused to start."""
    assert running.process.wait(60) == 1
    (line,) = running.output().splitlines()
    running.wait_until_all_gone()
    return line


def get_status(port: int, path: str = "/healthz") -> int:
    """The status of the web's response. Raises OSError."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def answers(port: int) -> bool:
    try:
        return get_status(port) == 200
    except (OSError, http.client.HTTPException):
        return False


def store_url(running: Running) -> str:
    """The URL of the embedded store, from the environment of the web."""
    return str(running.program("gunicorn").environ()["CROUPIER_REDIS_URL"])


# Refusals.


def test_a_port_in_use_is_refused_in_one_line(launch: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        line = refusal(launch(CROUPIER_PORT=str(port)))
    assert (
        line
        == f"croupier: cannot listen at 127.0.0.1, port {port}: Address already in use (CROUPIER_HOST, CROUPIER_PORT)"
    )


def test_a_host_of_another_machine_is_refused_in_one_line(launch: Start) -> None:
    line = refusal(launch(CROUPIER_HOST="192.0.2.1"))
    assert "cannot listen at 192.0.2.1" in line
    assert "CROUPIER_HOST" in line


def test_a_data_folder_that_cannot_be_created_is_refused_in_one_line(launch: Start, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "data"
    line = refusal(launch(CROUPIER_DATA=str(below)))
    assert line == f"croupier: the data folder {below} cannot be used: Not a directory (CROUPIER_DATA)"


def test_a_read_only_data_folder_is_refused_in_one_line(launch: Start) -> None:
    read_only = Path("/proc/sys") if sys.platform == "linux" else Path("/dev/fd")
    assert f"the data folder {read_only} cannot be used" in refusal(launch(CROUPIER_DATA=str(read_only)))


def test_a_file_in_the_place_of_the_store_is_refused_in_one_line(launch: Start, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "store").touch()
    assert f"the data folder {tmp_path / 'data'} cannot be used" in refusal(launch())


def test_a_second_launcher_on_the_same_data_is_refused_in_one_line(shared: Running) -> None:
    environ = {**os.environ, "CROUPIER_DATA": str(shared.data), "CROUPIER_PORT": str(free_port())}
    second = subprocess.run(LAUNCHER, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert (second.returncode, second.stdout) == (1, "")
    first = shared.process.pid
    assert second.stderr == f"croupier: another launcher (process {first}) is running on {shared.data}\n"
    assert get_status(shared.port) == 200


@pytest.mark.parametrize("variable", ["CROUPIER_REDIS_URL", "CROUPIER_QUEUE_URL"])
def test_a_store_that_cannot_be_reached_is_refused_in_one_line(launch: Start, variable: str) -> None:
    port = free_port()
    line = refusal(launch(**{variable: f"redis://:its-password@127.0.0.1:{port}/0"}))
    assert line.startswith(f"croupier: {variable}, redis://127.0.0.1:{port}/0: ")
    assert "its-password" not in line


def test_a_store_that_may_evict_games_is_refused_in_one_line(launch: Start, evicting_store: str) -> None:
    assert "allkeys-lru" in refusal(launch(CROUPIER_REDIS_URL=evicting_store))


def test_a_wrong_setting_is_refused_in_one_line(launch: Start) -> None:
    line = refusal(launch(CROUPIER_WORKERS="many"))
    assert line == "croupier: CROUPIER_WORKERS must be a whole number from 1 to 64, not 'many'."


# Normal operation.


def test_the_launcher_prints_its_address_and_commands_to_try(shared: Running) -> None:
    assert get_status(shared.port) == 200
    shared.wait_for_output("try: ")
    assert f"curl http://127.0.0.1:{shared.port}/v1/rulebooks" in shared.output()


def test_each_line_of_output_starts_with_the_name_of_its_program(shared: Running) -> None:
    shared.wait_for_output("store    | ", "queue    | ", "worker   | ", "web      | ")


def test_a_configured_store_is_used_and_none_is_started(launch: Start, store_url: str) -> None:
    running = launch(CROUPIER_REDIS_URL=store_url, **ONE_PROCESS)
    running.wait_for_output("Croupier is ready")
    assert [child.environ()["CROUPIER_QUEUE_URL"] for child in running.children()] == [store_url] * 2
    assert not running.programs("croupier-store")
    assert not running.programs("croupier-queue")


def test_the_queue_is_a_server_without_persistence(shared: Running) -> None:
    worker = shared.program("workers").environ()
    assert worker["CROUPIER_QUEUE_URL"] != worker["CROUPIER_REDIS_URL"]
    with Redis.from_url(worker["CROUPIER_QUEUE_URL"]) as queue:
        assert queue.config_get("appendonly") == {"appendonly": "no"}


def test_a_configured_queue_is_used_and_none_is_started(launch: Start, store_url: str) -> None:
    running = launch(CROUPIER_QUEUE_URL=store_url, **ONE_PROCESS)
    running.wait_for_output("Croupier is ready")
    assert running.program("workers").environ()["CROUPIER_QUEUE_URL"] == store_url
    assert running.programs("croupier-store")
    assert not running.programs("croupier-queue")


def test_the_command_line_finds_store_and_queue_through_the_data_folder(shared: Running) -> None:
    worker = shared.program("workers").environ()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CROUPIER_REDIS_URL", "CROUPIER_QUEUE_URL"):
            patch.delenv(name, raising=False)
        patch.setenv("CROUPIER_DATA", str(shared.data))
        assert store_and_queue_urls() == (worker["CROUPIER_REDIS_URL"], worker["CROUPIER_QUEUE_URL"])


def test_only_its_owner_can_read_the_data_folder(shared: Running) -> None:
    assert stat.S_IMODE(shared.data.stat().st_mode) == 0o700
    assert stat.S_IMODE((shared.data / "secret-key").stat().st_mode) == 0o600


def test_the_data_of_the_store_is_there_after_a_restart(launch: Start) -> None:
    table = launch(**ONE_PROCESS)
    table.wait_for_output("Croupier is ready")
    with Redis.from_url(store_url(table)) as client:
        client.set("key", "value")
    secret = (table.data / "secret-key").read_text()
    table.process.terminate()
    assert table.process.wait(60) == 0
    again = launch(**ONE_PROCESS)
    again.wait_for_output("Croupier is ready")
    with Redis.from_url(store_url(again)) as client:
        assert client.get("key") == b"value"
    assert (again.data / "secret-key").read_text() == secret


# Failures and stops.


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_killed_by_sigkill_is_restarted(shared: Running, program: str) -> None:
    killed = shared.program(program)
    with Redis.from_url(store_url(shared)) as client:
        client.set("key", "value")
    shared.kill(killed)
    shared.wait_for_output("was killed by signal 9; restarting it")

    shared.wait_until(lambda: shared.programs(program), f"{program} is back")
    shared.wait_until(lambda: answers(shared.port), "the web answers")

    def has_data() -> bool:
        with Redis.from_url(store_url(shared)) as client:
            try:
                return client.get("key") == b"value"
            except RedisError:
                return False

    shared.wait_until(has_data, "the store has its data")


def test_connections_are_not_refused_while_the_web_restarts(shared: Running) -> None:
    web = shared.program("gunicorn")
    workers = web.children()
    shared.kill(web)
    for worker in workers:  # they would end by themselves, but might accept the connection before
        with contextlib.suppress(psutil.NoSuchProcess):
            shared.kill(worker)
    assert get_status(shared.port) == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_web_first_and_the_store_last_and_leaves_nothing(
    table: Running, number: signal.Signals
) -> None:
    assert len(table.living_processes()) >= 7, "launcher, store, queue, worker, gunicorn and its workers"
    table.process.send_signal(number)
    assert table.process.wait(30) == 0
    assert table.living_processes() == []
    output = table.output()
    assert output.index("Handling signal: term") < output.index("ready to exit, bye bye")
    assert output.splitlines()[-1] == "croupier | all programs have stopped"
    assert "did not end" not in output


def test_a_killed_launcher_leaves_nothing_and_the_next_one_waits_until_all_has_ended(
    launch: Start, table: Running
) -> None:
    first = table.living_processes()
    table.process.kill()
    table.process.wait(30)
    again = launch(CROUPIER_PORT=str(table.port), **ONE_PROCESS)
    again.wait_for_output("Croupier is ready")
    assert all(table.is_gone(process) for process in first)


def test_the_launcher_stops_when_nobody_reads_its_output_any_more(launch_process: Launch, tmp_path: Path) -> None:
    command = f"{' '.join(LAUNCHER)} | head -1"
    running = launch_process(["sh", "-c", command], tmp_path, CROUPIER_PORT=str(free_port()))
    assert running.process.wait(60) == 0
    running.wait_until_all_gone()


# URLs.


@pytest.mark.parametrize(
    ("url", "redacted"),
    [
        ("redis://:secret@host:1/0", "redis://host:1/0"),
        ("redis://user:secret@host", "redis://host"),
        ("unix:///run/redis.sock?password=secret", "unix:///run/redis.sock"),
    ],
)
def test_a_password_in_a_url_is_never_printed(url: str, redacted: str) -> None:
    assert redact_url(url) == redacted
    assert "secret" not in repr(Settings(redis_url=url, secret_key="secret-secret-secret"))
