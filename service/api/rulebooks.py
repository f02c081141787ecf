"""Rulebooks: the kinds of game that can be played here, their cards, and how they are played."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from games.kernel import Rulebook
from service.context import house
from service.http.endpoint import Answer, operation
from service.http.problems import no_such_rulebook
from service.http.responses import encode, reply
from service.i18n.translate import help_page, in_language, language, tell
from service.openapi.rulebook_schemas import as_read, facts_told, moves_of
from service.schemas.responses import Cards, MoveShown, RulebookDetail, Rulebooks, RulebookShown

bp = Blueprint("rulebooks", __name__)

MARKDOWN = "text/markdown"
KEPT_SECONDS = 3600
NOTHING_NEW = Answer("Nothing has changed since the answer with the `ETag` of `If-None-Match`.")
KEPT = {"ETag": "names this answer; for `If-None-Match`", "Cache-Control": "public: anybody may keep it for a while"}
TOLD = {"Content-Language": "the language of the answer, `en` or `fr`", "Vary": "Accept-Language"}


@operation(
    bp,
    "GET",
    "/rulebooks",
    summary="What can be played?",
    answers={200: Answer("Every rulebook.", Rulebooks, headers=KEPT), 304: NOTHING_NEW},
)
def list_rulebooks() -> Response:
    """List the kinds of game that can be played here, each with its bots, and its options as JSON Schema."""
    shown = Rulebooks([RulebookShown(**_summary(rulebook)) for rulebook in house().games.rulebooks.values()])
    return _kept(reply(shown))


@operation(
    bp,
    "GET",
    "/rulebooks/<rulebook>",
    summary="One rulebook",
    answers={200: Answer("The rulebook.", RulebookDetail, headers=KEPT | TOLD), 304: NOTHING_NEW},
    problems=("no-such-rulebook",),
)
def look_at_rulebook(rulebook: str) -> Response:
    """Return one kind of game, with its moves, in the language of `Accept-Language`, and the schemas of its facts.

    What is described of options and facts is in English. What a move does is told here only: a choice has its title.
    """
    found, told = _found(rulebook), language()
    moves = {
        name: MoveShown(tell(move.title, told), tell(move.does, told), move.args())
        for name, move in moves_of(found).items()
    }
    answer = reply(RulebookDetail(**_summary(found), moves=moves, facts=facts_told(found)))
    return _kept(in_language(answer, told))


@operation(
    bp,
    "GET",
    "/rulebooks/<rulebook>/cards",
    summary="Its cards",
    answers={200: Answer("Every card, by its id.", Cards, headers=KEPT), 304: NOTHING_NEW},
    problems=("no-such-rulebook",),
)
def list_cards(rulebook: str) -> Response:
    """Return what is printed on the cards, in French and English alike: `Accept-Language` chooses nothing here.

    A card that is a number (6 nimmt!) has that number as its id.
    """
    found = _found(rulebook)
    return _kept(Response(encode(Cards(found.id, found.edition, dict(found.catalogue))), mimetype="application/json"))


@operation(
    bp,
    "GET",
    "/rulebooks/<rulebook>/help",
    summary="How is it played?",
    answers={200: Answer("The page, as Markdown.", str, f"{MARKDOWN}; charset=utf-8", KEPT | TOLD), 304: NOTHING_NEW},
    problems=("no-such-rulebook",),
)
def show_help(rulebook: str) -> Response:
    """Tell how the game is played, in the language of `Accept-Language`: `en` or `fr`, English for any other."""
    found, told = _found(rulebook), language()
    page = Response(help_page(found, told), content_type=f"{MARKDOWN}; charset=utf-8")
    return _kept(in_language(page, told))


def _found(rulebook: str) -> Rulebook[Any]:
    found = house().games.rulebooks.get(rulebook)
    if found is None:
        raise no_such_rulebook("no-such-rulebook", rulebook, house().games.rulebooks)
    return found


def _kept(answer: Response) -> Response:
    """Mark an answer as cacheable, as it is the same for everybody; make it a 304 for a client that has it already."""
    answer.set_etag(hashlib.sha256(answer.get_data()).hexdigest()[:16])
    answer.headers["Cache-Control"] = f"public, max-age={KEPT_SECONDS}"
    answer.make_conditional(request)
    return answer


def _summary(rulebook: Rulebook[Any]) -> dict[str, Any]:
    return {
        "rulebook": rulebook.id,
        "edition": rulebook.edition,
        "names": dict(rulebook.names),
        "seats": list(rulebook.seats),
        "options": _schema(rulebook.options),
        "bots": list(rulebook.bots),
    }


def _schema(kind: type[Any]) -> dict[str, Any]:
    """Return the JSON Schema of a type of record, complete with the schemas that it refers to."""
    (root,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = components.pop(root["$ref"].removeprefix("#/$defs/"))
    schema |= {"description": as_read(schema.get("description", ""))}
    return schema | ({"$defs": components} if components else {})
