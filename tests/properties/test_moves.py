"""Moves, for every rulebook: offered ones are accepted, all others refused, and every game ends."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import Chance, Offer, OneOf, Refusal, Rulebook, answer, fold, pending_choices
from games.kernel.language.fields import NotAnOption
from games.rulebooks import RULEBOOKS
from tests.properties.positions import Position, games, positions

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", RULEBOOKS, scope="module")
SOMETIMES = settings(max_examples=25, deadline=None)
OFTEN = settings(max_examples=80, deadline=None)
WRONG: tuple[Any, ...] = (None, -1, 10**9, 1.5, True, "no such value", {}, [None])
ANSWERS_TRIED = 12
"""The number of answers that are tried for each offer."""


@EVERY_RULEBOOK
@OFTEN
@given(data=st.data())
def test_every_offered_move_is_accepted_and_folds_to_the_same_game(rulebook: str, data: st.DataObject):
    position = data.draw(positions(rulebook))
    book, game = position.description.rulebook, position.step.game
    chance = Chance(str(data.draw(st.integers(0, 10**6))), 0)
    choices = pending_choices(book, game)
    for pending in chance.sample(choices, min(2, len(choices))):
        accepted = 0
        for offer in pending.choice.offers:
            for args in answers(offer, chance):
                try:
                    step = answer(book, game, pending.seat, pending.id, offer.move, args, position.step.decision.at)
                except Refusal as error:
                    if error.message not in [restriction.reason for restriction in offer.constraints]:
                        raise
                else:
                    accepted += 1
                    assert fold(book, game, step.decision) == step.game
        assert accepted, "a seat has to choose, and no answer is accepted"


def answers(offer: Offer, chance: Chance) -> list[dict[str, Any]]:
    """Return every answer to an offer where that is a short list, else random ones."""
    fields = offer.fields
    if all(isinstance(field, OneOf) for field in fields.values()):
        combinations = list(islice(product(*(field.options for field in fields.values())), 1000))  # type: ignore[union-attr]
        return [
            dict(zip(fields, values, strict=True))
            for values in chance.sample(combinations, min(ANSWERS_TRIED, len(combinations)))
        ]
    return [{name: field.sample(chance) for name, field in fields.items()} for _ in range(ANSWERS_TRIED)]


@EVERY_RULEBOOK
@OFTEN
@given(data=st.data())
def test_what_is_not_offered_is_refused_and_changes_nothing(rulebook: str, data: st.DataObject):
    position = data.draw(positions(rulebook))
    book, game = position.description.rulebook, position.step.game
    before = book.encode_game(game)
    seats = len(game.session.seats)
    for pending in pending_choices(book, game)[:2]:
        move, args = next(pending.choice.samples(Chance("refused", 0)))
        other = (pending.seat + 1 + data.draw(st.integers(0, seats - 2))) % seats
        assert refused(book, position, other, pending.id, move, args) == "stale-choice"
        assert refused(book, position, pending.seat, game.last_choice + 1, move, args) == "stale-choice"
        assert refused(book, position, pending.seat, 0, move, args) == "stale-choice"
        offered = {offer.move for offer in pending.choice.offers}
        unoffered = data.draw(st.sampled_from(sorted({*book.rules, "no_such_move"} - offered)))
        assert refused(book, position, pending.seat, pending.id, unoffered, args) == "illegal-move"
        assert refused(book, position, pending.seat, pending.id, move, {**args, "more": 1}) == "illegal-move"
        for name in args:
            fewer = {other: value for other, value in args.items() if other != name}
            assert refused(book, position, pending.seat, pending.id, move, fewer) == "illegal-move"
            for value in WRONG:
                if not any(takes(offer, move, name, value) for offer in pending.choice.offers):
                    bad = {**args, name: value}
                    assert refused(book, position, pending.seat, pending.id, move, bad) == "illegal-move"
    assert book.encode_game(game) == before


def takes(offer: Offer, move: str, name: str, value: Any) -> bool:
    """May this be a value of the field?"""
    if offer.move != move or name not in offer.fields:
        return False
    try:
        offer.fields[name].parse(value)
    except NotAnOption:
        return False
    return True


def refused(book: Rulebook[Any], position: Position, seat: int, choice: int, move: str, args: dict[str, Any]) -> str:
    """Return the code with which an answer is refused."""
    with pytest.raises(Refusal) as error:
        answer(book, position.step.game, seat, choice, move, args, position.step.decision.at)
    return error.value.code


@EVERY_RULEBOOK
@SOMETIMES
@given(data=st.data())
def test_every_game_ends_with_a_place_for_each_seat_and_no_card_is_ever_lost(rulebook: str, data: st.DataObject):
    description, steps = data.draw(games(rulebook))
    cards: list[Any] = []
    for step in steps:
        current = sorted(description.cards(step.game.state)) if step.game.state is not None else []
        assert current == cards or not cards
        cards = current
    last = steps[-1].game
    assert last.session.status == "finished"
    assert last.session.result is not None
    assert len(last.session.result.places) == len(last.session.seats)
    assert min(last.session.result.places) == 1
    assert pending_choices(description.rulebook, last) == []
