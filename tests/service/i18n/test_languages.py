"""Whoever asks for French is told everything in French: prompts, moves, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.kernel import Message, msg
from service.i18n import catalogs
from service.i18n.translate import VALIDATION_MESSAGES, translate, translate_validation_error, translations
from tests.service.players import Caller, Line, Player, Table, expect, full_table


def test_every_text_is_translated_and_no_translation_is_stale() -> None:
    assert list(catalogs.problems()) == []


def test_a_new_text_a_stale_one_and_other_values_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogs, "LOCALE", tmp_path)
    monkeypatch.setattr(catalogs, "domains", lambda: {"croupier": ["one", "with {number}", "not yet"]})
    tmp_path.joinpath("croupier.fr.po").write_text(
        'msgid "one"\nmsgstr "un"\n\nmsgid "with {number}"\nmsgstr "avec"\n\nmsgid "old"\nmsgstr "vieux"\n'
    )
    assert set(catalogs.problems()) == {
        "croupier.fr.po: without translation: not yet",
        "croupier.fr.po: other values than in: with {number}",
        "croupier.fr.po: not used any more: old",
    }


def test_a_sentence_put_together_where_it_is_said_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "rules.py"
    source.write_text('choose(f"keep {limit}", keep.offer())\n')
    with source.open("rb") as opened, pytest.raises(catalogs.DynamicMessage):
        list(catalogs.extract_sentences(opened, None, None, None))


def test_a_sentence_inside_a_sentence_is_translated_as_well() -> None:
    assert translate(msg("Discard a {family} card of your area.", family=msg("Fire")), "fr") == (
        "Défaussez une carte Feu de votre zone."
    )


def test_values_are_never_read_as_templates() -> None:
    assert translate(Message("there is no rulebook {rulebook!r} here", {"rulebook": "{seat.__class__}"}), "fr") == (
        "il n’y a pas ici de jeu '{seat.__class__}'"
    )


@pytest.mark.parametrize("template", VALIDATION_MESSAGES)
def test_every_fault_of_a_value_is_told_in_french(template: str) -> None:
    values = dict.fromkeys(("min", "max", "choices"), "3")
    english = template.format(**values)
    assert translate_validation_error(english, "fr") == translations("fr")[template].format(**values) != english


@pytest.fixture(scope="module")
def player(line: Line) -> Player:
    return full_table(line, seats=2).players[0]


def test_a_choice_is_asked_in_french(player: Player) -> None:
    answer = player.get(f"{player.path}/choices", Accept_Language="fr")
    (choice,) = expect(200, answer)["choices"]
    assert choice["prompt"] == "Posez une carte face cachée."
    (lay,) = choice["schema"]["oneOf"]
    assert lay["title"] == "Poser une carte"
    assert lay["description"] == (
        "Posez une carte de votre main face cachée. Toutes les cartes sont retournées ensemble."
    )
    assert lay["properties"]["args"]["properties"]["card"]["title"] == "Carte"
    assert answer.headers["content-language"] == "fr"


def test_what_is_asked_next_is_told_in_french(line: Line) -> None:
    first, second = full_table(line, seats=2).players
    first.send(first.command(first.choices()[0]))
    (choice,) = second.choices()
    answer = second.post(f"{second.path}/commands", second.command(choice), Accept_Language="fr")
    assert expect(201, answer)["choices"][0]["prompt"].startswith(("Posez", "Ramassez"))


def test_a_stream_asks_in_french(player: Player) -> None:
    answer = player.get(f"{player.path}/events?wait=0", Accept="application/x-ndjson", Accept_Language="fr")
    game = json.loads(answer.body.splitlines()[0])
    assert game["choices"][0]["prompt"] == "Posez une carte face cachée."


def test_a_refusal_is_told_in_french_and_carries_the_choices_in_french(player: Player) -> None:
    command = {"choice": player.choices()[0]["choice"], "move": "jump"}
    answer = player.post(f"{player.path}/commands", command, Accept_Language="fr")
    assert answer.refusal == (409, "illegal-move")
    assert answer.json["title"] == "Le choix ne propose pas cette réponse"
    assert answer.json["detail"] == "« jump » n’est pas parmi les coups proposés"
    assert answer.json["choices"][0]["prompt"] == "Posez une carte face cachée."
    assert answer.headers["content-language"] == "fr"


def test_the_faults_of_a_body_are_told_in_french(line: Line) -> None:
    answer = Caller(line).post("/v1/games", {"rulebook": "six-nimmt", "seats": 65}, Accept_Language="fr")
    assert answer.json["errors"] == [{"path": ["seats"], "reason": "Doit être compris entre 1 et 64."}]
    assert answer.json["detail"] == "seats: Doit être compris entre 1 et 64."


def test_without_a_language_that_we_know_it_is_english(line: Line, table: Table) -> None:
    answer = table.watcher.get("/v1/games/0000000000000000", Accept_Language="tlh")
    assert answer.json["title"] == "There is no such game"
    assert answer.headers["content-language"] == "en"


@pytest.fixture(scope="module")
def table(line: Line) -> Table:
    return full_table(line, seats=2)
