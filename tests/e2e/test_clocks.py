"""Timers answer for silent seats in time, even after the worker was down."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from tests.e2e.installation import Installation
from tests.service.players import Player, Table, full_table
from tests.stores import until

LIMIT = 1.0  # seconds that a seat has to answer
GRACE = 1.0  # seconds within which the clock has answered


def moment(text: str) -> float:
    """A time of the API, in seconds since the epoch."""
    return datetime.fromisoformat(text).timestamp()


def answered_by_the_clock(player: Player) -> list[dict[str, Any]]:
    """The decisions of the timer for a seat."""
    ran_out = {"type": "time_ran_out", "seat": player.seat}
    return [event for event in player.events()["events"] if ran_out in event["facts"]]


def silent(installation: Installation) -> Table:
    return full_table(installation.api, seats=2, clock={"seconds_per_choice": LIMIT})


def past_the_deadline(player: Player) -> dict[str, Any]:
    """Let the time of a choice run out; return a late command."""
    (choice,) = player.choices()
    command = player.command(choice)
    until(lambda: time.time() > moment(choice["deadline"]), "the deadline is over")
    return command


def test_the_timer_answers_for_a_silent_seat_within_a_second(installation: Installation) -> None:
    """The median of five measurements counts, because this machine may be busy."""
    ana, bob = silent(installation).players
    lateness: list[float] = []
    while len(lateness) < 5:
        before = len(answered_by_the_clock(bob))
        choices = bob.choices()
        for choice in ana.choices():
            ana.send(ana.command(choice))
        if not choices:
            continue  # only Ana was
        until(lambda before=before: len(answered_by_the_clock(bob)) > before, "the clock answers for Bob")  # type: ignore[misc]
        event = answered_by_the_clock(bob)[before]
        lateness.append(moment(event["at"]) - moment(choices[0]["deadline"]))
    assert min(lateness) >= 0, "never early"
    assert sorted(lateness)[2] <= GRACE, lateness


def test_a_late_command_is_stale_even_without_a_worker(fragile: Installation) -> None:
    worker = fragile.running.program("workers")
    worker.suspend()
    try:
        ana, bob = silent(fragile).players
        command = past_the_deadline(ana)
        assert answered_by_the_clock(ana) == answered_by_the_clock(bob) == []
        assert ana.send(command).refusal == (409, "stale-choice")
        assert len(answered_by_the_clock(ana)) == 1
    finally:
        worker.resume()


def test_a_restarted_worker_fires_overdue_timers(fragile: Installation) -> None:
    worker = fragile.running.program("workers")
    worker.suspend()
    tables = [silent(fragile) for _ in range(3)]
    players = [table.players[0] for table in tables]
    commands = [past_the_deadline(player) for player in players]
    assert [answered_by_the_clock(player) for player in players] == [[], [], []]
    fragile.running.kill(worker)
    for table, player, command in zip(tables, players, commands, strict=True):
        until(lambda player=player: answered_by_the_clock(player), "the clock catches up")  # type: ignore[misc]
        assert player.send(command).refusal == (409, "stale-choice")
        assert [entry.choice for entry in fragile.log(table.game) if entry.by == "clock"].count(command["choice"]) == 1
