"""The launcher with its own store, gunicorn and settings, around an application and a worker of a few lines.

`python -m tests.service.stand_in`: the launcher's behaviour does not depend on what is served.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

from service import launcher
from service.supervisor import Program

WORKER = "import os, time; print('queue at', os.environ['CROUPIER_QUEUE_URL'], flush=True); time.sleep(3600)"


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Healthy at any path."""
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]


def _stands_in(program: Program) -> Program:
    if program.name == "web":
        return dataclasses.replace(program, argv=(*program.argv[:-1], "tests.service.stand_in:app"))
    if program.name.startswith("worker"):
        return dataclasses.replace(program, argv=(sys.executable, "-c", WORKER))
    return program


if __name__ == "__main__":
    real = launcher.programs
    launcher.programs = lambda *args: [[_stands_in(program) for program in stage] for stage in real(*args)]
    sys.exit(launcher.main(os.environ))
