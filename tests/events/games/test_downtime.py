"""Downtimes: recorded once, and given back to the clocks of games that were running throughout."""

import pytest

from events.games.command_handler import CommandHandler
from events.games.commands import AnswerChoice, TakeSeat
from events.games.downtime import DOWNTIMES_KEY, HEARTBEAT_KEY, SILENCE_MS, DowntimeLog
from events.games.participants import new_person
from events.store.connection import connect
from events.store.log_store import LogStore
from games.kernel import Clock, GameSetup, Refusal, next_alarm
from games.rulebooks import RULEBOOKS

SECOND = 1_000


class Time:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def client(store_url):
    client = connect(store_url)
    client.delete(HEARTBEAT_KEY, DOWNTIMES_KEY)
    return client


def running_game(client, time, outages):
    """A two-seat game with ten seconds a choice, on a process that knows of outages."""
    games = CommandHandler(LogStore(client), RULEBOOKS, clock=time, downtime_log=outages)
    game = f"outage{time.now:010d}"
    LogStore(client).delete(game)
    games.create(game, "six-nimmt", GameSetup(2), {}, Clock(seconds_per_choice=10), "seed")
    for seat in range(2):
        games.handle(game, TakeSeat(new_person(f"person {seat}", None)))
    return games, game


def test_a_short_silence_is_no_downtime(client):
    time = Time()
    outages = DowntimeLog(client, time)
    outages.heartbeat()
    time.now += SILENCE_MS
    outages.heartbeat()
    assert outages.downtime_since(0) == 0


def test_a_longer_silence_is_given_back_once_to_a_running_game(client):
    time = Time()
    outages = DowntimeLog(client, time)
    outages.heartbeat()
    games, game = running_game(client, time, outages)
    before = next_alarm(games.read(game).game)
    time.now += 60 * SECOND
    other = CommandHandler(LogStore(client), RULEBOOKS, clock=time, downtime_log=DowntimeLog(client, time))
    assert other.fire(game) == 1
    after = other.read(game)
    assert next_alarm(after.game) == before + 60 * SECOND
    assert [type(fact).__name__ for fact in other.decisions(game, after.game.number - 1, 1)[0].facts] == [
        "DowntimeCompensated"
    ]
    assert other.fire(game) == 0


def test_a_choice_is_still_pending_after_a_downtime(client):
    time = Time()
    outages = DowntimeLog(client, time)
    outages.heartbeat()
    games, game = running_game(client, time, outages)
    time.now += 60 * SECOND
    outages.invalidate()
    card = games.read(game).game.state.players[0].hand[0]
    assert games.handle(game, AnswerChoice(0, 1, "lay", {"card": card})).decision.by == 0


def test_clocks_can_be_set_to_run_on_during_a_downtime(client):
    time = Time()
    outages = DowntimeLog(client, time, credit=False)
    outages.heartbeat()
    games, game = running_game(client, time, outages)
    card = games.read(game).game.state.players[0].hand[0]
    time.now += 60 * SECOND
    with pytest.raises(Refusal, match="stale-choice"):
        games.handle(game, AnswerChoice(0, 1, "lay", {"card": card}))


def test_a_game_that_began_after_a_downtime_gets_no_time_back(client):
    time = Time()
    outages = DowntimeLog(client, time)
    outages.heartbeat()
    time.now += 60 * SECOND
    outages.heartbeat()
    games, game = running_game(client, time, outages)
    time.now += 9 * SECOND
    assert games.fire(game) == 0
    time.now += 1 * SECOND
    assert games.fire(game) == 2
