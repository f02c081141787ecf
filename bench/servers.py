"""The programs that are measured: the embedded store, the whole table, and the floor beside it."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

from events.store.embedded import NO_PERSISTENCE, EmbeddedServer, free_port

CHECKOUT = Path(__file__).resolve().parent.parent
SECRET = "the benchmark signs its own tokens"  # noqa: S105 - nobody else's
START_SECONDS = 60.0
STOP_SECONDS = 20.0
GLANCE_SECONDS = 0.05


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is deleted at the end of a `with` block."""
    return tempfile.TemporaryDirectory(prefix="croupier-bench-")


class Server(NamedTuple):
    """Something that answers HTTP on a port of this machine."""

    port: int
    process: subprocess.Popen[bytes]

    def web_seconds(self) -> float:
        """The processor seconds that all its gunicorn processes together have taken so far."""
        spent = 0.0
        for process in [psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)]:
            if "gunicorn" in " ".join(process.cmdline()):
                times = process.cpu_times()
                spent += times.user + times.system
        return spent


class Installation(NamedTuple):
    """A store, the whole table on it, and the floor on the same store."""

    store: EmbeddedServer
    table: Server
    floor: Server


@contextlib.contextmanager
def installation() -> Iterator[Installation]:
    """Run everything; stop it at the end."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with temporary_folder() as folder, store_and_queue(folder) as (store, common):
        table = (sys.executable, "-m", "service.runtime.launcher")
        gunicorn = (sys.executable, "-m", "gunicorn", "--config", "python:service.runtime.gunicorn_conf")
        floor = (*gunicorn, "bench.baseline:create_app()")
        with running(table, folder, common) as ours, running(floor, folder, common) as bare:
            yield Installation(store, ours, bare)


@contextlib.contextmanager
def store_and_queue(folder: str) -> Iterator[tuple[EmbeddedServer, dict[str, str]]]:
    """Run a store and a queue as the launcher would; yield the store, and environment variables that name both."""
    with (
        EmbeddedServer(Path(folder, "store")) as store,
        EmbeddedServer(Path(folder, "queue"), flags=NO_PERSISTENCE) as queue,
    ):
        environ = {"CROUPIER_REDIS_URL": store.url, "CROUPIER_QUEUE_URL": queue.url, "CROUPIER_SECRET_KEY": SECRET}
        yield store, environ


@contextlib.contextmanager
def running(argv: Sequence[str], folder: str, environ: dict[str, str]) -> Iterator[Server]:
    """Run a server on a free port until the block ends; if it does not start, its output is in the error."""
    port = free_port()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    own = {"CROUPIER_PORT": str(port), "CROUPIER_DATA": str(Path(folder, f"data-{port}"))}
    said = Path(folder, f"said-{port}")
    with said.open("wb") as output:
        process = subprocess.Popen(
            argv, cwd=CHECKOUT, env=inherited | environ | own, stdout=output, stderr=subprocess.STDOUT
        )
    server = Server(port, process)
    try:
        _wait_for(server, said)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(server: Server, said: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _is_healthy(server.port):
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the server did not start; it said:\n{said.read_text(errors='replace')}")
        time.sleep(GLANCE_SECONDS)


def _is_healthy(port: int) -> bool:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=1)) as connection:
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
