"""Closing, pauses, conceding, bots, rematches, and requests that are safe to repeat."""

from __future__ import annotations

from hashlib import sha256

import pytest

from events.games.command_handler import CommandHandler
from tests.clocks import StoppedClock
from tests.service.players import SIX_NIMMT, Caller, Player, Table, Transport, expect, full_table, open_table

KEY = "a key that nobody guesses"

# Sent again under a key.


def test_a_game_is_created_once_under_a_key(api: Transport, second_api: Transport) -> None:
    body = SIX_NIMMT | {"visibility": "private"}
    first = Caller(api).post("/v1/games", body, Idempotency_Key=f"{KEY} 1")
    again = Caller(second_api).post("/v1/games", body, Idempotency_Key=f"{KEY} 1")
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert again.headers["location"] == first.headers["location"]


def test_another_key_creates_another_game(api: Transport) -> None:
    games = [Caller(api).post("/v1/games", SIX_NIMMT, Idempotency_Key=f"{KEY} {key}").json for key in ("2a", "2b")]
    assert games[0]["game"]["game"] != games[1]["game"]["game"]


def test_a_key_cannot_be_used_for_a_different_game(api: Transport) -> None:
    expect(201, Caller(api).post("/v1/games", SIX_NIMMT, Idempotency_Key=f"{KEY} 3"))
    other = Caller(api).post("/v1/games", SIX_NIMMT | {"seats": 5}, Idempotency_Key=f"{KEY} 3")
    assert other.refusal == (422, "key-reused")


@pytest.mark.parametrize("key", ["", "k" * 15, "k" * 129])
def test_an_invalid_key_is_refused(api: Transport, key: str) -> None:
    assert Caller(api).post("/v1/games", SIX_NIMMT, Idempotency_Key=key).refusal == (422, "invalid")


def test_a_seat_is_taken_once_under_a_key(api: Transport, second_api: Transport) -> None:
    table = open_table(api)
    expect(200, Caller(second_api).get(table.path))  # a second process that will be behind
    body = {"name": "Ana"}
    first = table.spectator.post(f"{table.path}/seats", body, Idempotency_Key=KEY)
    again = Caller(second_api).post(f"{table.path}/seats", body, Idempotency_Key=KEY)
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert [seat["taken"] for seat in table.view()["seats"]] == [True, False, False, False]


def test_two_processes_that_seat_one_person_at_once_give_one_seat(
    api: Transport, second_api: Transport, clock: StoppedClock
) -> None:
    table = open_table(api)
    expect(200, Caller(second_api).get(table.path))
    expect(201, table.spectator.post(f"{table.path}/seats", {"name": "Bob"}))  # the second process does not know
    answers = [
        Caller(each).post(f"{table.path}/seats", {"name": "Ana"}, Idempotency_Key=KEY) for each in (api, second_api)
    ]
    assert [answer.status for answer in answers] == [201, 200]
    assert answers[0].json["token"] == answers[1].json["token"]
    assert table.view()["version"] == 3


def test_the_key_of_one_game_gives_no_seat_of_another(api: Transport) -> None:
    one, other = open_table(api), open_table(api)
    seats = [
        table.spectator.post(f"{table.path}/seats", {"name": "Ana"}, Idempotency_Key=KEY) for table in (one, other)
    ]
    assert [seat.status for seat in seats] == [201, 201]
    assert seats[0].json["token"] != seats[1].json["token"]


# A token on a process that is behind.


def test_another_process_accepts_a_new_token(api: Transport, second_api: Transport) -> None:
    table = open_table(api, seats=2)
    first = table.seat("Ana")
    expect(200, Caller(second_api).get(table.path))  # it knows the token of Ana
    expect(200, first.delete(f"{table.path}/seats/0"))
    cleo = table.seat("Cleo")
    table.seat("Bob")
    command = cleo.command(cleo.choices()[0])
    assert Caller(second_api, cleo.token).post(f"{table.path}/commands", command).status == 201


# Closing.


def test_nobody_can_join_or_start_a_closed_game(api: Transport) -> None:
    table = open_table(api, seats=2)
    ana = table.seat("Ana")
    assert expect(200, table.host.delete(table.path))["status"] == "closed"
    assert table.spectator.post(f"{table.path}/seats", {"name": "Bob"}).refusal == (409, "game-started")
    assert table.host.post(f"{table.path}/start").refusal == (409, "game-started")
    again = table.host.delete(table.path)
    assert again.refusal == (409, "game-started")
    assert again.json["detail"] == "this game was closed before it began"
    assert ana.choices() == []
    rematch = ana.post(f"{table.path}/rematch")
    assert rematch.refusal == (409, "game-not-over")
    assert rematch.json["detail"] == "this game was closed before it began: create another"


def test_a_running_game_cannot_be_closed(api: Transport) -> None:
    table = full_table(api, seats=2)
    answer = table.host.delete(table.path)
    assert answer.refusal == (409, "game-started")
    assert answer.json["detail"] == "this game has started"


# Pausing.


def test_a_pause_begins_and_ends_when_all_have_requested_it(api: Transport, clock: StoppedClock) -> None:
    table = full_table(api, seats=2, clock={"seconds_per_choice": 60})
    ana, bob = table.players
    command = ana.command(ana.choices()[0])
    assert expect(200, ana.post(f"{table.path}/pause"))["paused"] is False
    assert ana.post(f"{table.path}/pause").refusal == (409, "pause-already-requested")
    assert expect(200, bob.post(f"{table.path}/pause"))["paused"] is True
    assert ana.send(command).refusal == (409, "game-paused")
    clock.pass_seconds(3600)
    for player in (bob, ana):
        view = expect(200, player.post(f"{table.path}/pause"))
    assert view["paused"] is False
    clock.pass_seconds(59)
    assert ana.send(command).status == 201


def test_a_command_can_be_repeated_during_a_pause(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana, bob = table.players
    command = ana.command(ana.choices()[0])
    first = ana.send(command)
    for player in (ana, bob):
        expect(200, player.post(f"{table.path}/pause"))
    again = ana.send(command)
    assert (again.status, again.json["decision"]) == (200, first.json["decision"])


# Giving up.


def test_conceding_a_game_of_two_loses_it(api: Transport) -> None:
    table = full_table(api, seats=2)
    view = expect(200, table.players[0].delete(f"{table.path}/seats/0"))
    assert view["status"] == "finished"
    assert view["result"]["places"] == [2, 1]


def test_a_conceded_seat_still_watches_and_cannot_answer(api: Transport) -> None:
    table = full_table(api, seats=3)
    ana = table.players[0]
    command = ana.command(ana.choices()[0])
    view = expect(200, ana.delete(f"{table.path}/seats/0"))
    assert (view["status"], view["seats"][0]["conceded"]) == ("running", True)
    assert ana.delete(f"{table.path}/seats/0").refusal == (409, "seat-conceded")
    assert ana.view()["status"] == "running"
    assert ana.send(command).status in (201, 403, 409)


# Bots.


def test_the_host_seats_a_bot(api: Transport) -> None:
    table = open_table(api)
    given = expect(201, table.host.post(f"{table.path}/seats", {"bot": "random"}))
    assert given["game"]["seats"][0]["bot"] == "random"
    assert table.spectator.post(f"{table.path}/seats", {"bot": "random"}).refusal == (401, "no-token")
    assert table.host.post(f"{table.path}/seats", {"bot": "whoever"}).refusal == (422, "no-such-bot")
    assert table.host.post(f"{table.path}/seats", {}).refusal == (422, "invalid")


def test_a_seat_is_given_to_a_bot_and_back(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana = table.players[0]
    assert expect(200, ana.call("PUT", f"{table.path}/seats/0/bot", {"bot": "random"}))["seats"][0]["bot"] == "random"
    assert expect(200, ana.call("PUT", f"{table.path}/seats/0/bot", {"bot": None}))["seats"][0]["bot"] is None
    assert ana.call("PUT", f"{table.path}/seats/1/bot", {"bot": None}).refusal == (403, "not-your-seat")
    assert ana.call("PUT", f"{table.path}/seats/0/bot", {"bot": "whoever"}).refusal == (422, "no-such-bot")


def test_while_a_bot_plays_a_seat_its_token_shows_what_a_spectator_sees(api: Transport) -> None:
    table = open_table(api)
    given = expect(201, table.host.post(f"{table.path}/seats", {"bot": "random"}))
    for name in ("Ana", "Ben", "Cleo"):
        table.seat(name)
    bot = Player(api, table.path, given["seat"], given["token"])
    view = table.view()
    assert view["state"]["players"][0]["hand"] == {"hidden": 10}
    assert bot.view() == view
    for query in ("?at=5", "?at=2"):
        assert expect(200, bot.get(table.path + query)) == expect(200, table.spectator.get(table.path + query))
    events = expect(200, bot.get(f"{table.path}/events"))
    assert events == expect(200, table.spectator.get(f"{table.path}/events"))
    assert given["game"]["state"] is None
    assert bot.choices() == []


def test_a_seat_played_by_a_bot_cannot_answer_and_sees_no_choices(api: Transport) -> None:
    ana, ben = full_table(api, seats=2).players
    (choice,) = ana.choices()
    expect(200, ana.call("PUT", f"{ana.path}/seats/0/bot", {"bot": "random"}))
    for command in (ana.command(choice), ana.command(choice) | {"args": {"card": 105}}, ben.command(ben.choices()[0])):
        refused = ana.send(command)
        assert (refused.refusal, refused.json["choices"]) == ((409, "played-by-bot"), [])


def test_taking_a_seat_back_shows_its_hand_and_is_a_public_fact(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana = table.players[0]
    before = ana.view()["state"]
    for bot, as_shown in (("random", table.view()["state"]), (None, before)):
        view = expect(200, ana.call("PUT", f"{ana.path}/seats/0/bot", {"bot": bot}))
        assert view["state"] == as_shown == ana.view()["state"]
        (event,) = expect(200, table.spectator.get(f"{table.path}/events?after={view['version'] - 1}"))["events"]
        assert event["facts"] == [{"type": "bot_seated", "seat": 0, "bot": bot}]
    assert ana.send(ana.command(ana.choices()[0])).status == 201


def test_an_answer_that_was_accepted_before_a_bot_took_over_is_still_acknowledged(api: Transport) -> None:
    ana = full_table(api, seats=2).players[0]
    command = ana.command(ana.choices()[0])
    first = expect(201, ana.send(command))["decision"]
    expect(200, ana.call("PUT", f"{ana.path}/seats/0/bot", {"bot": "random"}))
    again = expect(200, ana.send(command))
    assert again["decision"]["number"] == first["number"]
    assert again["choices"] == []


def test_after_the_game_the_seat_of_a_bot_is_visible_like_every_other(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana, ben = table.players
    hand = ana.view()["state"]["players"][0]["hand"]
    view = expect(200, ana.delete(f"{ana.path}/seats/0"))
    assert view["status"] == "finished"
    assert ana.view()["state"]["players"][0]["hand"] == hand
    looked = expect(200, ben.get(f"{table.path}?as=0&at=4"))
    assert looked["state"]["players"][0]["hand"] == hand


# Parts of the seed.


def test_a_game_waits_for_the_parts_of_the_seed(api: Transport) -> None:
    table = open_table(api, seats=2)
    parts = ["first", "second"]
    players = [table.seat(part, commitment=sha256(part.encode()).hexdigest()) for part in parts]
    assert table.view()["status"] == "open"
    assert players[0].post(f"{table.path}/seats/0/seed", {"part": "other"}).refusal == (409, "seed-mismatch")
    for player, part in zip(players, parts, strict=True):
        view = expect(200, player.post(f"{player.path}/seats/{player.seat}/seed", {"part": part}))
    assert view["status"] == "running"


@pytest.mark.parametrize("commitment", ["", "00", "G" * 64, "0" * 64 + "\n", "0" * 63 + "A"])
def test_a_commitment_is_64_hexadecimal_digits(api: Transport, commitment: str) -> None:
    table = open_table(api)
    answer = table.spectator.post(f"{table.path}/seats", {"name": "Ana", "commitment": commitment})
    assert answer.refusal == (422, "invalid")


def test_a_seat_without_a_commitment_has_no_part_to_reveal(api: Transport) -> None:
    table = open_table(api)
    answer = table.seat("Ana").post(f"{table.path}/seats/0/seed", {"part": "mine"})
    assert answer.refusal == (409, "seed-mismatch")
    assert "without a commitment" in answer.json["detail"]


# Playing again.


@pytest.fixture
def over(games: CommandHandler, api: Transport) -> Table:
    table = full_table(api, seats=2)
    expect(200, table.players[0].delete(f"{table.path}/seats/0"))
    return table


def test_a_rematch_has_the_same_seats(api: Transport, over: Table) -> None:
    answers = [player.post(f"{over.path}/rematch") for player in over.players]
    assert [answer.status for answer in answers] == [201, 200]
    first, second = (answer.json for answer in answers)
    assert first["game"]["game"] == second["game"]["game"] != over.game
    assert second["game"]["rematch_of"] == over.game
    assert second["game"]["status"] == "running"
    assert [seat["name"] for seat in second["game"]["seats"]] == [seat["name"] for seat in over.view()["seats"]]
    assert [
        Caller(api, given["token"]).get(f"/v1/games/{first['game']['game']}/choices").status
        for given in (first, second)
    ] == [200, 200]


def test_a_repeated_rematch_gives_the_same_seat(over: Table) -> None:
    first, again = (over.players[0].post(f"{over.path}/rematch") for _ in range(2))
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json


def test_the_rematch_of_a_private_game_has_a_new_code(api: Transport) -> None:
    table = open_table(api, seats=2, visibility="private")
    ana, ben = (table.seat(name, code=table.created["code"]) for name in ("Ana", "Ben"))
    expect(200, ana.delete(f"{table.path}/seats/0"))
    again = expect(201, ana.post(f"{table.path}/rematch"))
    path = f"/v1/games/{again['game']['game']}"
    assert again["code"] != table.created["code"]
    assert expect(200, Caller(api).get(f"{path}?code={again['code']}"))["rematch_of"] == table.game
    assert expect(200, table.host.post(f"{table.path}/rematch"))["code"] == again["code"]
    expect(200, ben.post(f"{table.path}/rematch"))


def test_the_rematch_of_a_public_game_has_no_code(over: Table) -> None:
    assert "code" not in expect(201, over.players[0].post(f"{over.path}/rematch"))


def test_a_running_game_has_no_rematch(api: Transport) -> None:
    table = full_table(api, seats=2)
    assert table.players[0].post(f"{table.path}/rematch").refusal == (409, "game-not-over")


def test_two_processes_asked_for_a_rematch_at_once_agree_also_on_the_bots(
    api: Transport, second_api: Transport
) -> None:
    table = open_table(api, seats=3)
    expect(201, table.host.post(f"{table.path}/seats", {"bot": "random"}))
    ana, bob = table.seat("Ana"), table.seat("Bob")
    expect(200, ana.delete(f"{table.path}/seats/1"))
    expect(200, bob.delete(f"{table.path}/seats/2"))
    assert table.view()["status"] == "finished"
    first = expect(201, ana.post(f"{table.path}/rematch"))
    expect(200, Caller(second_api, bob.token).get(table.path))
    second = expect(200, Caller(second_api, bob.token).post(f"{table.path}/rematch"))
    assert first["game"]["game"] == second["game"]["game"]
    assert second["game"]["status"] == "running"
    assert second["game"]["seats"][0]["bot"] == "random"
