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
from games.kernel.session import BotSeated, Conceded, TimeRanOut
from tests.games.kernel.market import MARKET
from tests.games.kernel.playing import UNTIMED, Sitting
from tests.games.kernel.scene_rulebook import Said, Stage

Opens = Callable[..., Sitting]
A_MINUTE = Clock(seconds_per_choice=60)


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: Stage, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: Stage, prompt: str) -> Outcome:
    """Ask for one of two words."""
    return choose(msg(prompt), say.offer(word=OneOf(("sun", "moon"))))


@rule
def ask_quickly(table: Stage, prompt: str) -> Outcome:
    """Five seconds of the rulebook's time."""
    return choose(msg(prompt), say.offer(word=OneOf(("sun", "moon"))), within=5000)


@rule
def rounds(table: Stage, seats: int) -> Outcome:
    """All seats are asked at the same time, again and again."""
    return together(*(ask("A word?").by(seat) for seat in range(seats))), rounds(seats)


@rule
def quick_rounds(table: Stage, seats: int) -> Outcome:
    """Likewise, with a limit of the rulebook's own."""
    return together(*(ask_quickly("Quick!").by(seat) for seat in range(seats))), quick_rounds(seats)


# --- bots ----------------------------------------------------------------------------------------------------


def test_a_bot_takes_over_a_seat_and_the_clock_does_not_press_it(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    assert sitting.does(seat_bot, 0, "random") == (BotSeated(0, "random"),)
    assert bots_to_move(sitting.game) == [0]
    assert sitting.deadlines() == [None, 60_000]
    sitting.answers(0, "say", word="sun")
    sitting.answers(1, "say", word="sun")
    assert sitting.deadlines() == [None, 60_000]


def test_a_player_who_plays_again_has_the_time_of_a_choice_from_then_on(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    sitting.does(seat_bot, 0, "random")
    sitting.now = 200_000
    assert sitting.does(seat_bot, 0, None) == (BotSeated(0, None),)
    assert bots_to_move(sitting.game) == []
    assert sitting.deadlines(0) == [260_000]


def test_a_player_who_plays_anyway_gains_no_time_by_saying_so(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    sitting.now = 50_000
    sitting.does(seat_bot, 0, None)
    assert sitting.deadlines() == [60_000, 60_000]


def test_a_player_who_plays_again_in_a_pause_has_the_time_of_a_choice_from_its_end_on(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    sitting.does(seat_bot, 0, "random")
    sitting.now = 10_000
    sitting.does(request_pause, 1)
    sitting.now = 30_000
    sitting.does(seat_bot, 0, None)
    sitting.now = 500_000
    sitting.does(request_pause, 1)
    sitting.does(request_pause, 0)
    assert sitting.deadlines(0) == [560_000]


@rule
def of_every_kind(table: Stage) -> Outcome:
    """A seat is asked with the limit of the game, with one of the rulebook's own, and with none at all."""
    return together(ask("A word?").by(0), ask_quickly("Quick!").by(0), ask_at_leisure().by(0))


@rule
def ask_at_leisure(table: Stage) -> Outcome:
    """Without any limit."""
    return choose(msg("At leisure."), say.offer("x"), within=UNLIMITED)


def test_limits_that_the_rulebook_sets_stay_when_a_bot_comes_and_goes(opened: Opens) -> None:
    sitting = opened(of_every_kind(), clock=A_MINUTE)
    assert sitting.deadlines() == [60_000, 5000, None]
    sitting.does(seat_bot, 0, "random")
    assert sitting.deadlines() == [None, 5000, None]
    sitting.now = 3000
    sitting.does(seat_bot, 0, None)
    assert sitting.deadlines() == [63_000, 5000, None]


def test_a_seat_that_was_silent_in_a_limit_of_the_rulebook_passes_to_a_bot_and_is_not_pressed(opened: Opens) -> None:
    sitting = opened(of_every_kind(), clock=Clock(seconds_per_choice=60, on_timeout="bot"))
    assert sitting.rings(5000) == (TimeRanOut(0), BotSeated(0, "random"))
    assert sitting.deadlines() == [None, None, None]


def test_only_a_bot_that_there_is_plays_a_seat_that_is_taken(opened: Opens) -> None:
    sitting = opened(rounds(2))
    assert sitting.refuses(seat_bot, 0, "deep-thought") == "no-such-bot"
    assert sitting.refuses(seat_bot, 2, "random") == "no-such-seat"
    assert sitting.refuses(seat_bot, -1, "random") == "no-such-seat"


def test_a_silent_seat_passes_to_a_bot_when_the_game_says_so(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=Clock(seconds_per_choice=60, on_timeout="bot"))
    assert sitting.rings(60_000) == (TimeRanOut(0), BotSeated(0, "random"))
    assert sitting.deadlines() == [None, 60_000]
    assert sitting.game.session.seats[0].bot == "random"


# --- giving up ---------------------------------------------------------------------------------------------------


def test_who_gives_up_is_played_by_a_bot_and_the_others_play_on(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3, clock=A_MINUTE)
    assert sitting.does(concede, 1) == (Conceded(1), BotSeated(1, "random"))
    assert sitting.game.session.conceded_seats == {1}
    assert bots_to_move(sitting.game) == [1]
    assert sitting.deadlines() == [60_000, None, 60_000]
    assert sitting.game.session.status == "running"


def test_nobody_gives_up_twice_or_takes_it_back(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3)
    sitting.does(concede, 1)
    assert sitting.refuses(concede, 1) == "seat-conceded"
    assert sitting.refuses(seat_bot, 1, None) == "seat-conceded"
    assert sitting.refuses(concede, 3) == "no-such-seat"
    assert sitting.refuses(concede, -1) == "no-such-seat"


def test_when_only_one_is_left_the_game_is_over_and_it_has_won() -> None:
    sitting = Sitting(MARKET, 3)
    sitting.answers(0, "buy", good=sitting.options(0, "buy", "good")[0])
    sitting.does(concede, 0)
    assert sitting.does(concede, 2) == (Conceded(2), Finished((1, 0, 0), (2, 1, 2)))
    assert sitting.game.session.status == "finished"
    assert sitting.game.flow == ()
    assert sitting.refuses(concede, 1) == "game-over"


@rule
def say_goodbye(table: Stage) -> Outcome:
    """What a seat that gives up carries out."""
    return Said("goodbye", table.seat)


@rule
def until_goodbye(table: Stage) -> Outcome:
    """Two seats are asked until somebody says goodbye."""
    return together(*(ask_until_goodbye().by(seat) for seat in range(3))), Said("all")


@rule
def ask_until_goodbye(table: Stage) -> Outcome:
    """It evaporates."""
    return None if "goodbye" in table.said else choose(msg("?"), say.offer("x"))


def test_what_a_seat_that_gives_up_carries_out_may_let_questions_evaporate(opened: Opens) -> None:
    sitting = opened(until_goodbye(), seats=3, on_concede=say_goodbye())
    assert sitting.does(concede, 2) == (Conceded(2), BotSeated(2, "random"), Said("goodbye", 2), Said("all"))
    assert sitting.game.flow == ()


@rule
def end_of_the_game(table: Stage) -> Outcome:
    """Giving up may end the game for all."""
    return Finished((0, 0, 0), (1, 1, 1))


def test_what_a_seat_that_gives_up_carries_out_may_end_the_game(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3, on_concede=end_of_the_game())
    assert Finished((0, 0, 0), (1, 1, 1)) in sitting.does(concede, 2)
    assert (sitting.game.flow, sitting.game.session.status) == ((), "finished")


@rule
def ask_on_leaving(table: Stage) -> Outcome:
    """Giving up may not ask."""
    return ask("Why?")


def test_what_a_seat_that_gives_up_carries_out_may_not_ask(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3, on_concede=ask_on_leaving())
    with pytest.raises(TypeError, match="ask_on_leaving is carried out aside, and may not wait"):
        sitting.does(concede, 2)


@rule
def only_for_those_who_play(table: Stage) -> Outcome:
    """Who gave up is not asked any more."""
    return together(*(ask_if_playing().by(seat) for seat in range(3))), Said("all")


@rule
def ask_if_playing(table: Stage) -> Outcome:
    """It looks at who gave up."""
    return None if table.seat in table.conceded_seats else choose(msg("?"), say.offer("x"))


def test_a_question_may_evaporate_because_its_seat_gave_up(opened: Opens) -> None:
    sitting = opened(only_for_those_who_play(), seats=3)
    sitting.does(concede, 1)
    assert [question.seat for question in sitting.questions()] == [0, 2]
    sitting.answers(0, "say")
    assert sitting.answers(2, "say") == (Said("x", 2), Said("all"))


def test_a_silent_seat_gives_up_when_the_game_says_so(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3, clock=Clock(seconds_per_choice=60, on_timeout="concede"))
    assert sitting.rings(60_000) == (TimeRanOut(0), Conceded(0), BotSeated(0, "random"))
    assert sitting.decisions[-1].by == "clock"
    assert sitting.rings(60_000) == (TimeRanOut(1), Conceded(1), Finished((0, 0, 0), (2, 2, 1)))


@pytest.mark.parametrize("on_timeout", ["bot", "concede"])
def test_a_bot_that_is_silent_in_a_limit_of_the_rulebook_is_answered_for(on_timeout: Any, opened: Opens) -> None:
    sitting = opened(quick_rounds(3), seats=3, clock=Clock(seconds_per_choice=60, on_timeout=on_timeout))
    sitting.rings(5000)
    for seat in (1, 2):
        sitting.answers(seat, "say", word="sun")
    sitting.answers(0, "say", word="sun")
    for seat in (1, 2):
        sitting.answers(seat, "say", word="sun")
    sitting.now = 20_000
    for _ in range(3):
        facts = sitting.rings(20_000)
        if facts is None:
            break
        assert facts[0] == TimeRanOut(0)
        assert isinstance(facts[1], Said)
    assert sitting.game.session.status == "running"


def test_before_the_start_and_after_the_end_nobody_gives_up_or_pauses(opened: Opens) -> None:
    sitting = Sitting(MARKET, 2)
    sitting.does(concede, 0)
    for step, args in ((concede, (1,)), (request_pause, (1,)), (compensate_downtime, (5,)), (seat_bot, (1, "random"))):
        assert sitting.refuses(step, *args) == "game-over"


# --- all of it at random -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_game_with_any_steps_of_its_host_and_seats_stays_sound(seed: int) -> None:
    random = Random(seed)
    policy: Any = random.choice(("answer", "bot", "concede"))
    clock = random.choice((UNTIMED, Clock(seconds_per_choice=300, bank=60, increment=1, on_timeout=policy)))
    sitting = Sitting(MARKET, 4, seed=str(seed), clock=clock)
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
                sitting.does(step, *args())
            except Refusal as illegal:
                assert illegal.code in {"seat-conceded", "pause-already-requested", "game-over"}  # noqa: PT017 - one of several
        sitting.plays_at_random(random, 1)
        if sitting.game.session.status == "finished":
            break
    assert sitting.game.session.status in ("running", "finished")
