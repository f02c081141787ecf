"""The check that every process makes of the store: when the process starts, or as soon as the store answers."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time

from events.cli_errors import first_line
from events.store.connection import Client, IncompatibleStore, StoreUnreachable, check_server

log = logging.getLogger(__name__)

EVERY_SECONDS = 1.0


def check_store(client: Client, status: int = 1) -> None:
    """Check the store and log warnings about it. Raises `IncompatibleStore` when it must not hold games.

    If the store does not answer yet, a background thread keeps trying; if the store then proves incompatible, that
    thread ends the process with `status`.
    """
    try:
        _warn(client)
    except StoreUnreachable as error:
        log.warning("the store is not checked yet: %s", error)
        threading.Thread(target=_check_later, args=(client, status), name="check", daemon=True).start()


def _check_later(client: Client, status: int) -> None:
    while True:
        time.sleep(EVERY_SECONDS)
        try:
            _warn(client)
        except StoreUnreachable:
            continue
        except IncompatibleStore as error:
            print(first_line(error), file=sys.stderr, flush=True)  # noqa: T201 - for the operator
            logging.shutdown()
            os._exit(status)
        return


def _warn(client: Client) -> None:
    for warning in check_server(client):
        log.warning("%s", warning)
