"""Every card of every rulebook has a test that is named after it."""

from __future__ import annotations

import pytest

from games.rulebooks import RULEBOOKS
from tests.cards import by_card, coverage, sheet

WITH_CARDS = [rulebook for rulebook, rules in RULEBOOKS.items() if rules.cards]


@pytest.mark.parametrize("rulebook", WITH_CARDS)
def test_every_card_has_a_test_named_after_it(rulebook: str):
    assert [card for card, tests in coverage(rulebook).items() if not tests] == []


def test_a_test_belongs_to_the_card_with_the_longest_id_that_fits():
    tests = by_card(["undine", "undine_queen"], ["test_undine_queen_gains", "test_undine_returns", "test_other"])
    assert tests == {"undine_queen": ["test_undine_queen_gains"], "undine": ["test_undine_returns"]}


@pytest.mark.parametrize("rulebook", WITH_CARDS)
def test_a_card_without_a_test_is_shown_as_such(rulebook: str):
    cards = RULEBOOKS[rulebook].cards
    lines = sheet(rulebook, cards, {card: [] for card in cards})
    assert lines.count("    NO TEST") == len(cards)
    assert f"{rulebook}: 0 of {len(cards)} cards have a test" in lines
