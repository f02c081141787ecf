"""Millennium Blades: the files of cards and of values are checked when they are loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.millennium_blades import catalogue
from games.millennium_blades.board.card_script import card, card_script, scripts_by_design
from games.millennium_blades.cards import SCRIPTS
from games.millennium_blades.catalogue import (
    CATALOGUE,
    CHARACTERS,
    DESIGNS,
    IMPLEMENTED_SETS,
    NUMBERS,
    SETS,
    Catalogue,
    InvalidCatalogue,
    kind,
    price,
    read_card_texts,
    set_cards,
    set_id,
    starter_deck,
    validate,
)
from games.millennium_blades.constants import TABLES, VICTORY_POINTS_BY_PLACE, WINDOWS_MS

STORED = (Path(catalogue.__file__).parent / "cards.json").read_text("utf-8")


def changed(**changes: Any) -> Catalogue:
    """Return the file with the first card of the core set changed."""
    file = json.loads(STORED)
    file["sets"][0]["designs"][0].update(changes)
    return msgspec.convert(file, Catalogue)


def test_the_box_holds_652_cards_with_its_friendship_cards_metas_and_characters():
    boosters = sum(len(set_cards(card_set)) for card_set in SETS)
    in_starters = sum(len(starter_deck(starter.id)) for starter in CATALOGUE.starters)
    assert boosters + in_starters - 6 + 36 + 12 + 6 == 652, "the six Deck Protectors are in the starters only"


def test_the_core_set_has_118_cards_of_113_designs():
    assert len(SETS["millennium-blades"].designs) == 113
    assert len(set_cards("millennium-blades")) == 118


def test_all_cards_of_implemented_sets_and_no_others_have_rules():
    written = {facts.number for card_set in IMPLEMENTED_SETS for facts in SETS[card_set].designs}
    characters = {character.number for character in CATALOGUE.characters}
    assert SCRIPTS.keys() == written | characters


def test_a_card_has_one_script():
    with pytest.raises(TypeError, match="two scripts"):
        scripts_by_design(card("jeff"), card("jeff"))


def test_a_card_that_cannot_be_played_has_no_script():
    with pytest.raises(KeyError):
        card_script(NUMBERS["clawgatron"])


def test_no_two_starter_cards_are_the_same_card():
    dealt = [card for starter in CATALOGUE.starters for card in starter_deck(starter.id)]
    assert len(set(dealt)) == 54
    assert not set(dealt) & set(set_cards("millennium-blades"))


def test_a_starter_card_shows_the_core_set():
    deck = starter_deck("bluelake-village")
    assert {set_id(card) for card in deck} == {"millennium-blades"}
    assert {price(card) for card in deck} == {3}
    assert sorted(map(kind, deck)) == ["accessory", "deck_box", *["single"] * 7]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"number": 2}, "number 2 is there twice"),
        ({"id": "jeff"}, "design jeff is there twice"),
        ({"stars": 11}, "bertram_explorer has 11 stars"),
        ({"copies": 2}, "599 cards instead of 598"),
    ],
)
def test_an_invalid_file_of_cards_is_refused(changes: dict[str, Any], reason: str):
    with pytest.raises(InvalidCatalogue, match=reason):
        validate(changed(**changes))


@pytest.mark.parametrize("changes", [{"colour": "red"}, {"names": {"en": "Bertram"}}, {"elements": ["wood"]}])
def test_unknown_keys_missing_names_and_unknown_elements_are_refused(changes: dict[str, Any]):
    with pytest.raises(msgspec.ValidationError):
        changed(**changes)


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({}, "jeff is missing"),
        ({"jeff": {"en": ["One."], "fr": []}}, "jeff does not have the same texts"),
        ({"jeff": {"en": [], "fr": []}, "tia": {"en": [], "fr": []}}, "tia is missing, or cannot be played"),
    ],
)
def test_a_card_has_the_same_texts_in_both_languages(texts: dict[str, Any], reason: str):
    with pytest.raises(InvalidCatalogue, match=reason):
        read_card_texts(json.dumps(texts).encode(), {"jeff"})


def test_every_value_of_the_rulebook_names_its_source():
    assert {name for name, value in TABLES.values.items() if value.tag == "proposed"} == {
        "victory_points_by_place",
        "collection_victory_points",
        "grace_ms",
        "prize_tiers",
    }
    assert WINDOWS_MS == (420_000, 420_000, 360_000)


def test_the_number_of_a_design_never_changes():
    assert (DESIGNS[1].id, DESIGNS[113].id, DESIGNS[114].id, DESIGNS[348].id) == (
        "bertram_explorer",
        "the_one",
        "deck_protectors",
        "shur_wen_na_pro",
    )


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_help_lists_the_victory_points_of_each_place_and_the_powers_of_each_character(language: str):
    page = (Path(catalogue.__file__).parent / f"help.{language}.md").read_text("utf-8")
    for seats, by_tournament in VICTORY_POINTS_BY_PLACE.items():
        row = " | ".join(", ".join(map(str, points)) for points in by_tournament)
        assert f"| {seats} | {row} |" in page
    for character in CHARACTERS.values():
        assert f"| {character.name} | " in page
