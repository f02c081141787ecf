"""Jobs that fail: counted, tried again later and later, and no other game waits for them."""

import pytest

from events.games.repository import GameNotFound
from events.store import keys
from games.kernel import Clock, GameSetup
from workers import alarms, project, resources
from workers.retries import for_each_game

SICK, WELL, NOBODY = "sick000000000000", "well000000000000", "nobody0000000000"


@pytest.fixture
def two_games(games):
    for name in (SICK, WELL):
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), name)
        set_alarm(name)
    return games


def set_alarm(name):
    resources.client().zadd(keys.alarms(keys.shard_of(name)), {name: 1_000})


def broken(*args, **named):
    raise ZeroDivisionError


def waiting_since(games, name):
    """Since when a game waits for the projector."""
    return games.store.client.zscore(keys.projection_queue(keys.shard_of(name)), name)


def test_a_game_whose_job_fails_is_tried_again_later_and_later(two_games):
    waits = [resources.store().back_off(SICK, 1_000_000, "fire") for _ in range(10)]
    assert waits == [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]
    assert two_games.store.alarm(SICK) == 1_300_000
    resources.store().clear_failures(SICK, "fire")
    assert resources.store().back_off(SICK, 1_000_000, "fire") == 2_000


def test_a_game_that_cannot_be_projected_keeps_its_clock(two_games, monkeypatch):
    monkeypatch.setattr(resources.game_index(), "index", broken)
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            project.project(SICK)
    assert two_games.store.alarm(SICK) == 1_000


def test_a_clock_that_fails_puts_off_no_projection(two_games, monkeypatch):
    since = waiting_since(two_games, SICK)
    monkeypatch.setattr(resources.games(), "fire", broken)
    with pytest.raises(ZeroDivisionError):
        alarms.fire_alarms(SICK)
    assert two_games.store.alarm(SICK) > 1_000
    assert waiting_since(two_games, SICK) == since


def test_a_job_that_succeeds_takes_nothing_from_what_another_has_failed(two_games):
    waits = []
    for _ in range(3):
        waits.append(resources.store().back_off(SICK, 1_000_000, "project"))
        alarms.fire_alarms(SICK)
    assert waits == [2_000, 4_000, 8_000]


@pytest.mark.parametrize("job", ["fire", "play", "project", "archive"])
def test_of_a_game_that_is_deleted_no_failure_is_remembered(two_games, job):
    resources.store().back_off(SICK, 1_000_000, job)
    resources.store().delete(SICK)
    assert resources.store().back_off(SICK, 1_000_000, job) == 2_000


def test_the_other_games_of_a_job_go_on_when_one_fails(two_games):
    done = []

    def do(game):
        if game == SICK:
            raise ZeroDivisionError
        done.append(game)

    with pytest.raises(ZeroDivisionError):
        for_each_game([SICK, WELL], do, "fire")
    assert done == [WELL]
    assert two_games.store.alarm(SICK) > 1_000
    assert two_games.store.alarm(WELL) == 1_000


def test_a_game_that_is_not_asked_anything_is_not_put_off(two_games):
    two_games.store.client.zrem(keys.alarms(keys.shard_of(SICK)), SICK)
    resources.store().back_off(SICK, 1_000_000, "fire")
    assert two_games.store.alarm(SICK) is None


def test_an_alarm_of_a_game_that_is_not_there_rings_once(own_store):
    set_alarm(NOBODY)
    alarms.fire_alarms(NOBODY)
    assert resources.store().alarm(NOBODY) is None


def test_an_alarm_of_a_game_that_is_created_just_then_rings_on(games, monkeypatch):
    set_alarm(NOBODY)

    def fire_too_early(game):
        games.create(game, "six-nimmt", GameSetup(2), {}, Clock(), game)
        set_alarm(game)
        raise GameNotFound(game)

    monkeypatch.setattr(resources.games(), "fire", fire_too_early)
    alarms.fire_alarms(NOBODY)
    assert resources.store().alarm(NOBODY) == 1_000
