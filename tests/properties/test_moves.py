"""What is offered is accepted, what is not is refused, and every game comes to its end. For every rulebook."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import Chance, Offer, OneOf, Refusal, Rulebook, answer, fold, pending_choices
from games.kernel.fields import NotAnOption
from games.rulebooks import RULEBOOKS
from tests.properties.moments import Moment, games, moments

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", RULEBOOKS, scope="module")
SOMETIMES = settings(max_examples=25, deadline=None)
OFTEN = settings(max_examples=80, deadline=None)
WRONG: tuple[Any, ...] = (None, -1, 10**9, 1.5, True, "no such value", {}, [None])
LISTED = 12
"""So many answers to an offer are tried."""


@EVERY_RULEBOOK
@OFTEN
@given(data=st.data())
def test_every_offered_move_is_accepted_and_folds_to_the_same_game(rulebook: str, data: st.DataObject):
    moment = data.draw(moments(rulebook))
    book, game = moment.description.rulebook, moment.step.game
    chance = Chance(str(data.draw(st.integers(0, 10**6))), 0)
    asked = pending_choices(book, game)
    for question in chance.sample(asked, min(2, len(asked))):
        accepted = 0
        for offer in question.choice.offers:
            for args in answers(offer, chance):
                try:
                    step = answer(book, game, question.seat, question.id, offer.move, args, moment.step.decision.at)
                except Refusal as illegal:
                    if illegal.message not in [restriction.reason for restriction in offer.constraints]:
                        raise
                else:
                    accepted += 1
                    assert fold(book, game, step.decision) == step.game
        assert accepted, "a seat is asked, and has no answer"


def answers(offer: Offer, chance: Chance) -> list[dict[str, Any]]:
    """Return every answer to an offer where that is a short list, else random ones."""
    fields = offer.fields
    if all(isinstance(field, OneOf) for field in fields.values()):
        every = list(islice(product(*(field.options for field in fields.values())), 1000))  # type: ignore[union-attr]
        return [dict(zip(fields, values, strict=True)) for values in chance.sample(every, min(LISTED, len(every)))]
    return [{name: field.sample(chance) for name, field in fields.items()} for _ in range(LISTED)]


@EVERY_RULEBOOK
@OFTEN
@given(data=st.data())
def test_what_is_not_offered_is_refused_and_changes_nothing(rulebook: str, data: st.DataObject):
    moment = data.draw(moments(rulebook))
    book, game = moment.description.rulebook, moment.step.game
    before = book.encode_game(game)
    seats = len(game.session.seats)
    for question in pending_choices(book, game)[:2]:
        move, args = next(question.choice.samples(Chance("refused", 0)))
        other = (question.seat + 1 + data.draw(st.integers(0, seats - 2))) % seats
        assert refused(book, moment, other, question.id, move, args) == "stale-choice"
        assert refused(book, moment, question.seat, game.last_choice + 1, move, args) == "stale-choice"
        assert refused(book, moment, question.seat, 0, move, args) == "stale-choice"
        offered = {offer.move for offer in question.choice.offers}
        unoffered = data.draw(st.sampled_from(sorted({*book.rules, "no_such_move"} - offered)))
        assert refused(book, moment, question.seat, question.id, unoffered, args) == "illegal-move"
        assert refused(book, moment, question.seat, question.id, move, {**args, "more": 1}) == "illegal-move"
        for name in args:
            fewer = {other: value for other, value in args.items() if other != name}
            assert refused(book, moment, question.seat, question.id, move, fewer) == "illegal-move"
            for value in WRONG:
                if not any(takes(offer, move, name, value) for offer in question.choice.offers):
                    bad = {**args, name: value}
                    assert refused(book, moment, question.seat, question.id, move, bad) == "illegal-move"
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


def refused(book: Rulebook[Any], moment: Moment, seat: int, choice: int, move: str, args: dict[str, Any]) -> str:
    """Return the code with which an answer is refused."""
    with pytest.raises(Refusal) as illegal:
        answer(book, moment.step.game, seat, choice, move, args, moment.step.decision.at)
    return illegal.value.code


@EVERY_RULEBOOK
@SOMETIMES
@given(data=st.data())
def test_every_game_ends_with_a_place_for_each_seat_and_no_card_is_ever_lost(rulebook: str, data: st.DataObject):
    description, steps = data.draw(games(rulebook))
    cards: list[Any] = []
    for step in steps:
        found = sorted(description.cards(step.game.state)) if step.game.state is not None else []
        assert found == cards or not cards
        cards = found
    last = steps[-1].game
    assert last.session.status == "finished"
    assert last.session.result is not None
    assert len(last.session.result.places) == len(last.session.seats)
    assert min(last.session.result.places) == 1
    assert pending_choices(description.rulebook, last) == []
