"""Strands side by side: what follows waits for all of them, in whatever order they end."""

import json
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import Outcome, Rulebook, choose, move, msg, rule, together
from tests.games.kernel.driver import GameDriver
from tests.games.kernel.rulebooks.scene import Said, SceneTable

StartScene = Callable[..., GameDriver]


@rule
def ask(table: SceneTable, name: str) -> Outcome:
    """Ask a seat for a word."""
    return choose(msg(name), say.offer(name))


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: SceneTable, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def everybody(table: SceneTable) -> Outcome:
    """Three seats at the same time."""
    return Said("first"), together(*(ask(f"{seat}").by(seat) for seat in range(3))), Said("all")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_follows_waits_for_all_branches_in_whatever_order_they_end(
    order: tuple[int, ...], start_scene: StartScene
) -> None:
    driver = start_scene(everybody(), seats=3)
    assert driver.prompts() == ["0", "1", "2"]
    for seat in order[:-1]:
        assert driver.answer(seat, "say") == (Said(f"{seat}", seat),)
    assert driver.answer(order[-1], "say") == (Said(f"{order[-1]}", order[-1]), Said("all"))
    assert driver.game.flow == ()


@rule
def nobody(table: SceneTable) -> Outcome:
    """A group of no branches."""
    return Said("before"), together(), Said("after")


def test_a_group_of_no_branches_is_over_at_once(start_scene: StartScene) -> None:
    assert start_scene(nobody()).state.said == ("before", "after")


@rule
def only_a_group(table: SceneTable) -> Outcome:
    """A group that nothing follows."""
    return together(ask("a").by(0), ask("b").by(1))


def test_a_group_may_be_all_that_a_rule_returns(start_scene: StartScene) -> None:
    driver = start_scene(only_a_group())
    driver.answer(1, "say")
    driver.answer(0, "say")
    assert driver.state.said == ("b", "a")
    assert driver.game.flow == ()


@rule
def nobody_asks(table: SceneTable) -> Outcome:
    """Strands that ask nothing are carried out one after the other."""
    return together(say("a").by(1), together_in_an_effect(), say("d")), Said("after")


@rule
def together_in_an_effect(table: SceneTable) -> Outcome:
    """A group in a group, none of which asks."""
    return together(say("b"), say("c")), together()


def test_branches_that_ask_nothing_end_at_once_in_their_order(start_scene: StartScene) -> None:
    driver = start_scene(nobody_asks())
    assert driver.state.said == ("a", "b", "c", "d", "after")
    assert driver.facts()[0] == Said("a", 1)


@rule
def some_ask(table: SceneTable) -> Outcome:
    """One branch is over at once, one asks twice."""
    return together(say("quick").by(0), twice().by(1), ask("c").by(2)), Said("all")


@rule
def twice(table: SceneTable) -> Outcome:
    """Ask twice."""
    return ask("once"), ask("twice")


def test_a_branch_goes_on_while_another_waits(start_scene: StartScene) -> None:
    driver = start_scene(some_ask(), seats=3)
    assert driver.state.said == ("quick",)
    driver.answer(1, "say")
    assert driver.prompts(1) == ["twice"]
    assert driver.prompts(2) == ["c"]
    driver.answer(1, "say")
    assert driver.prompts() == ["c"]
    assert driver.answer(2, "say")[-1] == Said("all")


@rule
def nested(table: SceneTable) -> Outcome:
    """A group in a group: what follows the inner one does not wait for the outer one."""
    return together(ask("outer").by(0), inner()), Said("after outer")


@rule
def inner(table: SceneTable) -> Outcome:
    """The inner group and what follows it."""
    return together(ask("inner 1").by(1), ask("inner 2").by(2)), Said("after inner"), ask("last").by(1)


def test_in_a_group_in_a_group_each_waits_for_its_own_branches(start_scene: StartScene) -> None:
    driver = start_scene(nested(), seats=3)
    assert driver.prompts() == ["outer", "inner 1", "inner 2"]
    assert driver.answer(2, "say") == (Said("inner 2", 2),)
    assert driver.answer(1, "say") == (Said("inner 1", 1), Said("after inner"))
    assert driver.prompts() == ["outer", "last"]
    assert driver.answer(1, "say") == (Said("last", 1),)
    assert driver.answer(0, "say") == (Said("outer", 0), Said("after outer"))


def test_the_outer_branch_may_end_before_the_inner_group(start_scene: StartScene) -> None:
    driver = start_scene(nested(), seats=3)
    assert driver.answer(0, "say") == (Said("outer", 0),)
    driver.answer(1, "say")
    driver.answer(2, "say")
    assert driver.answer(1, "say") == (Said("last", 1), Said("after outer"))


@rule
def three_deep(table: SceneTable) -> Outcome:
    """One answer ends three groups."""
    return together(two_deep(), say("x")), Said("3")


@rule
def two_deep(table: SceneTable) -> Outcome:
    """The second group."""
    return together(one_deep()), Said("2")


@rule
def one_deep(table: SceneTable) -> Outcome:
    """The third group."""
    return together(ask("deep").by(1)), Said("1")


def test_one_answer_may_end_a_group_and_all_around_it(start_scene: StartScene) -> None:
    driver = start_scene(three_deep())
    assert driver.answer(1, "say") == (Said("deep", 1), Said("1"), Said("2"), Said("3"))
    assert driver.game.flow == ()


@rule
def the_same_seat_twice(table: SceneTable) -> Outcome:
    """A seat may be asked several things at the same time."""
    return together(ask("a").by(0), ask("b").by(0))


def test_a_seat_may_be_asked_several_things_and_answers_the_one_that_it_names(start_scene: StartScene) -> None:
    driver = start_scene(the_same_seat_twice())
    first, second = driver.choices(0)
    assert first.id < second.id
    assert driver.send(0, second.id, "say", {}) == (Said("b", 0),)
    assert driver.send(0, first.id, "say", {}) == (Said("a", 0),)


# --- trees of groups --------------------------------------------------------------------------------------


@rule
def grow(table: SceneTable, tree: str) -> Outcome:
    """Carry out a tree: a word is asked for, a list is a group, and after it its name is said."""
    match json.loads(tree):
        case str(name):
            return ask(name).by(int(name) % 3)
        case [str(name), *branches]:
            return together(*(grow(json.dumps(branch)) for branch in branches)), say(name)
    raise ValueError(tree)


def named(tree: Any, names: Iterator[int]) -> Any:
    """Return every place of a tree a number for a name."""
    return str(next(names)) if tree is None else [str(next(names)), *(named(branch, names) for branch in tree)]


def words_of(tree: Any) -> list[str]:
    """The names in a tree."""
    return [tree] if isinstance(tree, str) else [tree[0], *(word for branch in tree[1:] for word in words_of(branch))]


def groups_of(tree: Any) -> Iterator[Any]:
    """The groups in a tree."""
    if isinstance(tree, list):
        yield tree
        for branch in tree[1:]:
            yield from groups_of(branch)


@settings(max_examples=60, deadline=None)
@given(
    shape=st.recursive(st.none(), lambda branches: st.lists(branches, max_size=3), max_leaves=8),
    order=st.randoms(use_true_random=False),
)
def test_any_tree_of_groups_is_carried_out_whole_and_each_group_before_its_name(
    shape: Any, order: Any, make_rulebook: Callable[..., Rulebook[Any]]
) -> None:
    tree = named(shape, iter(range(1000)))
    driver = GameDriver(make_rulebook(grow(json.dumps(tree))), 3)
    ids: list[int] = []
    while asked := driver.choices():
        pending = order.choice(asked)
        ids.append(pending.id)
        driver.send(pending.seat, pending.id, "say", {})
    said = driver.state.said
    assert sorted(said) == sorted(words_of(tree))
    for name, *branches in groups_of(tree):
        assert all(said.index(word) < said.index(name) for branch in branches for word in words_of(branch))
    assert len(ids) == len(set(ids)) == driver.game.last_choice
    assert driver.game.flow == ()
