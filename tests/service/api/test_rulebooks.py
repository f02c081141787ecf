"""Rulebooks, their cards and their help pages: public, cacheable, in English and French."""

from __future__ import annotations

import pytest

from games.rulebooks import RULEBOOKS
from tests.service.players import Caller, Transport, expect

RULEBOOK_IDS = sorted(RULEBOOKS)
PATHS = ["/v1/rulebooks", *(f"/v1/rulebooks/{name}{more}" for name in RULEBOOK_IDS for more in ("", "/cards", "/help"))]


@pytest.mark.parametrize("path", PATHS)
def test_an_unchanged_response_is_not_sent_again(api: Transport, path: str) -> None:
    first = Caller(api).get(path)
    assert first.status == 200
    assert first.headers["cache-control"].startswith("public, max-age=")
    again = Caller(api).get(path, If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert Caller(api).get(path, If_None_Match='"other"').body == first.body


@pytest.mark.parametrize("name", RULEBOOK_IDS)
def test_every_card_has_its_names_in_both_languages(api: Transport, name: str) -> None:
    body = expect(200, Caller(api).get(f"/v1/rulebooks/{name}/cards"))
    assert list(body["cards"]) == list(RULEBOOKS[name].catalogue)
    assert [card for card, facts in body["cards"].items() if not (facts["names"]["en"] and facts["names"]["fr"])] == []


def test_the_cards_of_6_nimmt_have_their_heads(api: Transport) -> None:
    cards = expect(200, Caller(api).get("/v1/rulebooks/six-nimmt/cards"))["cards"]
    assert (len(cards), sum(card["heads"] for card in cards.values()), cards["55"]["heads"]) == (104, 171, 7)


def test_the_cards_are_the_same_in_every_language(api: Transport) -> None:
    path = "/v1/rulebooks/vale-of-eternity/cards"
    french, english = (Caller(api).get(path, Accept_Language=language) for language in ("fr", "en"))
    assert french.body == english.body
    assert "accept-language" not in french.headers.get("vary", "").lower()


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("fr", "fr"), ("fr-CA, en;q=0.5", "fr"), ("en-GB", "en"), ("de, fr;q=0.1", "fr"), ("de", "en"), ("", "en")],
)
def test_the_help_page_is_in_the_preferred_language(api: Transport, accepted: str, language: str) -> None:
    answer = Caller(api).get("/v1/rulebooks/six-nimmt/help", Accept_Language=accepted)
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["content-language"] == language
    assert "Accept-Language" in answer.headers["vary"]
    assert answer.body == (RULEBOOKS["six-nimmt"].folder / f"help.{language}.md").read_bytes()


@pytest.mark.parametrize("name", RULEBOOK_IDS)
def test_a_rulebook_lists_its_moves_and_no_other_rules(api: Transport, name: str) -> None:
    body = expect(200, Caller(api).get(f"/v1/rulebooks/{name}"))
    assert body["moves"]
    assert "play_round" not in body["moves"]
    assert all(move["title"] and move["description"] for move in body["moves"].values())


def test_moves_are_described_in_french(api: Transport) -> None:
    moves = expect(200, Caller(api).get("/v1/rulebooks/six-nimmt", Accept_Language="fr"))["moves"]
    assert moves["lay"]["title"] == "Poser une carte"
    assert moves["lay"]["args"]["properties"]["card"]["title"] == "Carte"
    assert moves["lay"]["args"]["required"] == ["card"]


@pytest.mark.parametrize("more", ["", "/cards", "/help"])
def test_an_unknown_rulebook_is_not_found(api: Transport, more: str) -> None:
    answer = Caller(api).get(f"/v1/rulebooks/chess{more}")
    assert answer.refusal == (404, "no-such-rulebook")
