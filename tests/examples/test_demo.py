"""The demo plays a whole game through HTTP, on a running server or on one that it starts."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from events.store.embedded import free_port
from tests.processes import Launch, Running, process_launcher

DEMO = [sys.executable, "examples/demo.py"]
TIMEOUT_SECONDS = 120.0


@pytest.fixture
def launch_process(tmp_path: Path) -> Iterator[Launch]:
    with process_launcher() as launch:
        yield launch
    for process in processes_using(tmp_path):  # the server that the demo started, if the demo did not stop it
        process.kill()


def output_of(demo: Running) -> str:
    demo.wait_until(lambda: demo.process.poll() is not None, "the demo has ended", seconds=TIMEOUT_SECONDS)
    assert demo.process.returncode == 0, demo.output()
    return demo.output()


def ranking(output: str) -> list[tuple[int, str, int]]:
    lines = re.findall(r"^  (\d)\. (\w+) +(-?\d+) points left$", output, re.MULTILINE)
    return [(int(place), name, int(points)) for place, name, points in lines]


def test_on_a_running_server_the_game_is_played_to_its_end_and_stays_there(
    tmp_path: Path, launch_process: Launch
) -> None:
    port = str(free_port())
    server = launch_process([sys.executable, "-m", "service.runtime.launcher"], tmp_path, CROUPIER_PORT=port)
    server.wait_for_output("Croupier is ready")
    output = output_of(
        launch_process(DEMO, tmp_path, CROUPIER_PORT=port, CROUPIER_DATA=str(tmp_path / "no-data-of-the-demo"))
    )
    game = get_json(output.strip().rpartition(" ")[2])
    assert game["status"] == "finished"
    names = [seat["name"] for seat in game["seats"]]
    result = game["result"]
    assert sorted(ranking(output)) == sorted(zip(result["places"], names, result["points"], strict=True))


def test_without_a_server_the_demo_starts_one_and_leaves_nothing_behind(tmp_path: Path, launch_process: Launch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    output = output_of(launch_process(DEMO, tmp_path, CROUPIER_PORT=str(free_port()), TMPDIR=str(temporary)))
    assert "starting one for this game" in output
    assert ranking(output)[0][0] == 1
    assert sorted(name for _, name, _ in ranking(output)) == ["Ana", "Ben", "Cleo", "Dan"]
    assert "Turn 10: Ana " in output
    assert list(temporary.iterdir()) == []
    assert processes_using(temporary) == []


def test_a_demo_that_is_stopped_stops_the_server_that_it_started(tmp_path: Path, launch_process: Launch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    demo = launch_process(
        [*DEMO, "--delay", "600"], tmp_path, CROUPIER_PORT=str(free_port()), TMPDIR=str(temporary), PYTHONUNBUFFERED="1"
    )
    demo.wait_until(lambda: "Turn 1" in demo.output(), "the first turn is played", seconds=TIMEOUT_SECONDS)
    demo.process.terminate()
    assert demo.process.wait(TIMEOUT_SECONDS) == 130
    assert list(temporary.iterdir()) == []
    assert processes_using(temporary) == []


def test_if_the_configured_server_does_not_answer_the_error_is_one_line(tmp_path: Path, launch_process: Launch) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    demo = launch_process(DEMO, tmp_path, CROUPIER_URL=url)
    assert demo.process.wait(TIMEOUT_SECONDS) == 1
    assert demo.output() == f"demo: no server answers at {url} (CROUPIER_URL)\n"


def get_json(url: str) -> dict:
    parts = urlsplit(url)
    with contextlib.closing(http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)) as connection:
        connection.request("GET", parts.path)
        return json.loads(connection.getresponse().read())


def processes_using(folder: Path) -> list[psutil.Process]:
    return [process for process in psutil.process_iter() if data_folder(process).startswith(str(folder))]


def data_folder(process: psutil.Process) -> str:
    try:
        return process.environ().get("CROUPIER_DATA", "")
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return ""
