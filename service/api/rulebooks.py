"""Rulebooks: the games that can be played here, their moves, cards and help."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

from flask import Response, request

from games.kernel import Rulebook
from service.context import services
from service.http.content_types import JSON, MARKDOWN
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint
from service.http.problems import rulebook_not_found
from service.http.responses import encode, json_response
from service.i18n.translate import help_page, language, translate, with_content_language
from service.schemas.responses import Cards, MoveView, RulebookDetail, Rulebooks, RulebookView
from service.schemas.rulebook_schemas import args_schema, fact_schemas, struct_schemas

bp = ApiBlueprint("rulebooks")

CACHE_SECONDS = 3600
NOT_MODIFIED = ResponseSpec("The response is still the one of `If-None-Match`.")
CACHE_HEADERS = {
    "ETag": "identifies this response; for `If-None-Match`",
    "Cache-Control": "public: the response may be cached for a while",
}
LANGUAGE_HEADERS = {"Content-Language": "the language of the response: `en` or `fr`", "Vary": "Accept-Language"}


@endpoint(
    bp,
    "GET",
    "/rulebooks",
    operation="list_rulebooks",
    summary="List the rulebooks",
    description="""List the games that can be played here, each with its bots, and its options as JSON Schema.""",
    responses={200: ResponseSpec("Every rulebook.", Rulebooks, headers=CACHE_HEADERS), 304: NOT_MODIFIED},
)
def list_rulebooks() -> Response:
    view = Rulebooks([RulebookView(**_summary(rulebook)) for rulebook in services().games.rulebooks.values()])
    return _cached(json_response(view))


@endpoint(
    bp,
    "GET",
    "/rulebooks/<rulebook>",
    operation="get_rulebook",
    summary="Get a rulebook",
    description="""Return a rulebook with its moves, in the language of `Accept-Language`, and the schemas of its
    facts.

    The descriptions of options and facts are in English.
    """,
    responses={
        200: ResponseSpec("The rulebook.", RulebookDetail, headers=CACHE_HEADERS | LANGUAGE_HEADERS),
        304: NOT_MODIFIED,
    },
    problems=("no-such-rulebook",),
)
def get_rulebook(rulebook: str) -> Response:
    book, to = _rulebook(rulebook), language()
    localize = partial(translate, to=to)
    moves = {
        name: MoveView(localize(move.title), localize(move.help), args_schema(move, localize))
        for name, move in book.moves.items()
    }
    response = json_response(RulebookDetail(**_summary(book), moves=moves, facts=fact_schemas(book)))
    return _cached(with_content_language(response, to))


@endpoint(
    bp,
    "GET",
    "/rulebooks/<rulebook>/cards",
    operation="list_cards",
    summary="List the cards of a rulebook",
    description="""Return what is printed on the cards. Names are always in French and English, whatever
    `Accept-Language` says.

    The id of a card that is a number (6 nimmt!) is that number.
    """,
    responses={200: ResponseSpec("Every card, by its id.", Cards, headers=CACHE_HEADERS), 304: NOT_MODIFIED},
    problems=("no-such-rulebook",),
)
def list_cards(rulebook: str) -> Response:
    book = _rulebook(rulebook)
    return _cached(Response(encode(Cards(book.id, book.edition, dict(book.catalogue))), mimetype=JSON))


@endpoint(
    bp,
    "GET",
    "/rulebooks/<rulebook>/help",
    operation="get_help",
    summary="Get the help of a rulebook",
    description="""Return a page that explains how the game is played, in the language of `Accept-Language`: `en` or
    `fr`.""",
    responses={
        200: ResponseSpec("The page, as Markdown.", str, MARKDOWN, CACHE_HEADERS | LANGUAGE_HEADERS),
        304: NOT_MODIFIED,
    },
    problems=("no-such-rulebook",),
)
def get_help(rulebook: str) -> Response:
    book, to = _rulebook(rulebook), language()
    page = Response(help_page(book, to), content_type=MARKDOWN)
    return _cached(with_content_language(page, to))


def _rulebook(rulebook: str) -> Rulebook[Any]:
    book = services().games.rulebooks.get(rulebook)
    if book is None:
        raise rulebook_not_found("no-such-rulebook", rulebook, services().games.rulebooks)
    return book


def _cached(response: Response) -> Response:
    """Mark a response as cacheable; make it a 304 for a client that has it already."""
    response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:16])
    response.headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}"
    response.make_conditional(request)
    return response


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
    (root,), components = struct_schemas([kind], "#/$defs/{name}")
    schema = components.pop(root["$ref"].removeprefix("#/$defs/"))
    return schema | ({"$defs": components} if components else {})
