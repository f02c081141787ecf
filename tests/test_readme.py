"""The README: what it says to paste works when pasted."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from events.embedded import free_port
from tests.service.launched import launching
from tests.stores import require

CHECKOUT = Path(__file__).resolve().parents[1]
README = (CHECKOUT / "README.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def served(tmp_path):
    """A table that is served as `make run` serves it."""
    port = free_port()
    with launching() as launch:
        table = launch([sys.executable, "-m", "service.launcher"], tmp_path, CROUPIER_PORT=str(port))
        table.until_said("the table is open")
        yield table


def test_a_game_in_five_curl_calls_works_when_pasted(served, tmp_path):
    require(shutil.which("curl") is not None, "curl is not installed")
    (pasted,) = [block for block in blocks("sh") if "/choices" in block]
    assert pasted.count("curl -s ") == 5
    script = pasted.replace(":8000/", f":{served.port}/")
    ran = subprocess.run(
        ["bash", "-e", "-u", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    choices, decided = (json.loads(line) for line in ran.stdout.splitlines())
    assert choices["choices"][0]["prompt"] == "Lay a card face down."
    assert decided["decision"]["move"] == "lay"
    assert decided["version"] > choices["version"]


def test_the_commands_that_it_names_are_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z]+):.*##", (CHECKOUT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)", README)) <= targets


def test_every_file_that_it_points_to_is_there():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("http") or (CHECKOUT / target).exists(), target


def test_every_setting_that_it_names_is_read_somewhere_and_the_other_way_round():
    told = set(re.findall(r"CROUPIER_[A-Z_]+", README))
    sources = [*CHECKOUT.glob("service/*.py"), *CHECKOUT.glob("events/*.py"), *CHECKOUT.glob("workers/*.py")]
    read = {name for source in sources for name in re.findall(r'"(CROUPIER_[A-Z_]+)"', source.read_text())}
    assert told == read
