"""Section `archive`: the memory that a finished game takes in the store, and what many games leave behind."""

import gc
import math
import os
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from bench.harness import page
from events.games.command_handler import CommandHandler
from events.games.commands import TakeSeat
from events.games.participants import new_person
from events.settings import Settings
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from games.kernel import Clock, GameSetup
from workers import archive, bots, project
from workers.resources import Resources, open_resources

GAMES = int(os.environ.get("BENCH_ARCHIVED_GAMES", "2000"))
KINDS = (("six-nimmt", 2), ("six-nimmt", 4), ("vale-of-eternity", 2))
FEWER_GAMES = 10
"""Of all kinds but the first, this many times fewer games are played, because they take longer."""

PROSE = """
## Archive and soak

Games are created, played to their end by `steady` bots through the usual path of a command, projected (lists, results,
ratings), and archived. Every seat has a name and a player. *Running* and *archived*: the growth of the store's memory
per game, with log or packed log, fields, names, lists and results. *Soak*: then all games are deleted, as with
`CROUPIER_KEEP_DAYS`; keys, memory and connections of the store before and after.
"""


class StoreSize(NamedTuple):
    """The size of the store: keys, bytes of its data, connections."""

    keys: int
    memory: int
    connections: int


def measure() -> str:
    """Play, archive and delete games; return the section."""
    rows, soaks = [], []
    for number, (rulebook, seats) in enumerate(KINDS):
        games = GAMES if number == 0 else max(1, GAMES // FEWER_GAMES)
        with (
            tempfile.TemporaryDirectory() as folder,
            EmbeddedServer(Path(folder), flags=("--appendfsync", "everysec")) as server,
        ):
            row, soak = _measure_kind(server.url, rulebook, seats, games)
        rows.append(row)
        soaks.append(soak)
    head = ("games", "number", "decisions per game", "running, bytes per game", "archived, bytes per game")
    after = ("soak", "keys before", "after", "bytes before", "after", "connections before", "after")
    return "\n\n".join((PROSE.strip(), page.table(head, rows), page.table(after, soaks), page.repeat_with("archive")))


def _measure_kind(url: str, rulebook: str, seats: int, games: int) -> tuple[list[str], list[str]]:
    resources = open_resources(Settings(redis_url=url, queue_url=url))
    client = connect(url)
    names = [f"soak{number:012d}" for number in range(games)]
    _play_games(resources, ["warm000000000000"], rulebook, seats)
    _delete(resources, ["warm000000000000"])
    before = _store_size(client)
    decisions = _play_games(resources, names, rulebook, seats)
    running = _store_size(client)
    archive.archive(resources, *names)
    archived = _store_size(client)
    _delete(resources, names)
    gc.collect()
    after = _store_size(client)
    label = f"{rulebook}, {seats} seats"
    grown = [f"{(state.memory - before.memory) / games:,.0f}" for state in (running, archived)]
    row = [label, f"{games:,}", f"{decisions / games:.0f}", *grown]
    soak = [label, *(str(value) for pair in zip(before, after, strict=True) for value in pair)]
    client.close()
    return row, soak


def _create(games: CommandHandler, name: str, rulebook: str, seats: int, number: int) -> None:
    games.create(name, rulebook, GameSetup(seats), {}, Clock(), f"soak {number}")
    for seat in range(seats):
        person = new_person(f"Player {seat}", f"player-{(number + seat) % 50}", salt=f"{name} {seat}")
        games.handle(name, TakeSeat(person, bot="steady"))


def _play_games(resources: Resources, names: list[str], rulebook: str, seats: int) -> int:
    """Play games to their end and project them; return the total number of their decisions."""
    decisions = 0
    for number, name in enumerate(names):
        _create(resources.games, name, rulebook, seats, number)
        bots.play(resources.games, name, deadline=math.inf)
        decisions += resources.games.read(name).game.number
        project.project(resources, name)
    return decisions


def _delete(resources: Resources, names: list[str]) -> None:
    """Delete games as the sweep deletes expired games, and then the lists."""
    archive.archive(resources, *names)
    for name in names:
        resources.store.delete(name)
    for key in list(resources.client.scan_iter("{lists}*")):
        resources.client.delete(key)


def _store_size(client: Any) -> StoreSize:
    """Measure the store. First delete the queued jobs: no worker runs here, and their work was done directly."""
    for key in list(client.scan_iter("rq:*")):
        client.delete(key)
    memory = client.info("memory")
    return StoreSize(client.dbsize(), memory["used_memory_dataset"], client.info("clients")["connected_clients"])
