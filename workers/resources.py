"""What the jobs of one worker process share: its settings, its store, its games, its queue.

`main` of each program opens the resources once, and hands them to whatever it calls. RQ calls jobs by their names:
`workers.jobs.Worker` gives them its resources as the first argument.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from rq import Queue

from events.games.command_handler import CommandHandler, now_ms
from events.games.downtime import DowntimeLog
from events.games.snapshots import SNAPSHOT_EVERY
from events.jobs.leases import JobLeases
from events.jobs.queue import PROJECT, enqueue, open_queue
from events.lists.game_index import GameIndex
from events.settings import Settings
from events.store.archiving_store import ArchivingStore
from events.store.connection import Client, connect
from games.rulebooks import RULEBOOKS
from workers.standings import RatingUpdater


@dataclass(frozen=True)
class Resources:
    """What the jobs of one worker process share.

    Args:
        clock: returns the time in milliseconds since the epoch.
        monotonic: returns seconds that never go back; time slices are measured by it.
        snapshot_every: a game gets a new snapshot after this many decisions.
    """

    settings: Settings
    client: Client
    queue: Queue
    store: ArchivingStore
    leases: JobLeases
    game_index: GameIndex
    downtime_log: DowntimeLog
    games: CommandHandler
    ratings: RatingUpdater
    clock: Callable[[], int] = now_ms
    monotonic: Callable[[], float] = time.monotonic
    snapshot_every: int = SNAPSHOT_EVERY


def open_resources(settings: Settings) -> Resources:
    """Open everything that jobs need, as the settings say. Raises InvalidSetting."""
    store_url, queue_url = settings.urls()
    client, queue = connect(store_url), open_queue(queue_url)
    store, game_index = ArchivingStore(client), GameIndex(client)
    downtime_log = DowntimeLog(client, now_ms, credit=settings.compensate_downtime)
    games = CommandHandler(
        store,
        RULEBOOKS,
        plays_bots=True,
        downtime_log=downtime_log,
        call_projector=lambda game: enqueue(queue, PROJECT, game),
    )
    ratings = RatingUpdater(game_index, games)
    return Resources(settings, client, queue, store, JobLeases(client), game_index, downtime_log, games, ratings)
