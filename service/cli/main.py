"""`croupier`, the command line: `python -m service.cli --help`.

Commands of the workers run as separate programs, because the two packages do not import each other.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import msgspec

from events.cli_errors import exit_with_message
from events.games.command_handler import CommandHandler
from events.games.repository import GameNotFound, LoadedGame
from events.lists.game_index import GameIndex
from events.settings import QUEUE_URL_FILE, STORE_URL_FILE, read_settings
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from games.kernel import state_view
from games.rulebooks import RULEBOOKS
from service.cli.import_records import import_files
from service.cli.replay import replay
from service.cli.verify import FILE, read_keys, verify
from service.runtime import launcher
from service.schemas.times import rfc3339

HELP = ("-h", "--help")
FORWARDED = {"ignore_unknown_options": True, "help_option_names": []}


@click.group(context_settings={"help_option_names": HELP})
def croupier() -> None:
    """A headless card table: run it, add workers, inspect games and records.

    Settings are environment variables (CROUPIER_…), see the README. Commands that read games find the store of a
    running `serve` by its data folder, or by CROUPIER_REDIS_URL.
    """


@croupier.command()
@click.option("--port", type=int, help="Port of the API. Default: CROUPIER_PORT, or 8000.")
@click.option("--data", type=click.Path(path_type=Path), help="The data folder. Default: CROUPIER_DATA, or ./var.")
def serve(port: int | None, data: Path | None) -> None:
    """Start everything: the store, the workers and the web, like `make run`.

    Ctrl-C stops it. After a restart, every game is still there.
    """
    options = {"CROUPIER_PORT": port, "CROUPIER_DATA": data}
    environ = {name: str(value) for name, value in options.items() if value is not None}
    sys.exit(launcher.main({**os.environ, **environ}))


@croupier.command()
def worker() -> None:
    """Run one more worker for a running installation: alarms, bots, projections."""
    _exec("workers")


@croupier.command(context_settings=FORWARDED)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def project(arguments: tuple[str, ...]) -> None:
    """Bring lists, results and ratings up to date with the logs, or rebuild them: see `project --help`."""
    _exec("workers.rebuild", arguments)


@croupier.command()
def sweep() -> None:
    """Request all lost jobs again. Workers do this by themselves every ten seconds."""
    _exec("workers.sweep")


@croupier.command(context_settings=FORWARDED)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def forget(arguments: tuple[str, ...]) -> None:
    """Forget the names of a player; records do not change: see `forget --help`."""
    _exec("workers.forget", arguments)


@croupier.command("games")
@click.option(
    "--status", type=click.Choice(["open", "running", "finished", "closed"]), help="Only games of this status."
)
@click.option("--rulebook", type=click.Choice(list(RULEBOOKS)), help="Only games of this rulebook.")
@click.option("--player", help="Only games of this player.")
@click.option("--limit", default=20, show_default=True, help="The number of games.")
def list_games(status: str | None, rulebook: str | None, player: str | None, limit: int) -> None:
    """List public games, newest first: id, status, rulebook, time of creation, number of decisions."""
    store = _store()
    for listing in GameIndex(store.client).page(limit, None, status, rulebook, player):  # type: ignore[arg-type]
        meta = store.meta(listing.game)
        click.echo(
            f"{listing.game}  {meta['status']:<8}  {meta['rulebook']:<18}  {rfc3339(listing.at)}  {meta['head']:>6}"
        )


@croupier.command()
@click.argument("game")
@click.option("--seat", type=int, help="As this seat sees it. Default: as a spectator.")
def show(game: str, seat: int | None) -> None:
    """Show a game as it is now, as JSON."""
    try:
        current: LoadedGame = CommandHandler(_store(), RULEBOOKS).read(game)
    except GameNotFound:
        raise click.ClickException(f"there is no game {game}") from None
    view = {
        "game": game,
        "rulebook": current.rulebook.id,
        "version": current.game.number,
        "hash": current.hash,
        "session": current.rulebook.redact(current.session, seat),
        "state": state_view(current.rulebook, current.game, seat),
    }
    click.echo(msgspec.json.format(msgspec.json.encode(view)).decode())


@croupier.command("import")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option(
    "--keys", "keys_file", type=FILE, help="Require a signature by a key of this /.well-known/croupier-keys.json."
)
@click.option(
    "--any-edition", is_flag=True, help="Also accept records of other editions, whose decisions cannot be verified."
)
def import_records(files: tuple[Path, ...], keys_file: Path | None, any_edition: bool) -> None:
    """Store records of another server as finished games, marked as imported.

    A record that fails its audit is refused, with the reason; the others are stored. Records contain no names.
    """
    keys = None if keys_file is None else read_keys(keys_file)
    if import_files(_store(), files, keys, any_edition=any_edition):
        sys.exit(1)


croupier.add_command(verify)
croupier.add_command(replay)


def store_and_queue_urls() -> tuple[str, str]:
    """Return the URLs of store and queue: from the environment, or from the data folder of a running installation.

    Raises:
        ClickException: if there is neither.
    """
    settings = read_settings(os.environ)
    if settings.redis_url is not None:
        return settings.urls()
    if not (settings.data / STORE_URL_FILE).exists():
        raise click.ClickException(f"no installation runs on {settings.data}: start one, or set CROUPIER_REDIS_URL")
    store, queue = ((settings.data / file).read_text("ascii").strip() for file in (STORE_URL_FILE, QUEUE_URL_FILE))
    return store, settings.queue_url or queue


def _store() -> ArchivingStore:
    store = ArchivingStore(connect(store_and_queue_urls()[0]))
    store.ping()
    return store


def _exec(module: str, arguments: tuple[str, ...] = ()) -> None:
    if not set(HELP) & set(arguments):  # --help works without a running installation
        os.environ["CROUPIER_REDIS_URL"], os.environ["CROUPIER_QUEUE_URL"] = store_and_queue_urls()
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])  # noqa: S606 - a program of ours


def main() -> None:
    """Run the command line. Errors that an operator can fix are reported in one line."""
    with exit_with_message():
        croupier()
