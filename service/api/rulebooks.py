"""Rulebooks: the kinds of game that can be played here, their cards, and how they are played."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import msgspec
from flask import Response, request

from games.kernel import Rulebook
from service.context import services
from service.http.content_types import JSON, MARKDOWN
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.problems import rulebook_not_found
from service.http.responses import encode, json_response
from service.i18n.translate import help_page, language, translate, with_content_language
from service.schemas.responses import Cards, MoveView, RulebookDetail, Rulebooks, RulebookView
from service.schemas.rulebook_schemas import args_schema, client_text, fact_schemas, moves_of

bp = ApiBlueprint("rulebooks")

CACHE_SECONDS = 3600
NOT_MODIFIED = ResponseSpec("Nothing has changed since the answer with the `ETag` of `If-None-Match`.")
CACHE_HEADERS = {
    "ETag": "names this answer; for `If-None-Match`",
    "Cache-Control": "public: anybody may keep it for a while",
}
LANGUAGE_HEADERS = {"Content-Language": "the language of the answer, `en` or `fr`", "Vary": "Accept-Language"}


@endpoint(
    bp,
    "GET",
    "/rulebooks",
    summary="What can be played?",
    responses={200: ResponseSpec("Every rulebook.", Rulebooks, headers=CACHE_HEADERS), 304: NOT_MODIFIED},
)
def list_rulebooks() -> Response:
    """List the kinds of game that can be played here, each with its bots, and its options as JSON Schema."""
    shown = Rulebooks([RulebookView(**_summary(rulebook)) for rulebook in services().games.rulebooks.values()])
    return _cached(json_response(shown))


@endpoint(
    bp,
    "GET",
    "/rulebooks/<rulebook>",
    summary="One rulebook",
    responses={
        200: ResponseSpec("The rulebook.", RulebookDetail, headers=CACHE_HEADERS | LANGUAGE_HEADERS),
        304: NOT_MODIFIED,
    },
    problems=("no-such-rulebook",),
)
def get_rulebook(rulebook: str) -> Response:
    """Return one kind of game, with its moves, in the language of `Accept-Language`, and the schemas of its facts.

    The descriptions of options and facts are in English.
    """
    found, told = _rulebook(rulebook), language()
    localize = partial(translate, to=told)
    moves = {
        name: MoveView(localize(move.title), localize(move.help), args_schema(move, localize))
        for name, move in moves_of(found).items()
    }
    answer = json_response(RulebookDetail(**_summary(found), moves=moves, facts=fact_schemas(found)))
    return _cached(with_content_language(answer, told))


@endpoint(
    bp,
    "GET",
    "/rulebooks/<rulebook>/cards",
    summary="Its cards",
    responses={200: ResponseSpec("Every card, by its id.", Cards, headers=CACHE_HEADERS), 304: NOT_MODIFIED},
    problems=("no-such-rulebook",),
)
def list_cards(rulebook: str) -> Response:
    """Return what is printed on the cards, in French and English alike: `Accept-Language` chooses nothing here.

    A card that is a number (6 nimmt!) has that number as its id.
    """
    found = _rulebook(rulebook)
    return _cached(Response(encode(Cards(found.id, found.edition, dict(found.catalogue))), mimetype=JSON))


@endpoint(
    bp,
    "GET",
    "/rulebooks/<rulebook>/help",
    summary="How is it played?",
    responses={
        200: ResponseSpec("The page, as Markdown.", str, MARKDOWN, CACHE_HEADERS | LANGUAGE_HEADERS),
        304: NOT_MODIFIED,
    },
    problems=("no-such-rulebook",),
)
def get_help(rulebook: str) -> Response:
    """Tell how the game is played, in the language of `Accept-Language`: `en` or `fr`, English for any other."""
    found, told = _rulebook(rulebook), language()
    page = Response(help_page(found, told), content_type=MARKDOWN)
    return _cached(with_content_language(page, told))


def _rulebook(rulebook: str) -> Rulebook[Any]:
    found = services().games.rulebooks.get(rulebook)
    if found is None:
        raise rulebook_not_found("no-such-rulebook", rulebook, services().games.rulebooks)
    return found


def _cached(answer: Response) -> Response:
    """Mark an answer as cacheable, as it is the same for everybody; make it a 304 for a client that has it already."""
    answer.set_etag(hashlib.sha256(answer.get_data()).hexdigest()[:16])
    answer.headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}"
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
    schema |= {"description": client_text(schema.get("description", ""))}
    return schema | ({"$defs": components} if components else {})
