"""The past: decisions are folded without any rule, and games are stored in the middle of any effect."""

from copy import copy
from random import Random
from typing import Any, NoReturn

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import Clock, Decision, Game, Rulebook, answer, fold, pending_choices, rule
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.market import MARKET
from tests.games.kernel.rulebooks.secrets import SECRETS
from tests.games.kernel.rulebooks.throne_room import THRONE_ROOM

RULEBOOKS = [MARKET, THRONE_ROOM, SECRETS]
CLOCKS = [Clock(), Clock(seconds_per_choice=30), Clock(seconds_per_choice=5, bank=20, increment=1), Clock(factor=0)]

rulebooks = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.id)


def played(
    rulebook: Rulebook[Any], seed: int, clock: Clock | None = None, stored: bool = False, most: int = 400
) -> Any:
    """A game played at random; after every decision it is checked that folding it gives the same game."""
    driver = GameDriver(rulebook, 2 + seed % 3, seed=f"seed {seed}", stored=stored, clock=clock or CLOCKS[seed % 4])
    driver.play_at_random(Random(seed), most)
    return driver


def broken(rulebook: Rulebook[Any]) -> Rulebook[Any]:
    """The same rulebook, in which the body of every rule raises."""

    @rule
    def raises(table: Any, *args: Any) -> NoReturn:
        """It must not run."""
        raise AssertionError("a rule ran")

    without_rules = copy(rulebook)
    without_rules.rules = dict.fromkeys(rulebook.rules, raises)
    without_rules.triggers = dict.fromkeys(rulebook.facts, raises.body)
    without_rules.on_concede = raises()
    return without_rules


def folded(rulebook: Rulebook[Any], decisions: list[Decision[Any]]) -> Game[Any, Any]:
    """The game after some decisions."""
    game: Game[Any, Any] | None = None
    for decision in decisions:
        game = fold(rulebook, game, decision)
    assert game is not None
    return game


@settings(max_examples=30, deadline=None)
@given(rulebook=st.sampled_from(RULEBOOKS), seed=st.integers(0, 2**32))
def test_folding_each_decision_gives_the_game_that_was_played(rulebook: Rulebook[Any], seed: int) -> None:
    driver = GameDriver(rulebook, 2 + seed % 3, seed=str(seed), clock=CLOCKS[seed % 4], stored=False)
    random = Random(seed)
    for _ in range(12):
        driver.play_at_random(random, 5)
        assert folded(rulebook, driver.decisions) == driver.game


@rulebooks
def test_an_old_game_is_folded_to_the_same_table_when_every_rule_raises(rulebook: Rulebook[Any]) -> None:
    without_rules = broken(rulebook)
    for seed in range(4):
        driver = played(rulebook, seed)
        assert folded(without_rules, driver.decisions) == driver.game
    with pytest.raises(AssertionError, match="a rule ran"):
        GameDriver(without_rules)


@rulebooks
def test_a_game_in_the_middle_of_anything_is_folded_to_the_same_game_when_every_rule_raises(
    rulebook: Rulebook[Any],
) -> None:
    without_rules = broken(rulebook)
    for moves in range(1, 12):
        driver = played(rulebook, moves, most=moves)
        assert folded(without_rules, driver.decisions) == driver.game


@rulebooks
def test_a_log_of_bytes_is_folded_to_the_same_game(rulebook: Rulebook[Any]) -> None:
    for seed in range(4):
        driver = played(rulebook, seed)
        log = [rulebook.encode(decision) for decision in driver.decisions]
        assert folded(rulebook, [rulebook.decode(entry) for entry in log]) == driver.game


@rulebooks
def test_a_game_that_is_stored_after_every_decision_equals_the_game_that_never_was(rulebook: Rulebook[Any]) -> None:
    for seed in range(4):
        stored, never_stored = played(rulebook, seed, stored=True), played(rulebook, seed, stored=False)
        assert stored.game == never_stored.game
        assert stored.decisions == never_stored.decisions


@rulebooks
def test_what_was_stored_is_stored_in_the_same_bytes_again(rulebook: Rulebook[Any]) -> None:
    driver = played(rulebook, 1, most=9)
    for decision in driver.decisions:
        stored = rulebook.encode(decision)
        assert rulebook.encode(rulebook.decode(stored)) == stored
    snapshot = rulebook.encode_game(driver.game)
    assert rulebook.encode_game(rulebook.decode_game(snapshot)) == snapshot


@rulebooks
def test_old_games_do_not_change_when_they_are_played_on(rulebook: Rulebook[Any]) -> None:
    driver = GameDriver(rulebook, 3, stored=False)
    random, kept = Random(5), []
    for _ in range(10):
        kept.append((driver.game, rulebook.encode_game(driver.game)))
        driver.play_at_random(random, 1)
    for game, stored in kept:
        assert rulebook.encode_game(game) == stored


@rulebooks
def test_an_answer_to_an_old_game_gives_what_it_gave_then(rulebook: Rulebook[Any]) -> None:
    driver = GameDriver(rulebook, 2, stored=False)
    asked = pending_choices(rulebook, driver.game)[0]
    old, number = driver.game, len(driver.decisions)
    driver.send_at_random(asked.seat, Random(2))
    decision = driver.decisions[number]
    driver.play_at_random(Random(1), 6)
    assert decision.choice is not None
    again = answer(rulebook, old, asked.seat, decision.choice, decision.move, decision.args, decision.at)
    assert again.decision == decision


@rulebooks
def test_decisions_are_numbered_without_gaps_and_ids_of_choices_only_grow(rulebook: Rulebook[Any]) -> None:
    driver = played(rulebook, 2)
    numbers = [decision.number for decision in driver.decisions]
    assert numbers == list(range(1, len(numbers) + 1))
    highest = [decision.last_choice for decision in driver.decisions]
    assert highest == sorted(highest)


@pytest.mark.parametrize("seed", range(6))
def test_an_id_of_a_choice_is_never_used_again(seed: int) -> None:
    driver = GameDriver(MARKET, 3, seed=str(seed), clock=Clock(seconds_per_choice=400))
    random = Random(seed)
    asked_by: dict[int, int] = {}
    for _ in range(60):
        for pending in driver.choices():
            assert asked_by.setdefault(pending.id, pending.seat) == pending.seat
        answered = {decision.choice for decision in driver.decisions if decision.choice is not None}
        assert answered.isdisjoint(pending.id for pending in driver.choices())
        driver.play_at_random(random, 1)
    choices = [decision.choice for decision in driver.decisions if decision.choice is not None]
    assert len(choices) == len(set(choices))


def test_a_decision_is_small_and_can_be_read_by_eye() -> None:
    driver = GameDriver(MARKET, 2, now=1000)
    good = driver.options(0, "buy", "good")[0]
    driver.answer(0, "buy", good=good)
    assert msgspec.json.decode(MARKET.encode(driver.decisions[-1])) == {
        "number": 4,
        "at": 1000,
        "by": 0,
        "move": "buy",
        "last_choice": 4,
        "facts": [{"type": "bought", "seat": 0, "good": good}],
        "flow": [[[0], [{"type": "pending", "choice": 4, "effect": {"type": "effect", "rule": "trade", "seat": 0}}]]],
        "choice": 1,
        "args": {"good": good},
    }
