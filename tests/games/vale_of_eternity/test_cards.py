"""The data file and the scripts of the cards match, and the data file is checked when it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.kernel import InvalidCards
from games.vale_of_eternity import catalogue
from games.vale_of_eternity.card_script import CardScript, scripts_by_card
from games.vale_of_eternity.cards import SCRIPTS
from games.vale_of_eternity.catalogue import CARDS, read_creatures

FILE = Path(catalogue.__file__).parent / "cards.toml"


def test_every_card_of_the_data_file_has_a_script_and_every_script_a_card():
    assert set(SCRIPTS) == set(CARDS)


def test_a_second_script_for_a_card_is_refused():
    with pytest.raises(TypeError, match="imp has two scripts"):
        scripts_by_card(CardScript("imp"), CardScript("agni"), CardScript("imp"))


@pytest.mark.parametrize("card", CARDS)
def test_the_script_has_the_kinds_of_effect_of_the_data_file(card: str):
    script = SCRIPTS[card]
    triggers = script.on_summon or script.on_tame
    modifiers = script.extra_stones or script.extra_value or script.swaps_blue_and_purple or script.discount
    kinds = {"instant": script.instant, "permanent": triggers or modifiers, "active": script.active}
    assert set(CARDS[card].effects) == {kind for kind, effects in kinds.items() if effects}


def test_eight_creatures_have_two_effects():
    assert sum(len(creature.effects) == 2 for creature in CARDS.values()) == 8


def test_no_two_creatures_share_a_name():
    for language in ("en", "fr"):
        assert len({getattr(creature.names, language) for creature in CARDS.values()}) == 70


def refusal_of_change(tmp_path: Path, old: str, new: str) -> str:
    """The reason for which the data file is refused after a change."""
    file = tmp_path / "cards.toml"
    text = FILE.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(InvalidCards) as refusal:
        read_creatures(file)
    return str(refusal.value)


def test_a_family_with_too_many_cards_is_refused(tmp_path: Path):
    old = '[willow]\nnames = { en = "Willow", fr = "Willow" }\nfamily = "dragon"'
    reason = refusal_of_change(tmp_path, old, old.replace("dragon", "wind"))
    assert reason == "cards.toml: willow: one too many of family wind"


def test_an_unknown_kind_of_effect_is_refused(tmp_path: Path):
    reason = refusal_of_change(tmp_path, 'effects = ["instant", "active"]', 'effects = ["instant", "passive"]')
    assert reason.startswith("cards.toml: imp: Invalid enum value 'passive'")


def test_an_effect_without_a_text_in_one_language_is_refused(tmp_path: Path):
    reason = refusal_of_change(tmp_path, 'text.fr = ["Gagnez 2 pierres rouges.", ', "text.fr = [")
    assert reason == "cards.toml: imp: must have one text for each of its effects"
