"""`make run` as an operator meets it: what it refuses, what it survives, and that it leaves nothing behind."""

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
from service.cli.main import addresses
from service.runtime.launcher import redact_url
from tests.processes import Launch, Running, process_launcher

LAUNCHER = (sys.executable, "-m", "service.runtime.launcher")
PROGRAMS = ("croupier-store", "croupier-queue", "gunicorn", "workers")
ONE_PROCESS = {"CROUPIER_WEB_PROCESSES": "1"}
"""For tests of the store and the queue: each process of the web costs a second of starting, and tells them nothing."""
Start = Callable[..., Running]


@pytest.fixture
def launch(tmp_path: Path, launch_process: Launch) -> Start:
    """Starts a launcher on a free port, with more environment; it may start again on the same data."""

    def start(**environ: str) -> Running:
        environ = {"CROUPIER_PORT": str(free_port()), **environ}
        return launch_process(LAUNCHER, tmp_path, **environ)

    return start


@pytest.fixture
def table(launch: Start) -> Running:
    """A launcher whose table is open."""
    running = launch()
    running.wait_for_output("the table is open")
    return running


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A launcher whose table is open, for the tests after which it still is."""
    with process_launcher() as launch:
        port = str(free_port())
        running = launch(LAUNCHER, tmp_path_factory.mktemp("lasting"), CROUPIER_PORT=port)
        running.wait_for_output("the table is open")
        yield running


@pytest.fixture
def evicting_store(tmp_path: Path) -> Iterator[str]:
    """A store that throws games away when its memory is full."""
    with EmbeddedServer(tmp_path / "evicting", flags=("--maxmemory-policy", "allkeys-lru")) as server:
        yield server.url


def refusal(running: Running) -> str:
    """What it said before it ended without having started anything: one line."""
    assert running.process.wait(60) == 1
    (line,) = running.output().splitlines()
    running.wait_until_all_gone()
    return line


def answer(port: int, path: str = "/healthz") -> int:
    """The status that the web gives; raises OSError when it gives none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def answers(port: int) -> bool:
    try:
        return answer(port) == 200
    except (OSError, http.client.HTTPException):
        return False


def store_url(running: Running) -> str:
    """Where its embedded store is, read off the environment of a worker."""
    return str(running.program("gunicorn").environ()["CROUPIER_REDIS_URL"])


# What it refuses.


def test_a_port_in_use_is_refused_in_one_line(launch: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refusal(launch(CROUPIER_PORT=str(port)))
    assert (
        said
        == f"croupier: cannot listen at 127.0.0.1, port {port}: Address already in use (CROUPIER_HOST, CROUPIER_PORT)"
    )


def test_a_host_that_is_not_ours_is_refused_in_one_line(launch: Start) -> None:
    said = refusal(launch(CROUPIER_HOST="192.0.2.1"))
    assert "cannot listen at 192.0.2.1" in said
    assert "CROUPIER_HOST" in said


def test_a_data_folder_that_cannot_be_made_is_refused_in_one_line(launch: Start, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "data"
    said = refusal(launch(CROUPIER_DATA=str(below)))
    assert said == f"croupier: the data folder {below} cannot be used: Not a directory (CROUPIER_DATA)"


def test_a_data_folder_that_may_not_be_written_is_refused_in_one_line(launch: Start) -> None:
    nobody_may_write = Path("/proc/sys") if sys.platform == "linux" else Path("/dev/fd")
    assert f"the data folder {nobody_may_write} cannot be used" in refusal(launch(CROUPIER_DATA=str(nobody_may_write)))


def test_a_file_in_the_place_of_the_store_is_refused_in_one_line(launch: Start, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "store").touch()
    assert f"the data folder {tmp_path / 'data'} cannot be used" in refusal(launch())


def test_a_second_launcher_on_the_same_data_is_refused_in_one_line(lasting: Running) -> None:
    environ = {**os.environ, "CROUPIER_DATA": str(lasting.data), "CROUPIER_PORT": str(free_port())}
    second = subprocess.run(LAUNCHER, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert (second.returncode, second.stdout) == (1, "")
    first = lasting.process.pid
    assert second.stderr == f"croupier: another launcher (process {first}) is running on {lasting.data}\n"
    assert answer(lasting.port) == 200


@pytest.mark.parametrize("variable", ["CROUPIER_REDIS_URL", "CROUPIER_QUEUE_URL"])
def test_a_store_that_cannot_be_reached_is_refused_in_one_line(launch: Start, variable: str) -> None:
    port = free_port()
    said = refusal(launch(**{variable: f"redis://:its-password@127.0.0.1:{port}/0"}))
    assert said.startswith(f"croupier: {variable}, redis://127.0.0.1:{port}/0: ")
    assert "its-password" not in said


def test_a_store_that_may_evict_is_refused_in_one_line(launch: Start, evicting_store: str) -> None:
    assert "allkeys-lru" in refusal(launch(CROUPIER_REDIS_URL=evicting_store))


def test_a_wrong_setting_is_refused_in_one_line(launch: Start) -> None:
    said = refusal(launch(CROUPIER_WORKERS="many"))
    assert said == "croupier: CROUPIER_WORKERS must be a whole number from 1 to 64, not 'many'."


# What it does.


def test_it_says_where_the_table_is_and_what_to_try(lasting: Running) -> None:
    assert answer(lasting.port) == 200
    lasting.wait_for_output("try: ")
    assert f"curl http://127.0.0.1:{lasting.port}/v1/rulebooks" in lasting.output()


def test_each_program_is_heard_under_its_name(lasting: Running) -> None:
    lasting.wait_for_output("store    | ", "queue    | ", "worker   | ", "web      | ")


def test_a_store_that_is_given_is_used_and_no_other_is_started(launch: Start, store_url: str) -> None:
    running = launch(CROUPIER_REDIS_URL=store_url, **ONE_PROCESS)
    running.wait_for_output("the table is open")
    assert [child.environ()["CROUPIER_QUEUE_URL"] for child in running.children()] == [store_url] * 2
    assert not running.programs("croupier-store")
    assert not running.programs("croupier-queue")


def test_jobs_are_queued_where_nothing_waits_for_the_disk(lasting: Running) -> None:
    worker = lasting.program("workers").environ()
    assert worker["CROUPIER_QUEUE_URL"] != worker["CROUPIER_REDIS_URL"]
    with Redis.from_url(worker["CROUPIER_QUEUE_URL"]) as queue:
        assert queue.config_get("appendonly") == {"appendonly": "no"}


def test_a_queue_that_is_given_is_used_and_no_other_is_started(launch: Start, store_url: str) -> None:
    running = launch(CROUPIER_QUEUE_URL=store_url, **ONE_PROCESS)
    running.wait_for_output("the table is open")
    assert running.program("workers").environ()["CROUPIER_QUEUE_URL"] == store_url
    assert running.programs("croupier-store")
    assert not running.programs("croupier-queue")


def test_the_command_line_finds_store_and_queue_by_the_data_folder(lasting: Running) -> None:
    worker = lasting.program("workers").environ()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CROUPIER_REDIS_URL", "CROUPIER_QUEUE_URL"):
            patch.delenv(name, raising=False)
        patch.setenv("CROUPIER_DATA", str(lasting.data))
        assert addresses() == (worker["CROUPIER_REDIS_URL"], worker["CROUPIER_QUEUE_URL"])


def test_the_data_folder_is_for_its_owner_alone(lasting: Running) -> None:
    assert stat.S_IMODE(lasting.data.stat().st_mode) == 0o700
    assert stat.S_IMODE((lasting.data / "secret-key").stat().st_mode) == 0o600


def test_what_the_store_holds_is_there_at_the_next_start(launch: Start) -> None:
    table = launch(**ONE_PROCESS)
    table.wait_for_output("the table is open")
    with Redis.from_url(store_url(table)) as client:
        client.set("kept", "yes")
    secret = (table.data / "secret-key").read_text()
    table.process.terminate()
    assert table.process.wait(60) == 0
    again = launch(**ONE_PROCESS)
    again.wait_for_output("the table is open")
    with Redis.from_url(store_url(again)) as client:
        assert client.get("kept") == b"yes"
    assert (again.data / "secret-key").read_text() == secret


# What it survives.


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_killed_with_9_is_started_again(lasting: Running, program: str) -> None:
    killed = lasting.program(program)
    with Redis.from_url(store_url(lasting)) as client:
        client.set("kept", "yes")
    lasting.kill(killed)
    lasting.wait_for_output("was killed by signal 9; starting it again")

    lasting.wait_until(lambda: lasting.programs(program), f"{program} is back")
    lasting.wait_until(lambda: answers(lasting.port), "the web answers")

    def is_kept() -> bool:
        with Redis.from_url(store_url(lasting)) as client:
            try:
                return client.get("kept") == b"yes"
            except RedisError:
                return False

    lasting.wait_until(is_kept, "the store has what it had")


def test_a_caller_is_not_refused_while_the_web_is_started_again(lasting: Running) -> None:
    web = lasting.program("gunicorn")
    workers = web.children()
    lasting.kill(web)
    for worker in workers:  # they would end by themselves, and might take a caller with them
        with contextlib.suppress(psutil.NoSuchProcess):
            lasting.kill(worker)
    assert answer(lasting.port) == 200


@pytest.mark.parametrize("wish", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_stop_it_stops_the_web_first_and_the_store_last_and_leaves_nothing(
    table: Running, wish: signal.Signals
) -> None:
    assert len(table.living_processes()) >= 7, "launcher, store, queue, worker, gunicorn and its workers"
    table.process.send_signal(wish)
    assert table.process.wait(30) == 0
    assert table.living_processes() == []
    told = table.output()
    assert told.index("Handling signal: term") < told.index("ready to exit, bye bye")
    assert told.splitlines()[-1] == "croupier | everything has stopped"
    assert "does not end" not in told


def test_killed_with_9_it_leaves_nothing_and_the_next_one_waits_for_that(launch: Start, table: Running) -> None:
    first = table.living_processes()
    table.process.kill()
    table.process.wait(30)
    again = launch(CROUPIER_PORT=str(table.port), **ONE_PROCESS)
    again.wait_for_output("the table is open")
    assert all(table.is_gone(process) for process in first)


def test_when_nobody_reads_what_it_says_any_more_it_stops(launch_process: Launch, tmp_path: Path) -> None:
    command = f"{' '.join(LAUNCHER)} | head -1"
    running = launch_process(["sh", "-c", command], tmp_path, CROUPIER_PORT=str(free_port()))
    assert running.process.wait(60) == 0
    running.wait_until_all_gone()


# Small things.


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://:secret@host:1/0", "redis://host:1/0"),
        ("redis://user:secret@host", "redis://host"),
        ("unix:///run/redis.sock?password=secret", "unix:///run/redis.sock"),
    ],
)
def test_a_password_in_a_url_is_never_shown(url: str, shown: str) -> None:
    assert redact_url(url) == shown
    assert "secret" not in repr(Settings(redis_url=url, secret_key="secret-secret-secret"))
