"""The programs that are measured: the embedded store, Croupier, and the baseline beside it."""

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

CHECKOUT = Path(__file__).resolve().parents[2]
SECRET = "the benchmark signs its own tokens"  # noqa: S105 - of the benchmark only
START_TIMEOUT_SECONDS = 60.0
STOP_TIMEOUT_SECONDS = 20.0
POLL_SECONDS = 0.05


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is deleted at the end of a `with` block."""
    return tempfile.TemporaryDirectory(prefix="croupier-bench-")


class Server(NamedTuple):
    """An HTTP server on a port of this machine."""

    port: int
    process: subprocess.Popen[bytes]

    def web_seconds(self) -> float:
        """Return the processor seconds that all gunicorn processes have used so far."""
        spent = 0.0
        for process in [psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)]:
            if "gunicorn" in " ".join(process.cmdline()):
                times = process.cpu_times()
                spent += times.user + times.system
        return spent


class Servers(NamedTuple):
    """A store, Croupier on it, and the baseline on the same store."""

    store: EmbeddedServer
    croupier: Server
    baseline: Server


@contextlib.contextmanager
def run_servers() -> Iterator[Servers]:
    """Run everything; stop it at the end."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with temporary_folder() as folder, store_and_queue(folder) as (store, common):
        launcher = (sys.executable, "-m", "service.runtime.launcher")
        gunicorn = (sys.executable, "-m", "gunicorn", "--config", "python:service.runtime.gunicorn_conf")
        baseline = (*gunicorn, "bench.harness.baseline:create_app()")
        with running(launcher, folder, common) as ours, running(baseline, folder, common) as bare:
            yield Servers(store, ours, bare)


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
    settings = {"CROUPIER_PORT": str(port), "CROUPIER_DATA": str(Path(folder, f"data-{port}"))}
    output_file = Path(folder, f"output-{port}")
    with output_file.open("wb") as output:
        process = subprocess.Popen(
            argv, cwd=CHECKOUT, env=inherited | environ | settings, stdout=output, stderr=subprocess.STDOUT
        )
    server = Server(port, process)
    try:
        _wait_for(server, output_file)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(server: Server, output_file: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while not _is_healthy(server.port):
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the server did not start; its output:\n{output_file.read_text(errors='replace')}")
        time.sleep(POLL_SECONDS)


def _is_healthy(port: int) -> bool:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=1)) as connection:
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
