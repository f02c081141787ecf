"""The README's game in five calls works when it is pasted."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from tests.stores import require
from tests.whole.house import House

CHECKOUT = Path(__file__).resolve().parents[2]


def test_the_game_in_five_calls_works_when_pasted(house: House, tmp_path: Path) -> None:
    require(shutil.which("curl"), "curl is not installed on this machine")
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    (pasted,) = re.findall(r"## A game in five calls\n.*?```sh\n(.*?)```", readme, re.DOTALL)
    assert len(re.findall(r"curl ", pasted)) == 5
    pasted = pasted.replace("127.0.0.1:8000", f"127.0.0.1:{house.line.port}")
    told = subprocess.run(
        ["bash", "-eu"], input=pasted, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (told.returncode, told.stderr) == (0, ""), told
    assert '"decision":{"number":' in told.stdout
    game = re.findall(r'"game":"([0-9a-z]{16})"', (tmp_path / "game.json").read_text())[0]
    assert [entry.move for entry in house.log(game)][:4] == ["create", "take_seat", "take_seat", "lay"]
