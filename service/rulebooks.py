"""Rulebooks: the kinds of game that can be played here."""

from __future__ import annotations

import inspect
from typing import Any

import msgspec
from flask import Blueprint, Response

from games.kernel import Rulebook
from service.answers import reply
from service.contract import Answer, operation
from service.house import house
from service.problems import Problem
from service.shapes import RulebookDetail, Rulebooks, RulebookShown

bp = Blueprint("rulebooks", __name__)


@operation(
    bp,
    "GET",
    "/rulebooks",
    summary="What can be played?",
    answers={200: Answer("Every rulebook.", Rulebooks)},
)
def list_rulebooks() -> Response:
    """List the kinds of game that can be played here, each with its options as JSON Schema."""
    return reply(Rulebooks([RulebookShown(**_summary(rulebook)) for rulebook in house().games.rulebooks.values()]))


@operation(
    bp,
    "GET",
    "/rulebooks/<rulebook>",
    summary="One rulebook",
    answers={200: Answer("The rulebook.", RulebookDetail)},
    problems=("no-such-rulebook",),
)
def look_at_rulebook(rulebook: str) -> Response:
    """Give one kind of game, with its moves and the schemas of its facts."""
    found = house().games.rulebooks.get(rulebook)
    if found is None:
        raise Problem("no-such-rulebook", f"there is no rulebook {rulebook!r} here")
    moves = {name: inspect.getdoc(rule) or "" for name, rule in sorted(found.rules.items())}
    facts = {str(kind.__struct_config__.tag): _schema(kind) for kind in found.facts}
    return reply(RulebookDetail(**_summary(found), moves=moves, facts=facts))


def _summary(rulebook: Rulebook[Any]) -> dict[str, Any]:
    return {
        "rulebook": rulebook.id,
        "edition": rulebook.edition,
        "names": dict(rulebook.names),
        "seats": list(rulebook.seats),
        "options": _schema(rulebook.options),
    }


def _schema(kind: type[Any]) -> dict[str, Any]:
    """Give the JSON Schema of a type of record, closed to unknown members, with what it refers to inside."""
    (root,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = components.pop(root["$ref"].removeprefix("#/$defs/"))
    return schema | ({"$defs": components} if components else {})
