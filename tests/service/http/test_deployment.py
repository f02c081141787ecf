"""What depends on the deployment: limits, origins of browsers, compression, logs, metrics."""

import json
import logging

import pytest

from events.games.command_handler import CommandHandler
from events.settings import Settings
from events.store.connection import connect
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import Bearer, Tokens
from service.http.limits import Limits

ORIGIN = "https://app.example"
TOKENS = Tokens("a secret of tests")
NEW_GAME = {"rulebook": "six-nimmt", "seats": 2}


@pytest.fixture
def make_client(store_url):
    """Makes clients of apps with some settings, on the same store."""
    with connect(store_url) as client:
        for key in client.scan_iter("{limits}*"):
            client.delete(key)
        games = CommandHandler(LogStore(client), RULEBOOKS)

        def make(limits_of_app=None, **settings):
            return build_app(
                Services(games, TOKENS, limits=limits_of_app), Settings(redis_url=store_url, **settings)
            ).test_client()

        yield make


def test_too_many_requests_get_retry_after(make_client):
    client = make_client(Limits(requests_per_second=3))
    answers = [client.get("/v1/rulebooks") for _ in range(12)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert refused[0].json["type"].endswith(":too-many-requests")
    assert refused[0].headers["Retry-After"] == "1"


def test_each_token_has_its_own_limit(make_client):
    client = make_client(Limits(requests_per_second=3))
    for number in range(8):
        token = TOKENS.issue(Bearer("a game", number))
        answer = client.get("/v1/rulebooks", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200


def test_spellings_of_a_token_count_as_one_and_invalid_tokens_as_the_address(make_client):
    client = make_client(Limits(requests_per_second=3))
    token = TOKENS.issue(Bearer("a game", 0))
    for spellings in (
        [f"{scheme}{' ' * spaces}{token}" for scheme in ("Bearer", "bEaReR") for spaces in range(1, 7)],
        [f"Bearer invented {number}" for number in range(12)],
        [f"Basic {number}" for number in range(12)],
    ):
        statuses = [client.get("/v1/rulebooks", headers={"Authorization": each}).status_code for each in spellings]
        assert 429 in statuses


def test_creations_are_counted_for_all_processes_together(make_client):
    first, second = make_client(Limits(creations_per_minute=4)), make_client(Limits(creations_per_minute=4))
    statuses = [line.post("/v1/games", json=NEW_GAME).status_code for line in (first, second) * 4]
    assert statuses.count(201) in (4, 8)  # 8: a minute may end in between
    assert set(statuses) <= {201, 429}


def test_creations_of_all_kinds_are_counted_together(make_client):
    client = make_client(Limits(creations_per_minute=2))
    game = client.post("/v1/games", json=NEW_GAME).json["game"]["game"]
    statuses = [client.post(f"/v1/games/{game}/seats", json={"name": name}).status_code for name in ("Ana", "Ben")]
    assert statuses == [201, 429]


def test_the_open_games_of_an_address_are_limited(make_client):
    client = make_client(Limits(max_open_games=2))
    created = [client.post("/v1/games", json=NEW_GAME) for _ in range(3)]
    assert [answer.status_code for answer in created] == [201, 201, 429]
    assert created[2].json["type"].endswith(":too-many-games")
    game = created[0].json["game"]["game"]
    for seat in range(2):
        assert client.post(f"/v1/games/{game}/seats", json={"name": f"player {seat}"}).status_code == 201
    assert client.post("/v1/games", json=NEW_GAME).status_code == 201


def test_a_repeated_creation_is_not_refused_at_the_limit(make_client):
    client = make_client(Limits(max_open_games=1))
    keys = [{"Idempotency-Key": f"a key that nobody guesses {number}"} for number in range(2)]
    first, other, again = [client.post("/v1/games", json=NEW_GAME, headers=keys[number]) for number in (0, 1, 0)]
    assert [answer.status_code for answer in (first, other, again)] == [201, 429, 200]
    assert again.json == first.json


def test_without_limits_nothing_is_counted(make_client):
    client = make_client(Limits(requests_per_second=1), limits=False)
    assert {client.get("/v1/rulebooks").status_code for _ in range(10)} == {200}


def test_only_browsers_of_a_configured_origin_may_read_responses(make_client):
    client = make_client(origins=(ORIGIN,))
    assert client.get("/v1/rulebooks", headers={"Origin": ORIGIN}).headers["Access-Control-Allow-Origin"] == ORIGIN
    other = client.get("/v1/rulebooks", headers={"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in other.headers
    response = client.options("/v1/games", headers={"Origin": ORIGIN, "Access-Control-Request-Method": "POST"})
    assert response.status_code == 200
    assert "POST" in response.headers["Access-Control-Allow-Methods"]


def test_without_origins_no_browser_may_read_responses(make_client):
    answer = make_client().get("/v1/rulebooks", headers={"Origin": ORIGIN})
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_large_response_is_compressed_if_accepted(make_client):
    client = make_client()
    packed = client.get("/openapi.json", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/openapi.json")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert len(packed.data) < len(plain.data) / 3


def test_head_is_get_without_a_body(make_client):
    client = make_client()
    got, headed = client.get("/v1/rulebooks"), client.head("/v1/rulebooks")
    assert headed.status_code == 200
    assert headed.data == b""
    assert headed.headers["Content-Length"] == got.headers["Content-Length"]


def test_the_log_has_the_request_id_and_no_token(make_client, caplog):
    client = make_client(log_requests=True)
    with caplog.at_level(logging.INFO, "croupier.requests"):
        answer = client.get(
            "/v1/games/0000000000000000?code=secret-code",
            headers={"X-Request-ID": "mine-17", "Authorization": "Bearer secret-token"},
        )
    assert answer.headers["X-Request-ID"] == "mine-17"
    (logged,) = [record.message for record in caplog.records if record.name == "croupier.requests"]
    assert json.loads(logged)["request"] == "mine-17"
    assert json.loads(logged)["status"] == answer.status_code
    assert "secret" not in logged


def test_an_odd_request_id_is_replaced(make_client):
    answer = make_client().get("/v1/rulebooks", headers={"X-Request-ID": "a b"})
    assert answer.headers["X-Request-ID"] != "a b"


def test_metrics_count_commands_by_rulebook_and_outcome(make_client):
    client = make_client()
    game = client.post("/v1/games", json=NEW_GAME).json["game"]["game"]
    tokens = [client.post(f"/v1/games/{game}/seats", json={"name": f"p{seat}"}).json["token"] for seat in range(2)]
    mine = {"Authorization": f"Bearer {tokens[0]}"}
    choice = client.get(f"/v1/games/{game}/choices", headers=mine).json["choices"][0]
    card = choice["schema"]["oneOf"][0]["properties"]["args"]["properties"]["card"]["enum"][0]
    command = {"choice": choice["choice"], "move": "lay", "args": {"card": card}}
    before = client.get("/metrics").text
    for _ in range(2):
        client.post(f"/v1/games/{game}/commands", json=command, headers=mine)
    after = client.get("/metrics").text
    for outcome in ("accepted", "repeated"):
        name = f'croupier_commands_total{{outcome="{outcome}",rulebook="six-nimmt"}}'
        assert _value(after, name) == _value(before, name) + 1
    assert "croupier_projection_lag_seconds" in after


def test_unknown_methods_are_counted_as_one(make_client):
    client = make_client()
    for number in range(3):
        assert client.open("/v1/rulebooks", method=f"INVENTED{number}").status_code == 405
    series = [
        each for each in client.get("/metrics").text.splitlines() if each.startswith("croupier_request_seconds_count")
    ]
    assert any('method="other"' in each for each in series)
    assert not any("INVENTED" in each for each in series)


def _value(metrics, name):
    return next((float(line.rpartition(" ")[2]) for line in metrics.splitlines() if line.startswith(name)), 0.0)
