"""A game from end to end: real programs, real threads, clients that read `choices` and nothing else."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from tests.e2e.installation import Installation, folded
from tests.e2e.secrecy import cards_in, leaks
from tests.service.players import HttpResponse, Player, Table, expect, full_table, open_table

SEATS = 4
ROUNDS = 1000
PATIENCE = 120.0  # seconds
PAUSE = 0.02


def play_alone(player: Player) -> None:
    """Play without a rulebook: when the game has changed, list the choices and answer."""
    deadline = time.monotonic() + PATIENCE
    etag = ""
    while time.monotonic() < deadline:
        view = player.get(player.path, If_None_Match=etag)
        if view.status == 304:
            time.sleep(PAUSE)
            continue
        etag = view.headers["etag"]
        if expect(200, view)["status"] == "finished":
            player.events()
            return
        for choice in player.choices():
            expect(201, player.send(player.command(choice)))
    pytest.fail("the game does not end")


@pytest.fixture(scope="module")
def played(installation: Installation) -> Table:
    """A game of four, each seat with a client of its own, played to its end."""
    table = full_table(installation.api, seats=SEATS)
    with ThreadPoolExecutor(SEATS) as clients:
        list(clients.map(play_alone, table.players))
    return table


def test_the_folded_log_is_the_view_of_every_seat(installation: Installation, played: Table) -> None:
    decisions = installation.log(played.game)
    game = folded(decisions)
    assert game.session.status == "finished"
    assert game.session.result is not None
    assert game.state is not None
    for caller in (*played.players, played.spectator, played.host):
        view = expect(200, caller.get(played.path))
        assert view["version"] == game.number == len(decisions)
        assert view["result"]["points"] == list(game.session.result.points)
        assert [seat["points"] for seat in view["seats"]] == [player.points for player in game.state.players]
        assert view["state"]["rows"] == [list(row) for row in game.state.rows]


def test_the_events_of_a_game_are_its_log(installation: Installation, played: Table) -> None:
    decisions = installation.log(played.game)
    events: list[Any] = []
    while len(events) < len(decisions):
        events += expect(200, played.spectator.get(f"{played.path}/events?after={len(events)}&limit=500"))["events"]
    assert [event["number"] for event in events] == [decision.number for decision in decisions]


def test_no_seat_received_a_hidden_card_of_another_seat(installation: Installation, played: Table) -> None:
    decisions = installation.log(played.game)
    for player in played.players:
        assert leaks(player.seat, decisions, player.received) == []
    for outsider in (played.spectator, played.host):
        assert leaks(-1, decisions, outsider.received) == []


def test_the_check_for_leaks_detects_one(installation: Installation, played: Table) -> None:
    """What one seat received, compared with the secrets of another."""
    decisions = installation.log(played.game)
    ana, bob, *_ = played.players
    assert len(list(cards_in([ana.view()["state"], *ana.events()["events"]]))) > 100
    assert len(leaks(bob.seat, decisions, ana.received)) > 10


def test_four_simultaneous_commands_are_each_in_the_log_once(
    installation: Installation,
) -> None:
    barrier = Barrier(SEATS)
    rounds = 0

    def lay(player: Player, command: dict[str, Any]) -> HttpResponse:
        barrier.wait(PATIENCE)
        return player.send(command)

    with ThreadPoolExecutor(SEATS) as clients:
        while rounds < ROUNDS:
            table = full_table(installation.api, seats=SEATS)
            sent: dict[int, int] = {}
            while rounds < ROUNDS:
                choices_of_players = list(clients.map(Player.choices, table.players))
                if not all(choices_of_players):
                    if not any(choices_of_players):
                        break  # the game is over
                    settle(table, choices_of_players)
                    continue
                commands = [
                    player.command(choice) for player, (choice,) in zip(table.players, choices_of_players, strict=True)
                ]
                answers = list(clients.map(lay, table.players, commands))
                assert [answer.status for answer in answers] == [201] * SEATS, answers
                sent |= {command["choice"]: command["args"]["card"] for command in commands}
                rounds += 1
            laid = [
                (entry.choice, entry.args.get("card")) for entry in installation.log(table.game) if entry.move == "lay"
            ]
            assert sorted(laid, key=str) == sorted(sent.items(), key=str)


def settle(table: Table, choices_of_players: list[list[dict[str, Any]]]) -> None:
    """Let the seats that have choices answer."""
    for player, choices in zip(table.players, choices_of_players, strict=True):
        for choice in choices:
            expect(201, player.send(player.command(choice)))


def test_ten_simultaneous_repeats_of_a_command_are_played_once(installation: Installation) -> None:
    callers = 10
    barrier = Barrier(callers)
    table = full_table(installation.api, seats=SEATS)

    def send(player: Player, command: dict[str, Any]) -> HttpResponse:
        barrier.wait(PATIENCE)
        return player.send(command)

    with ThreadPoolExecutor(callers) as clients:
        for _ in range(20):
            player, choice = next(table.pending())
            command = player.command(choice)
            answers = list(clients.map(send, [player] * callers, [command] * callers))
            assert sorted(answer.status for answer in answers) == [200] * (callers - 1) + [201]
            assert len({str(answer.json["decision"]) for answer in answers}) == 1
            assert [entry.choice for entry in installation.log(table.game)].count(command["choice"]) == 1


def test_ten_simultaneous_claims_of_seats_get_one_each(installation: Installation) -> None:
    callers = 10
    barrier = Barrier(callers)
    table = open_table(installation.api, seats=4)

    def sit(number: int) -> HttpResponse:
        barrier.wait(PATIENCE)
        return table.spectator.post(f"{table.path}/seats", {"name": "Ana"})

    with ThreadPoolExecutor(callers) as clients:
        answers = list(clients.map(sit, range(callers)))
    taken = [answer.json for answer in answers if answer.status == 201]
    assert sorted(given["seat"] for given in taken) == [0, 1, 2, 3]
    assert len({given["token"] for given in taken}) == 4
    assert {answer.refusal for answer in answers if answer.status != 201} <= {
        (409, "game-started"),
        (409, "seats-full"),
    }
    assert len(installation.log(table.game)) == 5
