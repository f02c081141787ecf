"""Bots play in time slices: no game of bots delays the clocks of others, and no game is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from events.games.command_handler import CommandHandler, now_ms
from events.games.commands import TakeSeat
from events.games.participants import new_person
from events.store import keys
from games.kernel import Clock, GameSetup
from workers import alarms, bots
from workers.resources import Resources

LONG, OTHER = "long000000000000", "other00000000000"


@pytest.fixture
def bot_games(games: CommandHandler, resources: Resources) -> CommandHandler:
    """Two games of bots only; their alarms are claimed."""
    for name in (LONG, OTHER):
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), name)
        for seat in range(2):
            games.handle(name, TakeSeat(new_person(f"bot {seat}", None), seat, "random"))
        resources.store.claim_due(keys.game_shard(name), now_ms(), alarms.LEASE_MS)
    return games


class SlowAnswers:
    """Each answer of a bot takes a whole time slice."""

    def __init__(self, handle: Callable[..., Any]) -> None:
        self.games: list[str] = []
        self._handle = handle
        self._now = 0.0

    def handle(self, game: str, *args: Any) -> Any:
        self.games.append(game)
        self._now += bots.TIME_SLICE_SECONDS
        return self._handle(game, *args)

    def monotonic(self) -> float:
        return self._now


@pytest.fixture
def slow_answers(monkeypatch: pytest.MonkeyPatch, resources: Resources) -> SlowAnswers:
    slow = SlowAnswers(resources.games.handle)
    monkeypatch.setattr(resources.games, "handle", slow.handle)
    return slow


def test_when_a_time_slice_ends_within_a_game_its_alarm_is_due_again_at_once(
    bot_games: CommandHandler, slow_answers: SlowAnswers, resources: Resources
) -> None:
    before = now_ms()
    alarms.fire_alarms(replace(resources, monotonic=slow_answers.monotonic), LONG, OTHER)
    assert slow_answers.games == [LONG]
    due = [resources.store.alarm(name) for name in (OTHER, LONG)]
    assert before <= due[0] < due[1] <= now_ms() + 1  # type: ignore[operator]


def test_the_alarms_of_all_games_are_fired_before_bots_play(
    bot_games: CommandHandler, monkeypatch: pytest.MonkeyPatch, resources: Resources
) -> None:
    done: list[tuple[str, str]] = []

    def play(games: CommandHandler, game: str, *_: object) -> bool:
        done.append(("play", game))
        return True

    monkeypatch.setattr(resources.games, "fire", lambda game: done.append(("fire", game)))
    monkeypatch.setattr(bots, "play", play)
    alarms.fire_alarms(resources, LONG, OTHER)
    assert done == [("fire", LONG), ("fire", OTHER), ("play", LONG), ("play", OTHER)]


def test_bots_play_although_an_alarm_fails(
    bot_games: CommandHandler, monkeypatch: pytest.MonkeyPatch, resources: Resources
) -> None:
    def broken(game: str) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(resources.games, "fire", broken)
    before = bot_games.read(LONG).game.number
    with pytest.raises(ZeroDivisionError):
        alarms.fire_alarms(resources, LONG)
    assert bot_games.read(LONG).game.number > before


def test_slice_by_slice_all_games_of_bots_end(bot_games: CommandHandler, resources: Resources) -> None:
    names = {LONG, OTHER}
    while names:
        alarms.fire_alarms(resources, *names)
        names = {name for name in names if bot_games.read(name).session.status == "running"}
    assert [bot_games.read(name).session.status for name in (LONG, OTHER)] == ["finished", "finished"]
