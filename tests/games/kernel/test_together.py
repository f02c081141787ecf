"""Strands side by side: what follows waits for all of them, in whatever order they end."""

import json
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import Outcome, Rulebook, choose, move, msg, rule, together
from tests.games.kernel.playing import Sitting
from tests.games.kernel.scene_rulebook import Said, Stage

Opens = Callable[..., Sitting]


@rule
def ask(table: Stage, name: str) -> Outcome:
    """Ask a seat for a word."""
    return choose(msg(name), say.offer(name))


@move(title="Say", help="Say.", args={"word": "Word"})
def say(table: Stage, word: str) -> Outcome:
    """Say a word."""
    return Said(word, table.seat)


@rule
def everybody(table: Stage) -> Outcome:
    """Three seats at the same time."""
    return Said("first"), together(*(ask(f"{seat}").by(seat) for seat in range(3))), Said("all")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_follows_waits_for_all_strands_in_whatever_order_they_end(order: tuple[int, ...], opened: Opens) -> None:
    sitting = opened(everybody(), seats=3)
    assert sitting.asked() == ["0", "1", "2"]
    for seat in order[:-1]:
        assert sitting.answers(seat, "say") == (Said(f"{seat}", seat),)
    assert sitting.answers(order[-1], "say") == (Said(f"{order[-1]}", order[-1]), Said("all"))
    assert sitting.game.flow == ()


@rule
def nobody(table: Stage) -> Outcome:
    """A group of no strands."""
    return Said("before"), together(), Said("after")


def test_a_group_of_no_strands_is_over_at_once(opened: Opens) -> None:
    assert opened(nobody()).table.said == ("before", "after")


@rule
def only_a_group(table: Stage) -> Outcome:
    """A group that nothing follows."""
    return together(ask("a").by(0), ask("b").by(1))


def test_a_group_may_be_all_that_a_rule_returns(opened: Opens) -> None:
    sitting = opened(only_a_group())
    sitting.answers(1, "say")
    sitting.answers(0, "say")
    assert sitting.table.said == ("b", "a")
    assert sitting.game.flow == ()


@rule
def nobody_asks(table: Stage) -> Outcome:
    """Strands that ask nothing are carried out one after the other."""
    return together(say("a").by(1), together_in_an_effect(), say("d")), Said("after")


@rule
def together_in_an_effect(table: Stage) -> Outcome:
    """A group in a group, none of which asks."""
    return together(say("b"), say("c")), together()


def test_strands_that_ask_nothing_end_at_once_in_their_order(opened: Opens) -> None:
    sitting = opened(nobody_asks())
    assert sitting.table.said == ("a", "b", "c", "d", "after")
    assert sitting.facts()[0] == Said("a", 1)


@rule
def some_ask(table: Stage) -> Outcome:
    """One strand is over at once, one asks twice."""
    return together(say("quick").by(0), twice().by(1), ask("c").by(2)), Said("all")


@rule
def twice(table: Stage) -> Outcome:
    """Ask twice."""
    return ask("once"), ask("twice")


def test_a_strand_goes_on_while_another_waits(opened: Opens) -> None:
    sitting = opened(some_ask(), seats=3)
    assert sitting.table.said == ("quick",)
    sitting.answers(1, "say")
    assert sitting.asked(1) == ["twice"]
    assert sitting.asked(2) == ["c"]
    sitting.answers(1, "say")
    assert sitting.asked() == ["c"]
    assert sitting.answers(2, "say")[-1] == Said("all")


@rule
def nested(table: Stage) -> Outcome:
    """A group in a group: what follows the inner one does not wait for the outer one."""
    return together(ask("outer").by(0), inner()), Said("after outer")


@rule
def inner(table: Stage) -> Outcome:
    """The inner group and what follows it."""
    return together(ask("inner 1").by(1), ask("inner 2").by(2)), Said("after inner"), ask("last").by(1)


def test_in_a_group_in_a_group_each_waits_for_its_own_strands(opened: Opens) -> None:
    sitting = opened(nested(), seats=3)
    assert sitting.asked() == ["outer", "inner 1", "inner 2"]
    assert sitting.answers(2, "say") == (Said("inner 2", 2),)
    assert sitting.answers(1, "say") == (Said("inner 1", 1), Said("after inner"))
    assert sitting.asked() == ["outer", "last"]
    assert sitting.answers(1, "say") == (Said("last", 1),)
    assert sitting.answers(0, "say") == (Said("outer", 0), Said("after outer"))


def test_the_outer_strand_may_end_before_the_inner_group(opened: Opens) -> None:
    sitting = opened(nested(), seats=3)
    assert sitting.answers(0, "say") == (Said("outer", 0),)
    sitting.answers(1, "say")
    sitting.answers(2, "say")
    assert sitting.answers(1, "say") == (Said("last", 1), Said("after outer"))


@rule
def three_deep(table: Stage) -> Outcome:
    """One answer ends three groups."""
    return together(two_deep(), say("x")), Said("3")


@rule
def two_deep(table: Stage) -> Outcome:
    """The second group."""
    return together(one_deep()), Said("2")


@rule
def one_deep(table: Stage) -> Outcome:
    """The third group."""
    return together(ask("deep").by(1)), Said("1")


def test_one_answer_may_end_a_group_and_all_around_it(opened: Opens) -> None:
    sitting = opened(three_deep())
    assert sitting.answers(1, "say") == (Said("deep", 1), Said("1"), Said("2"), Said("3"))
    assert sitting.game.flow == ()


@rule
def the_same_seat_twice(table: Stage) -> Outcome:
    """A seat may be asked several things at the same time."""
    return together(ask("a").by(0), ask("b").by(0))


def test_a_seat_may_be_asked_several_things_and_answers_the_one_that_it_names(opened: Opens) -> None:
    sitting = opened(the_same_seat_twice())
    first, second = sitting.questions(0)
    assert first.id < second.id
    assert sitting.sends(0, second.id, "say", {}) == (Said("b", 0),)
    assert sitting.sends(0, first.id, "say", {}) == (Said("a", 0),)


# --- trees of groups --------------------------------------------------------------------------------------


@rule
def grow(table: Stage, tree: str) -> Outcome:
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
    shape: Any, order: Any, rulebook_of: Callable[..., Rulebook[Any]]
) -> None:
    tree = named(shape, iter(range(1000)))
    sitting = Sitting(rulebook_of(grow(json.dumps(tree))), 3)
    ids: list[int] = []
    while asked := sitting.questions():
        question = order.choice(asked)
        ids.append(question.id)
        sitting.sends(question.seat, question.id, "say", {})
    said = sitting.table.said
    assert sorted(said) == sorted(words_of(tree))
    for name, *branches in groups_of(tree):
        assert all(said.index(word) < said.index(name) for branch in branches for word in words_of(branch))
    assert len(ids) == len(set(ids)) == sitting.game.last_choice
    assert sitting.game.flow == ()
