"""Every program of ours, started by hand: what an operator can mend is told in one line, and the program ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
GUNICORN = ("gunicorn", "--config", "python:service.gunicorn_conf", "service.app:create_app()")
WORKING = [("workers",), ("workers.sweep",), ("workers.rebuild",), ("workers.forget", "ana")]
PROGRAMS = [*WORKING, ("service.launcher",), ("service.command", "games"), GUNICORN]


def started(program, tmp_path, **environ):
    """Run a program of ours until it ends; give its status and all that it said."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    ran = subprocess.run(
        [sys.executable, "-m", *program],
        cwd=CHECKOUT,
        env={**inherited, "CROUPIER_DATA": str(tmp_path), **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return ran.returncode, ran.stdout


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0])
def test_a_wrong_setting_is_told_in_one_line_by_every_program(program, tmp_path):
    status, said = started(program, tmp_path, CROUPIER_REDIS_URL="redis://127.0.0.1:1", CROUPIER_KEEP_DAYS="30d")
    assert status == 1
    assert said.strip().partition(": ")[2] == "CROUPIER_KEEP_DAYS must be a whole number from 1 to 36500, not '30d'."


@pytest.mark.parametrize("program", WORKING, ids=lambda program: program[0])
def test_a_worker_that_is_told_of_no_store_says_so_in_one_line(program, tmp_path):
    status, said = started(program, tmp_path)
    assert status == 1
    assert said == "croupier: CROUPIER_REDIS_URL must be set: only the launcher brings a store of its own.\n"


def test_the_web_that_is_told_of_no_store_says_so_and_is_not_started_again_and_again(tmp_path):
    status, said = started(GUNICORN, tmp_path, CROUPIER_WEB_PROCESSES="1")
    assert status == 4
    (told,) = [line for line in said.splitlines() if "CROUPIER" in line]
    assert told == "croupier: CROUPIER_REDIS_URL must be set: only the launcher brings a store of its own."
    assert said.count("Booting worker") == 1
