"""A client that prefers French gets every text in French: prompts, moves, refusals."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from games.kernel import Message, msg
from service.i18n import catalogs
from service.i18n.translate import VALIDATION_MESSAGES, translate, translate_validation_error, translations
from tests.service.players import Caller, Player, Table, Transport, expect, full_table


def test_every_text_is_translated_and_every_translation_is_used() -> None:
    assert list(catalogs.problems()) == []


def test_a_new_text_an_unused_one_and_other_placeholders_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogs, "LOCALE", tmp_path)
    monkeypatch.setattr(catalogs, "texts_by_catalog", lambda: {"croupier": ["one", "with {number}", "not yet"]})
    tmp_path.joinpath("croupier.fr.po").write_text(
        'msgid "one"\nmsgstr "un"\n\nmsgid "with {number}"\nmsgstr "avec"\n\nmsgid "old"\nmsgstr "vieux"\n'
    )
    assert set(catalogs.problems()) == {
        "croupier.fr.po: without translation: not yet",
        "croupier.fr.po: other placeholders than in: with {number}",
        "croupier.fr.po: no longer used: old",
    }


def texts(source: str) -> tuple[list[str], list[str]]:
    """Return the texts of a source that can be extracted, and the expressions that put a text together at run time."""
    constant, dynamic = [], []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in catalogs.KEYWORDS:
            (place,) = catalogs.KEYWORDS[node.func.id]
            match node.args[place - 1] if len(node.args) >= place else None:
                case ast.Constant(str(text)):
                    constant.append(text)
                case ast.JoinedStr() | ast.BinOp() | ast.IfExp() as expression:
                    dynamic.append(ast.unparse(expression))
                case expression if node.func.id == "msg":
                    dynamic.append("msg without a text" if expression is None else ast.unparse(expression))
    return constant, dynamic


@pytest.mark.parametrize("package", ["games", "events", "service", "workers"])
def test_no_text_is_put_together_at_run_time_and_all_are_extracted(package: str) -> None:
    extracted = set(catalogs.extract_texts(package))
    for file in catalogs.ROOT.joinpath(package).rglob("*.py"):
        constant, dynamic = texts(file.read_text("utf-8"))
        assert (dynamic, set(constant) - extracted) == ([], set()), file


@pytest.mark.parametrize(
    "call",
    [
        'choose(msg(f"keep {limit}"), keep.offer())',
        'msg("keep " + str(limit))',
        'msg("one" if limit == 1 else "many")',
        "msg(text)",
        'Refusal("bad-options", f"at most {limit}")',
    ],
)
def test_a_text_that_is_put_together_at_run_time_is_found(call: str) -> None:
    assert texts(call)[1] != []


def test_a_message_inside_a_message_is_translated_too() -> None:
    assert translate(msg("Which {family} card in your area do you discard?", family=msg("Fire")), "fr") == (
        "Quelle carte Feu de votre zone défaussez-vous ?"
    )


def test_values_are_never_read_as_templates() -> None:
    assert translate(Message("there is no rulebook {rulebook!r} here", {"rulebook": "{seat.__class__}"}), "fr") == (
        "il n’y a pas ici de jeu '{seat.__class__}'"
    )


@pytest.mark.parametrize("template", VALIDATION_MESSAGES)
def test_every_validation_error_is_translated(template: str) -> None:
    values = dict.fromkeys(("min", "max", "choices"), "3")
    english = template.format(**values)
    assert translate_validation_error(english, "fr") == translations("fr")[template].format(**values) != english


@pytest.fixture(scope="module")
def player(api: Transport) -> Player:
    return full_table(api, seats=2).players[0]


def test_a_choice_is_in_french(player: Player) -> None:
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


def test_the_next_choice_is_in_french(api: Transport) -> None:
    first, second = full_table(api, seats=2).players
    first.send(first.command(first.choices()[0]))
    (choice,) = second.choices()
    answer = second.post(f"{second.path}/commands", second.command(choice), Accept_Language="fr")
    assert expect(201, answer)["choices"][0]["prompt"].startswith(("Posez", "Ramassez"))


def test_a_stream_has_its_choices_in_french(player: Player) -> None:
    answer = player.get(f"{player.path}/events?wait=0", Accept="application/x-ndjson", Accept_Language="fr")
    game = json.loads(answer.body.splitlines()[0])
    assert game["choices"][0]["prompt"] == "Posez une carte face cachée."


def test_a_refusal_and_its_choices_are_in_french(player: Player) -> None:
    command = {"choice": player.choices()[0]["choice"], "move": "jump"}
    answer = player.post(f"{player.path}/commands", command, Accept_Language="fr")
    assert answer.refusal == (409, "illegal-move")
    assert answer.json["title"] == "Le choix ne propose pas cette réponse"
    assert answer.json["detail"] == "« jump » n’est pas parmi les coups proposés"
    assert answer.json["choices"][0]["prompt"] == "Posez une carte face cachée."
    assert answer.headers["content-language"] == "fr"


def test_the_errors_of_a_body_are_in_french(api: Transport) -> None:
    answer = Caller(api).post("/v1/games", {"rulebook": "six-nimmt", "seats": 65}, Accept_Language="fr")
    assert answer.json["errors"] == [{"path": ["seats"], "reason": "Doit être compris entre 1 et 64."}]
    assert answer.json["detail"] == "seats: Doit être compris entre 1 et 64."


def test_an_unknown_language_gets_english(api: Transport, table: Table) -> None:
    answer = table.spectator.get("/v1/games/0000000000000000", Accept_Language="tlh")
    assert answer.json["title"] == "There is no such game"
    assert answer.headers["content-language"] == "en"


@pytest.fixture(scope="module")
def table(api: Transport) -> Table:
    return full_table(api, seats=2)
