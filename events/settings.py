"""What an operator may set, read once from the environment; a wrong value is told in one line."""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

SCHEMES = ("redis://", "rediss://", "unix://", "redis+cluster://", "rediss+cluster://")
SECRET_FILE = "secret-key"  # noqa: S105 - the name of a file
RECORD_KEY_FILE = "record-key"
STORE_URL_FILE = "store-url"
QUEUE_URL_FILE = "queue-url"
SHORTEST_SECRET = 16
MOST_PROCESSES = 64
MOST_DAYS = 36_500


class BadSetting(ValueError):
    """A setting that cannot be used; the message names the variable and says what is wrong."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one installation, with the defaults of a first try on one's own machine.

    `redis_url` is None when the launcher is to start the embedded store. `secret_key` is None when it is
    to be made and kept in the data folder: `signing_key` gives the one in force. `record_key` likewise, which
    signs records: `sealing_secret`. `keep_days` is None when archived games are kept for ever.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = Path("var")
    redis_url: str | None = None
    queue_url: str | None = None
    secret_key: str | None = None
    record_key: str | None = None
    workers: int = 1
    web_processes: int = 2
    origins: tuple[str, ...] = ()
    proxies: int = 0
    limits: bool = True
    log_requests: bool = False
    keep_days: int | None = None
    credit_outages: bool = True

    def __repr__(self) -> str:  # no secret and no password of a URL ever reaches a log
        return f"Settings(host={self.host!r}, port={self.port!r}, data={str(self.data)!r})"

    def urls(self) -> tuple[str, str]:
        """The URLs of store and queue, for a program that starts neither; raises BadSetting when there are none."""
        if self.redis_url is None:
            raise BadSetting("CROUPIER_REDIS_URL must be set: only the launcher brings a store of its own.")
        return self.redis_url, self.queue_url or self.redis_url

    def signing_key(self) -> str:
        """The key that signs access tokens; raises OSError when it can be neither read nor kept."""
        return self.secret_key or kept_secret(self.data)

    def sealing_secret(self) -> str:
        """The secret of the key that signs records; raises OSError when it can be neither read nor kept."""
        return self.record_key or kept_secret(self.data, RECORD_KEY_FILE)


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Settings from `CROUPIER_…` variables; one that is missing or empty keeps its default."""
    defaults = Settings()
    redis_url = _url(environ, "CROUPIER_REDIS_URL")
    queue_url = _url(environ, "CROUPIER_QUEUE_URL") or redis_url
    if queue_url and "+cluster://" in queue_url:
        raise BadSetting("CROUPIER_QUEUE_URL must name a single server: the queue does not run on a cluster.")
    return Settings(
        host=environ.get("CROUPIER_HOST") or defaults.host,
        port=_whole(environ, "CROUPIER_PORT", defaults.port, most=65535),
        data=Path(environ.get("CROUPIER_DATA") or defaults.data).absolute(),
        redis_url=redis_url,
        queue_url=queue_url,
        secret_key=_secret(environ, "CROUPIER_SECRET_KEY"),
        record_key=_secret(environ, "CROUPIER_RECORD_KEY"),
        workers=_whole(environ, "CROUPIER_WORKERS", defaults.workers, most=MOST_PROCESSES),
        web_processes=_whole(environ, "CROUPIER_WEB_PROCESSES", defaults.web_processes, most=MOST_PROCESSES),
        origins=_origins(environ),
        proxies=_whole(environ, "CROUPIER_PROXIES", defaults.proxies, least=0, most=10),
        limits=_switch(environ, "CROUPIER_LIMITS", defaults.limits),
        log_requests=_switch(environ, "CROUPIER_LOG_REQUESTS", defaults.log_requests),
        keep_days=_whole(environ, "CROUPIER_KEEP_DAYS", 0, most=MOST_DAYS) or None,
        credit_outages=_switch(environ, "CROUPIER_CREDIT_OUTAGES", defaults.credit_outages),
    )


def kept_secret(folder: Path, name: str = SECRET_FILE) -> str:
    """The secret kept in `folder` under a name, made at the first call; safe when several processes call at once."""
    kept = folder / name
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        # mkstemp opens with 0600; a link appears whole or not at all, and never replaces an older one.
        handle, written = tempfile.mkstemp(prefix=f".{name}-", dir=folder)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(48))
                file.flush()
                os.fsync(file.fileno())
            os.link(written, kept)
        except FileExistsError:
            pass
        finally:
            Path(written).unlink()
    secret = kept.read_text(encoding="ascii").strip()
    if len(secret) < SHORTEST_SECRET:
        raise BadSetting(f"{kept} holds no secret of at least {SHORTEST_SECRET} characters.")
    return secret


def _url(environ: Mapping[str, str], name: str) -> str | None:
    url = environ.get(name) or None
    if url and not url.startswith(SCHEMES):
        raise BadSetting(f"{name} must begin with one of {', '.join(SCHEMES)}.")
    try:
        _ = urlsplit(url or "").port
    except ValueError as error:  # the URL itself is not repeated, it may hold a password
        raise BadSetting(f"{name} is no URL: {error}.") from error
    return url


def _origins(environ: Mapping[str, str]) -> tuple[str, ...]:
    origins = tuple((environ.get("CROUPIER_ORIGINS") or "").replace(",", " ").split())
    for origin in origins:
        if origin != "*" and not re.fullmatch(r"https?://[^/\s]+", origin):
            raise BadSetting(f"CROUPIER_ORIGINS: {origin!r} is not an origin like https://example.org.")
    return origins


def _whole(environ: Mapping[str, str], name: str, default: int, *, least: int = 1, most: int) -> int:
    told = environ.get(name)
    if not told:
        return default
    # isdecimal also admits digits of other scripts, which int() reads as well
    if not told.isdecimal() or not least <= int(told) <= most:
        raise BadSetting(f"{name} must be a whole number from {least} to {most}, not {told!r}.")
    return int(told)


def _switch(environ: Mapping[str, str], name: str, default: bool) -> bool:
    return bool(_whole(environ, name, int(default), least=0, most=1))


def _secret(environ: Mapping[str, str], name: str) -> str | None:
    secret = environ.get(name) or None
    if secret and len(secret) < SHORTEST_SECRET:
        raise BadSetting(f"{name} must have at least {SHORTEST_SECRET} characters.")
    return secret
