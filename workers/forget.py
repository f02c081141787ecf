"""`python -m workers.forget PLAYER`: forget a player's names. The logs hold only references and stay as they are."""

from __future__ import annotations

import click

from events.cli_errors import exit_with_message
from events.games.participants import forget
from workers import resources
from workers.standings import recompute_ratings


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("player")
def main(player: str) -> None:
    """Forget all names under which PLAYER (the opaque id given with a seat) sat down, what was counted, and the rating.

    Games and their records stay as they were: they never held the name. Servers that run forget it within five minutes.
    """
    store, lists = resources.store(), resources.game_index()
    forgotten = 0
    with click.progressbar(sorted(set(store.games())), label="games") as bar:
        for game in bar:
            forgotten += forget(store, game, player)
    lists.forget(player)
    for rulebook in resources.games().rulebooks:
        recompute_ratings(rulebook)
    click.echo(f"forgotten at {forgotten} seats")


if __name__ == "__main__":
    with exit_with_message():
        main()
