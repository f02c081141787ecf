"""6 nimmt!: the options of a game, and combinations that are refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import msgspec
import pytest

from games.kernel import Refusal
from games.six_nimmt import SIX_NIMMT
from tests.rulebooks.six_nimmt import VARIANTS

FOUR_SEATS = 4


def refusal(options: Any, seats: int = FOUR_SEATS) -> str:
    with pytest.raises(Refusal) as illegal:
        SIX_NIMMT.resolve_options(options, seats)
    assert illegal.value.code == "bad-options"
    return illegal.value.text


@pytest.mark.parametrize("seats", [-1, 0, 1, 11])
def test_fewer_than_two_and_more_than_ten_seats_are_refused(seats: int):
    assert refusal({}, seats) == "six-nimmt is for 2 to 10 seats"


def test_an_unknown_option_is_refused_by_its_name():
    assert (
        refusal({"tactics": True})
        == "six-nimmt has no option 'tactics': it has tactic, logic, logic_rows, professional"
    )


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"tactic": "yes"}, "tactic"),
        ({"professional": 1}, "professional"),
        ({"professional": None}, "professional"),
        ({"logic": True, "logic_rows": "first"}, "logic_rows"),
        ({"logic": []}, "logic"),
    ],
)
def test_an_invalid_value_is_refused_with_the_name_of_its_option(options: dict[str, Any], place: str):
    assert f"`$.{place}`" in refusal(options)


@pytest.mark.parametrize("options", [None, [], "logic", 3])
def test_options_that_are_not_an_object_are_refused(options: Any):
    assert "object" in refusal(options)


def test_logic_without_the_tactic_deck_is_refused():
    assert refusal({"logic": True, "tactic": False}) == (
        "logic is played with the Tactic deck: leave tactic out, or set it"
    )


@pytest.mark.parametrize("rows", ["leftover", "dealt_first"])
def test_logic_rows_is_refused_without_logic(rows: str):
    assert refusal({"logic_rows": rows}) == "logic_rows says how Logic opens the rows: it needs logic"


@pytest.mark.parametrize(("options", "resolved"), [
    ({}, (False, False, None, False)),
    ({"tactic": None}, (False, False, None, False)),
    ({"logic": True}, (True, True, "leftover", False)),
    ({"logic": True, "tactic": True}, (True, True, "leftover", False)),
    ({"logic": True, "logic_rows": "dealt_first", "professional": True}, (True, True, "dealt_first", True)),
])  # fmt: skip
def test_options_are_completed(options: dict[str, Any], resolved: tuple[Any, ...]):
    assert msgspec.structs.astuple(SIX_NIMMT.resolve_options(options, FOUR_SEATS)) == resolved


def test_complete_options_stay_as_they_are():
    for options in VARIANTS.values():
        resolved = SIX_NIMMT.resolve_options(options, FOUR_SEATS)
        assert SIX_NIMMT.resolve_options(msgspec.to_builtins(resolved), FOUR_SEATS) == resolved


def test_the_tests_cover_all_legal_combinations_of_options():
    legal = set()
    values = product([None, False, True], [False, True], [None, "leftover", "dealt_first"], [False, True])
    for tactic, logic, rows, professional in values:
        options = {"tactic": tactic, "logic": logic, "logic_rows": rows, "professional": professional}
        try:
            legal.add(SIX_NIMMT.resolve_options(options, FOUR_SEATS))
        except Refusal:
            assert (logic and tactic is False) or (rows and not logic)
    assert {SIX_NIMMT.resolve_options(options, FOUR_SEATS) for options in VARIANTS.values()} == legal
    assert len(VARIANTS) == len(legal)
