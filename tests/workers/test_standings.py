"""Ratings: no result is lost when several workers rate at the same time, and none is rated twice without need."""

from dataclasses import replace

import pytest

from events.games.commands import LeaveSeat, TakeSeat
from events.games.participants import new_person
from events.lists.game_index import PREFIX, Ratings
from games.kernel import Clock, GameSetup
from tests.events.playing import at_once
from workers import archive
from workers.project import project
from workers.standings import RatingUpdater

RULEBOOK = "six-nimmt"
NAMES = [f"rated{number:011d}" for number in range(5)]


@pytest.fixture
def ended(games):
    """Games that have ended one after the other, and are not projected yet."""
    for loser, name in zip((0, 1, 1, 0, 1), NAMES, strict=True):
        games.create(name, RULEBOOK, GameSetup(2), {}, Clock(), name)
        for player in ("ana", "ben"):
            person = new_person(player, player)
            games.handle(name, TakeSeat(person))
        games.handle(name, LeaveSeat(loser, by=loser))
    return games


@pytest.fixture
def rated_games(monkeypatch):
    """The games that are rated, in order."""
    rate, rated = RatingUpdater._rate_game, []

    def rate_and_note(updater, players, listing):
        rated.append(listing.game)
        return rate(updater, players, listing)

    monkeypatch.setattr(RatingUpdater, "_rate_game", rate_and_note)
    return rated


def with_max_undo(resources, number):
    return replace(resources, ratings=RatingUpdater(resources.game_index, resources.games, max_undo=number))


def recomputed(resources):
    """The ratings as they are, and computed from scratch."""
    before = resources.game_index.ratings(RULEBOOK)
    resources.ratings.recompute(RULEBOOK)
    assert resources.game_index.ratings(RULEBOOK).rated == len(NAMES)
    return before, resources.game_index.ratings(RULEBOOK)


def test_a_result_that_another_worker_rates_at_the_same_time_is_not_lost(ended, monkeypatch, resources):
    rate, (first, *others) = RatingUpdater._rate_game, NAMES

    def rate_after_the_others(updater, players, listing):
        while others:
            project(resources, others.pop())
        return rate(updater, players, listing)

    monkeypatch.setattr(RatingUpdater, "_rate_game", rate_after_the_others)
    project(resources, first)
    current, from_scratch = recomputed(resources)
    assert current == from_scratch


def test_workers_that_rate_at_the_same_time_lose_no_result(ended, resources):
    at_once([lambda name=name: project(resources, name) for name in NAMES])
    current, from_scratch = recomputed(resources)
    assert current == from_scratch


def test_a_rated_result_is_not_rated_again(ended, rated_games, resources):
    project(resources, *NAMES)
    rated_games.clear()
    project(resources, *NAMES)
    assert rated_games == []


def test_after_a_late_result_only_games_that_ended_later_are_rated_again(ended, rated_games, resources):
    late = NAMES[3]
    for name in NAMES:
        if name != late:
            project(resources, name)
    rated_games.clear()
    project(resources, late)
    assert rated_games == NAMES[3:]
    current, from_scratch = recomputed(resources)
    assert current == from_scratch


def test_after_a_very_late_result_all_ratings_are_computed_from_scratch(ended, rated_games, resources):
    resources = with_max_undo(resources, 2)
    project(resources, *NAMES[1:])
    rated_games.clear()
    project(resources, NAMES[0])
    assert rated_games == NAMES
    current, from_scratch = recomputed(resources)
    assert current == from_scratch
    assert len(current.recent) == 2


def test_one_more_result_reads_only_the_results_that_can_be_undone(ended, monkeypatch, resources):
    resources = with_max_undo(resources, 2)
    project(resources, *NAMES[:4])
    read = resources.game_index.counted_results
    reads = []
    monkeypatch.setattr(resources.game_index, "counted_results", lambda *args: reads.append(read(*args)) or reads[-1])
    project(resources, NAMES[4])
    (counted,) = reads
    assert counted.number == len(NAMES)
    assert [result.game for result in counted.results] == NAMES[2:]


def test_ratings_do_not_change_when_a_game_is_deleted(ended, rated_games, resources):
    project(resources, *NAMES[:4])
    before = resources.game_index.ratings(RULEBOOK)
    archive.delete_game(resources, NAMES[0])
    archive.delete_game(resources, NAMES[3])
    resources.ratings.update(RULEBOOK)
    assert resources.game_index.ratings(RULEBOOK) == before
    rated_games.clear()
    project(resources, NAMES[4])
    assert rated_games == [NAMES[4]]
    assert resources.game_index.ratings(RULEBOOK).players["ana"].games == len(NAMES)


def test_deleted_games_do_not_count_in_ratings_computed_from_scratch(ended, resources):
    project(resources, *NAMES)
    archive.delete_game(resources, NAMES[0])
    resources.ratings.recompute(RULEBOOK)
    ratings = resources.game_index.ratings(RULEBOOK)
    assert ratings.players["ana"].games == len(NAMES) - 1
    resources.ratings.update(RULEBOOK)
    assert resources.game_index.ratings(RULEBOOK) == ratings


def test_ratings_without_recent_results_are_computed_from_scratch_once(ended, rated_games, resources):
    project(resources, *NAMES[:4])
    right = resources.game_index.ratings(RULEBOOK)
    lists = resources.game_index
    generation = lists.generations()[0]
    lists.change_ratings(RULEBOOK, generation, lambda ratings: Ratings(rated=ratings.rated, players=ratings.players))
    resources.client.delete(f"{PREFIX}{generation}:counted:{RULEBOOK}")
    resources.ratings.update(RULEBOOK)
    assert lists.ratings(RULEBOOK).players == right.players
    rated_games.clear()
    project(resources, NAMES[4])
    assert rated_games == [NAMES[4]]
    assert lists.ratings(RULEBOOK).players["ana"].games == len(NAMES)
