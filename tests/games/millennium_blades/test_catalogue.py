"""Millennium Blades: the files of cards and of values are checked when they are loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.millennium_blades import catalogue
from games.millennium_blades.catalogue import (
    CATALOGUE,
    CHARACTERS,
    DESIGNS,
    SETS,
    WRITTEN_SETS,
    Catalogue,
    UnfitCatalogue,
    check,
    copies_of,
    kind,
    price,
    read_sentences,
    set_of,
    starter_deck,
)
from games.millennium_blades.constants import TABLES, VICTORY_POINTS_BY_PLACE, WINDOWS
from games.millennium_blades.tournament.card_script import TEXTS, card

STORED = (Path(catalogue.__file__).parent / "cards.json").read_text("utf-8")


def changed(**changes: Any) -> Catalogue:
    """Return the file with the first card of the core set changed."""
    file = json.loads(STORED)
    file["sets"][0]["designs"][0].update(changes)
    return msgspec.convert(file, Catalogue)


def test_the_box_holds_652_cards_with_its_friendship_cards_metas_and_characters():
    boosters = sum(len(copies_of(card_set)) for card_set in SETS)
    in_starters = sum(len(starter_deck(starter.id)) for starter in CATALOGUE.starters)
    assert boosters + in_starters - 6 + 36 + 12 + 6 == 652, "the six Deck Protectors are in the starters only"


def test_the_core_set_has_118_cards_of_113_designs():
    assert len(SETS["millennium-blades"].designs) == 113
    assert len(copies_of("millennium-blades")) == 118


def test_every_card_of_a_written_set_has_a_text_and_no_other_card_has_one():
    written = {facts.number for card_set in WRITTEN_SETS for facts in SETS[card_set].designs}
    characters = {character.number for character in CATALOGUE.characters}
    assert TEXTS.keys() == written | characters


def test_a_text_is_written_once():
    with pytest.raises(ValueError, match="two texts"):
        card("jeff")


def test_no_two_starter_cards_are_the_same_card():
    dealt = [card for starter in CATALOGUE.starters for card in starter_deck(starter.id)]
    assert len(set(dealt)) == 54
    assert not set(dealt) & set(copies_of("millennium-blades"))


def test_a_starter_card_shows_the_core_set():
    deck = starter_deck("bluelake-village")
    assert {set_of(card) for card in deck} == {"millennium-blades"}
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
def test_a_file_of_cards_that_is_not_sound_is_refused(changes: dict[str, Any], reason: str):
    with pytest.raises(UnfitCatalogue, match=reason):
        check(changed(**changes))


@pytest.mark.parametrize("changes", [{"colour": "red"}, {"names": {"en": "Bertram"}}, {"elements": ["wood"]}])
def test_an_unknown_key_a_missing_name_and_an_odd_element_are_refused(changes: dict[str, Any]):
    with pytest.raises(msgspec.ValidationError):
        changed(**changes)


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ({}, "jeff is missing"),
        ({"jeff": {"en": ["One."], "fr": []}}, "jeff does not say the same"),
        ({"jeff": {"en": [], "fr": []}, "tia": {"en": [], "fr": []}}, "tia is missing, or cannot be played"),
    ],
)
def test_a_card_says_the_same_in_both_languages(says: dict[str, Any], reason: str):
    with pytest.raises(UnfitCatalogue, match=reason):
        read_sentences(json.dumps(says).encode(), {"jeff"})


def test_every_value_of_the_rulebook_says_where_it_is_from():
    assert {name for name, value in TABLES.values.items() if value.tag == "proposed"} == {
        "victory_points_by_place",
        "collection_victory_points",
        "grace_ms",
        "prizes",
    }
    assert WINDOWS == (420_000, 420_000, 360_000)


def test_every_design_has_its_number_for_ever():
    assert (DESIGNS[1].id, DESIGNS[113].id, DESIGNS[114].id, DESIGNS[348].id) == (
        "bertram_explorer",
        "the_one",
        "deck_protectors",
        "shur_wen_na_pro",
    )


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_help_tells_the_victory_points_of_each_place_and_the_powers_of_each_character(language: str):
    page = (Path(catalogue.__file__).parent / f"help.{language}.md").read_text("utf-8")
    for seats, by_tournament in VICTORY_POINTS_BY_PLACE.items():
        row = " | ".join(", ".join(map(str, points)) for points in by_tournament)
        assert f"| {seats} | {row} |" in page
    for character in CHARACTERS.values():
        assert f"| {character.name} | " in page
