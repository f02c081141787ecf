"""6 nimmt!: the pages for players and for clients name all moves, facts and options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.six_nimmt import SIX_NIMMT
from games.six_nimmt.facts import HEADS, Options, Player, State

HERE = Path(__file__).parents[3]
HELP = [HERE / "games/six_nimmt" / f"help.{language}.md" for language in ("en", "fr")]
CLIENTS = HERE / "docs/rulebooks/six-nimmt.md"
MOVES = {"lay", "take_card", "replace_row", "join_row"}


def identifiers(page: Path) -> set[str]:
    """Return the identifiers that a page mentions."""
    return set(re.findall(r"`([a-z_]+)[`(]", page.read_text("utf-8")))


@pytest.mark.parametrize("page", HELP, ids=lambda page: page.name)
def test_the_help_names_every_move_and_every_option_and_nothing_else(page: Path):
    assert identifiers(page) == {*MOVES, *Options.__struct_fields__, "dealt_first"}


def test_both_languages_mention_the_same_numbers():
    numbers = [re.findall(r"\d+", page.read_text("utf-8")) for page in HELP]
    assert sorted(numbers[0][1:]) == sorted(numbers[1][1:]), "except for the 6 of the name"


@pytest.mark.parametrize("page", HELP, ids=lambda page: page.name)
def test_the_table_of_heads_is_right(page: Path):
    rows = re.findall(r"^\| (\d[^|]*) \| (\d) \|$", page.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 4
    for cards, heads in rows:
        assert {HEADS[int(card)] for card in re.findall(r"\d+", cards)} == {int(heads)}


def test_the_page_for_clients_names_every_fact_option_move_and_field():
    facts = {str(fact.__struct_config__.tag) for fact in SIX_NIMMT.facts}
    text = CLIENTS.read_text("utf-8")
    assert facts <= identifiers(CLIENTS)
    assert identifiers(CLIENTS) >= MOVES
    assert set(Options.__struct_fields__) <= identifiers(CLIENTS)
    for field in (*Player.__struct_fields__, *State.__struct_fields__):
        assert f'"{field}"' in text, f"the example of a view lacks {field}"
    for fact in SIX_NIMMT.facts:
        assert f"`{fact.__struct_config__.tag}({', '.join(fact.__struct_fields__)})`" in text
