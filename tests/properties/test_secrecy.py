"""Secrecy, for every rulebook: what a viewer receives does not depend on what it may not see."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.kernel import (
    Chance,
    Game,
    Refusal,
    Rulebook,
    Transition,
    Viewer,
    answer,
    choices_view,
    choose,
    derived_view,
    event_view,
    leave_seat,
    msg,
    state_view,
)
from games.kernel.language.effects import pending_leaves
from games.kernel.language.fields import OneOf
from games.kernel.language.moves import Rule
from games.kernel.sessions.session import Session
from games.rulebooks import RULEBOOKS
from games.six_nimmt import SIX_NIMMT, rules
from games.six_nimmt.facts import HandDealt, State
from tests.properties.permutations import HiddenInfoPermutation, with_hidden
from tests.properties.positions import Position, positions, whole_game
from tests.rulebooks import DESCRIBED
from tests.rulebooks.kit import RulebookKit

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", RULEBOOKS, scope="module")
OFTEN = settings(max_examples=100, deadline=None)


def received(rulebook: Rulebook[Any], decision: Any, game: Game[Any, Any], viewer: Viewer) -> dict[str, bytes]:
    """Return everything that a viewer receives at a position, as the bytes that are sent."""
    encode = msgspec.json.encode
    return {
        "event": encode(event_view(rulebook, decision, viewer)),
        "session": encode(rulebook.redact(game.session, viewer)),
        "table": encode(state_view(rulebook, game, viewer)),
        "derived": encode(derived_view(rulebook, game, viewer)),
        "choices": encode(choices_view(rulebook, game, viewer)),
    }


def check_secrecy(
    description: RulebookKit, rulebook: Rulebook[Any], step: Transition, viewer: Viewer, chance: Chance
) -> None:
    """HiddenInfoPermute everything that the viewer may not see, and compare what it receives to the byte."""
    decision, game = step
    permutation = HiddenInfoPermutation(game.state, viewer, description.kinds, chance)
    permuted_game = replace(
        game,
        state=permutation.table,
        session=with_hidden(game.session, viewer, permutation.any_other, {}),
        flow=permutation.flow(rulebook, game.flow, description.public_args),
    )
    expected = received(rulebook, decision, game, viewer)
    actual = received(rulebook, permutation.decision(rulebook, decision), permuted_game, viewer)
    for what, sent in expected.items():
        assert actual[what] == sent, f"{what} of viewer {viewer} reveals what it may not see"


@EVERY_RULEBOOK
@OFTEN
@given(data=st.data())
def test_what_a_viewer_receives_does_not_depend_on_what_it_may_not_see(rulebook: str, data: st.DataObject):
    position = data.draw(positions(rulebook))
    chance = Chance(str(data.draw(st.integers(0, 10**6))), 0)
    check_secrecy(position.description, position.description.rulebook, position.step, position.viewer, chance)


@EVERY_RULEBOOK
@OFTEN
@given(data=st.data())
def test_a_refusal_does_not_depend_on_what_the_seat_may_not_see(rulebook: str, data: st.DataObject):
    position = data.draw(positions(rulebook))
    seat, game = position.viewer, position.step.game
    if seat is None:
        return
    chance = Chance(str(data.draw(st.integers(0, 10**6))), 0)
    permutation = HiddenInfoPermutation(game.state, seat, position.description.kinds, chance)
    session = with_hidden(game.session, seat, permutation.any_other, {})
    permuted_game = replace(game, state=permutation.table, session=session)
    asked = [leaf.choice for _, leaf in pending_leaves(game.flow)]
    bad = data.draw(bad_answers(position))
    for choice in [0, game.last_choice, game.last_choice + 1, *asked[:3]]:
        for move, args in bad:
            expected = refusal(position.description.rulebook, game, seat, choice, move, args)
            assert refusal(position.description.rulebook, permuted_game, seat, choice, move, args) == expected


def refusal(
    rulebook: Rulebook[Any], game: Game[Any, Any], seat: int, choice: int, move: str, args: dict[str, Any]
) -> str:
    with pytest.raises(Refusal) as error:
        answer(rulebook, game, seat, choice, move, args, 0)
    return str(error.value)


def bad_answers(position: Position) -> st.SearchStrategy[list[tuple[str, dict[str, Any]]]]:
    """Draw answers that nobody offers: unknown moves, and moves of the rulebook with arguments that cannot be."""
    names = [*position.description.rulebook.rules, "", "no_such_move"]
    values: st.SearchStrategy[Any] = st.sampled_from([-1, 10_000, None, True, "x", [], [-1], {}])
    args = st.dictionaries(st.sampled_from(["card", "row", "side", "cards", "other"]), values, min_size=1)
    return st.lists(st.tuples(st.sampled_from(names), args), min_size=1, max_size=4)


@EVERY_RULEBOOK
def test_hidden_values_really_are_permuted_and_none_is_lost(rulebook: str):
    description = DESCRIBED[rulebook]
    book = description.rulebook
    permuted = positions_checked = 0
    for step in whole_game(rulebook, next(iter(description.variants)), book.seats[-1], 0).steps:
        if step.game.state is None or not description.cards(step.game.state):
            continue
        permutation = HiddenInfoPermutation(
            step.game.state, None, description.kinds, Chance("permuted", step.game.number)
        )
        positions_checked += 1
        permuted += permutation.table != step.game.state
        assert sorted(description.cards(permutation.table)) == sorted(description.cards(step.game.state))
        permuted_game = replace(step.game, state=permutation.table)
        assert book.decode_game(book.encode_game(permuted_game)) == permuted_game
    assert permuted > positions_checked / 2


# That these tests can fail: rulebooks that leak.


def leaky(**changes: Any) -> Rulebook[Any]:
    """Return 6 nimmt! with attributes replaced."""
    rulebook = copy.copy(SIX_NIMMT)
    for name, value in changes.items():
        setattr(rulebook, name, value)
    return rulebook


def showing(kind: type[Any]) -> Rulebook[Any]:
    """Return 6 nimmt! with all of a kind of record shown to everybody."""
    return leaky(redact=lambda record, viewer: record if isinstance(record, kind) else SIX_NIMMT.redact(record, viewer))


def with_rule(body: Any) -> dict[str, Any]:
    changed: Rule[Any] = Rule(body)
    changed.name = "choose_card"
    return {"rules": {**SIX_NIMMT.rules, "choose_card": changed}}


def choose_card_and_name_another(table: Any) -> Any:
    """Ask with a prompt that tells of another hand."""
    return choose(msg("Not {hand}", hand=table.state.players[1].hand), rules.lay.offer(card=OneOf(table.hand)))


def choose_card_if_another_has_a_low_one(table: Any) -> Any:
    """Offer what depends on another hand."""
    cards = table.hand if sum(table.state.players[1].hand) % 2 else table.hand[1:]
    return choose(msg("Lay a card face down."), rules.lay.offer(card=OneOf(cards)))


@pytest.mark.parametrize(
    ("what", "rulebook"),
    [
        ("derived", leaky(derived=lambda table: {"rest": sum(table.state.aside)})),
        ("event", showing(HandDealt)),
        ("session", showing(Session)),
        ("table", showing(State)),
        ("choices", leaky(**with_rule(choose_card_and_name_another))),
        ("choices", leaky(**with_rule(choose_card_if_another_has_a_low_one))),
    ],
)
def test_a_rulebook_that_leaks_is_detected(what: str, rulebook: Rulebook[Any]):
    step = whole_game("six-nimmt", "base", 2, 0).steps[2]
    assert step.game.session.status == "running"
    leaks = set()
    for number in range(20):
        try:
            check_secrecy(DESCRIBED["six-nimmt"], rulebook, step, 0, Chance("detected", number))
        except AssertionError as error:
            leaks.add(str(error).partition(" of viewer")[0])
    assert what in leaks


def test_a_hidden_card_among_the_arguments_of_a_pending_choice_is_detected():
    game = whole_game("six-nimmt", "base", 2, 0).steps[2].game
    description = DESCRIBED["six-nimmt"]

    def choose_row(table: Any, card: int) -> Any:
        return choose(msg("Take a row for {card}.", card=card), rules.replace_row.offer(card, row=OneOf((0, 1, 2, 3))))

    rulebook = leaky(rules={**SIX_NIMMT.rules, "choose_row": Rule(choose_row)})
    leaf = game.flow[-1].branches[0][-1]
    asks = replace(leaf, effect=rules.choose_row(game.state.aside[0]).by(0))
    asked = replace(game, flow=(asks,))
    step = whole_game("six-nimmt", "base", 2, 0).steps[2]
    with pytest.raises(AssertionError, match="choices of viewer 0 reveals"):
        check_secrecy(description, rulebook, Transition(step.decision, asked), 0, Chance("waits", 0))


def test_leaving_a_seat_reveals_nothing_else():
    steps = whole_game("six-nimmt", "base", 2, 0).steps
    left = leave_seat(SIX_NIMMT, steps[1].game, 0, 5)
    assert event_view(SIX_NIMMT, left.decision, None)["facts"] == list(left.decision.facts)
