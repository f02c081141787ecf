"""Lists of games, results of players, and standings."""

import pytest

from events.games.command_handler import CommandHandler
from events.lists.game_index import Rating, Ratings
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import Tokens
from tests.service.streaming.clients import SECRET


@pytest.fixture
def client(store_url):
    """A client of an app whose lists are empty."""
    with connect(store_url) as client:
        for key in client.scan_iter("{lists}*"):
            client.delete(key)
        games = CommandHandler(ArchivingStore(client), RULEBOOKS)
        made = build_app(Services(games, Tokens(SECRET))).test_client()
        made.services = Services(games, Tokens(SECRET))
        yield made


def listed(client, *, players=("ana", "ben"), **settings):
    """Create a game, seat players, and project it."""
    created = client.post("/v1/games", json={"rulebook": "six-nimmt", "seats": 2} | settings).json
    game = created["game"]["game"]
    for player in players:
        seat = {"name": player, "player": player, "code": created.get("code", "")}
        assert client.post(f"/v1/games/{game}/seats", json=seat).status_code == 201
    games, lists = client.services.games, client.services.game_index
    lobby = games.read(game).session
    lists.index(game, lobby, games.people(game, lobby))
    return game


def games_of(client, query=""):
    answer = client.get(f"/v1/games{query}")
    assert answer.status_code == 200, answer.json
    return [game["game"] for game in answer.json["games"]]


def test_public_games_are_listed_the_newest_first(client):
    first, second = listed(client), listed(client)
    assert games_of(client) == [second, first]
    assert client.get("/v1/games").json["next"] is None


def test_private_games_are_not_listed(client):
    listed(client, visibility="private")
    assert games_of(client) == []
    assert games_of(client, "?player=ana") == []


def test_games_are_listed_by_status_rulebook_and_player(client):
    running, waiting = listed(client), listed(client, players=("cleo",))
    assert games_of(client, "?status=running") == [running]
    assert games_of(client, "?status=open&player=cleo") == [waiting]
    assert games_of(client, "?rulebook=six-nimmt&player=ana") == [running]
    assert games_of(client, "?rulebook=nothing") == []


def test_a_listed_game_says_how_many_seats_are_free(client):
    listed(client, players=("cleo",))
    (listing,) = client.get("/v1/games").json["games"]
    assert (listing["seats"], listing["free"], listing["status"], listing["rulebook"]) == (2, 1, "open", "six-nimmt")


def test_pages_follow_each_other_by_their_cursor_without_gap_or_repeat(client):
    made = [listed(client) for _ in range(5)]
    found, query = [], "?limit=2"
    while True:
        page = client.get(f"/v1/games{query}").json
        found += [game["game"] for game in page["games"]]
        if page["next"] is None:
            break
        query = f"?limit=2&cursor={page['next']}"
    assert found == made[::-1]


@pytest.mark.parametrize("query", ["?cursor=xx", "?cursor=MTIz", "?limit=0", "?limit=1000", "?status=odd", "?odd=1"])
def test_an_odd_query_is_refused(client, query):
    answer = client.get(f"/v1/games{query}")
    assert answer.status_code == 422
    assert answer.json["type"].endswith((":invalid", ":no-such-cursor"))


def test_a_player_without_finished_games_has_no_results(client):
    assert client.get("/v1/players/nobody").json == {"player": "nobody", "rulebooks": {}}


def test_standings_put_the_strongest_first_and_the_uncertain_behind(client):
    lists = client.services.game_index
    players = {"ana": Rating(30.0, 2.0, 9), "ben": Rating(31.0, 8.0, 1), "cleo": Rating(25.0, 1.0, 20)}
    lists.change_ratings("six-nimmt", lists.generations()[0], lambda _: Ratings(players=players))
    listing = client.get("/v1/rulebooks/six-nimmt/standings").json
    assert [(row["player"], row["ordinal"]) for row in listing["standings"]] == [
        ("ana", 24.0),
        ("cleo", 22.0),
        ("ben", 7.0),
    ]
    assert len(client.get("/v1/rulebooks/six-nimmt/standings?limit=1").json["standings"]) == 1
    assert client.get("/v1/rulebooks/odd/standings").status_code == 404
