"""The data file and the texts of the cards belong together, and the data file is checked when it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.kernel import InvalidCards
from games.vale_of_eternity import catalogue
from games.vale_of_eternity.card_script import TEXTS
from games.vale_of_eternity.catalogue import CARDS, CREATURES_OF, read_creatures

FILE = Path(catalogue.__file__).parent / "cards.toml"


def test_every_card_of_the_data_file_has_a_text_and_every_text_a_card():
    assert set(TEXTS) == set(CARDS)


@pytest.mark.parametrize("card", CARDS)
def test_the_kinds_of_effect_in_the_data_file_are_those_of_the_text(card: str):
    text = TEXTS[card]
    said = {"instant": bool(text.instant), "permanent": text.has_permanent, "active": bool(text.active)}
    assert set(CARDS[card].effects) == {kind for kind, is_said in said.items() if is_said}


def test_there_are_70_creatures_in_five_families():
    families = [creature.family for creature in CARDS.values()]
    assert {family: families.count(family) for family in families} == CREATURES_OF
    assert len(CARDS) == 70


def test_eight_creatures_have_two_effects():
    assert sum(len(creature.effects) == 2 for creature in CARDS.values()) == 8


def test_no_two_creatures_share_a_name():
    for language in ("en", "fr"):
        assert len({getattr(creature.names, language) for creature in CARDS.values()}) == 70


def changed(tmp_path: Path, old: str, new: str) -> str:
    file = tmp_path / "cards.toml"
    text = FILE.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(InvalidCards) as refusal:
        read_creatures(file)
    return str(refusal.value)


def test_a_family_that_does_not_add_up_is_refused(tmp_path: Path):
    old = '[willow]\nnames = { en = "Willow", fr = "Willow" }\nfamily = "dragon"'
    said = changed(tmp_path, old, old.replace("dragon", "wind"))
    assert said == "cards.toml: willow: one too many of family wind"


def test_an_unknown_kind_of_effect_is_refused(tmp_path: Path):
    said = changed(tmp_path, 'effects = ["instant", "active"]', 'effects = ["instant", "passive"]')
    assert said.startswith("cards.toml: imp: Invalid enum value 'passive'")


def test_an_effect_that_says_nothing_in_a_language_is_refused(tmp_path: Path):
    said = changed(tmp_path, 'says.fr = ["Gagnez 2 pierres rouges.", ', "says.fr = [")
    assert said == "cards.toml: imp: says not one sentence for each of its effects"
