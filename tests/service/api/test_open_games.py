"""From a game that is created to one that has started: hosts, seats, tokens, codes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from events.games.command_handler import CommandHandler
from tests.clocks import StoppedClock
from tests.service.players import Caller, Table, Transport, expect, full_table, open_table

# A game is created.


def test_a_new_game_is_open(api: Transport) -> None:
    answer = Caller(api).post("/v1/games", {"rulebook": "six-nimmt", "seats": 3})
    game = expect(201, answer)["game"]
    assert answer.headers["location"] == f"/v1/games/{game['game']}"
    assert set(answer.json) == {"game", "host_token"}
    free: dict[str, Any] = {"taken": False, "name": None, "player": None, "bot": None, "conceded": False}
    free |= {"wants_pause": False, "bank": None, "points": None}
    assert {
        name: game[name] for name in ("rulebook", "status", "version", "visibility", "start", "state", "result")
    } == {
        "rulebook": "six-nimmt",
        "status": "open",
        "version": 1,
        "visibility": "public",
        "start": "when_full",
        "state": None,
        "result": None,
    }
    assert game["seats"] == [{"seat": seat, **free} for seat in range(3)]
    assert game["options"] == {"tactic": False, "logic": False, "logic_rows": None, "professional": False}
    assert re.fullmatch("[0-9a-z]{16}", game["game"])
    assert re.fullmatch("[0-9a-f]{64}", game["commitment"])
    assert game["created_at"] == "2027-01-15T08:00:00.000Z"


def test_options_are_shown_as_they_will_be_played(api: Transport) -> None:
    table = open_table(api, options={"logic": True})
    assert table.view()["options"] == {
        "tactic": True,
        "logic": True,
        "logic_rows": "leftover",
        "professional": False,
    }


def test_two_games_have_different_ids_tokens_and_seeds(api: Transport) -> None:
    one, other = open_table(api), open_table(api)
    assert one.game != other.game
    assert one.host.token != other.host.token
    assert one.view()["commitment"] != other.view()["commitment"]


def test_no_response_reveals_the_seed(games: CommandHandler, api: Transport) -> None:
    table = full_table(api, seats=2)
    table.move()
    seed = games.read(table.game).game.session.created.seed
    callers = [table.host, table.spectator, *table.players]
    for caller in callers:
        expect(200, caller.get(table.path))
        expect(200, caller.get(f"{table.path}/events"))
    assert not [caller for caller in callers if any(seed.encode() in body for body in caller.received)]


# Seats are taken.


def test_seats_are_taken_in_order_or_by_choice(api: Transport) -> None:
    table = open_table(api)
    assert table.seat("Ana", seat=2).seat == 2
    assert [table.seat(name).seat for name in ("Bob", "Cleo")] == [0, 1]
    seats = table.view()["seats"]
    assert [seat["name"] for seat in seats] == ["Bob", "Cleo", "Ana", None]
    assert [seat["taken"] for seat in seats] == [True, True, True, False]


@pytest.mark.parametrize("name", ["Ana", " Ana", "Zoë 👩‍👧", "مهر‌ناز", "名前", "A" * 40, "<b>&\"'", "٣"])
def test_a_name_is_shown_as_it_was_given(api: Transport, name: str) -> None:
    table = open_table(api)
    table.seat(name, player="a.b-c_d~1")
    assert (table.view()["seats"][0]["name"], table.view()["seats"][0]["player"]) == (name, "a.b-c_d~1")


def test_two_with_the_same_name_get_two_seats(api: Transport) -> None:
    table = open_table(api)
    ana, other = table.seat("Ana"), table.seat("Ana")
    assert (ana.seat, other.seat) == (0, 1)
    assert ana.token != other.token


def test_the_last_seat_taken_starts_the_game(api: Transport) -> None:
    table = open_table(api, seats=2)
    table.seat()
    assert table.view()["status"] == "open"
    table.seat()
    view = table.view()
    assert (view["status"], view["version"]) == ("running", 3)
    assert [seat["points"] for seat in view["seats"]] == [66, 66]


def test_the_last_player_sees_their_hand_at_once(api: Transport) -> None:
    table = open_table(api, seats=2)
    table.seat()
    given = expect(201, table.spectator.post(f"{table.path}/seats", {"name": "Bob"}))
    own, others = given["game"]["state"]["players"][1]["hand"], given["game"]["state"]["players"][0]["hand"]
    assert len(own) == 10
    assert others == {"hidden": 10}


# A game is started by its host.


def test_a_full_game_can_wait_for_its_host(api: Transport) -> None:
    table = full_table(api, start="host", seats=2)
    assert table.view()["status"] == "open"
    assert table.players[0].choices() == []
    started = expect(200, table.host.post(f"{table.path}/start"))
    assert (started["status"], started["version"]) == ("running", 4)
    assert len(table.players[0].choices()) == 1


def test_a_game_that_starts_when_full_may_not_be_started_before(api: Transport) -> None:
    table = open_table(api, seats=2)
    table.seat()
    assert table.host.post(f"{table.path}/start").refusal == (409, "seats-not-full")


# Seats are left.


def test_leaving_a_seat_revokes_its_token(api: Transport) -> None:
    table = open_table(api)
    ana = table.seat("Ana")
    assert expect(200, ana.delete(f"{table.path}/seats/0"))["seats"][0]["taken"] is False
    for method, path in (("GET", ""), ("GET", "/choices"), ("GET", "/events"), ("DELETE", "/seats/0")):
        assert ana.call(method, table.path + path).refusal == (401, "bad-token"), path


def test_the_token_of_a_former_player_is_not_valid(api: Transport) -> None:
    table = open_table(api, seats=2)
    ana = table.seat("Ana")
    expect(200, ana.delete(f"{table.path}/seats/0"))
    bob = table.seat("Bob")
    table.seat("Cleo")
    assert bob.seat == ana.seat == 0
    command = bob.command(bob.choices()[0])
    assert ana.send(command).refusal == (401, "bad-token")
    assert ana.get(f"{table.path}/choices").refusal == (401, "bad-token")
    assert bob.send(command).status == 201


def test_another_process_knows_a_revoked_token(api: Transport, second_api: Transport, clock: StoppedClock) -> None:
    table = open_table(api, seats=2, start="host")
    ana, bob = table.seat("Ana"), table.seat("Bob")
    expect(200, Caller(second_api, ana.token).get(table.path))  # it has the game in its memory now
    expect(200, ana.delete(f"{table.path}/seats/0"))
    table.seat("Cleo")
    expect(200, table.host.post(f"{table.path}/start"))
    command = bob.command(bob.choices()[0]) | {"choice": 1}
    late = Caller(second_api, ana.token)
    assert late.post(f"{table.path}/commands", command).refusal == (401, "bad-token")
    assert late.get(table.path).refusal == (401, "bad-token")


def test_the_host_may_empty_a_seat(api: Transport) -> None:
    table = open_table(api)
    ana = table.seat("Ana")
    expect(200, table.host.delete(f"{table.path}/seats/0"))
    assert ana.get(f"{table.path}/choices").refusal == (401, "bad-token")
    assert table.seat("Bob").seat == 0


def test_a_seat_that_is_left_does_not_start_the_game(api: Transport) -> None:
    table = open_table(api, seats=2)
    ana = table.seat("Ana")
    expect(200, ana.delete(f"{table.path}/seats/0"))
    table.seat("Bob")
    assert table.view()["status"] == "open"
    table.seat("Cleo")
    assert table.view()["status"] == "running"


# Private games.


@pytest.fixture
def private(api: Transport) -> Table:
    return open_table(api, visibility="private", seats=2)


def test_only_a_private_game_has_a_code(api: Transport, private: Table) -> None:
    assert len(private.created["code"]) == 12
    assert "code" not in open_table(api).created


@pytest.mark.parametrize("code", [None, "", "wrong", "\xe9", "%ff", "0" * 12])
def test_without_its_code_a_private_game_is_not_found(private: Table, code: str | None) -> None:
    query = "" if code is None else f"?code={code}"
    body = {"name": "Eve"} if code is None else {"name": "Eve", "code": code}
    nowhere = private.spectator.get("/v1/games/0000000000000000")
    refused = [
        private.spectator.get(private.path + query),
        private.spectator.get(f"{private.path}/events{query}"),
        private.spectator.post(f"{private.path}/seats", body),
        private.spectator.get(f"{private.path}/choices"),
        private.spectator.post(f"{private.path}/start"),
        private.spectator.delete(f"{private.path}/seats/0"),
    ]
    assert [(answer.status, answer.body) for answer in refused] == [(404, nowhere.body)] * len(refused)


def test_with_its_code_a_private_game_is_watched_and_joined(private: Table) -> None:
    code = private.created["code"]
    assert expect(200, private.spectator.get(f"{private.path}?code={code}"))["visibility"] == "private"
    ana = private.seat("Ana", code=code)
    assert len(expect(200, private.spectator.get(f"{private.path}/events?code={code}"))["events"]) == 2
    assert ana.view()["seats"][0]["name"] == "Ana"
    assert expect(200, private.host.get(private.path))["game"] == private.game


def test_a_token_of_a_private_game_replaces_its_code(api: Transport, private: Table) -> None:
    ana = expect(201, private.host.post(f"{private.path}/seats", {"name": "Ana"}))
    expect(201, Caller(api, ana["token"]).post(f"{private.path}/seats", {"name": "Ana's sister"}))
    assert private.host.get(private.path).json["status"] == "running"


def test_with_a_token_of_another_game_a_private_game_is_not_found(api: Transport, private: Table) -> None:
    stranger = open_table(api, visibility="private").host
    nowhere = stranger.get("/v1/games/0000000000000000")
    refused = [
        *(stranger.get(private.path + path) for path in ("", "/choices", "/events", "/record", "/audit")),
        stranger.post(f"{private.path}/seats", {"name": "Eve"}),
        stranger.post(f"{private.path}/seats", {"bot": "random"}),
        stranger.post(f"{private.path}/start"),
    ]
    assert [(answer.status, answer.body) for answer in refused] == [(404, nowhere.body)] * len(refused)
    seated = stranger.post(f"{private.path}/seats", {"name": "Eve", "code": private.created["code"]})
    assert seated.status == 201


def test_the_code_of_a_private_game_does_not_allow_seating_bots(private: Table) -> None:
    bot = {"bot": "random", "code": private.created["code"]}
    assert private.spectator.post(f"{private.path}/seats", bot).refusal == (401, "no-token")


def test_the_code_of_one_private_game_is_not_good_for_another(api: Transport, private: Table) -> None:
    other = open_table(api, visibility="private")
    assert other.spectator.get(f"{other.path}?code={private.created['code']}").refusal == (404, "no-such-game")


def test_a_public_game_ignores_a_code(api: Transport) -> None:
    table = open_table(api)
    expect(200, table.spectator.get(f"{table.path}?code=whatever"))
    assert table.seat("Ana", code="whatever").seat == 0


# What can be played.


def test_every_rulebook_is_listed_and_can_be_looked_at(api: Transport) -> None:
    caller = Caller(api)
    listed: list[Any] = expect(200, caller.get("/v1/rulebooks"))["rulebooks"]
    assert "six-nimmt" in [rulebook["rulebook"] for rulebook in listed]
    for rulebook in listed:
        detail = expect(200, caller.get(f"/v1/rulebooks/{rulebook['rulebook']}"))
        assert detail.items() >= rulebook.items()
        assert detail["moves"]
        assert detail["facts"]
        assert rulebook["names"].keys() >= {"en", "fr"}


def test_the_service_is_alive_and_ready(api: Transport) -> None:
    assert expect(200, Caller(api).get("/healthz")) == {"status": "ok"}
    assert expect(200, Caller(api).get("/readyz")) == {"status": "ok"}
