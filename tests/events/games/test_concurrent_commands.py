"""Concurrent commands for one game in a process: decided one after the other, appended in one round trip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, cast

import pytest

from events.games.command_handler import CommandHandler, CommandResult
from events.games.commands import AnswerChoice, StartGame
from events.store.connection import connect
from events.store.errors import StoreUnavailable
from events.store.log_store import AppendRequest, LogStore
from games.kernel import Refusal
from games.rulebooks import RULEBOOKS
from tests.clocks import StoppedClock
from tests.events.conftest import Process
from tests.events.playing import MINUTE, command, created_game, folded, log, run_concurrently, sit, started_game
from tests.stores import LosingAnswers


@pytest.fixture
def process(store_url: str, clock: StoppedClock) -> Iterator[Process]:
    """Processes whose commands wait for their batch for as long as the test takes."""
    with ExitStack() as clients:
        yield lambda: CommandHandler(
            LogStore(clients.enter_context(connect(store_url))), RULEBOOKS, clock, batch_timeout=60.0
        )


def answers(games: CommandHandler, game: str, seats: int = 4) -> list[Any]:
    """The answers of all seats, to be called."""
    return [partial(games.handle, game, AnswerChoice(seat, *command(games, game, seat))) for seat in range(seats)]


def numbers(came: list[Any]) -> list[int]:
    """The numbers of the decisions that were granted."""
    return [each.decision.number for each in came if isinstance(each, CommandResult)]


def test_concurrent_commands_are_decided_one_on_the_other_and_appended_together(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games, seats=4)
    trips: list[int] = []
    append = games.store.append_all

    def watched(game: str, requests: Sequence[AppendRequest], now: int) -> Any:
        trips.append(len(requests))
        return append(game, requests, now)

    games.store.append_all = watched  # type: ignore[method-assign]
    came = run_concurrently(games, game, answers(games, game))
    assert numbers(came) == [6, 7, 8, 9]
    assert trips == [4]
    assert folded(games, game) == games.read(game).game == other.read(game).game


def test_a_refused_command_does_not_affect_the_others(games: CommandHandler) -> None:
    game = started_game(games, seats=4)
    first, second, third, fourth = answers(games, game)
    wrong = partial(games.handle, game, AnswerChoice(1, command(games, game, 1)[0], "lay", {"card": 0}))
    came = run_concurrently(games, game, [first, wrong, second, third, fourth])
    assert numbers(came) == [6, 7, 8, 9]
    assert isinstance(came[1], Refusal)
    assert came[1].code == "illegal-move"


def test_a_command_refused_because_of_an_earlier_one_is_decided_again_once_that_is_in_the_log(
    games: CommandHandler,
) -> None:
    game = created_game(games, begins="host")
    sit(games, game)
    came = run_concurrently(
        games, game, [partial(sit, games, game), partial(sit, games, game), partial(games.handle, game, StartGame())]
    )
    assert isinstance(came[1], Refusal)
    assert came[1].code == "seats-full"
    assert numbers(came) == [3, 4]
    assert folded(games, game) == games.read(game).game


def test_the_same_answer_twice_is_one_decision(games: CommandHandler) -> None:
    game = started_game(games)
    answer = answers(games, game, seats=1)[0]
    first, second = run_concurrently(games, game, [answer, answer])
    assert isinstance(first, CommandResult)
    assert isinstance(second, CommandResult)
    assert (first.repeated, second.repeated) == (False, True)
    assert first.decision == second.decision
    assert len(log(games, game)) == 4


def test_when_another_process_appends_first_all_are_decided_again(games: CommandHandler, other: CommandHandler) -> None:
    game = started_game(games, seats=4)
    first, *others = answers(games, game)
    given = command(other, game, 0)

    def after_the_other_process() -> CommandResult:
        other.handle(game, AnswerChoice(0, *given))
        return cast("CommandResult", others[0]())

    came = run_concurrently(games, game, [after_the_other_process, *others[1:], first])
    assert numbers(came) == [7, 8, 9, 6]
    assert [each.repeated for each in came if isinstance(each, CommandResult)] == [False, False, False, True]
    assert folded(games, game) == games.read(game).game == other.read(game).game


def test_timers_that_are_due_are_decided_before_the_commands(games: CommandHandler, clock: StoppedClock) -> None:
    game = started_game(games, seats=4, clock=MINUTE)
    first, *others = answers(games, game)

    def late() -> CommandResult:
        clock.pass_seconds(60)
        return cast("CommandResult", first())

    came = run_concurrently(games, game, [late, *others])
    assert [each.code for each in came if isinstance(each, Refusal)] == ["stale-choice"] * 4


def test_when_the_reply_of_the_store_is_lost_all_commands_fail_and_each_was_carried_out_once(
    games: CommandHandler, store_url: str, clock: StoppedClock
) -> None:
    with LosingAnswers(store_url) as losing, connect(losing.url) as client:
        beyond = CommandHandler(LogStore(client), RULEBOOKS, clock, batch_timeout=60.0)
        game = started_game(games, seats=4)
        calls = answers(beyond, game)
        append = beyond.store.append_all

        def and_lose(game: str, requests: Sequence[AppendRequest], now: int) -> Any:
            losing.losing = True
            return append(game, requests, now)

        beyond.store.append_all = and_lose  # type: ignore[method-assign]
        assert all(isinstance(each, StoreUnavailable) for each in run_concurrently(beyond, game, calls))
        assert losing.lost > 0
        losing.losing, beyond.store.append_all = False, append  # type: ignore[method-assign]
        assert [call().repeated for call in calls] == [True] * 4
        assert len(log(games, game)) == 9
