"""Payments: no change is given, and a strict payment holds no stone that the price can do without."""

from __future__ import annotations

from itertools import product

import pytest

from games.vale_of_eternity.stones import COLOURS, Stones, keepable_subsets, payments, remove_stones
from tests.games.vale_of_eternity.scenario import PlayerSetup, Scenario, stones

PRINTED = (1, 3, 6)


def strict(held: str, price: int, worth: tuple[int, int, int] = PRINTED) -> set[Stones]:
    return set(payments(stones(held), worth, price, is_strict=True))


def test_a_payment_may_exceed_the_price():
    assert strict("p", 4) == {stones("p")}


def test_a_strict_payment_holds_no_stone_too_many():
    assert strict("rrbb", 4) == {stones("rb"), stones("bb")}


def test_nothing_is_paid_with_no_stone():
    assert strict("rrb", 0) == {()}


def test_what_is_too_dear_cannot_be_paid():
    assert strict("rrb", 6) == set()


def test_worth_counts_as_it_is_now():
    assert strict("rb", 6, (1, 6, 3)) == {stones("b")}


def test_lenient_payments_may_hold_any_stone():
    found = set(payments(stones("rrb"), PRINTED, 3, is_strict=False))
    assert found == {stones("b"), stones("rb"), stones("rrb")}


def test_lenient_payments_are_an_option_of_the_game():
    mine = PlayerSetup(area="phoenix", hand="imp ifrit", stones="rrr")
    assert Scenario(mine).payments_for("ifrit") == (stones("rr"),)
    lenient = Scenario(mine, payments="lenient")
    assert lenient.payments_for("ifrit") == (stones("rr"), stones("rrr"))
    assert lenient.payments_for("imp") == ((), stones("r"), stones("rr"), stones("rrr"))


def test_the_value_of_one_payment_does_not_carry_over_to_another_card():
    scenario = Scenario(PlayerSetup(hand="agni salamander", stones="p"))
    scenario.summon("agni")
    assert not scenario.can_summon("salamander")


@pytest.mark.parametrize("price", range(14))
def test_strict_payments_are_all_those_without_a_redundant_stone(price: int):
    for held in ("rrbp", "rbbp", "rrrr", "bbpp", "rrbbpp"):
        assert strict(held, price) == _by_trying(stones(held), price)


def _by_trying(held: Stones, price: int) -> set[Stones]:
    worth = dict(zip(COLOURS, PRINTED, strict=True))
    found = set()
    for taken in product((False, True), repeat=len(held)):
        payment = tuple(stone for stone, is_taken in zip(held, taken, strict=True) if is_taken)
        value = sum(worth[stone] for stone in payment)
        if value >= price and all(value - worth[stone] < price for stone in payment):
            found.add(payment)
    return found


def test_what_can_be_kept_is_every_set_of_that_size():
    assert set(keepable_subsets(stones("rrbp"), 3)) == {stones("rrb"), stones("rrp"), stones("rbp")}


def test_stones_that_are_not_there_cannot_be_taken_away():
    with pytest.raises(ValueError, match="not in list"):
        remove_stones(stones("r"), stones("b"))
