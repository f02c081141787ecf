"""`croupier import`: stores records from another server as finished games of this one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import click

from events.records.imports import ImportRefused, import_record
from events.records.record import InvalidRecord
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from service.cli.files import read_lines


def import_files(store: LogStore, files: Sequence[Path], keys: Collection[str] | None, *, any_edition: bool) -> int:
    """Import records from files and report on each; return how many were refused."""
    refused = 0
    for path in files:
        try:
            report = import_record(store, read_lines(path), RULEBOOKS, keys, any_edition=any_edition)
        except (ImportRefused, InvalidRecord) as reason:
            refused += 1
            click.echo(f"{path}: refused: {reason}", err=True)
        else:
            click.echo(f"{path}: game {report.game} of {report.rulebook}, {report.decisions} decisions, imported")
    return refused
