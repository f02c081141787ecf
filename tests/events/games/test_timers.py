"""The clock of a game: what is due is decided before anything else, and once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from events.games.command_handler import ALARM_GRACE_MS, CommandHandler
from events.games.commands import AnswerChoice
from events.store.log_store import AppendRequest
from games.kernel import Refusal, next_alarm
from tests.clocks import StoppedClock
from tests.events.playing import (
    MINUTE,
    at_once,
    command,
    folded,
    log,
    started_game,
)

# The clock.


def test_a_late_command_is_stale_and_the_clock_has_decided_before_it(
    games: CommandHandler, other: CommandHandler, clock: StoppedClock
) -> None:
    game = started_game(games, clock=MINUTE)
    other.read(game)
    choice = command(games, game, 0)
    clock.pass_seconds(60)
    with pytest.raises(Refusal, match="stale-choice"):
        other.handle(game, AnswerChoice(0, *choice))
    late = games.decisions(game, 3, 10)
    assert {decision.by for decision in late} == {"clock"}
    assert [decision.at for decision in late] == [clock.now] * len(late)
    assert late[0].choice == choice[0]


def test_a_command_just_in_time_is_accepted(games: CommandHandler, clock: StoppedClock) -> None:
    game = started_game(games, clock=MINUTE)
    choice = command(games, game, 0)
    clock.pass_seconds(59.999)
    assert games.handle(game, AnswerChoice(0, *choice)).decision.by == 0


def test_an_answer_given_by_the_clock_is_not_taken_for_a_repeated_answer_of_the_seat(
    games: CommandHandler, clock: StoppedClock
) -> None:
    game = started_game(games, clock=MINUTE)
    clock.pass_seconds(60)
    games.fire(game)
    given = games.decisions(game, 3, 1)[0]
    assert given.by == "clock"
    with pytest.raises(Refusal, match="stale-choice"):
        games.handle(game, AnswerChoice(0, given.choice or 0, given.move, given.args))


def test_firing_an_alarm_answers_all_choices_that_are_due_and_no_others(
    games: CommandHandler, clock: StoppedClock
) -> None:
    game = started_game(games, seats=3, clock=MINUTE)
    assert games.fire(game) == 0
    clock.pass_seconds(60)
    assert games.fire(game) >= 3
    assert games.fire(game) == 0
    assert games.store.alarm(game) == next_alarm(games.read(game).game)


def test_two_processes_that_fire_at_once_fire_each_alarm_once(
    games: CommandHandler, other: CommandHandler, clock: StoppedClock
) -> None:
    game = started_game(games, seats=4, clock=MINUTE)
    other.read(game)
    for _ in range(5):
        before = len(log(games, game))
        clock.pass_seconds(61)
        fired = sum(at_once([partial(each.fire, game) for each in (games, other) * 2]))
        assert fired == len(log(games, game)) - before
        assert fired >= 1
    assert folded(games, game) == games.read(game).game


def test_a_process_that_fires_an_alarm_holds_it_while_it_continues(games: CommandHandler, clock: StoppedClock) -> None:
    """Should it die half-way, the alarm rings again when it is not held any more."""
    game = started_game(games, seats=3, clock=MINUTE)
    clock.pass_seconds(60)
    alarms: list[int | None] = []
    append = games.store.append_all

    def watched(game: str, requests: Sequence[AppendRequest], now: int) -> Any:
        alarms.extend(request.alarm for request in requests)
        return append(game, requests, now)

    games.store.append_all = watched  # type: ignore[method-assign]
    games.fire(game)
    assert alarms[:2] == [clock.now + ALARM_GRACE_MS] * 2
    assert games.store.alarm(game) == next_alarm(games.read(game).game)
