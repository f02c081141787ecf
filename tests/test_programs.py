"""Every program, started by hand: it reports an error that an operator can fix in one line, and ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from redis import Redis

from events.store import keys
from events.store.embedded import NO_PERSISTENCE, EmbeddedServer, free_port
from tests.processes import process_launcher

CHECKOUT = Path(__file__).resolve().parents[1]
GUNICORN = ("gunicorn", "--config", "python:service.runtime.gunicorn_conf", "service.app:create_app()")
WORKER_PROGRAMS = [("workers",), ("workers.sweep",), ("workers.rebuild",), ("workers.forget", "ana")]
COMMANDS_BY_NAME = {"worker": [sys.executable, "-m", "workers"], "web": [sys.executable, "-m", *GUNICORN]}
EVICTING = ("--maxmemory-policy", "allkeys-lru")
PROGRAMS = [*WORKER_PROGRAMS, ("service.runtime.launcher",), ("service.cli", "games"), GUNICORN]


def run(program, tmp_path, **environ):
    """Run a program until it ends; return its exit status and its output."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    result = subprocess.run(
        [sys.executable, "-m", *program],
        cwd=CHECKOUT,
        env={**inherited, "CROUPIER_DATA": str(tmp_path), **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return result.returncode, result.stdout


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0])
def test_every_program_reports_a_wrong_setting_in_one_line(program, tmp_path):
    status, output = run(program, tmp_path, CROUPIER_REDIS_URL="redis://127.0.0.1:1", CROUPIER_KEEP_DAYS="30d")
    assert status == 1
    assert output.strip().partition(": ")[2] == "CROUPIER_KEEP_DAYS must be a whole number from 1 to 36500, not '30d'."


@pytest.mark.parametrize("program", WORKER_PROGRAMS, ids=lambda program: program[0])
def test_a_worker_without_a_configured_store_says_so_in_one_line(program, tmp_path):
    status, output = run(program, tmp_path)
    assert status == 1
    assert output == "croupier: CROUPIER_REDIS_URL must be set: only the launcher brings a store of its own.\n"


def test_the_web_without_a_configured_store_says_so_and_is_not_restarted_again_and_again(tmp_path):
    status, output = run(GUNICORN, tmp_path, CROUPIER_WEB_PROCESSES="1")
    assert status == 4
    (line,) = [line for line in output.splitlines() if "CROUPIER" in line]
    assert line == "croupier: CROUPIER_REDIS_URL must be set: only the launcher brings a store of its own."
    assert output.count("Booting worker") == 1


@pytest.fixture
def launch():
    with process_launcher() as launch:
        yield launch


def test_a_worker_and_the_web_refuse_a_store_that_may_evict_games(tmp_path):
    with EmbeddedServer(tmp_path / "store", flags=EVICTING) as store:
        worker = run(("workers",), tmp_path, CROUPIER_REDIS_URL=store.url)
        web = run(
            GUNICORN, tmp_path, CROUPIER_REDIS_URL=store.url, CROUPIER_WEB_PROCESSES="1", CROUPIER_PORT=str(free_port())
        )
    refusal = "croupier: The store may evict games: its maxmemory-policy is 'allkeys-lru' and must be 'noeviction'."
    assert worker == (1, refusal + "\n")
    assert web[0] == 4
    assert refusal in web[1].splitlines()
    assert "Traceback" not in web[1].partition(refusal)[0]
    assert web[1].count("Booting worker") == 1


def test_a_worker_warns_about_a_store_without_guarantees_and_works(launch, tmp_path):
    with EmbeddedServer(tmp_path / "store", flags=NO_PERSISTENCE) as store:
        worker = launch(COMMANDS_BY_NAME["worker"], tmp_path, CROUPIER_REDIS_URL=store.url)
        worker.wait_for_output("keeps no append-only file", "jobs are taken")


@pytest.mark.parametrize(("program", "status"), [("worker", 1), ("web", 4)])
def test_a_store_that_starts_later_is_checked_then(launch, tmp_path, program, status):
    with EmbeddedServer(tmp_path / "queue", flags=NO_PERSISTENCE) as queue:
        store = EmbeddedServer(tmp_path / "store", port=free_port(), flags=EVICTING)
        environ = {"CROUPIER_REDIS_URL": store.url, "CROUPIER_QUEUE_URL": queue.url, "CROUPIER_WEB_PROCESSES": "1"}
        running = launch(COMMANDS_BY_NAME[program], tmp_path, **environ, CROUPIER_PORT=str(free_port()))
        running.wait_for_output("the store is not checked yet")
        assert running.process.poll() is None
        with store:
            running.wait_for_output("croupier: The store may evict games")
            assert running.process.wait(60) == status


def test_the_embedded_store_is_checked_like_any_other(launch, tmp_path):
    table = launch([sys.executable, "-m", "service.runtime.launcher"], tmp_path, CROUPIER_PORT=str(free_port()))
    table.wait_for_output("Croupier is ready")
    with Redis.from_url(table.program("gunicorn").environ()["CROUPIER_REDIS_URL"]) as store:
        assert store.get(keys.SHARDS_KEY) == b"16"


COMMANDS = [("service.cli", name) for name in ("serve", "worker", "project", "sweep", "forget", "games", "import")]


@pytest.mark.parametrize(
    "arguments",
    [*[(*program, "--help") for program in (*WORKER_PROGRAMS, *COMMANDS)], ("service.cli", "project", "-h")],
    ids=" ".join,
)
def test_help_works_without_a_running_installation_and_changes_nothing(arguments, tmp_path):
    status, output = run(arguments, tmp_path)
    assert status == 0
    assert output.startswith("Usage: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("program", [("workers",), ("workers.sweep",), ("service.cli", "sweep")], ids=" ".join)
def test_unknown_options_are_refused(program, tmp_path):
    status, output = run((*program, "--everything"), tmp_path)
    assert status == 2
    assert "No such option" in output
    assert "--everything" in output
