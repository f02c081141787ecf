"""`kill -9` of every program, between two moves and in the midst of many: what was acknowledged is there, once."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psutil
import pytest

from tests.e2e.installation import House, folded
from tests.service.players import Answer, Player, Table, expect, full_table
from tests.stores import until

SEATS = 4
PATIENCE = 120.0  # seconds
PAUSE = 0.02

VICTIMS: dict[str, Callable[[House], psutil.Process]] = {
    "the web": lambda house: house.running.program("gunicorn"),
    "a process of the web": lambda house: house.web_workers()[0],
    "the worker": lambda house: house.running.program("workers"),
    "the store": lambda house: house.running.program("croupier-store"),
    "the queue": lambda house: house.running.program("croupier-queue"),
}


def acknowledged(player: Player, choice: dict[str, Any], told: list[Any]) -> None:
    """Answer a choice as often as it takes; note the decision that was acknowledged."""
    answer: Answer = player.send(player.command(choice))
    assert answer.status in (200, 201), answer.body
    told.append(answer.json["decision"])


def check(house: House, table: Table, told: list[Any]) -> None:
    """Whatever was acknowledged is in the log as it was told, and no choice was answered twice."""
    decisions = house.log(table.game)
    for decision in told:
        kept = decisions[decision["number"] - 1]
        assert (kept.number, kept.choice, kept.move, kept.args) == (
            decision["number"],
            decision["choice"],
            decision["move"],
            decision["args"],
        )
    answered = [decision.choice for decision in decisions if decision.choice is not None]
    assert len(set(answered)) == len(answered)
    assert folded(decisions).number == table.view()["version"] == len(decisions)


@pytest.mark.parametrize("victim", VICTIMS)
def test_a_game_goes_on_after_a_kill_between_two_moves(frail: House, victim: str) -> None:
    table = full_table(frail.patient_line, seats=SEATS)
    told: list[Any] = []
    for _ in range(2):
        for _ in range(6):
            player, choice = next(table.asked())
            acknowledged(player, choice, told)
        if len(told) == 6:
            frail.running.kill(VICTIMS[victim](frail))
    check(frail, table, told)


def test_a_game_goes_on_while_one_program_after_the_other_is_killed(frail: House) -> None:
    table = full_table(frail.patient_line, seats=SEATS)
    told: list[Any] = []

    def play(player: Player) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for choice in player.choices():
                acknowledged(player, choice, told)
            if player.view()["status"] == "finished":
                return
            time.sleep(PAUSE)
        pytest.fail("the game does not end")

    with ThreadPoolExecutor(SEATS) as clients:
        playing = [clients.submit(play, player) for player in table.players]
        for victim in VICTIMS.values():
            before = len(told)
            frail.running.kill(victim(frail))
            until(lambda before=before: len(told) >= before + 4 or all(each.done() for each in playing), "it goes on")  # type: ignore[misc]
        for each in playing:
            each.result(PATIENCE)
    check(frail, table, told)
    assert table.view()["status"] == "finished"


def test_started_again_on_the_same_data_every_game_is_still_there(frail: House) -> None:
    tables = [full_table(frail.line, seats=2) for _ in range(5)]
    for number, table in enumerate(tables):
        table.play(moves=number)
    before = [[caller.get(table.path).json for caller in (*table.players, table.watcher)] for table in tables]
    frail.close()
    frail.running.wait_until_all_gone()
    frail.open()
    after = [[caller.get(table.path).json for caller in (*table.players, table.watcher)] for table in tables]
    assert after == before
    for table in tables:
        player, choice = next(table.asked())
        expect(201, player.send(player.command(choice)))
        assert folded(frail.log(table.game)).number == table.view()["version"]
