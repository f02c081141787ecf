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
from games.kernel.session import BankChanged, TimeRanOut
from tests.games.kernel.playing import Sitting
from tests.games.kernel.scene_rulebook import Said, Stage

Opens = Callable[..., Sitting]
A_MINUTE = Clock(seconds_per_choice=60)


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: Stage, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def ask(table: Stage, prompt: str) -> Outcome:
    """Ask for one of three words."""
    return choose(msg(prompt), say.offer(word=OneOf(("sun", "moon", "star"))))


@rule
def everybody(table: Stage) -> Outcome:
    """All seats are asked, then the first once more."""
    return together(*(ask("A word?").by(seat) for seat in range(2))), ask("Another?").by(0)


def deadlines(sitting: Sitting) -> list[int | None]:
    """The deadlines of what is asked now."""
    return [question.deadline for question in sitting.questions()]


# --- deadlines --------------------------------------------------------------------------------------------


def test_without_a_limit_a_choice_has_no_deadline(opened: Opens) -> None:
    sitting = opened(everybody())
    assert deadlines(sitting) == [None, None]
    assert sitting.alarm() is None
    assert sitting.rings(10**15) is None


@pytest.mark.parametrize(("seconds", "milliseconds"), [(60, 60_000), (0.5, 500), (1.2345, 1234), (86_400, 86_400_000)])
def test_so_many_seconds_a_choice_give_it_a_deadline(seconds: float, milliseconds: int, opened: Opens) -> None:
    sitting = opened(everybody(), clock=Clock(seconds_per_choice=seconds))
    assert deadlines(sitting) == [milliseconds, milliseconds]
    assert sitting.alarm() == milliseconds


def test_each_choice_has_its_time_from_the_moment_that_it_is_asked(opened: Opens) -> None:
    sitting = opened(everybody(), clock=A_MINUTE)
    sitting.now = 20_000
    sitting.answers(0, "say", word="sun")
    sitting.now = 30_000
    sitting.answers(1, "say", word="sun")
    assert deadlines(sitting) == [90_000]


@rule
def ask_within(table: Stage) -> Outcome:
    """A rulebook's own time limit, and the game's."""
    return together(ask_quickly().by(0), ask("Slow.").by(1))


@rule
def ask_quickly(table: Stage) -> Outcome:
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
    clock: Clock, expected: list[int | None], opened: Opens
) -> None:
    assert deadlines(opened(ask_within(), clock=clock)) == expected


# --- what the clock does ----------------------------------------------------------------------------------


def test_a_silent_seat_gets_one_of_its_moves_and_it_is_told_that_its_time_ran_out(opened: Opens) -> None:
    sitting = opened(everybody(), clock=A_MINUTE)
    assert sitting.rings(59_999) is None
    facts = sitting.rings(60_000)
    assert facts is not None
    assert facts[0] == TimeRanOut(0)
    assert facts[1] in [Said("sun", 0), Said("moon", 0), Said("star", 0)]
    decision = sitting.decisions[-1]
    assert (decision.by, decision.move, decision.choice, decision.at) == ("clock", "say", 1, 60_000)
    assert facts[1] == Said(str(decision.args["word"]), 0)


def test_the_clock_answers_only_what_is_due_first(opened: Opens) -> None:
    sitting = opened(everybody(), clock=A_MINUTE)
    sitting.now = 10_000
    sitting.answers(0, "say", word="sun")
    facts = sitting.rings(60_000)
    assert facts is not None
    assert facts[0] == TimeRanOut(1)
    assert deadlines(sitting) == [120_000]
    assert sitting.rings(119_999) is None


def test_of_two_that_are_due_the_older_is_answered_first(opened: Opens) -> None:
    sitting = opened(everybody(), clock=A_MINUTE)
    seats = [facts[0].seat for facts in (sitting.rings(60_000), sitting.rings(60_000)) if facts]  # type: ignore[attr-defined]
    assert seats == [0, 1]


def test_a_late_clock_answers_one_after_the_other_and_a_double_ring_is_harmless(opened: Opens) -> None:
    sitting = opened(everybody(), clock=A_MINUTE)
    late = 10**9
    assert sitting.rings(late) is not None
    assert sitting.rings(late) is not None
    assert deadlines(sitting) == [late + 60_000]
    before = sitting.game
    assert sitting.rings(late) is None
    assert sitting.game == before


def test_an_answer_after_the_clock_answered_is_stale(opened: Opens) -> None:
    sitting = opened(everybody(), clock=A_MINUTE)
    asked = sitting.choice_for(0, "say")
    sitting.rings(60_000)
    with pytest.raises(Refusal, match=f"stale-choice: choice {asked} is not asked of seat"):
        sitting.sends(0, asked, "say", {"word": "sun"})


def test_an_answer_before_the_clock_rings_stands_though_it_is_late(opened: Opens) -> None:
    sitting = opened(everybody(), clock=A_MINUTE)
    sitting.now = 70_000
    assert sitting.answers(0, "say", word="star") == (Said("star", 0),)


def test_the_same_seed_gives_a_silent_seat_the_same_move_and_another_seed_another(opened: Opens) -> None:
    def moves(seed: str) -> list[Any]:
        sitting = opened(everybody(), clock=A_MINUTE, seed=seed)
        return [sitting.rings(10**9), sitting.rings(10**9), sitting.rings(10**10)]

    assert moves("a") == moves("a")
    assert len({str(moves(f"seed {number}")) for number in range(10)}) > 5


@constraint(msg("It must be 7 together."))
def seven(table: Stage, first: int, second: int, words: tuple[str, ...]) -> bool:
    """Few combinations pass."""
    return first + second == 7 and words[-1:] != ("b",)


@move(title="Count", help="Count.", args={"first": "First", "second": "Second", "words": "Words"})
def count(table: Stage, first: int, second: int, words: tuple[str, ...]) -> Outcome:
    """Tell."""
    return Said(f"{first} {second}", table.seat)


@rule
def ask_for_seven(table: Stage) -> Outcome:
    """Some answers are refused by a check."""
    fields: Any = {"first": IntRange(0, 9), "second": IntRange(0, 9), "words": SomeOf(("a", "b"), 1, 2)}
    return choose(msg("Seven?"), count.offer(**fields, constraints=(seven,)))


@pytest.mark.parametrize("seed", "abcdefgh")
def test_what_the_clock_answers_passes_the_checks(seed: str, opened: Opens) -> None:
    sitting = opened(ask_for_seven().by(0), clock=A_MINUTE, seed=seed)
    facts = sitting.rings(60_000)
    assert facts is not None
    first, second = map(int, str(facts[1].word).split())  # type: ignore[attr-defined]
    assert first + second == 7


@constraint(msg("Never."))
def never(table: Stage, word: str) -> bool:
    """Nothing passes."""
    return False


@rule
def ask_the_impossible(table: Stage) -> Outcome:
    """Every answer is refused."""
    return choose(msg("Impossible?"), say.offer(word=OneOf(("a",)), constraints=(never,)))


def test_when_no_answer_can_be_found_it_is_a_fault_and_nothing_changes(opened: Opens) -> None:
    sitting = opened(ask_the_impossible().by(0), clock=A_MINUTE)
    before = sitting.game
    with pytest.raises(RuntimeError, match="ask_the_impossible: no answer was found for a seat that ran out of time"):
        fire_timers(sitting.rulebook, sitting.game, 60_000)
    assert sitting.game == before


def first_words(table: Stage, asked: Choice) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rulebook's own answers for the silent: the first is no option, the second is."""
    yield "say", {"word": "nonsense"}
    yield "shout", {}
    yield "say", {"word": "star"}
    yield "say", {"word": "sun"}


def test_a_rulebook_may_say_what_is_answered_for_the_silent(opened: Opens) -> None:
    for seed in "abcdef":
        sitting = opened(everybody(), clock=A_MINUTE, seed=seed, timeout_answers=first_words)
        assert sitting.rings(60_000) == (TimeRanOut(0), Said("star", 0))


@rule
def ask_for_a_number(table: Stage) -> Outcome:
    """Any number."""
    return choose(msg("A number?"), draw_beside.offer(number=IntRange(0, 999_999)))


@move(title="Draw beside", help="Draw beside.", args={"number": "Number"})
def draw_beside(table: Stage, number: int) -> Outcome:
    """Draw one beside it."""
    return Said(f"{number} {table.chance.randbelow(1_000_000)}")


def any_number(table: Stage, asked: Choice) -> Iterator[tuple[str, dict[str, Any]]]:
    """Drawn."""
    yield "draw_beside", {"number": table.chance.randbelow(1_000_000)}


@pytest.mark.parametrize("timeout_answers", [None, any_number])
def test_what_is_drawn_for_the_silent_tells_nothing_of_what_is_drawn_afterwards(
    timeout_answers: Any, opened: Opens
) -> None:
    facts = opened(ask_for_a_number().by(0), clock=A_MINUTE, timeout_answers=timeout_answers).rings(60_000)
    assert facts is not None
    answered, drawn = str(facts[1].word).split()  # type: ignore[attr-defined]
    assert answered != drawn


@rule
def seats_and_a_clock(table: Stage) -> Outcome:
    """A clock of the rulebook among the deadlines of seats."""
    return together(ask("a").by(0), wait_half_a_minute(), ask("b").by(1))


@rule
def wait_half_a_minute(table: Stage) -> Outcome:
    """And tell."""
    return Wait(30_000), Said("half a minute")


def test_the_next_alarm_is_the_first_of_all_clocks_and_deadlines(opened: Opens) -> None:
    sitting = opened(seats_and_a_clock(), clock=A_MINUTE)
    assert sitting.alarm() == 30_000
    assert sitting.rings(100_000) == (Said("half a minute"),)
    assert sitting.alarm() == 60_000


def test_before_the_start_and_after_the_end_the_clock_does_nothing(opened: Opens) -> None:
    sitting = opened(ask("once").by(0), clock=A_MINUTE)
    sitting.rings(60_000)
    assert (sitting.alarm(), sitting.rings(10**9)) == (None, None)


# --- time banks -------------------------------------------------------------------------------------------

BANK = Clock(seconds_per_choice=10, bank=30, increment=2)


@rule
def ask_again_and_again(table: Stage) -> Outcome:
    """One seat is asked without end."""
    return ask("A word?").by(0), ask_again_and_again()


def bank(sitting: Sitting, seat: int = 0) -> int:
    """What is left in the bank of a seat, in milliseconds."""
    return int(sitting.game.session.seats[seat].bank)


def test_a_deadline_includes_what_is_left_of_the_bank(opened: Opens) -> None:
    assert deadlines(opened(ask_again_and_again(), clock=BANK)) == [40_000]


def test_an_answer_in_time_costs_nothing_and_gains_the_increment(opened: Opens) -> None:
    sitting = opened(ask_again_and_again(), clock=BANK)
    sitting.now = 10_000
    sitting.answers(0, "say", word="sun")
    assert bank(sitting) == 32_000
    assert deadlines(sitting) == [10_000 + 10_000 + 32_000]


def test_what_an_answer_takes_longer_is_taken_from_the_bank(opened: Opens) -> None:
    sitting = opened(ask_again_and_again(), clock=BANK)
    sitting.now = 25_000
    sitting.answers(0, "say", word="sun")
    assert bank(sitting) == 30_000 - 15_000 + 2000
    assert bank(sitting, 1) == 30_000
    assert deadlines(sitting) == [25_000 + 10_000 + 17_000]


def test_what_is_left_of_a_bank_is_told_to_its_seat_alone(opened: Opens) -> None:
    sitting = opened(ask_again_and_again(), clock=BANK)
    sitting.now = 5000
    sitting.answers(0, "say", word="sun")
    changed = next(fact for fact in sitting.decisions[-1].facts if isinstance(fact, BankChanged))
    assert [sitting.rulebook.can_observe(changed, viewer) for viewer in (0, 1, None)] == [True, False, False]
    for viewer, shown in ((0, changed.milliseconds), (1, {"hidden": 1}), (None, {"hidden": 1})):
        assert sitting.rulebook.redact(sitting.game.session, viewer)["seats"][0]["bank"] == shown


def test_the_clock_rings_when_the_bank_is_empty(opened: Opens) -> None:
    sitting = opened(ask_again_and_again(), clock=Clock(seconds_per_choice=10, bank=30))
    assert sitting.rings(39_999) is None
    facts = sitting.rings(40_000)
    assert facts is not None
    assert facts[0] == TimeRanOut(0)
    assert bank(sitting) == 0
    assert deadlines(sitting) == [50_000]


@rule
def ask_quickly_by_the_first(table: Stage) -> Outcome:
    """A limit of the rulebook's own."""
    return ask_quickly().by(0), ask("More?").by(0)


def test_a_limit_of_the_rulebook_does_not_touch_the_bank(opened: Opens) -> None:
    sitting = opened(ask_quickly_by_the_first(), clock=BANK)
    assert deadlines(sitting) == [5000]
    sitting.now = 4000
    sitting.answers(0, "say")
    assert bank(sitting) == 30_000


def test_a_decision_keeps_what_is_left_of_the_bank(opened: Opens) -> None:
    sitting = opened(ask_again_and_again(), clock=BANK)
    sitting.now = 25_000
    facts = sitting.answers(0, "say", word="sun")
    assert [type(fact).__name__ for fact in facts] == ["BankChanged", "Said"]


def test_a_refused_answer_leaves_the_bank_alone(opened: Opens) -> None:
    sitting = opened(ask_again_and_again(), clock=BANK)
    with pytest.raises(Refusal):
        answer(sitting.rulebook, sitting.game, 0, 1, "say", {"word": "nonsense"}, 39_000)
    assert bank(sitting) == 30_000
