"""Commands: accepted once, safe to repeat, and stale when late."""

from __future__ import annotations

from typing import Any

from events.games.command_handler import CommandHandler
from tests.clocks import StoppedClock
from tests.service.players import Caller, HttpResponse, Player, Table, Transport, expect, full_table
from tests.service.shortcuts import play_on, player_with_choice


def length(games: CommandHandler, table: Table) -> int:
    return len(games.store.read_after(table.game, 0))


def other_card(player: Player, command: dict[str, Any]) -> dict[str, Any]:
    """The same answer with another card."""
    shape = player.choices()[0]["schema"]["oneOf"][0]["properties"]["args"]["properties"]["card"]
    card = next(card for card in shape["enum"] if card != command["args"]["card"])
    return {**command, "args": {"card": card}}


def last_move(games: CommandHandler, api: Transport) -> tuple[Table, Player, dict[str, Any], HttpResponse]:
    """Play a game to its end; return it with the last player, their command and the response."""
    table = full_table(api, seats=2)
    while min(seat["points"] for seat in table.view()["seats"]) > 25:
        play_on(games, table, moves=5)
    while True:
        player, choice = next(table.pending())
        command = player.command(choice)
        answer = player.send(command)
        if expect(201, answer)["decision"]["facts"][-1]["type"] == "finished":
            return table, player, command, answer


# An answer is accepted.


def test_a_command_returns_the_decision_and_the_next_choices(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana = table.players[0]
    command = ana.command(ana.choices()[0])
    answer = ana.send(command)
    assert expect(201, answer) == {
        "decision": {
            "number": 4,
            "at": "2027-01-15T08:00:00.000Z",
            "facts": [{"type": "laid_face_down", "seat": 0, "card": command["args"]["card"]}],
            **command,
        },
        "version": 4,
        "choices": [],
    }


def test_other_seats_see_only_the_public_part_of_an_answer(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana, bob = table.players
    expect(201, ana.send(ana.command(ana.choices()[0])))
    decision = {"number": 4, "at": "2027-01-15T08:00:00.000Z"}
    fact = {"type": "laid_face_down", "seat": 0, "card": {"hidden": 1}}
    assert bob.events(after=3)["events"] == [decision | {"facts": [fact]}]


def test_7_0_is_7_and_is_returned_as_7(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana = table.players[0]
    command = ana.command(ana.choices()[0])
    card = command["args"]["card"]
    answer = ana.send({"choice": float(command["choice"]), "move": "lay", "args": {"card": float(card)}})
    assert expect(201, answer)["decision"]["args"] == {"card": card}
    assert f'"card":{card}}}'.encode() in answer.body


def test_true_is_not_the_row_1(games: CommandHandler, api: Transport) -> None:
    player = player_with_choice("row", games, api)
    version = player.view()["version"]
    command = {"choice": player.choices()[0]["choice"], "move": "replace_row", "args": {"row": True}}
    assert player.send(command).refusal == (409, "illegal-move")
    assert player.view()["version"] == version
    expect(201, player.send({**command, "args": {"row": 1.0}}))


# The same command again.


def test_the_same_command_again_gets_the_first_decision_and_is_not_played_twice(
    games: CommandHandler, api: Transport
) -> None:
    table = full_table(api, seats=2)
    ana = table.players[0]
    command = ana.command(ana.choices()[0])
    first = ana.send(command)
    before = length(games, table)
    again = ana.send(command)
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert length(games, table) == before


def test_a_command_repeated_later_gets_the_first_decision(games: CommandHandler, api: Transport) -> None:
    table = full_table(api)
    ana = table.players[0]
    command = ana.command(ana.choices()[0])
    first = ana.send(command)
    play_on(games, table, moves=150)  # more than one page of the log
    before = length(games, table)
    again = ana.send(command)
    assert again.status == 200
    assert again.json["decision"] == first.json["decision"]
    assert (again.json["version"], again.json["choices"]) == (before, ana.choices())
    assert length(games, table) == before


def test_a_repeated_command_may_be_written_differently(games: CommandHandler, api: Transport) -> None:
    player = player_with_choice("where", games, api, options={"professional": True})
    command = player.command(player.choices()[0])
    first = player.send(command)
    backwards = {name: command["args"][name] for name in ("side", "row")}
    assert list(backwards) != list(command["args"])
    backwards["row"] = float(backwards["row"])
    again = player.send({"args": backwards, "move": command["move"], "choice": float(command["choice"])})
    assert (first.status, again.status) == (201, 200)
    assert again.json["decision"] == first.json["decision"]


def test_the_last_command_of_a_finished_game_can_be_repeated(games: CommandHandler, api: Transport) -> None:
    table, player, command, first = last_move(games, api)
    before = length(games, table)
    again = player.send(command)
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert again.json["decision"]["facts"][-1]["type"] == "finished"
    assert length(games, table) == before


def test_a_second_process_knows_a_repeated_command(
    games: CommandHandler, api: Transport, second_api: Transport
) -> None:
    table = full_table(api, seats=2)
    ana = table.players[0]
    elsewhere = Caller(second_api, ana.token)
    expect(200, elsewhere.get(table.path))
    command = ana.command(ana.choices()[0])
    first = ana.send(command)
    again = elsewhere.post(f"{table.path}/commands", command)
    assert again.status == 200
    assert again.json == first.json


# Another answer to the same choice.


def test_another_answer_to_an_answered_choice_is_stale(games: CommandHandler, api: Transport) -> None:
    table = full_table(api, seats=2)
    ana = table.players[0]
    command = ana.command(ana.choices()[0])
    another = other_card(ana, command)
    expect(201, ana.send(command))
    before = length(games, table)
    answer = ana.send(another)
    assert answer.refusal == (409, "stale-choice")
    assert answer.json["choices"] == ana.choices()
    assert length(games, table) == before


def test_another_seat_cannot_repeat_a_command(api: Transport) -> None:
    table = full_table(api, seats=2)
    ana, bob = table.players
    command = ana.command(ana.choices()[0])
    expect(201, ana.send(command))
    assert bob.send(command).refusal == (409, "stale-choice")


def test_another_answer_to_the_last_choice_of_a_finished_game_is_too_late(
    games: CommandHandler, api: Transport
) -> None:
    _, player, command, _ = last_move(games, api)
    args = {name: value + 1 for name, value in command["args"].items()}
    assert player.send({**command, "args": args}).refusal == (409, "game-over")


def test_an_answer_to_a_choice_of_the_previous_turn_is_stale(games: CommandHandler, api: Transport) -> None:
    table = full_table(api, seats=2)
    ana = table.players[0]
    choice = ana.choices()[0]
    table.play(moves=4)
    before = length(games, table)
    taken = ana.events()["events"][3]["args"]["card"]
    shape = choice["schema"]["oneOf"][0]["properties"]["args"]["properties"]["card"]
    other = next(card for card in shape["enum"] if card != taken)
    late = {"choice": choice["choice"], "move": "lay", "args": {"card": other}}
    assert ana.send(late).refusal == (409, "stale-choice")
    assert length(games, table) == before


# Clocks.


def test_a_deadline_is_shown_and_a_command_in_time_is_accepted(api: Transport, clock: StoppedClock) -> None:
    table = full_table(api, seats=2, clock={"seconds_per_choice": 60})
    ana = table.players[0]
    choice = ana.choices()[0]
    assert choice["deadline"] > table.view()["created_at"]
    clock.pass_seconds(59.999)
    expect(201, ana.send(ana.command(choice)))


def test_a_command_after_the_deadline_is_stale_and_the_clock_has_answered_first(
    games: CommandHandler, api: Transport, clock: StoppedClock
) -> None:
    table = full_table(api, seats=2, clock={"seconds_per_choice": 60})
    ana = table.players[0]
    command = ana.command(ana.choices()[0])
    before = length(games, table)
    clock.pass_seconds(60)
    assert ana.send(command).refusal == (409, "stale-choice")
    first, second = ana.events(after=before)["events"][:2]
    assert first["facts"][0]["type"] == second["facts"][0]["type"] == "time_ran_out"
    assert (first["facts"][0]["seat"], second["facts"][0]["seat"]) == (0, 1)
    assert "args" not in first, "it was the clock who answered"


def test_without_a_clock_nothing_has_a_deadline(api: Transport) -> None:
    table = full_table(api, seats=2)
    assert [choice["deadline"] for _, choice in table.pending()] == [None, None]
