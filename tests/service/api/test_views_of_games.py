"""Views of a game and its events: versions, pages, and what each viewer may see."""

from __future__ import annotations

import pytest

from events.games.command_handler import CommandHandler
from tests.service.players import Caller, Table, Transport, expect, full_table
from tests.service.shortcuts import play_on


@pytest.fixture
def table(api: Transport) -> Table:
    table = full_table(api, seats=2)
    table.play(moves=5)
    return table


# Versions.


def test_the_etag_is_the_version(table: Table) -> None:
    answer = table.spectator.get(table.path)
    assert answer.headers["etag"] == f'"{answer.json["version"]}"'
    assert set(answer.headers["vary"].split(", ")) >= {"Authorization", "Accept-Encoding"}
    assert answer.headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize("known", ['"{version}"', 'W/"{version}"', '"1", "{version}"', "*"])
def test_a_client_with_this_version_gets_304(table: Table, known: str) -> None:
    version = table.view()["version"]
    answer = table.spectator.get(table.path, If_None_Match=known.format(version=version))
    assert (answer.status, answer.body) == (304, b"")
    assert answer.headers["etag"] == f'"{version}"'


def test_a_newer_version_is_sent(table: Table) -> None:
    version = table.view()["version"]
    table.move()
    answer = table.spectator.get(table.path, If_None_Match=f'"{version}"')
    assert expect(200, answer)["version"] > version


def test_if_match_with_another_version_is_refused(table: Table) -> None:
    version = table.view()["version"]
    expect(200, table.spectator.get(table.path, If_Match=f'"{version}"'))
    answer = table.spectator.get(table.path, If_Match='"1"')
    assert answer.refusal == (412, "version-mismatch")
    assert str(version) in answer.json["detail"]


def test_head_is_get_without_a_body(table: Table) -> None:
    answer = table.spectator.call("HEAD", table.path)
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["etag"] == f'"{table.view()["version"]}"'


def test_a_second_process_shows_the_newest_version(table: Table, second_api: Transport) -> None:
    elsewhere = Caller(second_api)
    assert expect(200, elsewhere.get(table.path)) == table.view()
    table.play(moves=3)
    assert expect(200, elsewhere.get(table.path)) == table.view()


# Pages of events.


def test_all_events_come_in_order(table: Table) -> None:
    page = expect(200, table.spectator.get(f"{table.path}/events"))
    assert [event["number"] for event in page["events"]] == list(range(1, page["version"] + 1))
    assert page["version"] == table.view()["version"]
    assert page["more"] is False


@pytest.mark.parametrize("limit", [1, 3, 7, 8, 9])
def test_pages_follow_each_other_without_gap_or_overlap(table: Table, limit: int) -> None:
    whole = expect(200, table.spectator.get(f"{table.path}/events"))["events"]
    pages, after, more = [], 0, True
    while more:
        page = expect(200, table.spectator.get(f"{table.path}/events?after={after}&limit={limit}"))
        assert 0 < len(page["events"]) <= limit
        pages += page["events"]
        after, more = pages[-1]["number"], page["more"]
    assert pages == whole


@pytest.mark.parametrize("beyond", [0, 1, 2**53 - 9])
def test_after_the_last_event_the_page_is_empty(table: Table, beyond: int) -> None:
    version = table.view()["version"]
    page = expect(200, table.spectator.get(f"{table.path}/events?after={version + beyond - (beyond > 2)}"))
    assert page == {"events": [], "version": version, "more": False}


def test_a_seat_sees_only_its_own_answers(table: Table) -> None:
    ana, bob = table.players
    mine = {event["number"] for event in ana.events()["events"] if "args" in event}
    theirs = {event["number"] for event in bob.events()["events"] if "args" in event}
    watched = [event for event in expect(200, table.spectator.get(f"{table.path}/events"))["events"] if "args" in event]
    assert mine
    assert theirs
    assert not mine & theirs
    assert watched == []


def test_only_its_seat_sees_a_hand(table: Table) -> None:
    def hands(caller: Caller) -> list[bool]:
        players = expect(200, caller.get(table.path))["state"]["players"]
        return [isinstance(player["hand"], list) for player in players]

    assert hands(table.players[0]) == [True, False]
    assert hands(table.players[1]) == [False, True]
    assert hands(table.host) == hands(table.spectator) == [False, False]


def test_a_finished_game_shows_its_result(games: CommandHandler, api: Transport) -> None:
    table = full_table(api, seats=2)
    play_on(games, table)
    view = table.view()
    assert view["status"] == "finished"
    assert view["result"]["points"] == [seat["points"] for seat in view["seats"]]
    assert sorted(view["result"]["places"]) in ([1, 2], [1, 1])
    assert min(view["result"]["points"]) <= 0
