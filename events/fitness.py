"""The check of the store by every process that uses it: at its start, or as soon as the store answers."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time

from events.connection import Client, SilentStore, UnfitStore, check_server
from events.telling import one_line

log = logging.getLogger(__name__)

EVERY_SECONDS = 1.0


def check_store(client: Client, status: int = 1) -> None:
    """Log what the store does not promise. Raises `UnfitStore` when it must not hold games.

    A store that does not answer yet is waited for beside everything else; one that is found unfit then ends this
    process, with a status.
    """
    try:
        _warn(client)
    except SilentStore as error:
        log.warning("the store is not checked yet: %s", error)
        threading.Thread(target=_check_later, args=(client, status), name="check", daemon=True).start()


def _check_later(client: Client, status: int) -> None:
    while True:
        time.sleep(EVERY_SECONDS)
        try:
            _warn(client)
        except SilentStore:
            continue
        except UnfitStore as error:
            print(one_line(error), file=sys.stderr, flush=True)  # noqa: T201 - for the operator
            logging.shutdown()
            os._exit(status)
        return


def _warn(client: Client) -> None:
    for warning in check_server(client):
        log.warning("%s", warning)
