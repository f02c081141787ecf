"""A game that runs: bots take over, seats give up, and whatever else its host and its seats do."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.kernel import (
    UNLIMITED,
    Clock,
    Finished,
    OneOf,
    Outcome,
    Refusal,
    bots_to_move,
    choose,
    compensate_downtime,
    concede,
    move,
    msg,
    request_pause,
    rule,
    seat_bot,
    together,
)
from games.kernel.sessions.session import BotSeated, Conceded, TimeRanOut
from tests.games.kernel.driver import UNTIMED, GameDriver
from tests.games.kernel.rulebooks.market import MARKET
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]
A_MINUTE = Clock(seconds_per_choice=60)


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: SceneTable, prompt: str) -> Outcome:
    """Ask for one of two words."""
    return choose(msg(prompt), say.offer(word=OneOf(("sun", "moon"))))


@rule
def ask_quickly(table: SceneTable, prompt: str) -> Outcome:
    """Five seconds of the rulebook's time."""
    return choose(msg(prompt), say.offer(word=OneOf(("sun", "moon"))), within=5000)


@rule
def rounds(table: SceneTable, seats: int) -> Outcome:
    """All seats are asked at the same time, again and again."""
    return together(*(ask("A word?").by(seat) for seat in range(seats))), rounds(seats)


@rule
def quick_rounds(table: SceneTable, seats: int) -> Outcome:
    """Likewise, with a limit of the rulebook's own."""
    return together(*(ask_quickly("Quick!").by(seat) for seat in range(seats))), quick_rounds(seats)


# --- bots ----------------------------------------------------------------------------------------------------


def test_a_bot_takes_over_a_seat_and_the_clock_does_not_limit_it(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2), clock=A_MINUTE)
    assert driver.command(seat_bot, 0, "random") == (BotSeated(0, "random"),)
    assert bots_to_move(driver.game) == [0]
    assert driver.deadlines() == [None, 60_000]
    driver.answer(0, "say", word="sun")
    driver.answer(1, "say", word="sun")
    assert driver.deadlines() == [None, 60_000]


def test_a_player_who_plays_again_has_the_time_of_a_choice_from_then_on(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2), clock=A_MINUTE)
    driver.command(seat_bot, 0, "random")
    driver.now = 200_000
    assert driver.command(seat_bot, 0, None) == (BotSeated(0, None),)
    assert bots_to_move(driver.game) == []
    assert driver.deadlines(0) == [260_000]


def test_a_player_who_plays_anyway_gains_no_time_by_repeating_it(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2), clock=A_MINUTE)
    driver.now = 50_000
    driver.command(seat_bot, 0, None)
    assert driver.deadlines() == [60_000, 60_000]


def test_a_player_who_plays_again_in_a_pause_has_the_time_of_a_choice_from_its_end_on(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2), clock=A_MINUTE)
    driver.command(seat_bot, 0, "random")
    driver.now = 10_000
    driver.command(request_pause, 1)
    driver.now = 30_000
    driver.command(seat_bot, 0, None)
    driver.now = 500_000
    driver.command(request_pause, 1)
    driver.command(request_pause, 0)
    assert driver.deadlines(0) == [560_000]


@rule
def of_every_kind(table: SceneTable) -> Outcome:
    """A seat is asked with the limit of the game, with one of the rulebook's own, and with none at all."""
    return together(ask("A word?").by(0), ask_quickly("Quick!").by(0), ask_at_leisure().by(0))


@rule
def ask_at_leisure(table: SceneTable) -> Outcome:
    """Without any limit."""
    return choose(msg("At leisure."), say.offer("x"), within=UNLIMITED)


def test_limits_that_the_rulebook_sets_stay_when_a_bot_comes_and_goes(start_scene: StartScene) -> None:
    driver = start_scene(of_every_kind(), clock=A_MINUTE)
    assert driver.deadlines() == [60_000, 5000, None]
    driver.command(seat_bot, 0, "random")
    assert driver.deadlines() == [None, 5000, None]
    driver.now = 3000
    driver.command(seat_bot, 0, None)
    assert driver.deadlines() == [63_000, 5000, None]


def test_a_seat_that_ran_out_of_time_in_a_limit_of_the_rulebook_passes_to_a_bot_and_is_not_limited(
    start_scene: StartScene,
) -> None:
    driver = start_scene(of_every_kind(), clock=Clock(seconds_per_choice=60, on_timeout="bot"))
    assert driver.fire_timers(5000) == (TimeRanOut(0), BotSeated(0, "random"))
    assert driver.deadlines() == [None, None, None]


def test_only_a_bot_that_there_is_plays_a_seat_that_is_taken(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2))
    assert driver.command_refusal(seat_bot, 0, "deep-thought") == "no-such-bot"
    assert driver.command_refusal(seat_bot, 2, "random") == "no-such-seat"
    assert driver.command_refusal(seat_bot, -1, "random") == "no-such-seat"


def test_a_seat_out_of_time_passes_to_a_bot_when_the_game_says_so(start_scene: StartScene) -> None:
    driver = start_scene(rounds(2), clock=Clock(seconds_per_choice=60, on_timeout="bot"))
    assert driver.fire_timers(60_000) == (TimeRanOut(0), BotSeated(0, "random"))
    assert driver.deadlines() == [None, 60_000]
    assert driver.game.session.seats[0].bot == "random"


# --- giving up ---------------------------------------------------------------------------------------------------


def test_a_seat_that_concedes_is_played_by_a_bot_and_the_others_play_on(start_scene: StartScene) -> None:
    driver = start_scene(rounds(3), seats=3, clock=A_MINUTE)
    assert driver.command(concede, 1) == (Conceded(1), BotSeated(1, "random"))
    assert driver.game.session.conceded_seats == {1}
    assert bots_to_move(driver.game) == [1]
    assert driver.deadlines() == [60_000, None, 60_000]
    assert driver.game.session.status == "running"


def test_nobody_concedes_twice_or_takes_it_back(start_scene: StartScene) -> None:
    driver = start_scene(rounds(3), seats=3)
    driver.command(concede, 1)
    assert driver.command_refusal(concede, 1) == "seat-conceded"
    assert driver.command_refusal(seat_bot, 1, None) == "seat-conceded"
    assert driver.command_refusal(concede, 3) == "no-such-seat"
    assert driver.command_refusal(concede, -1) == "no-such-seat"


def test_when_only_one_is_left_the_game_is_over_and_it_has_won() -> None:
    driver = GameDriver(MARKET, 3)
    driver.answer(0, "buy", good=driver.options(0, "buy", "good")[0])
    driver.command(concede, 0)
    assert driver.command(concede, 2) == (Conceded(2), Finished((1, 0, 0), (2, 1, 2)))
    assert driver.game.session.status == "finished"
    assert driver.game.flow == ()
    assert driver.command_refusal(concede, 1) == "game-over"


@rule
def say_goodbye(table: SceneTable) -> Outcome:
    """What a seat that gives up carries out."""
    return Said("goodbye", table.seat)


@rule
def until_goodbye(table: SceneTable) -> Outcome:
    """Two seats are asked until somebody says goodbye."""
    return together(*(ask_until_goodbye().by(seat) for seat in range(3))), Said("all")


@rule
def ask_until_goodbye(table: SceneTable) -> Outcome:
    """It resolves."""
    return None if "goodbye" in table.said else choose(msg("?"), say.offer("x"))


def test_what_a_seat_that_concedes_carries_out_may_let_choices_resolve(start_scene: StartScene) -> None:
    driver = start_scene(until_goodbye(), seats=3, on_concede=say_goodbye())
    assert driver.command(concede, 2) == (Conceded(2), BotSeated(2, "random"), Said("goodbye", 2), Said("all"))
    assert driver.game.flow == ()


@rule
def end_of_the_game(table: SceneTable) -> Outcome:
    """Giving up may end the game for all."""
    return Finished((0, 0, 0), (1, 1, 1))


def test_what_a_seat_that_concedes_carries_out_may_end_the_game(start_scene: StartScene) -> None:
    driver = start_scene(rounds(3), seats=3, on_concede=end_of_the_game())
    assert Finished((0, 0, 0), (1, 1, 1)) in driver.command(concede, 2)
    assert (driver.game.flow, driver.game.session.status) == ((), "finished")


@rule
def ask_on_leaving(table: SceneTable) -> Outcome:
    """Giving up may not ask."""
    return ask("Why?")


def test_what_a_seat_that_concedes_carries_out_may_not_ask(start_scene: StartScene) -> None:
    driver = start_scene(rounds(3), seats=3, on_concede=ask_on_leaving())
    with pytest.raises(TypeError, match="ask_on_leaving is carried out aside, and may not wait"):
        driver.command(concede, 2)


@rule
def only_for_those_who_play(table: SceneTable) -> Outcome:
    """A seat that conceded is not asked any more."""
    return together(*(ask_if_playing().by(seat) for seat in range(3))), Said("all")


@rule
def ask_if_playing(table: SceneTable) -> Outcome:
    """It looks at who gave up."""
    return None if table.seat in table.conceded_seats else choose(msg("?"), say.offer("x"))


def test_a_choice_may_resolve_because_its_seat_conceded(start_scene: StartScene) -> None:
    driver = start_scene(only_for_those_who_play(), seats=3)
    driver.command(concede, 1)
    assert [pending.seat for pending in driver.choices()] == [0, 2]
    driver.answer(0, "say")
    assert driver.answer(2, "say") == (Said("x", 2), Said("all"))


def test_a_seat_out_of_time_concedes_when_the_game_says_so(start_scene: StartScene) -> None:
    driver = start_scene(rounds(3), seats=3, clock=Clock(seconds_per_choice=60, on_timeout="concede"))
    assert driver.fire_timers(60_000) == (TimeRanOut(0), Conceded(0), BotSeated(0, "random"))
    assert driver.decisions[-1].by == "clock"
    assert driver.fire_timers(60_000) == (TimeRanOut(1), Conceded(1), Finished((0, 0, 0), (2, 2, 1)))


@pytest.mark.parametrize("on_timeout", ["bot", "concede"])
def test_a_bot_that_runs_out_of_time_in_a_limit_of_the_rulebook_is_answered_for(
    on_timeout: Any, start_scene: StartScene
) -> None:
    driver = start_scene(quick_rounds(3), seats=3, clock=Clock(seconds_per_choice=60, on_timeout=on_timeout))
    driver.fire_timers(5000)
    for seat in (1, 2):
        driver.answer(seat, "say", word="sun")
    driver.answer(0, "say", word="sun")
    for seat in (1, 2):
        driver.answer(seat, "say", word="sun")
    driver.now = 20_000
    for _ in range(3):
        facts = driver.fire_timers(20_000)
        if facts is None:
            break
        assert facts[0] == TimeRanOut(0)
        assert isinstance(facts[1], Said)
    assert driver.game.session.status == "running"


def test_before_the_start_and_after_the_end_nobody_concedes_or_pauses(start_scene: StartScene) -> None:
    driver = GameDriver(MARKET, 2)
    driver.command(concede, 0)
    for step, args in ((concede, (1,)), (request_pause, (1,)), (compensate_downtime, (5,)), (seat_bot, (1, "random"))):
        assert driver.command_refusal(step, *args) == "game-over"


# --- all of it at random -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_game_with_any_steps_of_its_host_and_seats_stays_sound(seed: int) -> None:
    random = Random(seed)
    policy: Any = random.choice(("answer", "bot", "concede"))
    clock = random.choice((UNTIMED, Clock(seconds_per_choice=300, bank=60, increment=1, on_timeout=policy)))
    driver = GameDriver(MARKET, 4, seed=str(seed), clock=clock)
    steps: list[tuple[Any, Callable[[], tuple[Any, ...]]]] = [
        (concede, lambda: (random.randrange(4),)),
        (request_pause, lambda: (random.randrange(4),)),
        (request_pause, lambda: (random.randrange(4),)),
        (seat_bot, lambda: (random.randrange(4), random.choice(("random", None)))),
        (compensate_downtime, lambda: (random.randrange(5000),)),
    ]
    for _ in range(150):
        step, args = random.choice(steps)
        if random.random() < 0.3:
            try:
                driver.command(step, *args())
            except Refusal as illegal:
                assert illegal.code in {"seat-conceded", "pause-already-requested", "game-over"}  # noqa: PT017 - one of several
        driver.play_at_random(random, 1)
        if driver.game.session.status == "finished":
            break
    assert driver.game.session.status in ("running", "finished")
