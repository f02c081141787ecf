"""The clock policy of a game: deadlines, and what the clock does in the place of a silent seat."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.kernel import (
    Choice,
    Clock,
    IntRange,
    OneOf,
    Outcome,
    Refusal,
    SomeOf,
    Wait,
    answer,
    choose,
    constraint,
    fire_timers,
    move,
    msg,
    rule,
    together,
)
from games.kernel.sessions.session import BankChanged, TimeRanOut
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]
A_MINUTE = Clock(seconds_per_choice=60)


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: SceneTable, prompt: str) -> Outcome:
    """Ask for one of three words."""
    return choose(msg(prompt), say.offer(word=OneOf(("sun", "moon", "star"))))


@rule
def everybody(table: SceneTable) -> Outcome:
    """All seats are asked, then the first once more."""
    return together(*(ask("A word?").by(seat) for seat in range(2))), ask("Another?").by(0)


def deadlines(driver: GameDriver) -> list[int | None]:
    """The deadlines of the pending choices."""
    return [pending.deadline for pending in driver.choices()]


# --- deadlines --------------------------------------------------------------------------------------------


def test_without_a_limit_a_choice_has_no_deadline(start_scene: StartScene) -> None:
    driver = start_scene(everybody())
    assert deadlines(driver) == [None, None]
    assert driver.alarm() is None
    assert driver.fire_timers(10**15) is None


@pytest.mark.parametrize(("seconds", "milliseconds"), [(60, 60_000), (0.5, 500), (1.2345, 1234), (86_400, 86_400_000)])
def test_the_seconds_per_choice_give_a_deadline(seconds: float, milliseconds: int, start_scene: StartScene) -> None:
    driver = start_scene(everybody(), clock=Clock(seconds_per_choice=seconds))
    assert deadlines(driver) == [milliseconds, milliseconds]
    assert driver.alarm() == milliseconds


def test_each_choice_has_its_time_from_the_moment_that_it_is_asked(start_scene: StartScene) -> None:
    driver = start_scene(everybody(), clock=A_MINUTE)
    driver.now = 20_000
    driver.answer(0, "say", word="sun")
    driver.now = 30_000
    driver.answer(1, "say", word="sun")
    assert deadlines(driver) == [90_000]


@rule
def ask_within(table: SceneTable) -> Outcome:
    """A rulebook's own time limit, and the game's."""
    return together(ask_quickly().by(0), ask("Slow.").by(1))


@rule
def ask_quickly(table: SceneTable) -> Outcome:
    """Five seconds of the rulebook's time."""
    return choose(msg("Quick!"), say.offer("quick"), within=5000)


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        (Clock(), [5000, None]),
        (Clock(seconds_per_choice=60), [5000, 60_000]),
        (Clock(seconds_per_choice=1), [5000, 1000]),
        (Clock(seconds_per_choice=60, factor=2), [10_000, 60_000]),
        (Clock(factor=0.5), [2500, None]),
        (Clock(factor=0), [None, None]),
        (Clock(seconds_per_choice=60, factor=0), [60_000, 60_000]),
    ],
)
def test_a_limit_of_the_rulebook_stands_in_the_place_of_the_games(
    clock: Clock, expected: list[int | None], start_scene: StartScene
) -> None:
    assert deadlines(start_scene(ask_within(), clock=clock)) == expected


# --- what the clock does ----------------------------------------------------------------------------------


def test_a_seat_out_of_time_gets_one_of_its_moves_and_a_fact_says_so(
    start_scene: StartScene,
) -> None:
    driver = start_scene(everybody(), clock=A_MINUTE)
    assert driver.fire_timers(59_999) is None
    facts = driver.fire_timers(60_000)
    assert facts is not None
    assert facts[0] == TimeRanOut(0)
    assert facts[1] in [Said("sun", 0), Said("moon", 0), Said("star", 0)]
    decision = driver.decisions[-1]
    assert (decision.by, decision.move, decision.choice, decision.at) == ("clock", "say", 1, 60_000)
    assert facts[1] == Said(str(decision.args["word"]), 0)


def test_the_clock_answers_only_what_is_due_first(start_scene: StartScene) -> None:
    driver = start_scene(everybody(), clock=A_MINUTE)
    driver.now = 10_000
    driver.answer(0, "say", word="sun")
    facts = driver.fire_timers(60_000)
    assert facts is not None
    assert facts[0] == TimeRanOut(1)
    assert deadlines(driver) == [120_000]
    assert driver.fire_timers(119_999) is None


def test_of_two_that_are_due_the_older_is_answered_first(start_scene: StartScene) -> None:
    driver = start_scene(everybody(), clock=A_MINUTE)
    seats = [facts[0].seat for facts in (driver.fire_timers(60_000), driver.fire_timers(60_000)) if facts]  # type: ignore[attr-defined]
    assert seats == [0, 1]


def test_a_late_clock_answers_one_after_the_other_and_a_second_call_is_harmless(start_scene: StartScene) -> None:
    driver = start_scene(everybody(), clock=A_MINUTE)
    late = 10**9
    assert driver.fire_timers(late) is not None
    assert driver.fire_timers(late) is not None
    assert deadlines(driver) == [late + 60_000]
    before = driver.game
    assert driver.fire_timers(late) is None
    assert driver.game == before


def test_an_answer_after_the_clock_answered_is_stale(start_scene: StartScene) -> None:
    driver = start_scene(everybody(), clock=A_MINUTE)
    asked = driver.choice_for(0, "say")
    driver.fire_timers(60_000)
    with pytest.raises(Refusal, match=f"stale-choice: choice {asked} is not asked of seat"):
        driver.send(0, asked, "say", {"word": "sun"})


def test_an_answer_before_the_clock_fires_stands_though_it_is_late(start_scene: StartScene) -> None:
    driver = start_scene(everybody(), clock=A_MINUTE)
    driver.now = 70_000
    assert driver.answer(0, "say", word="star") == (Said("star", 0),)


def test_the_same_seed_gives_a_seat_out_of_time_the_same_move_and_another_seed_another(start_scene: StartScene) -> None:
    def moves(seed: str) -> list[Any]:
        driver = start_scene(everybody(), clock=A_MINUTE, seed=seed)
        return [driver.fire_timers(10**9), driver.fire_timers(10**9), driver.fire_timers(10**10)]

    assert moves("a") == moves("a")
    assert len({str(moves(f"seed {number}")) for number in range(10)}) > 5


@constraint(msg("It must be 7 together."))
def seven(table: SceneTable, first: int, second: int, words: tuple[str, ...]) -> bool:
    """Few combinations pass."""
    return first + second == 7 and words[-1:] != ("b",)


@move(title="Count", help="Count.", args={"first": "First", "second": "Second", "words": "Words"})
def count(table: SceneTable, first: int, second: int, words: tuple[str, ...]) -> Outcome:
    """Tell."""
    return Said(f"{first} {second}", table.seat)


@rule
def ask_for_seven(table: SceneTable) -> Outcome:
    """Some answers are refused by a check."""
    fields: Any = {"first": IntRange(0, 9), "second": IntRange(0, 9), "words": SomeOf(("a", "b"), 1, 2)}
    return choose(msg("Seven?"), count.offer(**fields, constraints=(seven,)))


@pytest.mark.parametrize("seed", "abcdefgh")
def test_what_the_clock_answers_satisfies_the_constraints(seed: str, start_scene: StartScene) -> None:
    driver = start_scene(ask_for_seven().by(0), clock=A_MINUTE, seed=seed)
    facts = driver.fire_timers(60_000)
    assert facts is not None
    first, second = map(int, str(facts[1].word).split())  # type: ignore[attr-defined]
    assert first + second == 7


@constraint(msg("Never."))
def never(table: SceneTable, word: str) -> bool:
    """Nothing passes."""
    return False


@rule
def ask_the_impossible(table: SceneTable) -> Outcome:
    """Every answer is refused."""
    return choose(msg("Impossible?"), say.offer(word=OneOf(("a",)), constraints=(never,)))


def test_when_no_answer_can_be_found_it_is_a_fault_and_nothing_changes(start_scene: StartScene) -> None:
    driver = start_scene(ask_the_impossible().by(0), clock=A_MINUTE)
    before = driver.game
    with pytest.raises(RuntimeError, match="ask_the_impossible: no answer was found for a seat that ran out of time"):
        fire_timers(driver.rulebook, driver.game, 60_000)
    assert driver.game == before


def first_words(table: SceneTable, asked: Choice) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rulebook's own answers for the silent: the first is no option, the second is."""
    yield "say", {"word": "nonsense"}
    yield "shout", {}
    yield "say", {"word": "star"}
    yield "say", {"word": "sun"}


def test_a_rulebook_may_say_what_is_answered_for_a_seat_out_of_time(start_scene: StartScene) -> None:
    for seed in "abcdef":
        driver = start_scene(everybody(), clock=A_MINUTE, seed=seed, timeout_answers=first_words)
        assert driver.fire_timers(60_000) == (TimeRanOut(0), Said("star", 0))


@rule
def ask_for_a_number(table: SceneTable) -> Outcome:
    """Any number."""
    return choose(msg("A number?"), draw_beside.offer(number=IntRange(0, 999_999)))


@move(title="Draw beside", help="Draw beside.", args={"number": "Number"})
def draw_beside(table: SceneTable, number: int) -> Outcome:
    """Draw one beside it."""
    return Said(f"{number} {table.chance.randbelow(1_000_000)}")


def any_number(table: SceneTable, asked: Choice) -> Iterator[tuple[str, dict[str, Any]]]:
    """Drawn."""
    yield "draw_beside", {"number": table.chance.randbelow(1_000_000)}


@pytest.mark.parametrize("timeout_answers", [None, any_number])
def test_what_is_drawn_for_a_seat_out_of_time_reveals_nothing_of_what_is_drawn_afterwards(
    timeout_answers: Any, start_scene: StartScene
) -> None:
    facts = start_scene(ask_for_a_number().by(0), clock=A_MINUTE, timeout_answers=timeout_answers).fire_timers(60_000)
    assert facts is not None
    answered, drawn = str(facts[1].word).split()  # type: ignore[attr-defined]
    assert answered != drawn


@rule
def seats_and_a_clock(table: SceneTable) -> Outcome:
    """A clock of the rulebook among the deadlines of seats."""
    return together(ask("a").by(0), wait_half_a_minute(), ask("b").by(1))


@rule
def wait_half_a_minute(table: SceneTable) -> Outcome:
    """And tell."""
    return Wait(30_000), Said("half a minute")


def test_the_next_alarm_is_the_first_of_all_clocks_and_deadlines(start_scene: StartScene) -> None:
    driver = start_scene(seats_and_a_clock(), clock=A_MINUTE)
    assert driver.alarm() == 30_000
    assert driver.fire_timers(100_000) == (Said("half a minute"),)
    assert driver.alarm() == 60_000


def test_before_the_start_and_after_the_end_the_clock_does_nothing(start_scene: StartScene) -> None:
    driver = start_scene(ask("once").by(0), clock=A_MINUTE)
    driver.fire_timers(60_000)
    assert (driver.alarm(), driver.fire_timers(10**9)) == (None, None)


# --- time banks -------------------------------------------------------------------------------------------

BANK = Clock(seconds_per_choice=10, bank=30, increment=2)


@rule
def ask_again_and_again(table: SceneTable) -> Outcome:
    """One seat is asked without end."""
    return ask("A word?").by(0), ask_again_and_again()


def bank(driver: GameDriver, seat: int = 0) -> int:
    """What is left in the bank of a seat, in milliseconds."""
    return int(driver.game.session.seats[seat].bank)


def test_a_deadline_includes_what_is_left_of_the_bank(start_scene: StartScene) -> None:
    assert deadlines(start_scene(ask_again_and_again(), clock=BANK)) == [40_000]


def test_an_answer_in_time_costs_nothing_and_gains_the_increment(start_scene: StartScene) -> None:
    driver = start_scene(ask_again_and_again(), clock=BANK)
    driver.now = 10_000
    driver.answer(0, "say", word="sun")
    assert bank(driver) == 32_000
    assert deadlines(driver) == [10_000 + 10_000 + 32_000]


def test_what_an_answer_takes_longer_is_taken_from_the_bank(start_scene: StartScene) -> None:
    driver = start_scene(ask_again_and_again(), clock=BANK)
    driver.now = 25_000
    driver.answer(0, "say", word="sun")
    assert bank(driver) == 30_000 - 15_000 + 2000
    assert bank(driver, 1) == 30_000
    assert deadlines(driver) == [25_000 + 10_000 + 17_000]


def test_what_is_left_of_a_bank_is_visible_to_its_seat_alone(start_scene: StartScene) -> None:
    driver = start_scene(ask_again_and_again(), clock=BANK)
    driver.now = 5000
    driver.answer(0, "say", word="sun")
    changed = next(fact for fact in driver.decisions[-1].facts if isinstance(fact, BankChanged))
    assert [driver.rulebook.can_observe(changed, viewer) for viewer in (0, 1, None)] == [True, False, False]
    for viewer, shown in ((0, changed.milliseconds), (1, {"hidden": 1}), (None, {"hidden": 1})):
        assert driver.rulebook.redact(driver.game.session, viewer)["seats"][0]["bank"] == shown


def test_the_clock_fires_when_the_bank_is_empty(start_scene: StartScene) -> None:
    driver = start_scene(ask_again_and_again(), clock=Clock(seconds_per_choice=10, bank=30))
    assert driver.fire_timers(39_999) is None
    facts = driver.fire_timers(40_000)
    assert facts is not None
    assert facts[0] == TimeRanOut(0)
    assert bank(driver) == 0
    assert deadlines(driver) == [50_000]


@rule
def ask_quickly_by_the_first(table: SceneTable) -> Outcome:
    """A limit of the rulebook's own."""
    return ask_quickly().by(0), ask("More?").by(0)


def test_a_limit_of_the_rulebook_does_not_touch_the_bank(start_scene: StartScene) -> None:
    driver = start_scene(ask_quickly_by_the_first(), clock=BANK)
    assert deadlines(driver) == [5000]
    driver.now = 4000
    driver.answer(0, "say")
    assert bank(driver) == 30_000


def test_a_decision_keeps_what_is_left_of_the_bank(start_scene: StartScene) -> None:
    driver = start_scene(ask_again_and_again(), clock=BANK)
    driver.now = 25_000
    facts = driver.answer(0, "say", word="sun")
    assert [type(fact).__name__ for fact in facts] == ["BankChanged", "Said"]


def test_a_refused_answer_leaves_the_bank_alone(start_scene: StartScene) -> None:
    driver = start_scene(ask_again_and_again(), clock=BANK)
    with pytest.raises(Refusal):
        answer(driver.rulebook, driver.game, 0, 1, "say", {"word": "nonsense"}, 39_000)
    assert bank(driver) == 30_000
