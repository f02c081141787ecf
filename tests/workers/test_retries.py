"""Jobs that fail are counted and retried at growing intervals, and no other game waits for them."""

import pytest

from events.games.repository import GameNotFound
from events.store import keys
from games.kernel import Clock, GameSetup
from workers import alarms, archive, project
from workers.retries import for_each_game

FAILING, HEALTHY, MISSING = "failing000000000", "healthy000000000", "missing000000000"


@pytest.fixture
def two_games(games, resources):
    for name in (FAILING, HEALTHY):
        games.create(name, "six-nimmt", GameSetup(2), {}, Clock(), name)
        set_alarm(resources, name)
    return games


def set_alarm(resources, name):
    resources.client.zadd(keys.alarms(keys.game_shard(name)), {name: 1_000})


def broken(*args, **named):
    raise ZeroDivisionError


def waiting_since(games, name):
    """Since when a game has waited for the projector."""
    return games.store.client.zscore(keys.projection_queue(keys.game_shard(name)), name)


def test_a_failed_job_is_retried_at_growing_intervals(two_games, resources):
    waits = [resources.leases.back_off(FAILING, 1_000_000, "fire") for _ in range(10)]
    assert waits == [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]
    assert two_games.store.alarm(FAILING) == 1_300_000
    resources.leases.clear_failures(FAILING, "fire")
    assert resources.leases.back_off(FAILING, 1_000_000, "fire") == 2_000


def test_a_failing_projection_does_not_delay_the_alarm_of_the_game(two_games, monkeypatch, resources):
    monkeypatch.setattr(resources.game_index, "index", broken)
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            project.project(resources, FAILING)
    assert two_games.store.alarm(FAILING) == 1_000


def test_a_failing_alarm_does_not_delay_the_projection(two_games, monkeypatch, resources):
    since = waiting_since(two_games, FAILING)
    monkeypatch.setattr(resources.games, "fire", broken)
    with pytest.raises(ZeroDivisionError):
        alarms.fire_alarms(resources, FAILING)
    assert two_games.store.alarm(FAILING) > 1_000
    assert waiting_since(two_games, FAILING) == since


def test_a_job_that_succeeds_does_not_clear_the_failures_of_another(two_games, resources):
    waits = []
    for _ in range(3):
        waits.append(resources.leases.back_off(FAILING, 1_000_000, "project"))
        alarms.fire_alarms(resources, FAILING)
    assert waits == [2_000, 4_000, 8_000]


@pytest.mark.parametrize("job", ["fire", "play", "project", "archive"])
def test_failures_of_a_deleted_game_are_forgotten(two_games, job, resources):
    resources.leases.back_off(FAILING, 1_000_000, job)
    archive.delete_game(resources, FAILING)
    assert resources.leases.back_off(FAILING, 1_000_000, job) == 2_000


def test_the_other_games_of_a_job_go_on_when_one_fails(two_games, resources):
    done = []

    def do(game):
        if game == FAILING:
            raise ZeroDivisionError
        done.append(game)

    with pytest.raises(ZeroDivisionError):
        for_each_game(resources, [FAILING, HEALTHY], do, "fire")
    assert done == [HEALTHY]
    assert two_games.store.alarm(FAILING) > 1_000
    assert two_games.store.alarm(HEALTHY) == 1_000


def test_a_game_without_an_alarm_gets_none_from_a_retry(two_games, resources):
    two_games.store.client.zrem(keys.alarms(keys.game_shard(FAILING)), FAILING)
    resources.leases.back_off(FAILING, 1_000_000, "fire")
    assert two_games.store.alarm(FAILING) is None


def test_the_alarm_of_a_missing_game_is_removed(resources):
    set_alarm(resources, MISSING)
    alarms.fire_alarms(resources, MISSING)
    assert resources.store.alarm(MISSING) is None


def test_the_alarm_of_a_game_that_is_created_just_then_is_not_removed(games, monkeypatch, resources):
    set_alarm(resources, MISSING)

    def fire_too_early(game):
        games.create(game, "six-nimmt", GameSetup(2), {}, Clock(), game)
        set_alarm(resources, game)
        raise GameNotFound(game)

    monkeypatch.setattr(resources.games, "fire", fire_too_early)
    alarms.fire_alarms(resources, MISSING)
    assert resources.store.alarm(MISSING) == 1_000
