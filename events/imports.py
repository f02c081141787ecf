"""Import: records of another server become finished games of this store, if an audit finds nothing wrong with them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from importlib.resources import files
from typing import Any

from events import keys
from events.audit import Report, audit
from events.lists import meta_of
from events.past import IMPORTED, SEAL
from events.reaching import reaching
from events.records import Record, read_record
from events.store import Store
from games.kernel import Game, Rulebook, fold


class NotImported(Exception):
    """The record was refused whole, and nothing has changed. `report` is that of the audit, when it failed there."""

    def __init__(self, reason: str, report: Report | None = None) -> None:
        super().__init__(reason)
        self.report = report


def import_record(
    store: Store,
    lines: Iterable[bytes],
    rulebooks: Mapping[str, Rulebook[Any]],
    trusted: Collection[str] | None = None,
    *,
    any_edition: bool = False,
) -> Report:
    """Audit a record and put its game into the store, marked as imported; give the report.

    `lines` come without their line feeds. `trusted`: the record has to be signed by one of these keys. A record of
    another edition of the rules is refused unless `any_edition`: its decisions cannot be made again. Names are in no
    record, so nobody is known here.

    Raises:
        NotImported: with the reason.
        StoreAway: when the store cannot be reached.
    """
    record_lines = list(lines)
    report = audit(record_lines, rulebooks, trusted)
    if report.failure is not None:
        raise NotImported(f"line {report.failure.line}: {report.failure.reason}", report)
    record = read_record(record_lines)
    rulebook = rulebooks[record.header.rulebook]
    if record.header.edition != rulebook.edition and not any_edition:
        raise NotImported(
            f"it was played by edition {record.header.edition} of the rules, and edition {rulebook.edition} is here: "
            "its decisions cannot be made again",
            report,
        )
    if not _put(store, record, _folded(rulebook, record)):
        raise NotImported(f"there is a game {record.header.game} here", report)
    return report


def _folded(rulebook: Rulebook[Any], record: Record) -> Game[Any, Any]:
    game: Game[Any, Any] | None = None
    for entry in record.entries:
        game = fold(rulebook, game, rulebook.decode(entry.decision))
    assert game is not None, "an audit refuses a record without decisions"
    return game


def _put(store: Store, record: Record, state: Game[Any, Any]) -> bool:
    """Put log and meta into the store at once; False when there is a game of this id."""
    game, now = record.header.game, str(time.time_ns() // 1_000_000)
    meta = meta_of(state.lobby) | {
        "head": str(state.number),
        IMPORTED: now,
        SEAL: "" if record.seal is None else f"{record.seal.key} {record.seal.signature}",
    }
    decisions = [part for entry in record.entries for part in (entry.decision, entry.hash)]
    fields = [part for pair in meta.items() for part in pair]
    with reaching():
        script = store.client.register_script(files("events").joinpath("imports.lua").read_bytes())
        told: Any = script(
            keys=[keys.log(game), keys.meta(game), keys.unprojected(keys.shard_of(game)), keys.record(game)],
            args=[game, now, len(record.entries), *decisions, *fields],
        )
    return bool(told)
