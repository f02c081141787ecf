"""Keeps the programs of an installation running: starts them in order, restarts those that die, stops them all.

It uses a single thread, because Linux ends a child when the *thread* that started it ends. So no program outlives its
launcher, not even one killed by SIGKILL. (On other systems, only a clean stop ends all programs.)
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

QUICK_FAILURE_SECONDS = 5.0  # a program that ran for less than this has failed quickly
MAX_QUICK_FAILURES = 5  # after this many in a row, the supervisor gives up
MIN_PAUSE_SECONDS = 0.2  # before a restart; doubled with each quick failure
POLL_SECONDS = 0.1  # between two checks of a program that is not ready yet, or has not stopped yet
DUPLICATE_SIGNAL_SECONDS = 1.0  # one request to stop may arrive twice: from the terminal and from make
MAX_LINE_BYTES = 16 * 1024  # longer lines of output are split
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Log = Callable[[str, str], None]  # the name of a program, and a line of its output


class GaveUp(Exception):
    """A program failed too often; the message is one line."""


def _always() -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Program:
    """One program to keep running.

    `is_ready` is polled until it returns True, before the next stage starts; it must return within a second.
    `stop_timeout` is how many seconds the program may take to end after SIGTERM. `keep_open` are file descriptors
    that the program inherits.
    """

    name: str
    argv: Sequence[str]
    environ: Mapping[str, str] | None = None
    folder: str | os.PathLike[str] | None = None
    keep_open: Sequence[int] = ()
    stop_timeout: float = 5.0
    is_ready: Callable[[], bool] = _always


class _Managed:
    """A program with its current process, or the time of its next start."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self.pipe: int | None = None
        self.incomplete_line = b""
        self.started_at = 0.0
        self.start_due = 0.0
        self.failures = 0


class Supervisor:
    """Runs programs in stages, until a signal. Each stage starts once the one before is ready.

    Args:
        stages: the programs of each stage.
        log: receives each line of output.
        on_ready: called once, when all programs are ready.
        on_stopping: called before the first program is stopped.
        min_pause: seconds before the first restart of a program.
    """

    def __init__(
        self,
        stages: Sequence[Sequence[Program]],
        *,
        log: Log,
        on_ready: Callable[[], None],
        on_stopping: Callable[[], None],
        min_pause: float = MIN_PAUSE_SECONDS,
    ) -> None:
        self._stages = [[_Managed(program) for program in stage] for stage in stages]
        self._started_stages = 0
        self._log = log
        self._on_ready = on_ready
        self._on_stopping = on_stopping
        self._min_pause = min_pause
        self._stop_requested_at: float | None = None
        self._kill_now = False
        self._selector = selectors.DefaultSelector()

    def run(self) -> None:
        """Start everything and keep it running. Return after a clean stop. Raises `GaveUp`."""
        self._install_wakeup_fd()
        try:
            self._run_until_stopped()
        finally:
            self._stop()

    def _run_until_stopped(self) -> None:
        all_ready = False
        while self._stop_requested_at is None:
            if not all_ready and self._is_last_stage_ready():
                all_ready = self._started_stages == len(self._stages)
                if all_ready:
                    self._on_ready()
                else:
                    self._started_stages += 1
            started = [managed for stage in self._stages[: self._started_stages] for managed in stage]
            for managed in started:
                self._supervise(managed)
            waits = [managed.start_due - time.monotonic() for managed in started if managed.process is None]
            if not all_ready:
                waits.append(POLL_SECONDS)
            self._listen(max(0.0, min(waits)) if waits else None)

    def _is_last_stage_ready(self) -> bool:
        stage = self._stages[self._started_stages - 1] if self._started_stages else ()
        return all(managed.process is not None and managed.program.is_ready() for managed in stage)

    def _supervise(self, managed: _Managed) -> None:
        if managed.process is None and time.monotonic() >= managed.start_due:
            managed.started_at = time.monotonic()
            try:
                self._start(managed)
            except OSError as error:
                self._plan_restart(managed, f"could not be started ({error})")
        elif ending := self._reap(managed):
            self._plan_restart(managed, ending)

    def _plan_restart(self, managed: _Managed, ending: str) -> None:
        quick = time.monotonic() - managed.started_at < QUICK_FAILURE_SECONDS
        managed.failures = managed.failures + 1 if quick else 1
        if managed.failures >= MAX_QUICK_FAILURES:
            raise GaveUp(f"{managed.program.name} {ending}, {managed.failures} times in quick succession: giving up")
        pause = self._min_pause * 2 ** (managed.failures - 1)
        managed.start_due = time.monotonic() + pause
        self._log("croupier", f"{managed.program.name} {ending}; restarting it in {pause:.1f} s")

    def _start(self, managed: _Managed) -> None:
        program = managed.program
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        try:
            managed.process = subprocess.Popen(
                program.argv,
                stdin=subprocess.DEVNULL,
                stdout=writer,
                stderr=subprocess.STDOUT,
                cwd=program.folder,
                env=program.environ,
                pass_fds=program.keep_open,
                process_group=0,  # Ctrl-C reaches only the launcher, which stops the programs in order
                preexec_fn=die_with_parent(),  # noqa: PLW1509 - safe: there is one thread
            )
        except BaseException:
            os.close(reader)
            raise
        finally:
            os.close(writer)
        managed.pipe = reader
        self._selector.register(reader, selectors.EVENT_READ, managed)

    def _reap(self, managed: _Managed) -> str | None:
        """If the process has ended, kill the rest of its group, print its last output, and return how it ended."""
        process = managed.process
        if process is None or os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return None
        _kill_group(process)  # before it is reaped: until then, its id cannot be reused
        code = process.wait()
        managed.process = None
        while self._read(managed):
            pass
        self._close(managed)
        return f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"

    def _stop(self) -> None:
        """Stop the stages, last first. Kill what does not end in time; after a second signal, kill at once."""
        self._on_stopping()
        for stage in reversed(self._stages[: self._started_stages]):
            signaled_at = time.monotonic()
            for managed in stage:
                if managed.process is not None:
                    os.kill(managed.process.pid, signal.SIGTERM)  # Popen.terminate() might reap it unnoticed
            while living := [managed for managed in stage if not self._reap(managed) and managed.process is not None]:
                for managed in living:
                    if self._kill_now or time.monotonic() - signaled_at > managed.program.stop_timeout:
                        self._log("croupier", f"{managed.program.name} did not end; killing it")
                        _kill_group(managed.process)
                self._listen(POLL_SECONDS)
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # another signal must not change the exit status

    # Output.

    def _listen(self, seconds: float | None) -> None:
        for key, _ in self._selector.select(seconds):
            if isinstance(key.data, _Managed):
                self._read(key.data)
            else:
                with contextlib.suppress(BlockingIOError):
                    os.read(key.fd, 4096)

    def _read(self, managed: _Managed) -> bool:
        """Log the output of a program; return False when there is none at the moment."""
        if managed.pipe is None:
            return False
        try:
            output = os.read(managed.pipe, 65536)
        except BlockingIOError:
            return False
        if not output:
            self._close(managed)
            return False
        *lines, managed.incomplete_line = (managed.incomplete_line + output).split(b"\n")
        if len(managed.incomplete_line) > MAX_LINE_BYTES:
            lines.append(managed.incomplete_line)
            managed.incomplete_line = b""
        for line in lines:
            self._log(managed.program.name, line.decode(errors="replace").rstrip())
        return True

    def _close(self, managed: _Managed) -> None:
        if managed.pipe is not None:
            self._selector.unregister(managed.pipe)
            os.close(managed.pipe)
            managed.pipe = None
        if managed.incomplete_line:
            self._log(managed.program.name, managed.incomplete_line.decode(errors="replace").rstrip())
            managed.incomplete_line = b""

    # Signals.

    def _install_wakeup_fd(self) -> None:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        self._wakeup_sockets = (ours, theirs)
        self._selector.register(ours, selectors.EVENT_READ)
        signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only the wake-up is needed
        for number in STOP_SIGNALS:
            signal.signal(number, self._on_stop_signal)

    def _on_stop_signal(self, _signal: int, _frame: FrameType | None) -> None:
        if self._stop_requested_at is None:
            self._stop_requested_at = time.monotonic()
        elif time.monotonic() - self._stop_requested_at > DUPLICATE_SIGNAL_SECONDS:
            self._kill_now = True


def _kill_group(process: subprocess.Popen[bytes] | None) -> None:
    if process is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the group is empty
            os.killpg(process.pid, signal.SIGKILL)
