"""The OpenAPI document, made from the operations and the types that they declare.

``python -m service.openapi`` prints it as YAML: that is ``openapi.yaml``.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import Any

import msgspec
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from games.rulebooks import RULEBOOKS
from service import vocabulary
from service.contract import OPERATIONS, Answer, Operation
from service.problems import PROBLEMS, URN
from service.shapes import ProblemShown

VERSION = "0.1.0"
ROOT = ("operations", "keys")
"""The tags of routes that stand outside the base path."""

TAGS = {
    "rulebooks": "What can be played here.",
    "games": "Create a game, look at it, start it.",
    "players": "The lists of games, what players have done, and standings.",
    "seats": "Sit down and stand up.",
    "play": "What a seat is asked, and its answers.",
    "events": "What happened, and what happens.",
    "records": "Games that are over, to be kept, and audits.",
    "keys": "The keys that records are signed with.",
    "operations": "Is the service well, and this document.",
}

IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": (
        "A random text of your own, such as a UUID. The same request under the same key is carried out once; whoever "
        "knows the key gets the same answer with the same token, so keep it to yourself."
    ),
    "schema": {"type": "string", "minLength": 16, "maxLength": 128},
}

ABOUT = """A headless card table: it deals, enforces the rules, keeps hands secret and runs the clocks.

**A game in five calls**: create one (`POST /v1/games`), take its seats (`POST …/seats`, once for each), ask what
you may do (`GET …/choices`), and do it (`POST …/commands`). A client that knows no rulebook can play: each choice
carries all its legal answers as one JSON Schema.

**Access**: `POST /v1/games` gives the host's token, `POST …/seats` a seat's. Send one as `Authorization: Bearer …`.
Public games may be watched without one.

**To follow a game**, open a stream: `GET …/events` with `Accept: text/event-stream`, or `application/x-ndjson` for
lines of JSON. It begins with the game as you see it, tells each decision, and what your seat is asked when that
changes.

**Refusals** are problem documents (RFC 9457) with a stable `type`. Nothing has changed when one is sent. A command may
always be sent again: it is not played twice.
"""


@cache
def document() -> dict[str, Any]:
    """Give the OpenAPI 3.1 document as plain values."""
    spec = APISpec(
        title="Croupier",
        version=VERSION,
        openapi_version="3.1.0",
        plugins=[MarshmallowPlugin(schema_name_resolver=_name_of)],
        info={"description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/"}],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
    )
    spec.components.security_scheme(
        "token", {"type": "http", "scheme": "bearer", "description": "The token of a seat or of the host of a game."}
    )
    answers = [answer for op in OPERATIONS for answer in op.answers.values()]
    shapes = [answer.schema for answer in answers if _is_shape(answer.schema)]
    shapes += [schema for answer in answers for events in answer.streams.values() for schema in events.values()]
    _, components = msgspec.json.schema_components([*shapes, ProblemShown], ref_template="#/components/schemas/{name}")
    components |= vocabulary.components(RULEBOOKS.values(), "#/components/schemas/{name}")
    for name, schema in sorted(components.items()):
        spec.components.schema(name, schema)
    for code, (status, title) in PROBLEMS.items():
        spec.components.response(f"{status}-{code}", _problem_response(code, title))
    for op in OPERATIONS:
        spec.path(path=_path(op), operations={op.method.lower(): _described(op)}, parameters=_path_parameters(op))
    for body in filter(None, (op.body for op in OPERATIONS)):
        for field in getattr(body, "ONE_OF_THEM", ()):  # what one field of a marshmallow schema cannot say
            given = {"required": [field], "properties": {field: {"type": "string"}}}
            spec.components.schemas[_name_of(body)].setdefault("anyOf", []).append(given)
    return spec.to_dict()


def _name_of(schema: type[Schema] | Schema) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Schema")


def _is_shape(schema: Any) -> bool:
    return isinstance(schema, type) and issubclass(schema, msgspec.Struct)


def _path(op: Operation) -> str:
    prefix = "" if op.tag in ROOT else "/v1"
    return prefix + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", op.path)


def _path_parameters(op: Operation) -> list[dict[str, Any]]:
    schemas: dict[str, dict[str, Any]] = {
        "game": {"type": "string", "pattern": "^[0-9a-z]{16}$"},
        "seat": {"type": "integer", "minimum": 0, "maximum": 63},
        "rulebook": {"type": "string", "minLength": 1},
        "player": {"type": "string", "minLength": 1},
    }
    names = re.findall(r"<(?:\w+:)?(\w+)>", op.path)
    return [{"in": "path", "name": name, "required": True, "schema": schemas[name]} for name in names]


def _described(op: Operation) -> dict[str, Any]:
    responses: dict[str, Any] = {str(status): _response(answer) for status, answer in op.answers.items()}
    by_status: dict[int, list[str]] = {}
    for code in _all_problems(op):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = _problems_response(codes)
    described: dict[str, Any] = {
        "operationId": op.view.__name__,
        "summary": op.summary,
        "description": op.description,
        "tags": [op.tag],
        "responses": responses,
    }
    if op.access != "none":
        described["security"] = [{"token": []}] + ([{}] if op.access == "any" else [])
    if op.body is not None:
        told_as = getattr(op.body, "TOLD_AS", None)
        body = {"$ref": f"#/components/schemas/{told_as}"} if told_as else op.body
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    if op.takes is not None:
        described["requestBody"] = {"required": True, "content": {op.takes: {"schema": {"type": "string"}}}}
    parameters: list[dict[str, Any]] = [{"in": "query", "schema": op.query}] if op.query is not None else []
    if op.idempotent:
        parameters.append(IDEMPOTENCY_KEY)
    parameters += [dict(parameter) for parameter in op.parameters]
    if parameters:
        described["parameters"] = parameters
    return described


def _all_problems(op: Operation) -> list[str]:
    """Give the problems that a route declares, and those that every route of its kind can meet."""
    codes = list(op.problems)
    if "<" in op.path:
        codes += ["not-found"]  # a parameter with a slash, or a seat that is no number
    if op.body is not None:
        codes += ["not-json", "too-large", "not-json-type", "invalid"]
    elif op.query is not None:
        codes += ["invalid"]
    if op.tag not in ROOT:
        codes += ["too-many-requests"]
    if op.tag not in ROOT and op.tag != "rulebooks":
        codes += ["store-away"]
    return codes


def _response(answer: Answer) -> dict[str, Any]:
    response: dict[str, Any] = {"description": answer.description}
    if _is_shape(answer.schema):
        schema = {"$ref": f"#/components/schemas/{answer.schema.__name__}"}
        response["content"] = {answer.content_type: {"schema": schema}}
    elif answer.schema is str:
        response["content"] = {answer.content_type: {"schema": {"type": "string"}}}
    elif answer.schema is dict:
        response["content"] = {answer.content_type: {"schema": {"type": "object"}}}
    for content_type, events in answer.streams.items():
        write = _server_sent_event if content_type == "text/event-stream" else _line
        one_of = [write(name, shape) for name, shape in events.items()]
        response["content"][content_type] = {"schema": {"oneOf": one_of}}
    if answer.links:
        response["links"] = {name: dict(link) for name, link in answer.links.items()}
    if answer.headers:
        response["headers"] = {
            name: {"description": text, "schema": {"type": "string"}} for name, text in answer.headers.items()
        }
    return response


def _server_sent_event(name: str, schema: Any) -> dict[str, Any]:
    """Give the schema of one Server-Sent Event, as an object of its fields."""
    content = {"$ref": f"#/components/schemas/{schema.__name__}"}
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": content}
    fields = {"id": {"type": "string"}, "event": {"const": name}, "data": data}
    return {"type": "object", "properties": fields, "required": ["event", "data"]}


def _line(name: str, schema: Any) -> dict[str, Any]:
    """Give the schema of one line."""
    typed = {"type": "object", "properties": {"type": {"const": name}}, "required": ["type"]}
    return {"allOf": [{"$ref": f"#/components/schemas/{schema.__name__}"}, typed]}


def _problem_response(code: str, title: str) -> dict[str, Any]:
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/ProblemShown"},
            {"type": "object", "properties": {"type": {"const": URN + code}}},
        ]
    }
    return {"description": title, "content": {"application/problem+json": {"schema": schema}}}


def _problems_response(codes: list[str]) -> dict[str, Any]:
    if len(codes) == 1:
        return {"$ref": f"#/components/responses/{PROBLEMS[codes[0]][0]}-{codes[0]}"}
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/ProblemShown"},
            {"type": "object", "properties": {"type": {"enum": [URN + code for code in codes]}}},
        ]
    }
    titles = "; ".join(f"{PROBLEMS[code][1]} (`{code}`)" for code in codes)
    return {"description": titles, "content": {"application/problem+json": {"schema": schema}}}


def as_yaml() -> str:
    """Give the document as it is kept in `openapi.yaml`."""
    return yaml.safe_dump(document(), sort_keys=False, allow_unicode=True, width=110)


if __name__ == "__main__":
    import service.app  # noqa: F401 - its resources declare the operations

    sys.stdout.write(as_yaml())
