"""A store that becomes unavailable or has lost decisions: nothing is half done or based on lost decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from events.games.command_handler import CommandHandler
from events.games.commands import AnswerChoice
from events.games.repository import GameNotFound
from events.store.connection import connect
from events.store.errors import StoreUnavailable
from events.store.log_store import LogStore
from games.kernel import Refusal
from games.rulebooks import RULEBOOKS
from tests.clocks import StoppedClock
from tests.events.playing import (
    answer_to,
    command,
    created_game,
    folded,
    log,
    lose_last_decision,
    pending,
    play,
    started_game,
)
from tests.stores import LosingAnswers

# A store that is away.


@pytest.fixture
def losing(store_url: str) -> Iterator[LosingAnswers]:
    with LosingAnswers(store_url) as proxy:
        yield proxy


@pytest.fixture
def beyond(losing: LosingAnswers, clock: StoppedClock) -> Iterator[CommandHandler]:
    """A process whose line to the store may break."""
    with connect(losing.url) as client:
        yield CommandHandler(LogStore(client), RULEBOOKS, clock)


def test_a_command_whose_reply_is_lost_fails_and_is_carried_out_once(
    games: CommandHandler, beyond: CommandHandler, losing: LosingAnswers
) -> None:
    game = started_game(games)
    beyond.read(game)
    choice = command(games, game, 0)
    losing.losing = True
    with pytest.raises(StoreUnavailable):
        beyond.handle(game, AnswerChoice(0, *choice))
    losing.losing = False
    assert losing.lost > 0
    again = beyond.handle(game, AnswerChoice(0, *choice))
    assert again.repeated
    assert len(log(games, game)) == 4
    assert beyond.read(game) == games.read(game)


def test_while_the_store_is_unavailable_everything_fails_and_nothing_is_half_done(
    games: CommandHandler, clock: StoppedClock, losing: LosingAnswers
) -> None:
    game = started_game(games)
    before = log(games, game)
    choice = command(games, game, 0)
    with connect(losing.url) as client:
        away = CommandHandler(LogStore(client), RULEBOOKS, clock)
        away.read(game)
        losing.__exit__()
        uses: list[Callable[[], object]] = [
            lambda: away.read(game),
            lambda: away.read("0" * 16),
            lambda: away.handle(game, AnswerChoice(0, *choice)),
            lambda: away.fire(game),
            lambda: away.decisions(game, 0, 10),
            lambda: away.save_snapshot(game),
            lambda: created_game(away),
        ]
        for use in uses:
            with pytest.raises(StoreUnavailable):
                use()
    assert log(games, game) == before


def test_a_projector_that_cannot_be_called_does_no_harm(
    store_url: str, clock: StoppedClock, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(game: str) -> None:
        raise OSError("the queue is away")

    with connect(store_url) as client:
        games = CommandHandler(LogStore(client), RULEBOOKS, clock, call_projector=fail)
        game = started_game(games)
        assert games.handle(game, AnswerChoice(0, *command(games, game, 0))).decision.number == 4
    assert "the projector could not be called" in caplog.text


# A store that has lost decisions.


def test_a_process_that_knows_more_than_the_store_reloads_the_game(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games)
    play(games, game, moves=3)
    lose_last_decision(games, game)
    assert games.read(game) == other.read(game)
    assert games.read(game).game.number == 5


def test_a_process_that_knows_more_than_the_store_decides_again(games: CommandHandler) -> None:
    game = started_game(games)
    theirs = command(games, game, 1)
    play(games, game, moves=1)
    lose_last_decision(games, game)
    assert games.handle(game, AnswerChoice(1, *theirs)).decision.number == 4
    assert folded(games, game) == games.read(game).game


def test_a_log_that_continued_differently_is_reloaded(games: CommandHandler, other: CommandHandler) -> None:
    game = started_game(games)
    play(games, game, moves=1)
    lose_last_decision(games, game)
    other.handle(game, AnswerChoice(1, *command(other, game, 1)))
    assert other.read(game).game.number == games._cache.get(game).game.number  # type: ignore[union-attr]
    assert games.read(game) == other.read(game)


@pytest.mark.parametrize("later", [0, 1, 3])
def test_nothing_is_appended_to_a_log_that_continued_differently_before_it_is_reloaded(
    games: CommandHandler, other: CommandHandler, later: int
) -> None:
    game = started_game(games, seats=4)
    last = pending(games, game)[-1]
    play(games, game, moves=1)
    lose_last_decision(games, game)
    other.handle(game, AnswerChoice(1, *command(other, game, 1)))
    play(other, game, moves=later)
    with suppress(Refusal):
        games.handle(game, AnswerChoice(last.seat, *answer_to(last)))
    assert folded(games, game) == games.read(game).game == other.read(game).game


def test_a_game_that_the_store_has_lost_is_not_found(games: CommandHandler) -> None:
    game = started_game(games)
    choice = command(games, game, 0)
    games.store.delete(game)
    with pytest.raises(GameNotFound):
        games.handle(game, AnswerChoice(0, *choice))
    with pytest.raises(GameNotFound):
        games.read(game)
