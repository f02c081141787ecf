"""`python -m workers.rebuild`: bring the projections up to date with the logs, or rebuild them."""

from __future__ import annotations

import os

import click

from events.cli_errors import exit_with_message
from events.settings import read_settings
from workers.project import project
from workers.resources import open_resources


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("games", nargs=-1)
@click.option("--rebuild", is_flag=True, help="Rebuild all lists, results and ratings from the logs.")
def main(games: tuple[str, ...], rebuild: bool) -> None:
    """Bring snapshots, lists, results and ratings up to date with the logs of GAMES, or of all games.

    With --rebuild, new ones are written beside the old ones, which they replace at the end. Games may be played
    meanwhile. The result is the same, to the byte, as what the workers maintain.
    """
    resources = open_resources(read_settings(os.environ))
    lists = resources.game_index
    generation = lists.begin_rebuild() if rebuild else None
    chosen = games if games and not rebuild else tuple(sorted(set(resources.store.games())))
    with click.progressbar(chosen, label="games") as bar:
        for game in bar:
            project(resources, game)
    if generation is not None:
        for rulebook in resources.games.rulebooks:
            resources.ratings.update_generation(rulebook, generation)
        lists.end_rebuild(generation)
    click.echo(f"{len(chosen)} games are up to date")


if __name__ == "__main__":
    with exit_with_message():
        main()
