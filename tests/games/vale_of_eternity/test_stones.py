"""Payments: no change is given, and a strict payment has no stone that could be left out."""

from __future__ import annotations

from itertools import compress, product

import pytest

from games.vale_of_eternity.stones import (
    COLOURS,
    PRINTED_VALUES,
    Stones,
    StoneValues,
    keepable_subsets,
    payments,
    remove_stones,
)
from tests.games.vale_of_eternity.scenario import PlayerSetup, Scenario, stones


def strict_payments(initials: str, price: int, values: StoneValues = PRINTED_VALUES) -> set[Stones]:
    return set(payments(stones(initials), values, price, is_strict=True))


def test_a_payment_may_exceed_the_price():
    assert strict_payments("p", 4) == {stones("p")}


def test_a_strict_payment_has_no_stone_that_could_be_left_out():
    assert strict_payments("rrbb", 4) == {stones("rb"), stones("bb")}


def test_a_price_of_0_is_paid_with_no_stone():
    assert strict_payments("rrb", 0) == {()}


def test_a_price_above_the_value_of_all_stones_cannot_be_paid():
    assert strict_payments("rrb", 6) == set()


def test_payments_use_the_present_values_of_stones():
    assert strict_payments("rb", 6, (1, 6, 3)) == {stones("b")}


def test_lenient_payments_may_have_any_stone():
    options = set(payments(stones("rrb"), PRINTED_VALUES, 3, is_strict=False))
    assert options == {stones("b"), stones("rb"), stones("rrb")}


def test_lenient_payments_are_an_option_of_the_game():
    mine = PlayerSetup(area="phoenix", hand="imp ifrit", stones="rrr")
    assert Scenario(mine).payments_for("ifrit") == (stones("rr"),)
    lenient = Scenario(mine, payments="lenient")
    assert lenient.payments_for("ifrit") == (stones("rr"), stones("rrr"))
    assert lenient.payments_for("imp") == ((), stones("r"), stones("rr"), stones("rrr"))


def test_what_is_overpaid_for_one_card_does_not_count_for_another():
    scenario = Scenario(PlayerSetup(hand="agni salamander", stones="p"))
    scenario.summon("agni")
    assert not scenario.can_summon("salamander")


@pytest.mark.parametrize("price", range(14))
def test_strict_payments_are_all_those_without_a_redundant_stone(price: int):
    for initials in ("rrbp", "rbbp", "rrrr", "bbpp", "rrbbpp"):
        assert strict_payments(initials, price) == _minimal_payments(stones(initials), price)


def _minimal_payments(stones: Stones, price: int) -> set[Stones]:
    values = dict(zip(COLOURS, PRINTED_VALUES, strict=True))
    options = set()
    for is_paid in product((False, True), repeat=len(stones)):
        payment = tuple(compress(stones, is_paid))
        value = sum(values[stone] for stone in payment)
        if value >= price and all(value - values[stone] < price for stone in payment):
            options.add(payment)
    return options


def test_every_combination_of_that_size_can_be_kept():
    assert set(keepable_subsets(stones("rrbp"), 3)) == {stones("rrb"), stones("rrp"), stones("rbp")}


def test_stones_that_are_not_there_cannot_be_removed():
    with pytest.raises(ValueError, match="not in list"):
        remove_stones(stones("r"), stones("b"))
