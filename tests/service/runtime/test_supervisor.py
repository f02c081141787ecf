"""The supervising loop, with real processes that behave badly on purpose."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.processes import Launch, Running

SUPERVISE = """
    import json, sys
    from service.runtime.supervisor import GaveUp, Program, Supervisor

    stages = [[Program(**program) for program in stage] for stage in json.loads(sys.argv[1])]
    log = lambda program, line: print(f"{program}: {line}", flush=True)
    try:
        Supervisor(
            stages, log=log, min_pause=0.05,
            on_ready=lambda: log("test", "all ready"), on_stopping=lambda: log("test", "stopping"),
        ).run()
    except GaveUp as error:
        sys.exit(f"gave up: {error}")
"""
SLEEP = "import time; print('up', flush=True); time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)
# A parent that leaves a child behind in its group, as gunicorn does when it is killed.
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEP!r}]); {SLEEP}"

Supervise = Callable[..., Running]


@pytest.fixture
def supervise(tmp_path: Path, launch_process: Launch) -> Supervise:
    """Start a supervisor. Each argument is a stage: a dictionary from names of programs to Python source."""

    def start(*stages: dict[str, str], stop_timeout: float = 5.0) -> Running:
        programs = [
            [
                {"name": name, "argv": [sys.executable, "-c", code], "stop_timeout": stop_timeout}
                for name, code in stage.items()
            ]
            for stage in stages
        ]
        return launch_process([sys.executable, "-c", dedent(SUPERVISE), json.dumps(programs)], tmp_path)

    return start


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_stages_start_in_order_and_stop_in_the_reverse_order(supervise: Supervise, number: signal.Signals) -> None:
    farewell = (
        "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit('bye'));"
        "print('up', flush=True); time.sleep(600)"
    )
    running = supervise({"first": farewell}, {"second": farewell, "third": farewell})
    running.wait_for_output("first: up", "second: up", "third: up", "test: all ready")
    running.process.send_signal(number)
    assert running.process.wait(30) == 0
    output = running.output()
    assert output.index("test: stopping") < output.index("second: bye") < output.index("first: bye")
    assert output.index("third: bye") < output.index("first: bye")


def test_a_program_that_dies_is_restarted_and_how_it_ended_is_logged(supervise: Supervise) -> None:
    running = supervise({"one": SLEEP}, {"two": SLEEP})
    running.wait_for_output("two: up")
    first, _ = running.children()
    running.kill(first)
    running.wait_for_output("croupier: one was killed by signal 9; restarting it in 0.1 s")
    running.wait_until(lambda: running.output().count("one: up") == 2, "the program is up again")
    assert running.output().count("two: up") == 1


def test_processes_that_a_killed_program_leaves_in_its_group_end_before_its_restart(supervise: Supervise) -> None:
    running = supervise({"parent": PARENT})
    running.wait_until(lambda: running.output().count("parent: up") == 2, "parent and child are up")
    (parent,) = running.children()
    (left_behind,) = parent.children()
    running.kill(parent)
    running.wait_until(lambda: running.output().count("parent: up") == 4, "both are up again")
    assert running.is_gone(left_behind)


def test_if_a_program_fails_again_and_again_the_supervisor_gives_up_and_stops_the_others(supervise: Supervise) -> None:
    running = supervise({"steady": SLEEP}, {"broken": "raise SystemExit('no such thing')"})
    assert running.process.wait(60) == 1
    assert running.output().count("broken: no such thing") == 5
    last = running.output().splitlines()[-1]
    assert last == "gave up: broken ended with status 1, 5 times in quick succession: giving up"
    running.wait_until_all_gone()


def test_if_a_program_cannot_be_started_the_supervisor_gives_up(tmp_path: Path, launch_process: Launch) -> None:
    stages = json.dumps([[{"name": "missing", "argv": [str(tmp_path / "nowhere")]}]])
    running = launch_process([sys.executable, "-c", dedent(SUPERVISE), stages], tmp_path)
    assert running.process.wait(60) == 1
    assert "gave up: missing could not be started" in running.output()


def test_a_program_that_ignores_sigterm_is_killed_after_its_timeout(supervise: Supervise) -> None:
    running = supervise({"stubborn": STUBBORN}, stop_timeout=0.3)
    running.wait_for_output("stubborn: up")
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(30) == 0
    running.wait_for_output("croupier: stubborn did not end; killing it")
    running.wait_until_all_gone()


def test_a_second_signal_kills_all_programs_at_once(supervise: Supervise) -> None:
    running = supervise({"stubborn": STUBBORN}, stop_timeout=600)
    running.wait_for_output("stubborn: up")
    running.wait_until(running.terminate_again, "the supervisor has ended", seconds=20)
    assert running.process.wait(30) == 0
    running.wait_until_all_gone()


def test_two_signals_at_the_same_moment_count_as_one(supervise: Supervise) -> None:
    slow = (
        "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.5), sys.exit('bye')));"
        "print('up', flush=True); time.sleep(600)"
    )
    running = supervise({"slow": slow})
    running.wait_for_output("slow: up")
    running.process.send_signal(signal.SIGINT)
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(30) == 0
    assert "slow: bye" in running.output()


def test_a_supervisor_killed_by_sigkill_leaves_no_program_behind(supervise: Supervise) -> None:
    running = supervise({"one": SLEEP}, {"two": SLEEP})
    running.wait_for_output("two: up", "test: all ready")
    first, second = running.children()
    running.process.kill()
    running.process.wait(30)
    running.wait_until(lambda: running.is_gone(first) and running.is_gone(second), "both programs are gone")


def test_output_without_line_ends_and_in_no_valid_encoding_is_logged(
    supervise: Supervise,
) -> None:
    code = "import sys, time; sys.stdout.buffer.write(b'caf\\xe9 ' + b'x' * 200_000)"
    running = supervise({"odd": code})
    assert running.process.wait(60) == 1
    lines = [line for line in running.output().splitlines() if line.startswith("odd: ")]
    assert lines[0].startswith("odd: caf\N{REPLACEMENT CHARACTER} x")
    assert sum(line.count("x") for line in lines) == 5 * 200_000
