"""Requests that are refused unless the game is at a certain version."""

from __future__ import annotations

import pytest

from tests.service.players import HttpResponse, Player, Table, Transport, expect, full_table, open_table


@pytest.fixture
def table(api: Transport) -> Table:
    return full_table(api, seats=2)


def command(player: Player) -> dict[str, object]:
    return player.command(player.choices()[0])


def send(player: Player, sent: dict[str, object], tag: str) -> HttpResponse:
    return player.post(f"{player.path}/commands", sent, If_Match=tag)


@pytest.mark.parametrize("tag", ['"{version}"', '"1", "{version}"', '"{version}:gzip"', "*"])
def test_a_command_for_this_version_is_accepted(table: Table, tag: str) -> None:
    ana = table.players[0]
    sent = send(ana, command(ana), tag.format(version=table.view()["version"]))
    assert expect(201, sent)["version"] == table.view()["version"]


@pytest.mark.parametrize("tag", ['"1"', '"{version}0"', 'W/"{version}"', "", '""', ",", ",,\t", "junk"])
def test_a_command_for_another_version_is_refused_and_changes_nothing(table: Table, tag: str) -> None:
    ana, before = table.players[0], table.view()
    refused = send(ana, command(ana), tag.format(version=before["version"]))
    assert refused.refusal == (412, "version-mismatch")
    assert refused.json["version"] == before["version"]
    assert refused.json["choices"] == ana.choices()
    assert table.view() == before


def test_the_tag_of_a_compressed_response_is_accepted(api: Transport) -> None:
    table = full_table(api, rulebook="millennium-blades", seats=4)
    looked = table.players[0].get(table.path, Accept_Encoding="gzip")
    assert looked.headers["etag"].endswith(':gzip"')
    for tag in ("*", looked.headers["etag"]):
        assert table.players[0].get(table.path, Accept_Encoding="gzip", If_Match=tag).status == 200
    player, choice = next(table.pending())
    expect(201, send(player, player.command(choice), looked.headers["etag"]))


def test_the_command_of_another_seat_changes_the_version(table: Table) -> None:
    ana, bob = table.players
    version, sent = table.view()["version"], command(ana)
    expect(201, bob.send(command(bob)))
    assert send(ana, sent, f'"{version}"').refusal == (412, "version-mismatch")
    expect(201, ana.send(sent))


def test_a_second_process_knows_the_newest_version(table: Table, second_api: Transport) -> None:
    ana, bob = table.players
    table.view()
    elsewhere = Player(second_api, ana.path, ana.seat, str(ana.token))
    version, sent = elsewhere.view()["version"], command(elsewhere)
    expect(201, bob.send(command(bob)))
    assert send(elsewhere, sent, f'"{version}"').refusal == (412, "version-mismatch")
    expect(201, send(elsewhere, sent, f'"{version + 1}"'))


def test_a_repeated_command_with_its_version_gets_the_first_decision(table: Table) -> None:
    ana = table.players[0]
    version, sent = table.view()["version"], command(ana)
    first = expect(201, send(ana, sent, f'"{version}"'))
    again = expect(200, send(ana, sent, f'"{version}"'))
    assert again["decision"] == first["decision"]
    assert table.view()["version"] == version + 1


def test_another_answer_to_the_same_choice_is_refused_for_its_version(table: Table) -> None:
    ana = table.players[0]
    version, sent = table.view()["version"], command(ana)
    other = next(choice for _ in range(100) if (choice := command(ana)) != sent)
    expect(201, send(ana, sent, f'"{version}"'))
    assert send(ana, other, f'"{version}"').refusal == (412, "version-mismatch")


def test_a_repeated_request_for_a_pause_does_not_end_it(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana, bob = table.players
    expect(200, bob.post(f"{table.path}/pause"))
    version = f'"{table.view()["version"]}"'
    first, again = (ana.post(f"{table.path}/pause", If_Match=version) for _ in range(2))
    assert (first.status, again.refusal) == (200, (412, "version-mismatch"))
    assert table.view()["paused"] is True


def test_leaving_an_open_game_does_not_concede_a_started_one(api: Transport) -> None:
    table = full_table(api, seats=2, start="host")
    ana, version = table.players[0], f'"{table.view()["version"]}"'
    expect(200, table.host.post(f"{table.path}/start", If_Match=version))
    assert ana.delete(f"{table.path}/seats/0", If_Match=version).refusal == (412, "version-mismatch")
    assert table.view()["seats"][0]["conceded"] is False


def test_every_change_of_a_game_can_be_bound_to_its_version(api: Transport) -> None:
    table = full_table(api, seats=2, start="host")
    host, ana = table.host, table.players[0]
    before = table.view()
    for caller, method, path, body in (
        (host, "POST", "/start", None),
        (host, "DELETE", "", None),
        (host, "DELETE", "/seats/0", None),
        (ana, "POST", "/pause", None),
        (ana, "PUT", "/seats/0/bot", {"bot": "random"}),
        (ana, "POST", "/seats/0/seed", {"part": "a part"}),
    ):
        assert caller.call(method, table.path + path, body, If_Match='"1"').refusal == (412, "version-mismatch"), path
    assert table.view() == before


@pytest.mark.parametrize(
    ("tag", "status"), [("*", 200), ('"{version}"', 200), ('"{version}:gzip"', 200), ('"1"', 412), ("", 412)]
)
def test_a_game_and_its_record_are_refused_at_another_version(api: Transport, tag: str, status: int) -> None:
    table = open_table(api)
    expect(200, table.host.delete(table.path))
    wanted = tag.format(version=table.view()["version"])
    for path in (table.path, f"{table.path}/record"):
        assert table.spectator.get(path, If_Match=wanted).status == status
        assert table.spectator.get(path, If_Match=wanted, If_None_Match='"2"').status == (304 if status == 200 else 412)
