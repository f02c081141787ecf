"""`python -m workers.forget PLAYER`: forget a player's names. The logs hold only references and stay as they are."""

from __future__ import annotations

import os

import click

from events.cli_errors import exit_with_message
from events.games.participants import forget
from events.settings import read_settings
from workers.resources import open_resources


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("player")
def main(player: str) -> None:
    """Forget all names under which PLAYER (the opaque id sent with a seat) sat down, their results, and their rating.

    Games and their records do not change: they hold no names. Running servers forget the names within five minutes.
    """
    resources = open_resources(read_settings(os.environ))
    seats = 0
    with click.progressbar(sorted(set(resources.store.games())), label="games") as bar:
        for game in bar:
            seats += forget(resources.store, game, player)
    resources.game_index.forget(player)
    for rulebook in resources.games.rulebooks:
        resources.ratings.recompute(rulebook)
    click.echo(f"forgotten at {seats} seats")


if __name__ == "__main__":
    with exit_with_message():
        main()
