"""Ratings: no result is lost when several workers rate at once, and none is rated again without need."""

import pytest

from events.games.participants import new_person
from events.lists.game_index import PREFIX, Ratings
from games.kernel import Clock, GameSetup, concede, take_seat
from tests.events.playing import at_once
from workers import archive, resources, standings
from workers.project import project

RULEBOOK = "six-nimmt"
NAMES = [f"rated{number:011d}" for number in range(5)]


@pytest.fixture
def ended(games):
    """Games that have ended one after the other, and are not projected yet."""
    for loser, name in zip((0, 1, 1, 0, 1), NAMES, strict=True):
        games.create(name, RULEBOOK, GameSetup(2), {}, Clock(), name)
        for player in ("ana", "ben"):
            person = new_person(player, player)
            games.decide(
                name,
                lambda rules, state, now, person=person: take_seat(rules, state, None, person.reference, now),
                person,
            )
        games.decide(name, lambda rules, state, now, loser=loser: concede(rules, state, loser, now))
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
    before = resources.game_index().ratings(RULEBOOK)
    standings.recompute_ratings(RULEBOOK)
    assert resources.game_index().ratings(RULEBOOK).rated == len(NAMES)
    return before, resources.game_index().ratings(RULEBOOK)


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


def test_a_result_that_comes_in_late_has_only_those_rated_again_that_ended_later(ended, rated_games):
    late = NAMES[3]
    for name in NAMES:
        if name != late:
            project(name)
    rated_games.clear()
    project(late)
    assert rated_games == NAMES[3:]
    kept, anew = worked_out_anew()
    assert kept == anew


def test_a_result_that_comes_in_very_late_has_all_ratings_worked_out_anew(ended, rated_games, monkeypatch):
    monkeypatch.setattr(standings, "MAX_UNDO", 2)
    project(*NAMES[1:])
    rated_games.clear()
    project(NAMES[0])
    assert rated_games == NAMES
    kept, anew = worked_out_anew()
    assert kept == anew
    assert len(kept.recent) == 2


def test_one_more_result_has_no_others_read(ended, monkeypatch):
    monkeypatch.setattr(standings, "MAX_UNDO", 2)
    project(*NAMES[:4])
    read = resources.game_index().counted_results
    told = []
    monkeypatch.setattr(resources.game_index(), "counted_results", lambda *asked: told.append(read(*asked)) or told[-1])
    project(NAMES[4])
    (counted,) = told
    assert counted.number == len(NAMES)
    assert [result.game for result in counted.results] == NAMES[2:]


def test_the_ratings_stand_when_a_game_is_deleted(ended, rated_games):
    project(*NAMES[:4])
    before = resources.game_index().ratings(RULEBOOK)
    archive.delete_game(NAMES[0])
    archive.delete_game(NAMES[3])
    standings.rate(RULEBOOK)
    assert resources.game_index().ratings(RULEBOOK) == before
    rated_games.clear()
    project(NAMES[4])
    assert rated_games == [NAMES[4]]
    assert resources.game_index().ratings(RULEBOOK).players["ana"].games == len(NAMES)


def test_what_was_deleted_is_not_rated_when_ratings_are_worked_out_anew(ended):
    project(*NAMES)
    archive.delete_game(NAMES[0])
    standings.recompute_ratings(RULEBOOK)
    ratings = resources.game_index().ratings(RULEBOOK)
    assert ratings.players["ana"].games == len(NAMES) - 1
    standings.rate(RULEBOOK)
    assert resources.game_index().ratings(RULEBOOK) == ratings


def test_ratings_that_were_kept_without_their_steps_are_worked_out_anew_once(ended, rated_games):
    project(*NAMES[:4])
    right = resources.game_index().ratings(RULEBOOK)
    lists = resources.game_index()
    generation = lists.generations()[0]
    lists.change_ratings(RULEBOOK, generation, lambda kept: Ratings(rated=kept.rated, players=kept.players))
    resources.client().delete(f"{PREFIX}{generation}:counted:{RULEBOOK}")
    standings.rate(RULEBOOK)
    assert lists.ratings(RULEBOOK).players == right.players
    rated_games.clear()
    project(NAMES[4])
    assert rated_games == [NAMES[4]]
    assert lists.ratings(RULEBOOK).players["ana"].games == len(NAMES)
