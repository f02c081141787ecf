"""Past states of a game, cached and shared by all threads of a process."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from itertools import cycle

import pytest
from msgspec.structs import replace

from events.games.command_handler import CommandHandler
from events.records.history import MAX_CACHED_STATES, GameHistory, NoSuchDecision
from tests.events.playing import play, started_game

LOOKS = 1_000


@pytest.fixture
def threads_take_turns_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_a_past_state_is_the_same_whatever_it_is_folded_from(games: CommandHandler) -> None:
    game = started_game(games)
    play(games, game, 6)
    kept = GameHistory(games)
    for number in (5, 3, 7, 4, 7):
        assert kept.state_at(game, number) == GameHistory(games).state_at(game, number)
    with pytest.raises(NoSuchDecision):
        kept.state_at(game, 1_000)


def test_a_thread_may_read_cached_states_while_another_adds_some(
    games: CommandHandler, threads_take_turns_often: None
) -> None:
    game = started_game(games)
    past, now, looked = GameHistory(games), games.read(game), threading.Event()
    moments = [now._replace(game=replace(now.game, number=number)) for number in range(2 * MAX_CACHED_STATES)]
    for moment in moments:
        past._remember(game, moment)

    def keep() -> None:
        for moment in cycle(moments):
            past._remember(game, moment)
            if looked.is_set():
                return

    thread = threading.Thread(target=keep)
    thread.start()
    try:
        found = [past._nearest(game, 2 * MAX_CACHED_STATES) for _ in range(LOOKS)]
    finally:
        looked.set()
        thread.join()
    assert None not in found
