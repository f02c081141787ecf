"""The clients that are generated from `openapi.yaml` play whole games and follow them; `make examples` builds them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.embedded import free_port
from tests.processes import process_launcher
from tests.stores import require

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TIMEOUT_SECONDS = 120
MAX_LINES = 150


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    with process_launcher() as launch:
        server = launch(
            [sys.executable, "-m", "service.runtime.launcher"],
            tmp_path_factory.mktemp("table"),
            CROUPIER_PORT=str(port),
        )
        server.wait_for_output("Croupier is ready")
        yield f"http://127.0.0.1:{port}"


def command_of(client: str) -> list[str]:
    """The command that runs a client."""
    folder = EXAMPLES / client
    if client == "typescript":
        require((folder / "dist" / "play.js").exists(), "the TypeScript client is not built: `make examples`")
        return ["node", str(folder / "dist" / "play.js")]
    python = folder / ".venv" / "bin" / "python"
    require(
        python.exists() and (folder / "croupier_client").exists(), "the Python client is not built: `make examples`"
    )
    return [str(python), str(folder / "play.py")]


@pytest.mark.parametrize("rulebook", ["six-nimmt", "vale-of-eternity"])
@pytest.mark.parametrize("client", ["typescript", "python"])
def test_a_generated_client_plays_a_whole_game_through_its_streams(client: str, rulebook: str, url: str) -> None:
    result = subprocess.run(
        [*command_of(client), url, rulebook], check=False, capture_output=True, text=True, timeout=TIMEOUT_SECONDS
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"^[0-9a-z]{16} finished after \d+ decisions; received: \d+ and \d+$", result.stdout, re.MULTILINE)
    assert {"Ana", "Ben"} <= set(re.findall(r"^[12]\. (\w+): -?\d+$", result.stdout, re.MULTILINE))


@pytest.mark.parametrize("file", ["typescript/play.ts", "python/play.py"])
def test_the_code_around_a_generated_client_is_short(file: str) -> None:
    assert len(EXAMPLES.joinpath(file).read_text("utf-8").splitlines()) < MAX_LINES


def test_the_lock_file_of_the_typescript_client_names_no_registry() -> None:
    assert '"resolved"' not in EXAMPLES.joinpath("typescript", "package-lock.json").read_text("utf-8")
