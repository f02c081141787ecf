"""Ratings: no result is lost when several workers rate at once."""

import pytest

from tests.events.playing import at_once
from tests.workers.test_projections import new_game, play_to_the_end
from workers import desk, standings
from workers.project import project

RULEBOOK = "six-nimmt"
NAMES = [f"rated{number:011d}" for number in range(5)]


@pytest.fixture
def ended(games):
    """Games that have ended one after the other, and are not projected yet."""
    for name in NAMES:
        new_game(games, name, ["ana", "ben"])
        play_to_the_end(games, name)
    return games


@pytest.fixture
def rated_games(monkeypatch):
    """The games that are rated, in turn."""
    rate, rated = standings._rate_game, []

    def rate_and_note(players, result):
        rated.append(result.game)
        return rate(players, result)

    monkeypatch.setattr(standings, "_rate_game", rate_and_note)
    return rated


def worked_out_anew():
    before = desk.lists().ratings(RULEBOOK)
    standings.rate_anew(RULEBOOK)
    assert desk.lists().ratings(RULEBOOK).rated == len(NAMES)
    return before, desk.lists().ratings(RULEBOOK)


def test_a_result_that_another_worker_rates_meanwhile_is_not_lost(ended, monkeypatch):
    rate, (first, *others) = standings._rate_game, NAMES

    def rate_after_the_others(players, result):
        while others:
            project(others.pop())
        return rate(players, result)

    monkeypatch.setattr(standings, "_rate_game", rate_after_the_others)
    project(first)
    kept, anew = worked_out_anew()
    assert kept == anew


def test_workers_that_rate_at_once_lose_no_result(ended):
    at_once([lambda name=name: project(name) for name in NAMES])
    kept, anew = worked_out_anew()
    assert kept == anew


def test_a_result_that_is_rated_already_is_not_rated_again(ended, rated_games):
    project(*NAMES)
    rated_games.clear()
    project(*NAMES)
    assert rated_games == []
