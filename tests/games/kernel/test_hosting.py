"""A game that runs: bots take over, seats give up, everybody pauses, and lost time is given back."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.kernel import (
    NO_LIMIT,
    Clock,
    Finished,
    Illegal,
    One,
    Outcome,
    Wait,
    answer,
    ask_pause,
    bots_to_move,
    choose,
    concede,
    credit_time,
    ring,
    rule,
    seat_bot,
    together,
)
from games.kernel.lobby import BotSeated, Conceded, PauseAsked, Paused, Resumed, TimeCredited, TimeRanOut
from tests.games.kernel.market import MARKET
from tests.games.kernel.playing import UNTIMED, Sitting
from tests.games.kernel.scenes import Said, Stage

Opens = Callable[..., Sitting]
A_MINUTE = Clock(seconds_per_choice=60)


@rule
def say(table: Stage, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: Stage, prompt: str) -> Outcome:
    """Ask for one of two words."""
    return choose(prompt, say.offer(word=One(("sun", "moon"))))


@rule
def ask_quickly(table: Stage, prompt: str) -> Outcome:
    """Five seconds of the rulebook's time."""
    return choose(prompt, say.offer(word=One(("sun", "moon"))), within=5000)


@rule
def rounds(table: Stage, seats: int) -> Outcome:
    """All seats are asked at the same time, again and again."""
    return together(*(ask("A word?").by(seat) for seat in range(seats))), rounds(seats)


@rule
def quick_rounds(table: Stage, seats: int) -> Outcome:
    """Likewise, with a limit of the rulebook's own."""
    return together(*(ask_quickly("Quick!").by(seat) for seat in range(seats))), quick_rounds(seats)


@rule
def a_clock_too(table: Stage) -> Outcome:
    """Seats and a clock of the rulebook."""
    return together(ask("A word?").by(0), ask("A word?").by(1), wait_two_minutes())


@rule
def wait_two_minutes(table: Stage) -> Outcome:
    """And tell."""
    return Wait(120_000), Said("two minutes")


def does(sitting: Sitting, step: Any, *args: Any, **more: Any) -> tuple[Any, ...]:
    """Take a step of the host or of a seat; give its facts."""
    return sitting.keep(step(sitting.rulebook, sitting.game, *args, now=sitting.now, **more))


def refuses(sitting: Sitting, step: Any, *args: Any) -> str:
    """The code with which a step is refused; nothing has changed."""
    game, stored = sitting.game, sitting.rulebook.encode_game(sitting.game)
    with pytest.raises(Illegal) as refusal:
        step(sitting.rulebook, game, *args, now=sitting.now)
    assert sitting.rulebook.encode_game(game) == stored
    return refusal.value.code


def deadlines(sitting: Sitting, seat: int | None = None) -> list[int | None]:
    """The deadlines of what is asked now."""
    return [question.deadline for question in sitting.questions(seat)]


# --- bots ----------------------------------------------------------------------------------------------------


def test_a_bot_takes_over_a_seat_and_the_clock_does_not_press_it(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    assert does(sitting, seat_bot, 0, "random") == (BotSeated(0, "random"),)
    assert bots_to_move(sitting.game) == [0]
    assert deadlines(sitting) == [None, 60_000]
    sitting.answers(0, "say", word="sun")
    sitting.answers(1, "say", word="sun")
    assert deadlines(sitting) == [None, 60_000]


def test_a_player_who_plays_again_has_the_time_of_a_choice_from_then_on(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    does(sitting, seat_bot, 0, "random")
    sitting.now = 200_000
    assert does(sitting, seat_bot, 0, None) == (BotSeated(0, None),)
    assert bots_to_move(sitting.game) == []
    assert deadlines(sitting, 0) == [260_000]


def test_a_player_who_plays_anyway_gains_no_time_by_saying_so(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    sitting.now = 50_000
    does(sitting, seat_bot, 0, None)
    assert deadlines(sitting) == [60_000, 60_000]


def test_a_player_who_plays_again_in_a_pause_has_the_time_of_a_choice_from_its_end_on(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    does(sitting, seat_bot, 0, "random")
    sitting.now = 10_000
    does(sitting, ask_pause, 1)
    sitting.now = 30_000
    does(sitting, seat_bot, 0, None)
    sitting.now = 500_000
    does(sitting, ask_pause, 1)
    does(sitting, ask_pause, 0)
    assert deadlines(sitting, 0) == [560_000]


@rule
def of_every_kind(table: Stage) -> Outcome:
    """A seat is asked with the limit of the game, with one of the rulebook's own, and with none at all."""
    return together(ask("A word?").by(0), ask_quickly("Quick!").by(0), ask_at_leisure().by(0))


@rule
def ask_at_leisure(table: Stage) -> Outcome:
    """Without any limit."""
    return choose("At leisure.", say.offer("x"), within=NO_LIMIT)


def test_limits_that_the_rulebook_sets_stay_when_a_bot_comes_and_goes(opened: Opens) -> None:
    sitting = opened(of_every_kind(), clock=A_MINUTE)
    assert deadlines(sitting) == [60_000, 5000, None]
    does(sitting, seat_bot, 0, "random")
    assert deadlines(sitting) == [None, 5000, None]
    sitting.now = 3000
    does(sitting, seat_bot, 0, None)
    assert deadlines(sitting) == [63_000, 5000, None]


def test_a_seat_that_was_silent_in_a_limit_of_the_rulebook_passes_to_a_bot_and_is_not_pressed(opened: Opens) -> None:
    sitting = opened(of_every_kind(), clock=Clock(seconds_per_choice=60, when_out="bot"))
    assert sitting.rings(5000) == (TimeRanOut(0), BotSeated(0, "random"))
    assert deadlines(sitting) == [None, None, None]


def test_only_a_bot_that_there_is_plays_a_seat_that_is_taken(opened: Opens) -> None:
    sitting = opened(rounds(2))
    assert refuses(sitting, seat_bot, 0, "deep-thought") == "no-such-bot"
    assert refuses(sitting, seat_bot, 2, "random") == "no-such-seat"
    assert refuses(sitting, seat_bot, -1, "random") == "no-such-seat"


def test_a_silent_seat_passes_to_a_bot_when_the_game_says_so(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=Clock(seconds_per_choice=60, when_out="bot"))
    assert sitting.rings(60_000) == (TimeRanOut(0), BotSeated(0, "random"))
    assert deadlines(sitting) == [None, 60_000]
    assert sitting.game.lobby.seatings[0].bot == "random"


# --- giving up ---------------------------------------------------------------------------------------------------


def test_who_gives_up_is_played_by_a_bot_and_the_others_play_on(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3, clock=A_MINUTE)
    assert does(sitting, concede, 1) == (Conceded(1), BotSeated(1, "random"))
    assert sitting.game.lobby.conceded == {1}
    assert bots_to_move(sitting.game) == [1]
    assert deadlines(sitting) == [60_000, None, 60_000]
    assert sitting.game.lobby.status == "running"


def test_nobody_gives_up_twice_or_takes_it_back(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3)
    does(sitting, concede, 1)
    assert refuses(sitting, concede, 1) == "seat-conceded"
    assert refuses(sitting, seat_bot, 1, None) == "seat-conceded"
    assert refuses(sitting, concede, 3) == "no-such-seat"
    assert refuses(sitting, concede, -1) == "no-such-seat"


def test_when_only_one_is_left_the_game_is_over_and_it_has_won() -> None:
    sitting = Sitting(MARKET, 3)
    sitting.answers(0, "buy", good=sitting.options(0, "buy", "good")[0])
    does(sitting, concede, 0)
    assert does(sitting, concede, 2) == (Conceded(2), Finished((1, 0, 0), (2, 1, 2)))
    assert sitting.game.lobby.status == "finished"
    assert sitting.game.flow == ()
    assert refuses(sitting, concede, 1) == "game-over"


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
    return None if "goodbye" in table.said else choose("?", say.offer("x"))


def test_what_a_seat_that_gives_up_carries_out_may_let_questions_evaporate(opened: Opens) -> None:
    sitting = opened(until_goodbye(), seats=3, conceding=say_goodbye())
    assert does(sitting, concede, 2) == (Conceded(2), BotSeated(2, "random"), Said("goodbye", 2), Said("all"))
    assert sitting.game.flow == ()


@rule
def end_of_the_game(table: Stage) -> Outcome:
    """Giving up may end the game for all."""
    return Finished((0, 0, 0), (1, 1, 1))


def test_what_a_seat_that_gives_up_carries_out_may_end_the_game(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3, conceding=end_of_the_game())
    assert Finished((0, 0, 0), (1, 1, 1)) in does(sitting, concede, 2)
    assert (sitting.game.flow, sitting.game.lobby.status) == ((), "finished")


@rule
def ask_on_leaving(table: Stage) -> Outcome:
    """Giving up may not ask."""
    return ask("Why?")


def test_what_a_seat_that_gives_up_carries_out_may_not_ask(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3, conceding=ask_on_leaving())
    with pytest.raises(TypeError, match="ask_on_leaving is carried out aside, and may not wait"):
        does(sitting, concede, 2)


@rule
def only_for_those_who_play(table: Stage) -> Outcome:
    """Who gave up is not asked any more."""
    return together(*(ask_if_playing().by(seat) for seat in range(3))), Said("all")


@rule
def ask_if_playing(table: Stage) -> Outcome:
    """It looks at who gave up."""
    return None if table.seat in table.conceded else choose("?", say.offer("x"))


def test_a_question_may_evaporate_because_its_seat_gave_up(opened: Opens) -> None:
    sitting = opened(only_for_those_who_play(), seats=3)
    does(sitting, concede, 1)
    assert [question.seat for question in sitting.questions()] == [0, 2]
    sitting.answers(0, "say")
    assert sitting.answers(2, "say") == (Said("x", 2), Said("all"))


def test_a_silent_seat_gives_up_when_the_game_says_so(opened: Opens) -> None:
    sitting = opened(rounds(3), seats=3, clock=Clock(seconds_per_choice=60, when_out="concede"))
    assert sitting.rings(60_000) == (TimeRanOut(0), Conceded(0), BotSeated(0, "random"))
    assert sitting.decisions[-1].by == "clock"
    assert sitting.rings(60_000) == (TimeRanOut(1), Conceded(1), Finished((0, 0, 0), (2, 2, 1)))


@pytest.mark.parametrize("when_out", ["bot", "concede"])
def test_a_bot_that_is_silent_in_a_limit_of_the_rulebook_is_answered_for(when_out: Any, opened: Opens) -> None:
    sitting = opened(quick_rounds(3), seats=3, clock=Clock(seconds_per_choice=60, when_out=when_out))
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
    assert sitting.game.lobby.status == "running"


def test_before_the_start_and_after_the_end_nobody_gives_up_or_pauses(opened: Opens) -> None:
    sitting = Sitting(MARKET, 2)
    does(sitting, concede, 0)
    for step, args in ((concede, (1,)), (ask_pause, (1,)), (credit_time, (5,)), (seat_bot, (1, "random"))):
        assert refuses(sitting, step, *args) == "game-over"


# --- pauses ------------------------------------------------------------------------------------------------------


def test_a_game_is_paused_when_all_players_wish_it(opened: Opens) -> None:
    sitting = opened(rounds(2))
    assert does(sitting, ask_pause, 0) == (PauseAsked(0),)
    assert sitting.game.lobby.paused_at is None
    sitting.now = 5000
    assert does(sitting, ask_pause, 1) == (PauseAsked(1), Paused())
    assert sitting.game.lobby.paused_at == 5000


def test_who_wished_it_already_waits_for_the_others(opened: Opens) -> None:
    sitting = opened(rounds(2))
    does(sitting, ask_pause, 0)
    assert refuses(sitting, ask_pause, 0) == "pause-asked"
    assert refuses(sitting, ask_pause, 2) == "no-such-seat"


def paused(sitting: Sitting, seats: int = 2) -> Sitting:
    """The same game, paused."""
    for seat in range(seats):
        does(sitting, ask_pause, seat)
    return sitting


def test_in_a_pause_clocks_stand_still_and_no_answer_is_taken(opened: Opens) -> None:
    sitting = opened(rounds(2), clock=A_MINUTE)
    asked = sitting.choice_for(0, "say")
    paused(sitting)
    assert sitting.questions() == []
    assert (sitting.alarm(), ring(sitting.rulebook, sitting.game, 10**9)) == (None, None)
    with pytest.raises(Illegal, match="game-paused"):
        answer(sitting.rulebook, sitting.game, 0, asked, "say", {"word": "sun"}, 0)


def test_after_a_pause_clocks_go_on_with_what_was_left(opened: Opens) -> None:
    sitting = opened(a_clock_too(), clock=A_MINUTE)
    sitting.now = 20_000
    paused(sitting)
    sitting.now = 1_020_000
    does(sitting, ask_pause, 0)
    assert does(sitting, ask_pause, 1) == (PauseAsked(1), Resumed())
    assert deadlines(sitting) == [1_060_000, 1_060_000]
    sitting.rings(1_060_000)
    sitting.rings(1_060_000)
    assert sitting.alarm() == 1_120_000


def test_bots_and_those_who_gave_up_are_not_asked_for_a_pause(opened: Opens) -> None:
    sitting = opened(rounds(4), seats=4)
    does(sitting, seat_bot, 1, "random")
    does(sitting, concede, 2)
    does(sitting, ask_pause, 0)
    assert does(sitting, ask_pause, 3) == (PauseAsked(3), Paused())


@pytest.mark.parametrize(("step", "args"), [(concede, (1,)), (seat_bot, (1, "random"))])
def test_a_pause_can_be_ended_though_the_last_who_was_waited_for_is_gone(
    step: Any, args: tuple[Any, ...], opened: Opens
) -> None:
    sitting = paused(opened(rounds(3), seats=3), 3)
    does(sitting, ask_pause, 0)
    does(sitting, ask_pause, 2)
    assert refuses(sitting, ask_pause, 0) == "pause-asked"
    does(sitting, step, *args)
    assert does(sitting, ask_pause, 0) == (PauseAsked(0), Resumed())
    assert sitting.game.lobby.paused_at is None
    assert len(sitting.questions()) == 3


# --- time that was lost -----------------------------------------------------------------------------------------------


def test_running_clocks_get_the_time_back_for_which_the_service_was_away(opened: Opens) -> None:
    sitting = opened(a_clock_too(), clock=A_MINUTE)
    sitting.now = 500_000
    assert does(sitting, credit_time, 450_000) == (TimeCredited(450_000),)
    assert deadlines(sitting) == [510_000, 510_000]
    assert sitting.alarm() == 510_000
    assert sitting.decisions[-1].by == "system"


def test_choices_without_a_deadline_get_none(opened: Opens) -> None:
    sitting = opened(rounds(2))
    does(sitting, credit_time, 450_000)
    assert deadlines(sitting) == [None, None]


# --- all of it at random -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_game_with_any_steps_of_its_host_and_seats_stays_sound(seed: int) -> None:
    random = Random(seed)
    policy = random.choice(("answer", "bot", "concede"))
    clock = random.choice((UNTIMED, Clock(seconds_per_choice=300, bank=60, increment=1, when_out=policy)))
    sitting = Sitting(MARKET, 4, seed=str(seed), clock=clock)
    steps: list[tuple[Any, Callable[[], tuple[Any, ...]]]] = [
        (concede, lambda: (random.randrange(4),)),
        (ask_pause, lambda: (random.randrange(4),)),
        (ask_pause, lambda: (random.randrange(4),)),
        (seat_bot, lambda: (random.randrange(4), random.choice(("random", None)))),
        (credit_time, lambda: (random.randrange(5000),)),
    ]
    for _ in range(150):
        step, args = random.choice(steps)
        if random.random() < 0.3:
            try:
                does(sitting, step, *args())
            except Illegal as illegal:
                assert illegal.code in {"seat-conceded", "pause-asked", "game-over"}  # noqa: PT017 - one of several
        sitting.plays_at_random(random, 1)
        if sitting.game.lobby.status == "finished":
            break
    assert sitting.game.lobby.status in ("running", "finished")
