"""Players: the lists of games, what a player has done, and the standings of a rulebook."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from flask import Blueprint, Response

from events.lists.game_index import Listed, Rating
from games.kernel import say
from service.context import house
from service.http.endpoint import Answer, operation
from service.http.problems import Problem, no_such_rulebook
from service.http.responses import reply, time_of
from service.schemas.requests import GamesQuerySchema, NoQuerySchema, StandingsQuerySchema
from service.schemas.responses import GamesPage, ListedGame, PlayerShown, Standing, Standings, TallyShown

bp = Blueprint("players", __name__)


@operation(
    bp,
    "GET",
    "/games",
    summary="List games",
    query=GamesQuerySchema,
    tag="games",
    problems=("no-such-cursor",),
    answers={200: Answer("A page of public games, the newest first.", GamesPage)},
)
def list_games(query: dict[str, Any]) -> Response:
    """List public games by status, rulebook and player. `next`, if there is one, is the cursor of the next page.

    The lists follow the games by a moment.
    """
    limit = query["limit"]
    listed = house().lists.page(
        limit + 1, _read_cursor(query["cursor"]), query["status"], query["rulebook"], query["player"]
    )
    shown = [_listed_shown(row) for row in listed[:limit]]
    following = _cursor(listed[limit - 1]) if len(listed) > limit else None
    return reply(GamesPage([game for game in shown if game is not None], following))


@operation(
    bp,
    "GET",
    "/players/<player>",
    summary="What has a player done?",
    query=NoQuerySchema,
    answers={200: Answer("Games, wins and points, by rulebook.", PlayerShown)},
)
def look_at_player(player: str, query: dict[str, Any]) -> Response:
    """Return what a player (the opaque id that was given with a seat) has done in finished public games.

    A player who has finished none, or of whom nobody has heard, has done nothing: `rulebooks` is empty.
    """
    tallies = {
        rulebook: TallyShown(tally.played, tally.won, tally.points)
        for rulebook, tally in house().lists.tallies(player).items()
    }
    return reply(PlayerShown(player, tallies))


@operation(
    bp,
    "GET",
    "/rulebooks/<rulebook>/standings",
    summary="Who plays best?",
    query=StandingsQuerySchema,
    answers={200: Answer("The players of a rulebook, the strongest first.", Standings)},
    problems=("no-such-rulebook",),
)
def show_standings(rulebook: str, query: dict[str, Any]) -> Response:
    """Return the players by rating (OpenSkill, Plackett–Luce): `ordinal` is mean less three deviations.

    What counts are finished public games in which at least two seats gave a `player`; a seat without one, such as a
    bot's, is not rated.
    """
    if rulebook not in house().games.rulebooks:
        raise no_such_rulebook("no-such-rulebook", rulebook, house().games.rulebooks)
    rated = house().lists.ratings(rulebook).players.items()
    ranked = sorted(rated, key=lambda entry: (-_ordinal(entry[1]), entry[0]))
    shown = [
        Standing(player, round(_ordinal(rating), 3), round(rating.mu, 3), round(rating.sigma, 3), rating.games)
        for player, rating in ranked[: query["limit"]]
    ]
    return reply(Standings(rulebook, shown))


def _ordinal(rating: Rating) -> float:
    return rating.mu - 3 * rating.sigma


def _listed_shown(listed: Listed) -> ListedGame | None:
    meta = house().games.store.meta(listed.game)
    if not meta:
        return None
    return ListedGame(
        game=listed.game,
        rulebook=meta["rulebook"],
        status=meta["status"],  # type: ignore[arg-type]
        created_at=time_of(listed.at),
        seats=int(meta["seats"]),
        free=int(meta["free"]),
    )


def _cursor(listed: Listed) -> str:
    return base64.urlsafe_b64encode(f"{listed.at} {listed.game}".encode()).decode().rstrip("=")


def _read_cursor(cursor: str | None) -> Listed | None:
    if cursor is None:
        return None
    try:
        at, game = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").split(" ")
        return Listed(int(at), game)
    except (ValueError, binascii.Error):
        sentence = say("cursor: not one that was given here; leave it out for the first page")
        raise Problem("no-such-cursor", sentence) from None
