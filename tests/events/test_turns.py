"""Turns: one after another for a game, side by side for others, and nobody waits for ever."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest

from events import turns
from events.turns import LANES, Turns
from tests.stores import until


def in_thread(all_turns: Turns, game: str, entered: list[str]) -> threading.Thread:
    def enter() -> None:
        with all_turns.of(game):
            entered.append(game)

    thread = threading.Thread(target=enter)
    thread.start()
    return thread


def test_a_second_caller_of_a_game_waits_until_the_first_has_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 60.0)
    entered: list[str] = []
    all_turns = Turns()
    with all_turns.of("a"):
        second = in_thread(all_turns, "a", entered)
        second.join(0.05)
        assert entered == []
    second.join(20)
    assert entered == ["a"]


def test_callers_of_other_games_do_not_wait() -> None:
    entered: list[str] = []
    all_turns = Turns()
    other = next(game for game in map(str, range(2 * LANES)) if hash(game) % LANES != hash("a") % LANES)
    with all_turns.of("a"):
        in_thread(all_turns, other, entered).join(20)
        assert entered == [other]


def test_whoever_has_waited_for_long_goes_on_and_takes_nobodys_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.01)
    entered: list[str] = []
    all_turns = Turns()
    with all_turns.of("a"):
        in_thread(all_turns, "a", entered).join(20)
        assert entered == ["a"]
        with ExitStack() as impatient:
            impatient.enter_context(all_turns.of("a"))
        third = in_thread(all_turns, "a", entered)
        until(lambda: entered == ["a", "a"], "the third went on as well")
        third.join(20)


def test_a_turn_ends_with_an_error_too() -> None:
    all_turns = Turns()
    entered: list[str] = []
    with pytest.raises(ValueError, match="refused"), all_turns.of("a"):
        raise ValueError("refused")
    in_thread(all_turns, "a", entered).join(20)
    assert entered == ["a"]
