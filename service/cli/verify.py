"""`croupier verify`: audit records in files."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from events.records.audit import audit
from games.rulebooks import RULEBOOKS
from service.api.signing_keys import Keys
from service.cli.files import read_lines

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option(
    "--keys", "keys_file", type=FILE, help="Require a signature by a key of this /.well-known/croupier-keys.json."
)
@click.option("--json", "as_json", is_flag=True, help="Write each report as a line of JSON.")
def verify(files: tuple[Path, ...], keys_file: Path | None, as_json: bool) -> None:
    """Audit records, plain or compressed (.zst): is the log unchanged, every decision legal, and every shuffle honest?

    The exit status is 0 if all are valid, else 1.
    """
    keys = None if keys_file is None else read_keys(keys_file)
    is_valid = True
    for path in files:
        with click.progressbar(length=path.stat().st_size, label=path.name, file=sys.stderr) as bar:
            report = audit(read_lines(path, bar.update), RULEBOOKS, keys)
        is_valid &= report.valid
        if as_json:
            click.echo(msgspec.json.encode({"file": str(path)} | msgspec.structs.asdict(report)))
        else:
            click.echo(f"{path}: {report.text()}")
    if not is_valid:
        sys.exit(1)


def read_keys(path: Path) -> frozenset[str]:
    """Read the public keys in a file. Raises ClickException."""
    try:
        return frozenset(entry.key for entry in msgspec.json.decode(path.read_bytes(), type=Keys).keys)
    except msgspec.DecodeError as error:
        raise click.ClickException(f"{path} contains no keys: {error}") from None
