"""Processes under test: a real launcher or program, its output, and the proof that all of its processes are gone."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import psutil
import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
MARK = "CROUPIER_DATA"  # every process of a launcher has it in its environment
TIMEOUT_SECONDS = 60.0  # far more than anything takes, but the machine may be busy


Launch = Callable[..., "Running"]


@contextlib.contextmanager
def process_launcher() -> Iterator[Launch]:
    """Yield a function that starts a command with its data in `folder`; kill what is left of all commands at the end.

    Keyword arguments of that function are variables of the command's environment.
    """
    started: list[Running] = []

    def launch(argv: Sequence[str], folder: Path, **environ: str) -> Running:
        started.append(Running(argv, folder, environ))
        return started[-1]

    try:
        yield launch
    finally:
        for running in started:
            running.kill_all()


class Running:
    """A process that was started on a data folder. Its output goes to a file, and can be read at any time."""

    def __init__(self, argv: Sequence[str], folder: Path, environ: Mapping[str, str]) -> None:
        self.data = Path(environ.get(MARK, folder / "data"))
        self.port = int(environ.get("CROUPIER_PORT", 0))
        self._file = folder / f"output-{time.monotonic_ns()}"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
        with self._file.open("wb") as file:
            self.process = subprocess.Popen(
                argv,
                cwd=CHECKOUT,
                env={**inherited, MARK: str(self.data), **environ},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )

    def output(self) -> str:
        """The output of the process and its programs so far."""
        return self._file.read_text()

    def wait_until(self, condition: Callable[[], object], what: str, *, seconds: float = TIMEOUT_SECONDS) -> None:
        """Wait for a condition; if it does not become true in time, fail and show the output."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"not after {seconds} s: {what}\n{self.output()}")
            time.sleep(0.01)

    def wait_for_output(self, *texts: str) -> None:
        """Wait until the output contains all texts; fail at once if the process ends before."""

        def is_complete() -> bool:
            has_ended = self.process.poll() is not None
            missing = [text for text in texts if text not in self.output()]
            if missing and has_ended:
                pytest.fail(f"the process ended without the output {missing}\n{self.output()}")
            return not missing

        self.wait_until(is_complete, f"the output contains {texts}")

    def children(self) -> list[psutil.Process]:
        """The programs of a launcher, in the order in which they were started."""
        return sorted(psutil.Process(self.process.pid).children(), key=lambda child: child.create_time())

    def programs(self, word: str) -> list[psutil.Process]:
        """The living programs that have this word in their command."""
        return [child for child in self.children() if not self.is_gone(child) and _command_has(child, word)]

    def program(self, word: str) -> psutil.Process:
        """The only program that has this word in its command."""
        (program,) = self.programs(word)
        return program

    def kill(self, process: psutil.Process) -> None:
        """Send SIGKILL, and wait until the process is gone."""
        process.kill()
        self.wait_until(lambda: self.is_gone(process), f"process {process.pid} is gone")

    def terminate_again(self) -> bool:
        """Send one more SIGTERM; return whether the process has ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.poll() is not None

    @staticmethod
    def is_gone(process: psutil.Process) -> bool:
        """Has the process ended? A zombie has ended too."""
        try:
            return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    def living_processes(self) -> list[psutil.Process]:
        """Every living process of the machine that belongs to this data folder."""
        return [process for process in psutil.process_iter() if self._is_ours(process)]

    def wait_until_all_gone(self, seconds: float = TIMEOUT_SECONDS) -> None:
        """Wait until no process of this data folder lives."""
        self.wait_until(lambda: not self.living_processes(), "all processes are gone", seconds=seconds)

    def kill_all(self) -> None:
        """Kill every process of this data folder, however the test went."""
        while living := self.living_processes():
            for process in living:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            if self.process.poll() is None:
                self.process.wait(TIMEOUT_SECONDS)
        self.process.wait(TIMEOUT_SECONDS)

    def _is_ours(self, process: psutil.Process) -> bool:
        """Does a process belong to this data folder?

        A server of a store overwrites its environment with its title, but its working directory is inside the folder.
        """
        try:
            is_ours = process.environ().get(MARK) == str(self.data) or Path(process.cwd()).parent == self.data
            return is_ours and not self.is_gone(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            return False


def _command_has(process: psutil.Process, word: str) -> bool:
    try:
        return any(word in argument for argument in process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False
