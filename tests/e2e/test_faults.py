"""`kill -9` of every program, between moves and during them: every acknowledged decision is in the log once."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psutil
import pytest

from tests.e2e.installation import Installation, folded
from tests.service.players import HttpResponse, Player, Table, expect, full_table
from tests.stores import until

SEATS = 4
PATIENCE = 120.0  # seconds
PAUSE = 0.02

VICTIMS: dict[str, Callable[[Installation], psutil.Process]] = {
    "the web": lambda installation: installation.running.program("gunicorn"),
    "a process of the web": lambda installation: installation.web_workers()[0],
    "the worker": lambda installation: installation.running.program("workers"),
    "the store": lambda installation: installation.running.program("croupier-store"),
    "the queue": lambda installation: installation.running.program("croupier-queue"),
}


def acknowledged(player: Player, choice: dict[str, Any], sent: list[Any]) -> None:
    """Answer a choice, with retries; note the acknowledged decision."""
    answer: HttpResponse = player.send(player.command(choice))
    assert answer.status in (200, 201), answer.body
    sent.append(answer.json["decision"])


def check(installation: Installation, table: Table, sent: list[Any]) -> None:
    """Every acknowledged decision is in the log, and no choice was answered twice."""
    decisions = installation.log(table.game)
    for decision in sent:
        entry = decisions[decision["number"] - 1]
        assert (entry.number, entry.choice, entry.move, entry.args) == (
            decision["number"],
            decision["choice"],
            decision["move"],
            decision["args"],
        )
    answered = [decision.choice for decision in decisions if decision.choice is not None]
    assert len(set(answered)) == len(answered)
    assert folded(decisions).number == table.view()["version"] == len(decisions)


@pytest.mark.parametrize("victim", VICTIMS)
def test_a_game_goes_on_after_a_kill_between_two_moves(fragile: Installation, victim: str) -> None:
    table = full_table(fragile.retrying_api, seats=SEATS)
    sent: list[Any] = []
    for _ in range(2):
        for _ in range(6):
            player, choice = next(table.pending())
            acknowledged(player, choice, sent)
        if len(sent) == 6:
            fragile.running.kill(VICTIMS[victim](fragile))
    check(fragile, table, sent)


def test_a_game_goes_on_while_one_program_after_the_other_is_killed(fragile: Installation) -> None:
    table = full_table(fragile.retrying_api, seats=SEATS)
    sent: list[Any] = []

    def play(player: Player) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for choice in player.choices():
                acknowledged(player, choice, sent)
            if player.view()["status"] == "finished":
                return
            time.sleep(PAUSE)
        pytest.fail("the game does not end")

    with ThreadPoolExecutor(SEATS) as clients:
        playing = [clients.submit(play, player) for player in table.players]
        for victim in VICTIMS.values():
            before = len(sent)
            fragile.running.kill(victim(fragile))
            until(lambda before=before: len(sent) >= before + 4 or all(each.done() for each in playing), "it goes on")  # type: ignore[misc]
        for each in playing:
            each.result(PATIENCE)
    check(fragile, table, sent)
    assert table.view()["status"] == "finished"


def test_games_survive_a_restart(fragile: Installation) -> None:
    tables = [full_table(fragile.api, seats=2) for _ in range(5)]
    for number, table in enumerate(tables):
        table.play(moves=number)
    before = [[caller.get(table.path).json for caller in (*table.players, table.spectator)] for table in tables]
    fragile.close()
    fragile.running.wait_until_all_gone()
    fragile.open()
    after = [[caller.get(table.path).json for caller in (*table.players, table.spectator)] for table in tables]
    assert after == before
    for table in tables:
        player, choice = next(table.pending())
        expect(201, player.send(player.command(choice)))
        assert folded(fragile.log(table.game)).number == table.view()["version"]
