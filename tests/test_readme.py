"""The README: its commands work when pasted."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from events.settings import read_settings
from events.store.embedded import free_port
from service.runtime import launcher
from tests.processes import process_launcher
from tests.stores import require

CHECKOUT = Path(__file__).resolve().parents[1]
README = (CHECKOUT / "README.md").read_text("utf-8")


WRONG = {
    "CROUPIER_PORT": "http",
    "CROUPIER_REDIS_URL": "localhost:6379",
    "CROUPIER_QUEUE_URL": "redis+cluster://jobs",
    "CROUPIER_SECRET_KEY": "short",
    "CROUPIER_RECORD_KEY": "short",
    "CROUPIER_WORKERS": "0",
    "CROUPIER_WEB_PROCESSES": "65",
    "CROUPIER_ORIGINS": "example.org",
    "CROUPIER_PROXIES": "-1",
    "CROUPIER_LIMITS": "off",
    "CROUPIER_LOG_REQUESTS": "yes",
    "CROUPIER_KEEP_DAYS": "30d",
    "CROUPIER_COMPENSATE_DOWNTIME": "no",
}
CHECKED_ON_USE = {"CROUPIER_HOST", "CROUPIER_DATA"}
"""The launcher notices wrong values only when it uses them: see its own tests."""


def names_of_settings():
    """The names of all variables that settings are read from."""

    names = set()

    class Recorder(dict):
        def get(self, name, default=None):
            names.add(name)
            return default

    read_settings(Recorder())
    return names


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def served(tmp_path):
    """An installation, started as by `make run`."""
    port = free_port()
    with process_launcher() as launch:
        table = launch([sys.executable, "-m", "service.runtime.launcher"], tmp_path, CROUPIER_PORT=str(port))
        table.wait_for_output("Croupier is ready")
        yield table


def test_a_game_in_five_curl_calls_works_when_pasted(served, tmp_path):
    require(shutil.which("curl") is not None, "curl is not installed")
    (pasted,) = [block for block in blocks("sh") if "/choices" in block]
    assert pasted.count("curl -s ") == 5
    script = pasted.replace(":8000/", f":{served.port}/")
    result = subprocess.run(
        ["bash", "-e", "-u", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stderr
    choices, decided = (json.loads(line) for line in result.stdout.splitlines())
    assert choices["choices"][0]["prompt"] == "Lay a card face down."
    assert decided["decision"]["move"] == "lay"
    assert decided["version"] > choices["version"]


def test_make_commands_in_the_readme_are_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z]+):.*##", (CHECKOUT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)", README)) <= targets


def test_every_linked_file_exists():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("http") or (CHECKOUT / target).exists(), target


def test_the_readme_lists_exactly_the_settings_that_are_read():
    listed = re.findall(r"`(CROUPIER_[A-Z_]+)`", "".join(re.findall(r"^\| (`CROUPIER.*?) \|", README, re.MULTILINE)))
    assert sorted(listed) == sorted(names_of_settings())


@pytest.mark.parametrize("name", sorted(names_of_settings() - CHECKED_ON_USE))
def test_a_wrong_value_of_a_setting_is_reported_in_one_line_that_names_it(name, capfd):
    assert launcher.main({name: WRONG[name]}) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert re.fullmatch(rf"croupier: .*\b{name}\b.*\n", err)
