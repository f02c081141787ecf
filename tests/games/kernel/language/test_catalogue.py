"""A data file of cards is checked when it is read: an error names the file, the card and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.kernel import CardData, InvalidCards, Names, read_cards

IMP = """
[imp]
names = { en = "Imp", fr = "Diablotin" }
cost = 0
"""


class Creature(CardData, frozen=True):
    cost: int


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "cards.toml"
    file.write_text(text, "utf-8")
    return file


def refused(tmp_path: Path, text: str) -> str:
    with pytest.raises(InvalidCards) as refusal:
        read_cards(written(tmp_path, text), Creature, 1)
    return str(refusal.value)


def test_cards_are_read_by_id_with_their_names(tmp_path: Path):
    assert read_cards(written(tmp_path, IMP), Creature, 1) == {"imp": Creature(Names("Imp", "Diablotin"), 0)}


def test_an_unknown_key_is_refused(tmp_path: Path):
    assert refused(tmp_path, IMP + "price = 3") == "cards.toml: imp: Object contains unknown field `price`"


def test_a_missing_name_is_refused(tmp_path: Path):
    said = refused(tmp_path, IMP.replace(', fr = "Diablotin"', ""))
    assert said == "cards.toml: imp: Object missing required field `fr` - at `$.names`"


def test_an_empty_name_is_refused(tmp_path: Path):
    said = refused(tmp_path, IMP.replace("Diablotin", ""))
    assert said == "cards.toml: imp: Expected `str` of length >= 1 - at `$.names.fr`"


def test_a_value_of_another_type_is_refused(tmp_path: Path):
    assert refused(tmp_path, IMP.replace("0", '"none"')) == "cards.toml: imp: Expected `int`, got `str` - at `$.cost`"


def test_what_is_not_a_card_is_refused(tmp_path: Path):
    assert refused(tmp_path, "number = 1").startswith("cards.toml: number: ")


def test_a_number_of_cards_that_does_not_add_up_is_refused(tmp_path: Path):
    said = refused(tmp_path, IMP + IMP.replace("imp", "asmodeus"))
    assert said == "cards.toml: 2 cards, but the game has 1"


def test_two_cards_of_one_id_are_refused(tmp_path: Path):
    assert refused(tmp_path, IMP + IMP).startswith("cards.toml: ")
