"""`python -m service.runtime.launcher`: starts everything: the store, the queue, the workers and the web.

It first checks everything that could be wrong, and reports an error in one line. The launcher and every program that it
starts lock the data folder, so the next launcher waits until the last of them has ended. The launcher opens the
listening socket and hands it to gunicorn: while the web restarts, callers wait instead of being refused.
"""

from __future__ import annotations

import fcntl
import http.client
import ipaddress
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from redis.exceptions import RedisError

from events.cli_errors import first_line
from events.settings import QUEUE_URL_FILE, STORE_URL_FILE, InvalidSetting, Settings, read_settings
from events.store.connection import IncompatibleStore, check_server, connect
from events.store.embedded import NO_PERSISTENCE, EmbeddedServer, StartFailed, free_port
from service.runtime.supervisor import GaveUp, Program, Supervisor

CHECKOUT = Path(__file__).resolve().parents[2]
LOCK_TIMEOUT_SECONDS = 20.0  # the programs of a killed launcher have this long to end
HEALTH_TIMEOUT_SECONDS = 0.5
SOCKET_BACKLOG = 2048
# A program that has not ended after this time is killed. Normally all stop within two seconds, six if streams are open.
WEB_STOP_TIMEOUT_SECONDS = 6.0
WORKER_STOP_TIMEOUT_SECONDS = 4.0
STORE_STOP_TIMEOUT_SECONDS = 3.0


class StartRefused(Exception):
    """The installation cannot start; the message is one line for the operator."""


def main(environ: Mapping[str, str]) -> int:
    """Run until a signal; return the exit status: 0 after a clean stop, 1 after an error."""
    try:
        supervisor = prepare(environ)
        supervisor.run()
    except (StartRefused, InvalidSetting, IncompatibleStore, StartFailed, GaveUp) as error:
        print(first_line(error), file=sys.stderr)  # noqa: T201
        return 1
    log("croupier", "all programs have stopped")
    return 0


def prepare(environ: Mapping[str, str]) -> Supervisor:
    """Check everything that could be wrong; return a supervisor of the programs."""
    settings = read_settings(environ)
    lock = lock_folder(settings.data)
    listener = listen(settings.host, settings.port)
    try:
        settings.signing_key()
        check_stores(settings)
        stages = programs(settings, environ, listener, lock)
    except OSError as error:
        raise StartRefused(f"the data folder {settings.data} cannot be used: {error} (CROUPIER_DATA)") from error
    return Supervisor(stages, log=log, on_ready=lambda: print_banner(settings), on_stopping=listener.close)


def log(program: str, line: str) -> None:
    """Print one line of the log, after the name of the program. If the terminal is gone, stop everything."""
    try:
        print(f"{program:<8} | {line}", flush=True)  # noqa: T201 - the log of the launcher is the terminal
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - it stays open
        signal.raise_signal(signal.SIGTERM)


# Checks before the start.


def lock_folder(folder: Path) -> int:
    """Create and lock the data folder. The lock lasts while any process holds the returned descriptor open."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        lock = os.open(folder / "launcher.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StartRefused(f"the data folder {folder} cannot be used: {error.strerror} (CROUPIER_DATA)") from error
    deadline = time.monotonic() + LOCK_TIMEOUT_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            owner = os.pread(lock, 20, 0).decode().strip()
            if _is_alive(owner) or time.monotonic() > deadline:
                raise StartRefused(f"another launcher (process {owner or 'unknown'}) is running on {folder}") from None
            time.sleep(0.05)
    os.truncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def listen(host: str, port: int) -> socket.socket:
    """Open the socket that the web serves."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(SOCKET_BACKLOG)
    except OSError as error:
        raise StartRefused(
            f"cannot listen at {host}, port {port}: {error.strerror} (CROUPIER_HOST, CROUPIER_PORT)"
        ) from error
    return listener


def check_stores(settings: Settings) -> None:
    """Refuse an external store that is unsuitable or unreachable; warn about guarantees that it does not give."""
    if settings.redis_url:
        try:
            for warning in check_server(connect(settings.redis_url)):
                log("croupier", f"warning: {warning}")
        except (IncompatibleStore, RedisError, ValueError, OSError) as error:
            raise StartRefused(f"CROUPIER_REDIS_URL, {redact_url(settings.redis_url)}: {error}") from error
    if settings.queue_url and settings.queue_url != settings.redis_url:
        try:
            connect(settings.queue_url).ping()
        except (IncompatibleStore, RedisError, ValueError, OSError) as error:
            raise StartRefused(f"CROUPIER_QUEUE_URL, {redact_url(settings.queue_url)}: {error}") from error


# Programs.


def programs(
    settings: Settings, environ: Mapping[str, str], listener: socket.socket, lock: int
) -> Sequence[Sequence[Program]]:
    """Return the stages: the embedded store and queue, if none are configured; the workers; the web."""
    stages = []
    redis_url, queue_url = settings.redis_url, settings.queue_url
    if redis_url is None:
        store = EmbeddedServer(settings.data / "store", port=free_port(), flags=_server_flags("store"))
        redis_url, servers = store.url, [_server("store", store, environ, lock)]
        if queue_url is None:  # jobs may be lost, so this server need not write to disk
            flags = (*_server_flags("queue"), *NO_PERSISTENCE)
            queue = EmbeddedServer(settings.data / "queue", port=free_port(), flags=flags)
            queue_url = queue.url
            servers.append(_server("queue", queue, environ, lock))
        stages.append(servers)
        (settings.data / STORE_URL_FILE).write_text(redis_url + "\n", "ascii")
        (settings.data / QUEUE_URL_FILE).write_text(queue_url + "\n", "ascii")
    environ = {
        **environ,
        "CROUPIER_HOST": settings.host,
        "CROUPIER_PORT": str(settings.port),
        "CROUPIER_DATA": str(settings.data),
        "CROUPIER_REDIS_URL": redis_url,
        "CROUPIER_QUEUE_URL": queue_url or redis_url,
        "PROMETHEUS_MULTIPROC_DIR": str(_fresh_folder(settings.data / "metrics")),
        "PYTHONUNBUFFERED": "1",
    }
    return [*stages, _workers(settings, environ, lock), [_web(settings, environ, listener, lock)]]


def _server_flags(name: str) -> tuple[str, ...]:
    """Return flags with which a server logs to the terminal and has a clear name in the list of processes."""
    return ("--logfile", "", "--proc-title-template", f"croupier-{name} {{listen-addr}}")


def _fresh_folder(folder: Path) -> Path:
    """Return an empty folder; delete the metrics of an earlier start."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder


def _server(name: str, server: EmbeddedServer, environ: Mapping[str, str], lock: int) -> Program:
    server.folder.mkdir(mode=0o700, exist_ok=True)
    client = connect(server.url)

    def has_loaded_data() -> bool:
        try:
            return not client.info("persistence")["loading"]
        except (RedisError, OSError):
            return False

    return Program(
        name=name,
        argv=server.command(),
        environ={**environ, "LC_ALL": "C"},
        folder=server.folder,
        keep_open=(lock,),
        stop_timeout=STORE_STOP_TIMEOUT_SECONDS,
        is_ready=has_loaded_data,
    )


def _workers(settings: Settings, environ: Mapping[str, str], lock: int) -> list[Program]:
    names = ["worker"] if settings.workers == 1 else [f"worker {n}" for n in range(1, settings.workers + 1)]
    argv = (sys.executable, "-m", "workers")
    return [
        Program(
            name=name,
            argv=argv,
            environ=environ,
            folder=CHECKOUT,
            keep_open=(lock,),
            stop_timeout=WORKER_STOP_TIMEOUT_SECONDS,
        )
        for name in names
    ]


def _web(settings: Settings, environ: Mapping[str, str], listener: socket.socket, lock: int) -> Program:
    gunicorn = (sys.executable, "-m", "gunicorn", "--config", "python:service.runtime.gunicorn_conf")
    host, port = address_for_callers(settings)

    def is_healthy() -> bool:
        connection = http.client.HTTPConnection(host, port, timeout=HEALTH_TIMEOUT_SECONDS)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    return Program(
        name="web",
        argv=(*gunicorn, "--bind", f"fd://{listener.fileno()}", "service.app:create_app()"),
        environ=environ,
        folder=CHECKOUT,
        keep_open=(listener.fileno(), lock),
        stop_timeout=WEB_STOP_TIMEOUT_SECONDS,
        is_ready=is_healthy,
    )


# Messages to the operator.


def print_banner(settings: Settings) -> None:
    """Print the address, and commands to try."""
    host, port = address_for_callers(settings)
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    demo = "make demo" if settings.port == Settings().port else f"CROUPIER_PORT={port} make demo"
    log("croupier", f"Croupier is ready at {address} (games are stored in {settings.data}; Ctrl-C stops)")
    log("croupier", f"try: {demo} (in another terminal), or: curl {address}/v1/rulebooks")


def address_for_callers(settings: Settings) -> tuple[str, int]:
    """Return an address at which callers on this machine reach the web (0.0.0.0, all addresses, is not one)."""
    try:
        is_unspecified = ipaddress.ip_address(settings.host).is_unspecified
    except ValueError:  # a name
        is_unspecified = False
    if is_unspecified:
        return ("::1" if ":" in settings.host else "127.0.0.1"), settings.port
    return settings.host, settings.port


def redact_url(url: str) -> str:
    """Return the URL without user name and password, safe to print."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ValueError, ProcessLookupError):
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(os.environ))
