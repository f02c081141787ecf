"""Bots play in turn: none of their games keeps the clocks of others waiting, and none is forgotten."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from events.games.commands import CommandHandler, now_ms
from events.store import keys
from games.kernel import Clock, GameSetup, take_seat
from workers import alarms, bots, resources

LONG, OTHER = "long000000000000", "other00000000000"


@pytest.fixture
def of_bots(games: CommandHandler) -> CommandHandler:
    """Two games in which nobody but bots plays; whoever looks after them has claimed them."""
    for name in (LONG, OTHER):
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), name)
        for seat in range(2):
            games.decide(
                name,
                lambda rules, state, now, seat=seat: take_seat(rules, state, seat, f"bot {seat}", now, "random"),  # type: ignore[misc]
            )
        resources.store().claim_due(keys.shard_of(name), now_ms(), alarms.LEASE_MS)
    return games


@pytest.fixture
def answers_take_long(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each answer of a bot takes the whole turn of all; gives in which games there was one."""
    answer, given, ticks = resources.games().answer, list[str](), [0.0]

    def slow(game: str, *rest: object) -> object:
        given.append(game)
        ticks[0] += bots.TIME_SLICE_SECONDS
        return answer(game, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(resources.games(), "answer", slow)
    monkeypatch.setattr(bots, "time", SimpleNamespace(monotonic=lambda: ticks[0]))
    return given


def test_a_turn_of_bots_ends_in_the_midst_of_a_game_and_the_game_rings_again_at_once(
    of_bots: CommandHandler, answers_take_long: list[str]
) -> None:
    before = now_ms()
    alarms.fire_alarms(LONG, OTHER)
    assert answers_take_long == [LONG]
    due = [resources.store().alarm(name) for name in (OTHER, LONG)]
    assert before <= due[0] < due[1] <= now_ms() + 1  # type: ignore[operator]


def test_the_clocks_of_all_are_fired_before_bots_play(of_bots: CommandHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, str]] = []

    def play(games: CommandHandler, game: str, over_at: float) -> bool:
        done.append(("play", game))
        return True

    monkeypatch.setattr(resources.games(), "fire", lambda game: done.append(("fire", game)))
    monkeypatch.setattr(bots, "play", play)
    alarms.fire_alarms(LONG, OTHER)
    assert done == [("fire", LONG), ("fire", OTHER), ("play", LONG), ("play", OTHER)]


def test_bots_play_though_the_clock_of_a_game_fails(of_bots: CommandHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game: str) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(resources.games(), "fire", broken)
    before = of_bots.read(LONG).game.number
    with pytest.raises(ZeroDivisionError):
        alarms.fire_alarms(LONG)
    assert of_bots.read(LONG).game.number > before


def test_turn_by_turn_all_games_of_bots_come_to_their_end(of_bots: CommandHandler) -> None:
    names = {LONG, OTHER}
    while names:
        alarms.fire_alarms(*names)
        names = {name for name in names if of_bots.read(name).session.status == "running"}
    assert [of_bots.read(name).session.status for name in (LONG, OTHER)] == ["finished", "finished"]
