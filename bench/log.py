"""Section `log`: appends to the store, cold loads with and without a snapshot, and the memory per decision."""

import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from redis import Redis

from bench.harness import page
from bench.harness.measure import percentile
from bench.harness.servers import temporary_folder
from bench.records import endless_rulebook, long_log
from events.games.command_handler import CommandHandler
from events.store import chain, keys
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.log_store import Entry, LogStore
from games.kernel import Decision, Rulebook

RUNS = 5
SECONDS = 1.0
WRITERS = (1, 50)
POLICIES = ("always", "everysec")
DECISION = b"x" * 360
"""As long as the average decision of 6 nimmt!."""
LENGTHS = (1_000, 10_000)

PROSE = f"""
## The log

*Appends*: the append script (refuse a gap, `XADD`, fields of the game, alarm, notice) against a plain `XADD` of
redis-py, from one and from {WRITERS[1]} threads of one process, each with a game of its own; {len(DECISION)} bytes per
decision; {RUNS} runs of {SECONDS:.0f} s, plain and script alternately. *Cold load*: a process without the game in its
cache reads a game of 6 nimmt! (with so many points that it does not end), from its first decision or from a snapshot of
its last; median of {RUNS}. *Memory*: `MEMORY USAGE` of the log, per decision.
"""


def measure() -> str:
    """Measure; return the section."""
    appends = [row for policy in POLICIES for row in _appends(policy)]
    loads = list(_loads())
    return "\n\n".join(
        (
            PROSE.strip(),
            page.table(("appends", "plain XADD/s", "script/s", "script ÷ plain", "p50 ms", "p99 ms"), appends),
            page.table(("cold load", "ms", "µs per decision", "with snapshot ms", "memory bytes"), loads),
            page.repeat_with("log"),
        )
    )


def _appends(policy: str) -> Iterator[Sequence[object]]:
    with (
        temporary_folder() as folder,
        EmbeddedServer(Path(folder), flags=("--appendfsync", policy)) as server,
        connect(server.url) as client,
        Redis.from_url(server.url) as plain,
    ):
        store = LogStore(client)
        for writers in WRITERS:
            pairs = [
                (_append_times(writers, PlainAppends(plain, run)), _append_times(writers, ScriptAppends(store, run)))
                for run in range(RUNS)
            ]
            rates = [[len(times) / SECONDS for times in kind] for kind in zip(*pairs, strict=True)]
            ratio = statistics.median(script / plain for plain, script in zip(*rates, strict=True))
            latencies = sorted(1000 * seconds for _, script in pairs for seconds in script)
            yield (
                f"{policy}, {writers} {'writer' if writers == 1 else 'writers'}",
                *(page.number(statistics.median(kind)) for kind in rates),
                f"{ratio:.2f}",
                page.number(percentile(latencies, 50)),
                page.number(percentile(latencies, 99)),
            )


class PlainAppends:
    """Appends with a plain XADD."""

    def __init__(self, client: Redis, run: int) -> None:
        self._client = client
        self._run = run

    def writer(self, number: int) -> Callable[[], object]:
        """Return a function that appends one more decision, to a game of its own."""
        name = f"plain:{self._run}:{number}"
        return lambda: self._client.xadd(name, {"d": DECISION})


class ScriptAppends:
    """Appends with the script."""

    def __init__(self, store: LogStore, run: int) -> None:
        self._store = store
        self._run = run

    def writer(self, number: int) -> Callable[[], object]:
        """Return a function that appends one more decision, to a game of its own."""
        game = f"game{self._run:02d}x{number:09d}"
        heads = [(0, chain.genesis_hash(game))]

        def append() -> None:
            last, last_hash = heads.pop()
            new_hash = chain.next_hash(last_hash, DECISION)
            self._store.append(
                game, last, DECISION, new_hash, now=0, alarm=None, meta={}, follows=last_hash if last else None
            )
            heads.append((last + 1, new_hash))

        return append


def _append_times(writers: int, kind: PlainAppends | ScriptAppends) -> list[float]:
    """Let `writers` threads append in parallel for the length of a run; return the seconds that each append took."""
    times: list[list[float]] = [[] for _ in range(writers)]
    end = time.perf_counter() + SECONDS

    def write(append: Callable[[], object], own_times: list[float]) -> None:
        while (began := time.perf_counter()) < end:
            append()
            own_times.append(time.perf_counter() - began)

    threads = [threading.Thread(target=write, args=(kind.writer(n), own_times)) for n, own_times in enumerate(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [seconds for own_times in times for seconds in own_times]


def _loads() -> Iterator[Sequence[object]]:
    endless = endless_rulebook()
    decisions = list(long_log(endless, LENGTHS[-1]))
    with temporary_folder() as folder, EmbeddedServer(Path(folder)) as server, connect(server.url) as client:
        for length in LENGTHS:
            game = f"long{length:012d}"
            write_log(client, game, endless, decisions[:length])
            cold = _load(client, game, endless)
            CommandHandler(LogStore(client), {endless.id: endless}).save_snapshot(game)
            warm = _load(client, game, endless)
            memory: Any = client.memory_usage(keys.log(game), samples=0)
            yield (
                f"{length:,} decisions",
                page.number(1000 * cold),
                page.number(1e6 * cold / length),
                page.number(1000 * warm),
                page.number(memory / length),
            )


def write_log(client: Any, game: str, rulebook: Rulebook[Any], decisions: list[Decision[Any]]) -> None:
    """Write a whole log directly into the store."""
    entries: list[Entry] = []
    head = chain.genesis_hash(game)
    for decision in decisions:
        stored = rulebook.encode(decision)
        head = chain.next_hash(head, stored)
        entries.append(Entry(decision.number, stored, head))
    for start in range(0, len(entries), 500):
        with client.pipeline(transaction=False) as pipeline:
            for entry in entries[start : start + 500]:
                pipeline.xadd(keys.log(game), {"d": entry.decision, "h": entry.hash}, id=f"{entry.number}-0")
            pipeline.execute()


def _load(client: Any, game: str, rulebook: Rulebook[Any]) -> float:
    """Return the seconds that a process takes to read a game that is not in its cache."""
    times, store = [], LogStore(client)
    for _ in range(RUNS):
        games = CommandHandler(store, {rulebook.id: rulebook})
        began = time.perf_counter()
        games.read(game)
        times.append(time.perf_counter() - began)
    return statistics.median(times)
