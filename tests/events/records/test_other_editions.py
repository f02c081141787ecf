"""Records of an edition of the rules that is not installed: what an audit can still check, at no cost to others."""

from __future__ import annotations

import pytest

from games.six_nimmt import SIX_NIMMT
from tests.events.records.forging import (
    FORGERIES,
    Edit,
    audited,
    of_another_edition,
    outcomes,
    shortest,
    win_by_decree,
)


def test_under_another_edition_seats_seeds_and_result_are_checked_and_no_decision_is_made_again():
    report = audited(of_another_edition(shortest()))
    assert report.failure is None
    assert outcomes(report) == {
        "form": "passed",
        "chain": "passed",
        "commitments": "passed",
        "answers": "not made",
        "draws": "not made",
        "result": "passed",
        "seal": "not made",
    }


def test_under_another_edition_no_state_is_folded(monkeypatch: pytest.MonkeyPatch):
    """A forged fact could make it so large, or take so long, that it stops everything else."""

    def must_not_be_asked(*asked: object) -> None:
        raise AssertionError(asked)

    record = of_another_edition(shortest())
    monkeypatch.setattr(SIX_NIMMT, "evolve", must_not_be_asked)
    monkeypatch.setattr(SIX_NIMMT, "_initial_state", must_not_be_asked)
    assert audited(record).failure is None


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(FORGERIES[name][0], id=name)
        for name in (
            "another seed of the server",
            "another seed of the game",
            "another part of a seat",
            "a seat that is not there",
            "more facts than a decision has",
            "a longer answer than there is",
        )
    ],
)
def test_what_is_the_same_for_every_edition_is_found_in_a_forgery_of_another(edit: Edit):
    report = audited(of_another_edition(shortest(), edit))
    assert report.failure is not None
    assert report.failure.check in ("commitments", "form")


def test_under_another_edition_another_result_is_found():
    report = audited(of_another_edition(shortest(), win_by_decree))
    assert report.failure is not None
    assert report.failure.reason == "the footer does not say what the decisions say"
