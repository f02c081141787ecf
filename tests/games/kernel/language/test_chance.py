"""Chance: draws that any program can make again, keyed by the seed and the number of the decision."""

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count, islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import (
    Chance,
    OneOf,
    Outcome,
    Wait,
    choose,
    move,
    msg,
    pending_choices,
    rule,
    seed_commitment,
    together,
)
from games.kernel.language.chance import FORBIDDEN_CHANCE, RandomnessWhileAsking
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]


# --- an implementation of our own, from what is documented ------------------------------------------------


def numbers(seed: str, decision: int) -> Iterator[int]:
    """The 64-bit numbers of a decision, in order."""
    for block in count():
        digest = sha256(f"{seed}/{decision}/{block}".encode()).digest()
        yield from (int.from_bytes(digest[start : start + 8], "big") for start in (0, 8, 16, 24))


def below(stream: Iterator[int], limit: int) -> int:
    """A number below a limit."""
    whole = 2**64 // limit * limit
    return next(number for number in stream if number < whole) % limit


def shuffled(stream: Iterator[int], cards: Any) -> tuple[Any, ...]:
    """The cards in a random order."""
    order = list(cards)
    for last in reversed(range(1, len(order))):
        other = below(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


# --- test vectors, as literal numbers ---------------------------------------------------------------------

BELOW: list[tuple[str, int, int, tuple[int, ...]]] = [
    ("croupier", 1, 2, (0, 0, 1, 1, 1, 1, 0, 1)),
    ("croupier", 1, 6, (4, 4, 1, 5, 3, 5, 2, 1)),
    ("croupier", 1, 104, (54, 18, 67, 3, 51, 57, 86, 47)),
    ("croupier", 1, 2**63 + 1, (1205867769023915038, 3419297393342733466, 5961805051383946547)),
    ("croupier", 1, 2**64, (1205867769023915038, 3419297393342733466, 15127909048316069683)),
    ("croupier", 2, 2, (0, 1, 0, 0, 1, 0, 1, 0)),
    ("croupier", 2, 6, (0, 1, 2, 4, 1, 2, 1, 2)),
    ("croupier", 2, 104, (100, 27, 12, 82, 39, 4, 33, 12)),
    ("croupier", 2, 2**63 + 1, (5465686153885265338, 6581379209761891327, 1438367153332356212)),
    ("croupier", 2, 2**64, (12658329118341034332, 17410974463150457827, 17633649473101258076)),
    ("", 0, 6, (2, 0, 1, 5, 5, 1, 1, 2)),
    ("", 0, 2**63 + 1, (9025770979860838386, 169004077985125273, 5940396013078023863)),
    ("graine ♠", 12345, 104, (49, 96, 52, 3, 82, 0, 12, 92)),
]

SHUFFLED: list[tuple[str, int, int, tuple[int, ...]]] = [
    ("croupier", 1, 10, (0, 5, 4, 2, 1, 9, 6, 3, 7, 8)),
    ("croupier", 2, 10, (3, 0, 7, 5, 6, 1, 9, 8, 4, 2)),
    ("", 0, 10, (0, 7, 8, 4, 3, 5, 2, 1, 9, 6)),
    ("graine ♠", 12345, 10, (1, 2, 5, 0, 3, 6, 7, 8, 4, 9)),
    ("croupier", 1, 104, (14, 68, 5, 87, 77, 13, 67, 28, 12, 43, 96, 94)),
]


@pytest.mark.parametrize(("seed", "decision", "limit", "expected"), BELOW)
def test_numbers_are_drawn_as_written_here(seed: str, decision: int, limit: int, expected: tuple[int, ...]) -> None:
    chance, stream = Chance(seed, decision), numbers(seed, decision)
    assert tuple(chance.randbelow(limit) for _ in expected) == expected
    assert tuple(below(stream, limit) for _ in expected) == expected


@pytest.mark.parametrize(("seed", "decision", "size", "expected"), SHUFFLED)
def test_cards_are_shuffled_as_written_here(seed: str, decision: int, size: int, expected: tuple[int, ...]) -> None:
    assert Chance(seed, decision).shuffled(range(size))[: len(expected)] == expected
    assert shuffled(numbers(seed, decision), range(size))[: len(expected)] == expected


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert seed_commitment("croupier") == "2c6efcecf60887650f301debdbc5a88446094e3fd5c747cc59bbeb9a019e7f9d"
    assert seed_commitment("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


seeds = st.text("ab0/ é♠", max_size=5)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, decision=st.integers(0, 10**6), draws=st.lists(st.integers(1, 2**64), max_size=30))
def test_any_draws_are_those_of_an_implementation_from_what_is_documented(
    seed: str, decision: int, draws: list[int]
) -> None:
    chance, stream = Chance(seed, decision), numbers(seed, decision)
    for limit in draws:
        assert chance.randbelow(limit) == below(stream, limit)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, decision=st.integers(0, 10**6), cards=st.lists(st.integers(0, 5), max_size=20))
def test_a_shuffle_is_a_permutation_and_leaves_the_cards_alone(seed: str, decision: int, cards: list[int]) -> None:
    before = list(cards)
    order = Chance(seed, decision).shuffled(cards)
    assert sorted(order) == sorted(before)
    assert cards == before
    assert order == shuffled(numbers(seed, decision), cards)


def test_draws_of_one_kind_after_another_go_on_in_the_same_numbers() -> None:
    chance, stream = Chance("croupier", 7), numbers("croupier", 7)
    assert chance.randbelow(10) == below(stream, 10)
    assert chance.shuffled("abc") == shuffled(stream, "abc")
    assert chance.choice("abcde") == "abcde"[below(stream, 5)]
    assert chance.sample("abcde", 2) == shuffled(stream, "abcde")[:2]
    assert chance.randbelow(10) == below(stream, 10)


def test_another_seed_or_another_decision_gives_other_numbers() -> None:
    keys = [(seed, decision) for seed in ("a", "b", "a/1", "") for decision in (0, 1, 2, 11)]
    draws = {tuple(Chance(seed, decision).randbelow(2**64) for _ in range(2)) for seed, decision in keys}
    assert len(draws) == len(keys)


def test_numbers_are_about_equally_likely() -> None:
    drawn = Counter(Chance("uniform", decision).randbelow(6) for decision in range(6000))
    assert set(drawn) == set(range(6))
    assert sum((seen - 1000) ** 2 / 1000 for seen in drawn.values()) < 20.5  # chi-square, 5 degrees, p = 0.001


def test_numbers_of_one_decision_are_about_equally_likely() -> None:
    chance = Chance("uniform", 0)
    drawn = Counter(chance.randbelow(10) for _ in range(10_000))
    assert sum((seen - 1000) ** 2 / 1000 for seen in drawn.values()) < 27.9  # 9 degrees
    assert len(drawn) == 10


def test_orders_are_about_equally_likely() -> None:
    orders = Counter(Chance("uniform", decision).shuffled("abcd") for decision in range(4800))
    assert len(orders) == 24
    assert sum((seen - 200) ** 2 / 200 for seen in orders.values()) < 49.7  # 23 degrees


def test_every_option_and_every_sample_is_drawn_sometimes() -> None:
    assert {Chance("some", decision).choice("abc") for decision in range(60)} == set("abc")
    handfuls = {Chance("some", decision).sample("abc", 2) for decision in range(120)}
    assert handfuls == {(first, second) for first in "abc" for second in "abc" if first != second}
    assert Chance("some", 1).sample("abc", 0) == ()


def test_a_chance_counts_the_numbers_drawn() -> None:
    chance = Chance("a", 1)
    assert chance.drawn == 0
    chance.shuffled("abcd")
    assert chance.drawn == 3


# --- in a game --------------------------------------------------------------------------------------------


@move(title="Draw", help="Draw.")
def draw(table: SceneTable) -> Outcome:
    """Draw three numbers and tell them."""
    return Said(" ".join(str(table.chance.randbelow(1000)) for _ in range(3)))


@rule
def draw_again_and_again(table: SceneTable) -> Outcome:
    """Draw in every decision."""
    return draw(), ask().by(0), draw_again_and_again()


@rule
def ask(table: SceneTable) -> Outcome:
    """Go on?"""
    return choose(msg("Go on?"), go_on.offer(), draw.offer())


@move(title="Go on", help="Go on.")
def go_on(table: SceneTable) -> Outcome:
    """Nothing follows."""
    return None


def test_the_chance_of_a_game_is_keyed_by_its_seed_and_the_number_of_the_decision(start_scene: StartScene) -> None:
    driver = start_scene(draw_again_and_again())
    driver.answer(0, "go_on")
    driver.answer(0, "draw")
    expected = [
        " ".join(str(below(stream, 1000)) for _ in range(3))
        for stream in (numbers(driver.game.session.seed, decision) for decision in (3, 4, 5))
    ]
    assert [decision.number for decision in driver.decisions] == [1, 2, 3, 4, 5]
    assert driver.state.said[:3] == tuple(expected)
    assert len(driver.state.said) == 4


def test_the_same_seed_and_the_same_answers_give_the_same_game_and_another_seed_another(
    start_scene: StartScene,
) -> None:
    def said(seed: str) -> Any:
        driver = start_scene(draw_again_and_again(), seed=seed)
        driver.answer(0, "go_on")
        return driver.state.said

    assert said("one") == said("one")
    assert said("one") != said("two")


def test_views_do_not_draw(start_scene: StartScene) -> None:
    once, twice = start_scene(draw_again_and_again()), start_scene(draw_again_and_again())
    for _ in range(3):
        pending_choices(twice.rulebook, twice.game)
    assert once.answer(0, "draw") == twice.answer(0, "draw")


# --- asking may not draw ----------------------------------------------------------------------------------


@rule
def ask_by_lot(table: SceneTable) -> Outcome:
    """Its options would be others whenever somebody looks."""
    return choose(msg("Which?"), say.offer(word=OneOf(table.chance.shuffled(("a", "b", "c")))))


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word)


@rule
def ask_then_by_lot(table: SceneTable) -> Outcome:
    """The mistake is reached after an answer."""
    return ask().by(0), ask_by_lot().by(0)


@rule
def wait_by_lot(table: SceneTable) -> Outcome:
    """A rule that only waits is asked again after every decision."""
    return Wait(table.chance.randbelow(100))


@rule
def wait_by_lot_in_a_tuple(table: SceneTable) -> Outcome:
    """A wait in a tuple is settled when it is returned."""
    return Wait(table.chance.randbelow(100) + 1), Said("after")


def test_a_rule_that_draws_to_ask_is_refused_when_it_is_reached(start_scene: StartScene) -> None:
    driver = start_scene(ask_then_by_lot())
    before = driver.game
    with pytest.raises(RandomnessWhileAsking, match="ask_by_lot asks, and may not draw"):
        driver.answer(0, "go_on")
    assert driver.game == before


def test_a_rule_that_draws_to_wait_is_refused_too(start_scene: StartScene) -> None:
    with pytest.raises(RandomnessWhileAsking, match="wait_by_lot asks, and may not draw"):
        start_scene(wait_by_lot())
    assert 1 <= (start_scene(wait_by_lot_in_a_tuple()).alarm() or 0) <= 100


@rule
def draw_on_command(table: SceneTable) -> Outcome:
    """One branch draws, instead of asking, once the other has spoken."""
    return together(ask_or_draw().by(0), ask().by(1))


@rule
def ask_or_draw(table: SceneTable) -> Outcome:
    """It may draw when it does not ask."""
    return draw() if table.said else choose(msg("?"), go_on.offer())


@rule
def ask_at_random_on_command(table: SceneTable) -> Outcome:
    """A choice that draws only later, when it is asked again."""
    return together(ask_or_ask_by_lot().by(0), ask().by(1))


@rule
def ask_or_ask_by_lot(table: SceneTable) -> Outcome:
    """It asks both times."""
    return choose(msg("?"), say.offer(word=OneOf((str(table.chance.randbelow(9)),))) if table.said else go_on.offer())


def test_a_choice_that_resolves_may_draw(start_scene: StartScene) -> None:
    facts = start_scene(draw_on_command()).answer(1, "draw")
    assert len(facts) == 2


def test_a_choice_that_draws_when_it_is_asked_again_is_refused_in_that_decision(start_scene: StartScene) -> None:
    driver = start_scene(ask_at_random_on_command())
    with pytest.raises(RandomnessWhileAsking, match="ask_or_ask_by_lot"):
        driver.answer(1, "draw")


def test_rules_that_are_evaluated_for_their_options_may_not_draw() -> None:
    for attempt in (
        lambda: FORBIDDEN_CHANCE.randbelow(6),
        lambda: FORBIDDEN_CHANCE.shuffled("ab"),
        lambda: FORBIDDEN_CHANCE.choice("ab"),
        lambda: FORBIDDEN_CHANCE.sample("ab", 1),
    ):
        with pytest.raises(RandomnessWhileAsking, match="may not draw"):
            attempt()


def test_the_stream_of_numbers_has_no_end() -> None:
    chance = Chance("long", 1)
    assert [chance.randbelow(2**64) for _ in range(1000)] == list(islice(numbers("long", 1), 1000))
