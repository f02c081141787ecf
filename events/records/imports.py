"""Import: records from another server become finished games of this store, if they pass an audit."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from msgspec.structs import replace

from events.games.meta import IMPORTED, SEAL, listing_fields
from events.records.audit import Report, audit
from events.records.record import Record, read_record
from events.store import keys
from events.store.errors import translate_errors
from events.store.log_store import LogStore
from games.kernel import Decision, Game, Rulebook, fold

FOLD_SECONDS = 1.0
"""The most processor time that folding a record may take: a slower game would delay all others whenever somebody
looks at it. A real game takes a few hundredths of a second."""


class ImportRefused(Exception):
    """The whole record was refused, and nothing has changed. `report` is the audit's, if that is what failed."""

    def __init__(self, reason: str, report: Report | None = None) -> None:
        super().__init__(reason)
        self.report = report


def import_record(
    store: LogStore,
    lines: Iterable[bytes],
    rulebooks: Mapping[str, Rulebook[Any]],
    trusted: Collection[str] | None = None,
    *,
    any_edition: bool = False,
    fold_seconds: float = FOLD_SECONDS,
) -> Report:
    """Audit a record and put its game into the store, marked as imported; return the report.

    `lines` come without their line feeds. If `trusted` is given, the record must be signed by one of these keys. A
    record of another edition of the rules is refused unless `any_edition`: its decisions cannot be made again, only
    folded. Records hold no names, so the game's players stay anonymous here.

    Raises:
        ImportRefused: with the reason.
        StoreUnavailable: when the store cannot be reached.
    """
    record_lines = list(lines)
    report = audit(record_lines, rulebooks, trusted)
    if report.failure is not None:
        raise ImportRefused(f"line {report.failure.line}: {report.failure.reason}", report)
    record = read_record(record_lines)
    rulebook = rulebooks[record.header.rulebook]
    if record.header.edition != rulebook.edition and not any_edition:
        raise ImportRefused(
            f"it was played under edition {record.header.edition} of the rules, and edition {rulebook.edition} is "
            "installed: its decisions cannot be made again",
            report,
        )
    if not _put(store, record, _folded(rulebook, record, fold_seconds)):
        raise ImportRefused(f"there is a game {record.header.game} here", report)
    return report


def _folded(rulebook: Rulebook[Any], record: Record, seconds: float) -> Game[Any, Any]:
    """Fold a record in small steps: an audit under another edition does not, and each may be forged to be slow."""
    game: Game[Any, Any] | None = None
    until = time.process_time() + seconds
    for part in _parts(rulebook, record):
        try:
            game = fold(rulebook, game, part)
        except Exception as error:  # noqa: BLE001 - whatever a forged fact breaks is a fault of the record
            reason = f"decision {part.number} cannot be folded: {type(error).__name__}: {error}"
            raise ImportRefused(reason) from None
        if time.process_time() > until:
            raise ImportRefused(f"it takes too long to fold: decision {part.number} was reached")
    assert game is not None, "an audit refuses a record without decisions"
    return game


def _parts(rulebook: Rulebook[Any], record: Record) -> Iterator[Decision[Any]]:
    """Split each decision of a record into several: one for each fact and each changed stack of the flow."""
    for entry in record.entries:
        decision = rulebook.decode(entry.decision)
        yield from (replace(decision, facts=(fact,), flow=()) for fact in decision.facts)
        yield from (replace(decision, facts=(), flow=(stack,)) for stack in decision.flow)
        if not decision.facts and not decision.flow:
            yield decision


def _put(store: LogStore, record: Record, state: Game[Any, Any]) -> bool:
    """Put log and meta into the store in one step; return False if there is already a game of this id."""
    game, now = record.header.game, str(time.time_ns() // 1_000_000)
    meta = listing_fields(state.session) | {
        "head": str(state.number),
        IMPORTED: now,
        SEAL: "" if record.seal is None else f"{record.seal.key} {record.seal.signature}",
    }
    decisions = [data for entry in record.entries for data in (entry.decision, entry.hash)]
    fields = [text for pair in meta.items() for text in pair]
    with translate_errors():
        script = store.client.register_script(files("events.records").joinpath("imports.lua").read_bytes())
        is_stored: Any = script(
            keys=[keys.log(game), keys.meta(game), keys.projection_queue(keys.game_shard(game)), keys.record(game)],
            args=[game, now, len(record.entries), *decisions, *fields],
        )
    return bool(is_stored)
