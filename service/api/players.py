"""Players: lists of games, results of a player, standings of a rulebook."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from flask import Response

from events.lists.game_index import Listing, Rating
from games.kernel import msg
from service.context import services
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.problems import Problem, rulebook_not_found
from service.http.responses import json_response
from service.schemas.requests import GamesQuerySchema, NoQuerySchema, StandingsQuerySchema
from service.schemas.responses import GamesPage, ListedGame, PlayerStatsView, PlayerView, Standing, Standings
from service.schemas.times import rfc3339

bp = ApiBlueprint("players")


@endpoint(
    bp,
    "GET",
    "/games",
    operation="list_games",
    summary="List games",
    description="""List public games by status, rulebook and player. `next` is the cursor of the next page, or null.

    Lists are updated shortly after the games.
    """,
    query=GamesQuerySchema,
    tag="games",
    problems=("no-such-cursor",),
    responses={200: ResponseSpec("A page of public games, newest first.", GamesPage)},
)
def list_games(query: dict[str, Any]) -> Response:
    limit = query["limit"]
    listings = services().game_index.page(
        limit + 1, _read_cursor(query["cursor"]), query["status"], query["rulebook"], query["player"]
    )
    views = [_listing_view(row) for row in listings[:limit]]
    next_page = _cursor(listings[limit - 1]) if len(listings) > limit else None
    return json_response(GamesPage([view for view in views if view is not None], next_page))


@endpoint(
    bp,
    "GET",
    "/players/<player>",
    operation="get_player",
    summary="Get a player's results",
    description="""Return the results of a player (the opaque id sent when a seat was taken) in finished public games.

    `rulebooks` is empty for a player without finished games, and for an unknown player.
    """,
    query=NoQuerySchema,
    responses={200: ResponseSpec("Games, wins and points, by rulebook.", PlayerView)},
)
def get_player(player: str, query: dict[str, Any]) -> Response:
    tallies = {
        rulebook: PlayerStatsView(tally.played, tally.won, tally.points)
        for rulebook, tally in services().game_index.player_stats(player).items()
    }
    return json_response(PlayerView(player, tallies))


@endpoint(
    bp,
    "GET",
    "/rulebooks/<rulebook>/standings",
    operation="get_standings",
    summary="Get a rulebook's standings",
    description="""Return the players by rating (OpenSkill, Plackett–Luce). `ordinal` is the mean minus three
    standard deviations.

    Rated are finished public games in which at least two seats have a `player`. Seats without one, such as those of
    bots, are not rated.
    """,
    query=StandingsQuerySchema,
    responses={200: ResponseSpec("The players of a rulebook, strongest first.", Standings)},
    problems=("no-such-rulebook",),
)
def get_standings(rulebook: str, query: dict[str, Any]) -> Response:
    if rulebook not in services().games.rulebooks:
        raise rulebook_not_found("no-such-rulebook", rulebook, services().games.rulebooks)
    rated = services().game_index.ratings(rulebook).players.items()
    ranked = sorted(rated, key=lambda entry: (-_ordinal(entry[1]), entry[0]))
    standings = [
        Standing(player, round(_ordinal(rating), 3), round(rating.mu, 3), round(rating.sigma, 3), rating.games)
        for player, rating in ranked[: query["limit"]]
    ]
    return json_response(Standings(rulebook, standings))


def _ordinal(rating: Rating) -> float:
    return rating.mu - 3 * rating.sigma


def _listing_view(listed: Listing) -> ListedGame | None:
    meta = services().games.store.meta(listed.game)
    if not meta:
        return None
    return ListedGame(
        game=listed.game,
        rulebook=meta["rulebook"],
        status=meta["status"],  # type: ignore[arg-type]
        created_at=rfc3339(listed.at),
        seats=int(meta["seats"]),
        free=int(meta["free"]),
    )


def _cursor(listed: Listing) -> str:
    return base64.urlsafe_b64encode(f"{listed.at} {listed.game}".encode()).decode().rstrip("=")


def _read_cursor(cursor: str | None) -> Listing | None:
    if cursor is None:
        return None
    try:
        at, game = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").split(" ")
        return Listing(int(at), game)
    except (ValueError, binascii.Error):
        sentence = msg("cursor: unknown; leave it out to get the first page")
        raise Problem("no-such-cursor", sentence) from None
