"""A launcher under test: a real process with its programs, what it tells, and the proof that all are gone."""

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

CHECKOUT = Path(__file__).resolve().parents[2]
MARK = "CROUPIER_DATA"  # every process of a launcher is started with it in its environment
SECONDS = 60.0  # far more than anything takes, but the machine may be busy


Launch = Callable[..., "Launched"]


@contextlib.contextmanager
def launching() -> Iterator[Launch]:
    """Gives what starts a command on a data folder in `folder`, with more environment; at the end whatever
    is left of it is killed."""
    started: list[Launched] = []

    def launch(argv: Sequence[str], folder: Path, **environ: str) -> Launched:
        started.append(Launched(argv, folder, environ))
        return started[-1]

    try:
        yield launch
    finally:
        for each in started:
            each.end()


class Launched:
    """A process started on a data folder; its output goes to a file there and can be read at any time."""

    def __init__(self, argv: Sequence[str], folder: Path, environ: Mapping[str, str]) -> None:
        self.data = Path(environ.get(MARK, folder / "data"))
        self.port = int(environ.get("CROUPIER_PORT", 0))
        self._output = folder / f"output-{time.monotonic_ns()}"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                argv,
                cwd=CHECKOUT,
                env={**inherited, MARK: str(self.data), **environ},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def told(self) -> str:
        """All that it and its programs have said so far."""
        return self._output.read_text()

    def until(self, condition: Callable[[], object], what: str, *, seconds: float = SECONDS) -> None:
        """Wait for a condition; fail with all that was said when it does not come."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"not after {seconds} s: {what}\n{self.told()}")
            time.sleep(0.01)

    def until_said(self, *texts: str) -> None:
        """Wait until each of the texts was said; fail at once when it has ended without."""

        def was_said() -> bool:
            has_ended = self.process.poll() is not None
            missing = [text for text in texts if text not in self.told()]
            if missing and has_ended:
                pytest.fail(f"it ended and never said {missing}\n{self.told()}")
            return not missing

        self.until(was_said, f"it says {texts}")

    def children(self) -> list[psutil.Process]:
        """Its programs, in the order in which they were started."""
        return sorted(psutil.Process(self.process.pid).children(), key=lambda child: child.create_time())

    def programs(self, word: str) -> list[psutil.Process]:
        """Those of its programs that live and have this word in their command."""
        return [child for child in self.children() if not self.is_gone(child) and _command_has(child, word)]

    def program(self, word: str) -> psutil.Process:
        """The one program that has this word in its command."""
        (found,) = self.programs(word)
        return found

    def kill(self, process: psutil.Process) -> None:
        """kill -9, and wait until it is gone."""
        process.kill()
        self.until(lambda: self.is_gone(process), f"process {process.pid} is gone")

    def asked_to_stop_again(self) -> bool:
        """Send SIGTERM, once more at each call; true when the process has ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.poll() is not None

    @staticmethod
    def is_gone(process: psutil.Process) -> bool:
        """Whether it has ended; one that nobody has buried yet has ended too."""
        try:
            return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    def left(self) -> list[psutil.Process]:
        """Every living process of the machine that belongs to this data folder."""
        return [process for process in psutil.process_iter() if self._is_ours(process)]

    def until_nothing_is_left(self, seconds: float = SECONDS) -> None:
        """Wait until no process of this data folder lives."""
        self.until(lambda: not self.left(), f"nothing is left, but {self.left()}", seconds=seconds)

    def end(self) -> None:
        """For the end of a test, however it went: kill whatever is there."""
        while left := self.left():
            for process in left:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            if self.process.poll() is None:
                self.process.wait(SECONDS)
        self.process.wait(SECONDS)

    def _is_ours(self, process: psutil.Process) -> bool:
        """A server of a store writes its title over its environment; it works in a folder of its own in ours."""
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
