"""Keeps the programs of an installation running: starts them in order, restarts those that die, stops them all.

It uses a single thread: the kernel ends a child of ours when the *thread* that started it ends, so that no
program outlives its launcher, not even one killed with -9 (on Linux; elsewhere only a clean stop ends them all).
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType

from events.store.child_process import die_with_parent

QUICK_SECONDS = 5.0  # a program that ran for less than this has failed quickly
QUICK_FAILURES = 5  # after this many in a row, the launcher gives up
FIRST_PAUSE_SECONDS = 0.2  # doubled with each quick failure
POLL_SECONDS = 0.1  # between two checks of a program that is not yet ready, or not yet stopped
DUPLICATE_SIGNAL_SECONDS = 1.0  # a single request to stop may arrive twice: from the terminal, and passed on by make
MAX_LINE_BYTES = 16 * 1024  # bytes
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Log = Callable[[str, str], None]  # who speaks, and one line


class GaveUp(Exception):
    """A program would not stay up; the message is one line."""


def _always() -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Program:
    """One program to keep running.

    `is_ready` is polled until it returns True, before the next stage starts; it must answer within a second.
    `patience` is how many seconds the program may take to end after SIGTERM. `keep_open` are file
    descriptors that it inherits.
    """

    name: str
    argv: Sequence[str]
    environ: Mapping[str, str] | None = None
    folder: str | os.PathLike[str] | None = None
    keep_open: Sequence[int] = ()
    stop_timeout: float = 5.0
    is_ready: Callable[[], bool] = _always


class _Managed:
    """A program, with its current process or the time at which it is to be restarted."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self.pipe: int | None = None
        self.line = b""
        self.started = 0.0
        self.due = 0.0
        self.failures = 0


class Supervisor:
    """Runs programs in stages, each started once the one before is ready, until a signal asks to stop.

    `when_ready` is called once, when all are ready; `when_stopping`, before the first is asked to end.
    """

    def __init__(
        self,
        stages: Sequence[Sequence[Program]],
        *,
        say: Log,
        when_ready: Callable[[], None],
        when_stopping: Callable[[], None],
    ) -> None:
        self._stages = [[_Managed(program) for program in stage] for stage in stages]
        self._begun = 0  # stages that have been started
        self._say = say
        self._when_ready = when_ready
        self._when_stopping = when_stopping
        self._asked_to_stop: float | None = None
        self._hurried = False
        self._selector = selectors.DefaultSelector()

    def run(self) -> None:
        """Start everything and keep it running; return after a clean stop, raise `GaveUp` otherwise."""
        self._install_wakeup_fd()
        try:
            self._run_stage()
        finally:
            self._stop()

    def _run_stage(self) -> None:
        all_ready = False
        while self._asked_to_stop is None:
            if not all_ready and self._is_last_stage_ready():
                all_ready = self._begun == len(self._stages)
                if all_ready:
                    self._when_ready()
                else:
                    self._begun += 1
            begun = [kept for stage in self._stages[: self._begun] for kept in stage]
            for kept in begun:
                self._supervise(kept)
            waits = [kept.due - time.monotonic() for kept in begun if kept.process is None]
            if not all_ready:
                waits.append(POLL_SECONDS)
            self._listen(max(0.0, min(waits)) if waits else None)

    def _is_last_stage_ready(self) -> bool:
        stage = self._stages[self._begun - 1] if self._begun else ()
        return all(kept.process is not None and kept.program.is_ready() for kept in stage)

    def _supervise(self, kept: _Managed) -> None:
        if kept.process is None and time.monotonic() >= kept.due:
            kept.started = time.monotonic()
            try:
                self._start(kept)
            except OSError as error:
                self._plan_restart(kept, f"could not be started ({error})")
        elif fate := self._reap(kept):
            self._plan_restart(kept, fate)

    def _plan_restart(self, kept: _Managed, fate: str) -> None:
        quick = time.monotonic() - kept.started < QUICK_SECONDS
        kept.failures = kept.failures + 1 if quick else 1
        if kept.failures >= QUICK_FAILURES:
            raise GaveUp(f"{kept.program.name} {fate}, {kept.failures} times in quick succession; giving up")
        pause = FIRST_PAUSE_SECONDS * 2 ** (kept.failures - 1)
        kept.due = time.monotonic() + pause
        self._say("croupier", f"{kept.program.name} {fate}; starting it again in {pause:.1f} s")

    def _start(self, kept: _Managed) -> None:
        program = kept.program
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        try:
            kept.process = subprocess.Popen(
                program.argv,
                stdin=subprocess.DEVNULL,
                stdout=writer,
                stderr=subprocess.STDOUT,
                cwd=program.folder,
                env=program.environ,
                pass_fds=program.keep_open,
                process_group=0,  # Ctrl-C reaches the launcher alone, which stops the others in order
                preexec_fn=die_with_parent(),  # noqa: PLW1509 - safe: there is one thread
            )
        except BaseException:
            os.close(reader)
            raise
        finally:
            os.close(writer)
        kept.pipe = reader
        self._selector.register(reader, selectors.EVENT_READ, kept)

    def _reap(self, kept: _Managed) -> str | None:
        """If the process has ended, kill the rest of its group, print its last output, and return how it ended."""
        process = kept.process
        if process is None or os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return None
        _kill_group(process)  # before it is reaped: until then, its id cannot be reused
        code = process.wait()
        kept.process = None
        while self._read(kept):
            pass
        self._close(kept)
        return f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"

    def _stop(self) -> None:
        """Stop the stages, last first; kill what does not end in time, or at once if asked to hurry."""
        self._when_stopping()
        for stage in reversed(self._stages[: self._begun]):
            asked = time.monotonic()
            for kept in stage:
                if kept.process is not None:
                    os.kill(kept.process.pid, signal.SIGTERM)  # Popen.terminate() might reap it unnoticed
            while living := [kept for kept in stage if not self._reap(kept) and kept.process is not None]:
                for kept in living:
                    if self._hurried or time.monotonic() - asked > kept.program.stop_timeout:
                        self._say("croupier", f"{kept.program.name} does not end; killing it")
                        _kill_group(kept.process)
                self._listen(POLL_SECONDS)
        for wish in STOP_SIGNALS:
            signal.signal(wish, signal.SIG_IGN)  # we are stopping: another signal must not spoil the exit status

    # What they say.

    def _listen(self, seconds: float | None) -> None:
        for key, _ in self._selector.select(seconds):
            if isinstance(key.data, _Managed):
                self._read(key.data)
            else:
                with contextlib.suppress(BlockingIOError):
                    os.read(key.fd, 4096)

    def _read(self, kept: _Managed) -> bool:
        """Pass on the output of a program; return False when there is none at the moment."""
        if kept.pipe is None:
            return False
        try:
            told = os.read(kept.pipe, 65536)
        except BlockingIOError:
            return False
        if not told:
            self._close(kept)
            return False
        *lines, kept.line = (kept.line + told).split(b"\n")
        if len(kept.line) > MAX_LINE_BYTES:
            lines.append(kept.line)
            kept.line = b""
        for line in lines:
            self._say(kept.program.name, line.decode(errors="replace").rstrip())
        return True

    def _close(self, kept: _Managed) -> None:
        if kept.pipe is not None:
            self._selector.unregister(kept.pipe)
            os.close(kept.pipe)
            kept.pipe = None
        if kept.line:
            self._say(kept.program.name, kept.line.decode(errors="replace").rstrip())
            kept.line = b""

    # Signals.

    def _install_wakeup_fd(self) -> None:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        self._bell = (ours, theirs)
        self._selector.register(ours, selectors.EVENT_READ)
        signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only the wake-up is needed
        for wish in STOP_SIGNALS:
            signal.signal(wish, self._on_stop_signal)

    def _on_stop_signal(self, _signal: int, _frame: FrameType | None) -> None:
        if self._asked_to_stop is None:
            self._asked_to_stop = time.monotonic()
        elif time.monotonic() - self._asked_to_stop > DUPLICATE_SIGNAL_SECONDS:
            self._hurried = True


def _kill_group(process: subprocess.Popen[bytes] | None) -> None:
    if process is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left in it
            os.killpg(process.pid, signal.SIGKILL)
