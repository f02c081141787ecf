"""Games on the real store: two processes at once, caches that are behind, cold loads, and answers sent again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from events.games.command_handler import CommandHandler
from events.games.commands import AnswerChoice, StartGame
from events.games.repository import BACKWARDS_PAGE, GameNotFound, LoadedGame
from events.games.snapshots import SNAPSHOT_EVERY, make_snapshot
from events.store import chain
from events.store.connection import connect
from events.store.log_store import LogStore
from games.kernel import Refusal, Transition
from games.rulebooks import RULEBOOKS
from tests.clocks import StoppedClock
from tests.events.playing import (
    answer_to,
    at_once,
    command,
    created_game,
    folded,
    log,
    pending,
    play,
    sit,
    started_game,
)

# Two processes.


def test_two_processes_that_decide_on_the_same_state_both_get_through(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games)
    other.read(game)
    first = games.handle(game, AnswerChoice(0, *command(games, game, 0)))
    second = other.handle(game, AnswerChoice(1, *command(other, game, 1)))
    assert (first.decision.number, second.decision.number) == (4, 5)
    assert folded(games, game) == games.read(game).game == other.read(game).game


def test_a_command_that_is_no_longer_legal_after_a_conflict_is_refused(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = created_game(games, seats=2, begins="host")
    sit(games, game)
    sit(games, game)
    other.read(game)
    games.handle(game, StartGame())
    with pytest.raises(Refusal, match="game-started"):
        other.handle(game, StartGame())
    assert len(log(games, game)) == 4


def test_a_process_that_is_behind_by_more_than_a_conflict_carries_still_decides(
    games: CommandHandler, clock: StoppedClock
) -> None:
    other = CommandHandler(LogStore(games.store.client, conflict_entries=10), RULEBOOKS, clock)
    game = started_game(games, seats=4)
    other.read(game)
    play(games, game, moves=60)
    first = pending(games, game)[0]
    assert other.handle(game, AnswerChoice(first.seat, *answer_to(first))).decision.number == len(log(games, game))
    assert folded(games, game) == other.read(game).game


def test_a_choice_that_a_process_does_not_know_yet_can_be_answered(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games)
    other.read(game)
    play(games, game, moves=6)
    first = pending(games, game)[0]
    assert other.handle(game, AnswerChoice(first.seat, *answer_to(first))).repeated is False


def test_a_process_that_is_behind_reads_the_newest_state(games: CommandHandler, other: CommandHandler) -> None:
    game = started_game(games)
    other.read(game)
    play(games, game, moves=7)
    assert other.read(game) == games.read(game)


def test_whatever_a_command_raises_is_raised_on_the_newest_state_only(
    games: CommandHandler, other: CommandHandler
) -> None:
    class NotYet(Exception):
        pass

    class StartWhenFull(StartGame, frozen=True):
        def decide(self, current: LoadedGame, now: int) -> Transition:
            if current.session.free_seats:
                raise NotYet
            return super().decide(current, now)

    game = created_game(games, begins="host")
    sit(games, game)
    with pytest.raises(NotYet):
        other.handle(game, StartWhenFull())
    sit(games, game)
    assert other.handle(game, StartWhenFull()).current.session.status == "running"


def test_two_people_who_take_seats_in_the_same_millisecond_get_two_seats(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = created_game(games)
    other.read(game)
    seats = [next(fact.seat for fact in sit(each, game).decision.facts) for each in (games, other)]
    assert seats == [0, 1]


def test_two_decisions_with_the_same_bytes_are_one_and_only_one_caller_made_it(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games)
    other.read(game)
    choice = command(games, game, 0)
    first, second = games.handle(game, AnswerChoice(0, *choice)), other.handle(game, AnswerChoice(0, *choice))
    assert first.decision == second.decision
    assert (first.repeated, second.repeated) == (False, True)
    assert len(log(games, game)) == 4


def test_ten_equal_commands_at_once_are_one_decision_and_all_get_it(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games, seats=4)
    for _ in range(20):
        first = pending(games, game)[0]
        before = len(log(games, game))
        answers = at_once(
            [partial(each.handle, game, AnswerChoice(first.seat, *answer_to(first))) for each in (games, other) * 5]
        )
        assert all(answer.decision == answers[0].decision for answer in answers)
        assert [answer.repeated for answer in answers].count(False) == 1
        assert len(log(games, game)) == before + 1


def test_all_seats_answer_at_once_and_each_answer_is_in_the_log_once(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games, seats=4)
    for _ in range(5):
        while len(waiting := pending(games, game)) < 4:
            play(games, game, moves=1)
        before = len(log(games, game))
        processes = (games, other, games, other)
        at_once(
            [
                partial(each.handle, game, AnswerChoice(question.seat, *answer_to(question)))
                for each, question in zip(processes, waiting, strict=True)
            ]
        )
        answered = [decision.choice for decision in games.decisions(game, before, 10)]
        assert sorted(answered, key=str) == sorted((question.id for question in waiting), key=str)
    assert folded(games, game) == games.read(game).game == other.read(game).game


# Loading.


@pytest.mark.parametrize("use", ["read", "fire", "sit", "decisions", "save_snapshot"])
def test_an_unknown_game_is_not_found(games: CommandHandler, use: str) -> None:
    uses: dict[str, Callable[[], object]] = {
        "read": lambda: games.read("0" * 16),
        "fire": lambda: games.fire("0" * 16),
        "sit": lambda: sit(games, "0" * 16),
        "decisions": lambda: games.decisions("0" * 16, 0, 10),
        "save_snapshot": lambda: games.save_snapshot("0" * 16),
    }
    with pytest.raises(GameNotFound):
        uses[use]()
    assert log(games, "0" * 16) == []


def test_a_game_loaded_from_its_log_is_the_game_that_was_played(games: CommandHandler, other: CommandHandler) -> None:
    game = started_game(games, seats=3)
    play(games, game, moves=40)
    assert other.read(game) == games.read(game)


def test_a_game_loaded_from_a_snapshot_is_the_game_that_was_played(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games, seats=3)
    play(games, game, moves=20)
    games.save_snapshot(game)
    play(games, game, moves=20)
    loaded = other.store.load(game)
    assert loaded.snapshot is not None
    assert loaded.entries[0].number == loaded.snapshot.number + 1
    assert other.read(game) == games.read(game)
    first = pending(games, game)[0]
    other.handle(game, AnswerChoice(first.seat, *answer_to(first)))
    assert folded(games, game) == games.read(game).game == other.read(game).game


def test_a_snapshot_that_does_not_agree_with_the_log_is_ignored(games: CommandHandler, other: CommandHandler) -> None:
    game = started_game(games)
    play(games, game, moves=4)
    now = games.read(game)
    games.store.save_snapshot(game, make_snapshot(*now)._replace(number=now.game.number - 1))
    assert other.read(game) == now


def test_a_snapshot_with_a_state_of_another_shape_is_ignored(games: CommandHandler, other: CommandHandler) -> None:
    game = started_game(games)
    play(games, game, moves=4)
    now = games.read(game)
    snapshot = make_snapshot(*now)
    _, _, state = snapshot.state.partition(b"\n")
    games.store.save_snapshot(game, snapshot._replace(state=b"six-nimmt 0000000000000000\n{}"))
    assert other.read(game) == now
    games.store.save_snapshot(game, snapshot._replace(state=b"six-nimmt\n" + state))
    assert other.read(game) == now


def test_a_finished_game_loads_and_takes_no_answers(games: CommandHandler, other: CommandHandler) -> None:
    game = started_game(games)
    choice = command(games, game, 0)
    play(games, game, moves=5000)
    assert other.read(game).session.status == "finished"
    with pytest.raises(Refusal, match="game-over"):
        other.handle(game, AnswerChoice(1, *choice))


def test_a_process_drops_the_games_used_least_recently_and_loads_them_again(
    games: CommandHandler, clock: StoppedClock
) -> None:
    games = CommandHandler(games.store, RULEBOOKS, clock, max_cached_games=2)
    first = started_game(games)
    for _ in range(3):
        started_game(games)
    assert len(games._cache) == 2
    assert first not in games._cache
    play(games, first, moves=3)
    assert folded(games, first) == games.read(first).game


# A repeated answer.


def test_a_repeated_answer_is_found_beyond_the_first_page_of_the_log(
    games: CommandHandler, other: CommandHandler
) -> None:
    game = started_game(games, seats=4)
    choice = command(games, game, 0)
    first = games.handle(game, AnswerChoice(0, *choice))
    play(games, game, moves=BACKWARDS_PAGE + 20)
    again = other.handle(game, AnswerChoice(0, *choice))
    assert again.repeated
    assert again.decision == first.decision
    assert again.current.game == games.read(game).game


@pytest.mark.parametrize("change", [{"card": None}, {"card": True}, {}, {"card": [1]}, {"row": 1}])
def test_an_answer_that_differs_is_not_a_repeated_answer(games: CommandHandler, change: dict[str, Any]) -> None:
    game = started_game(games)
    choice, move, args = command(games, game, 0)
    games.handle(game, AnswerChoice(0, choice, move, args))
    with pytest.raises(Refusal, match="stale-choice"):
        games.handle(game, AnswerChoice(0, choice, move, change))
    with pytest.raises(Refusal, match="stale-choice"):
        games.handle(game, AnswerChoice(1, choice, move, args))
    with pytest.raises(Refusal, match="stale-choice"):
        games.handle(game, AnswerChoice(0, choice, "take", args))
    assert games.handle(
        game, AnswerChoice(0, choice, move, {name: float(value) for name, value in args.items()})
    ).repeated


# What the log says.


def test_the_log_folded_is_the_game_and_its_chain_holds(games: CommandHandler) -> None:
    game = started_game(games, seats=5)
    play(games, game, moves=5000)
    now: LoadedGame = games.read(game)
    assert now.session.status == "finished"
    assert folded(games, game) == now.game
    assert chain.verify(game, games.store.read_after(game, 0)) == now.hash


def test_the_log_holds_no_name(games: CommandHandler) -> None:
    game = created_game(games)
    sit(games, game, name="Ana of the long name")
    assert not [entry for entry in log(games, game) if b"long name" in entry]
    assert [person.name for person in games.people(game, games.read(game).session).values()] == ["Ana of the long name"]


# Who is called.


def test_the_projector_is_called_for_changes_in_lists_and_for_snapshots(store_url: str, clock: StoppedClock) -> None:
    called: list[str] = []
    with connect(store_url) as client:
        games = CommandHandler(LogStore(client), RULEBOOKS, clock, call_projector=called.append)
        game = started_game(games)
        assert called == [game] * 3  # it was created, and two sat down
        play(games, game, moves=SNAPSHOT_EVERY - 4)
        assert called == [game] * 3
        play(games, game, moves=1)
        assert games.read(game).game.number == SNAPSHOT_EVERY
        assert called == [game] * 4
        play(games, game, moves=10_000)
        assert games.read(game).session.status == "finished"
        assert called == [game] * (5 + (games.read(game).game.number > 2 * SNAPSHOT_EVERY))
