"""`python -m workers.rebuild`: bring the projections up to date with the logs, or make them anew."""

from __future__ import annotations

import click

from events.cli_errors import exit_with_message
from workers import resources
from workers.project import project
from workers.standings import rate_generation


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("games", nargs=-1)
@click.option("--rebuild", is_flag=True, help="Make all lists, results and ratings anew from the logs.")
def main(games: tuple[str, ...], rebuild: bool) -> None:
    """Bring snapshots, lists, results and ratings up to date with the logs of GAMES, or of all games.

    With --rebuild they are made anew beside the old ones, and take their place at the end. Games may be played
    meanwhile. The result is the same to the byte as what the workers keep.
    """
    lists = resources.game_index()
    generation = lists.begin_rebuild() if rebuild else None
    chosen = games if games and not rebuild else tuple(sorted(set(resources.games().store.games())))
    with click.progressbar(chosen, label="games") as bar:
        for game in bar:
            project(game)
    if generation is not None:
        for rulebook in resources.games().rulebooks:
            rate_generation(lists, rulebook, generation)
        lists.end_rebuild(generation)
    click.echo(f"{len(chosen)} games are up to date")


if __name__ == "__main__":
    with exit_with_message():
        main()
