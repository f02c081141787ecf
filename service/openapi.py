"""The OpenAPI document, made from the operations and the types that they declare.

``python -m service.openapi`` prints it as YAML: that is ``openapi.yaml``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from games.rulebooks import RULEBOOKS
from service import vocabulary
from service.contract import BODY_LIMIT, OPERATIONS, Answer, Operation
from service.examples import examples
from service.limits import CREATED_PER_MINUTE, OPEN_GAMES, REQUESTS_PER_SECOND, STREAMS
from service.problems import PROBLEMS, URN
from service.shapes import ProblemShown

VERSION = "0.1.0"
ROOT = ("operations", "metrics", "keys")
"""The tags of routes that stand outside the base path."""

TAGS = {
    "rulebooks": "What can be played here.",
    "games": "Create a game, look at it, start it.",
    "seats": "Sit down and stand up.",
    "play": "What a seat is asked, and its answers.",
    "events": "What happened, and what happens.",
    "players": "The lists of games, what players have done, and standings.",
    "records": "Games that are over, to be kept, and audits.",
    "keys": "The keys that records are signed with.",
    "operations": "Is the service well, and this document.",
    "metrics": "What the service counts.",
}

LINES = {"description": "Lines, each a JSON value of its own. Whatever is sent is looked at."}
"""The schema of a body that a view reads by itself."""

IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": (
        "A random text of your own, such as a UUID. The same request under the same key is carried out once; whoever "
        "knows the key gets the same answer with the same token, so keep it to yourself."
    ),
    "schema": {"type": "string", "minLength": 16, "maxLength": 128},
}

PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "game": {"description": "the id of a game", "schema": {"type": "string", "pattern": "^[0-9a-z]{16}$"}},
    "seat": {"description": "a seat, from 0", "schema": {"type": "integer", "minimum": 0, "maximum": 63}},
    "rulebook": {
        "description": "the id of a rulebook, as `GET /v1/rulebooks` lists them",
        "schema": {"type": "string", "minLength": 1},
        "example": "six-nimmt",
    },
    "player": {
        "description": "the opaque id that was given when a seat was taken",
        "schema": {"type": "string", "minLength": 1},
        "example": "ana-17",
    },
}

ACCEPT_LANGUAGE = {
    "name": "Accept-Language",
    "description": "The language of prompts, titles and refusals: `en` or `fr`; English for any other.",
    "schema": {"type": "string"},
    "example": "fr",
}
REQUEST_ID = {
    "description": "names this request in the logs of the service: tell it when you ask about one",
    "schema": {"type": "string"},
}

JSON = "application/json"
PROBLEM = "application/problem+json"

TOKENS = {
    "seatToken": "The `token` that was given with a seat.",
    "hostToken": "The `host_token` that was given to who created the game.",
}
ACCESS: dict[str, list[dict[str, list[str]]]] = {
    "seat": [{"seatToken": []}],
    "host": [{"hostToken": []}],
    "either": [{"hostToken": []}, {"seatToken": []}],
    "host-if-any": [{"hostToken": []}, {}],
    "any": [{"hostToken": []}, {"seatToken": []}, {}],
}
"""By the access that a route declares: the tokens that it takes; an empty one: it does without."""

IN_LANGUAGE = {"Content-Language": "the language of the sentences: `en` or `fr`"}
PROBLEM_HEADERS = {
    401: {"WWW-Authenticate": "how to send a token"},
    429: {"Retry-After": "seconds after which to try again, where time helps"},
    503: {"Retry-After": "seconds after which to try again"},
}

ABOUT = f"""Croupier is a headless card table: it deals, enforces the rules, keeps every hand secret, runs the clocks, \
and keeps the record of each game. It has no screen of its own: this contract is all that a client needs.

## A game in five calls

1. **Create it**: `POST /v1/games` with `{{"rulebook": "six-nimmt", "seats": 2}}`. The answer holds the game's id and
   the `host_token`.
2. **Sit down**: `POST /v1/games/{{game}}/seats` with `{{"name": "Ana"}}`, once for each seat. The answer holds the
   seat's `token`, which is told only once. The host may let a bot sit down: `{{"bot": "random"}}`, with the host's
   token. With the last seat taken the game starts.
3. **What am I asked?** `GET /v1/games/{{game}}/choices` with the seat's token. Each choice has an id, a prompt, perhaps
   a deadline, and a `schema`: JSON Schema of all its legal answers. An empty list: it is for others to act.
4. **Answer**: `POST /v1/games/{{game}}/commands` with the choice's id, a `move` and its `args`, as the schema has them.
   The answer holds what happened, as far as the seat may see it, and what it is asked next.
5. **Look**: `GET /v1/games/{{game}}` shows the table. Then 3 and 4 again until its `status` is `finished`.

A client that knows no rulebook can play every game: whatever fits the `schema` of a choice is accepted, but
for the few combinations that the `description` of a move rules out.

## Access

Send a token as `Authorization: Bearer …`. A seat's token looks and answers for that seat; the host's starts and closes
the game and seats bots, and sees what a spectator sees. Public games are watched without a token, private ones with
their `code`. A token is good until somebody else sits down at its seat.

## What is hidden

Everything is shown as the bearer may see it. In the place of what it may not see there is `{{"hidden": n}}`, where `n`
says how many values are there: the schemas of facts and tables tell for each field whether that can happen. When a
game is over, all of it is open.

## To follow a game

Open a stream: `GET /v1/games/{{game}}/events` with `Accept: text/event-stream`, or `application/x-ndjson` for lines of
JSON. It begins with the game, tells each decision as it happens, and what your seat is asked when that changes, so
that nothing has to be polled. A stream that breaks off goes on at `Last-Event-ID` without a gap. Without such an
`Accept` the same route gives pages, and waits for news with `wait`.

## Refusals

They are problem documents (RFC 9457): `type` is stable and meant for programs, `title` and `detail` are for people.
Nothing has changed when one is sent. A refused command carries what the seat is asked now in `choices`.

| status | when |
| --- | --- |
| 400, 415 | the body is not JSON, or does not say that it is |
| 401, 403 | no token, one that is not good (any more), or one of another seat |
| 404 | there is no such thing, or none that the bearer may know of |
| 409 | it cannot be done now: the choice was answered, the move is not offered, the game is over … |
| 412 | the game is at another version than that of `If-Match` |
| 422 | a body or query that does not fit its schema; `faults` say where |
| 429, 503 | come again after `Retry-After` seconds |

## Safe to repeat

A command that comes again (same seat, choice, move and args) is not played twice: it gets the first decision, with
200 in the place of 201. `POST /v1/games` and `POST …/seats` do the same for the header `Idempotency-Key`. What was
acknowledged is on disk. With `If-Match` a command is refused once anything else has happened in the game.

## Languages

Prompts, titles of moves, refusals and help are given in English or French, by `Accept-Language`. Names of cards are
always given in both. Programs go by ids and types, which are the same in every language.

## Limits

{REQUESTS_PER_SECOND} requests a second of one token or address; {CREATED_PER_MINUTE} games created and seats taken a
minute, and {OPEN_GAMES} games that wait for their seats, from one address; {STREAMS} open streams of one token; \
{BODY_LIMIT // 1024} KiB a body. An installation may set others.

## Notation

Times are RFC 3339 in UTC with milliseconds; compare deadlines with the `now` of the same answer. Seats count from 0.
`version` is the number of the game's last decision, and its `ETag`. Unknown members of an answer are to be ignored:
more may come. Every answer has an `X-Request-ID`.
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
    for name, text in TOKENS.items():
        spec.components.security_scheme(name, {"type": "http", "scheme": "bearer", "description": text})
    spec.components.parameter("AcceptLanguage", "header", ACCEPT_LANGUAGE)
    spec.components.header("RequestId", REQUEST_ID)
    answers = [answer for op in OPERATIONS for answer in op.answers.values()]
    shapes = [answer.schema for answer in answers if _is_shape(answer.schema)]
    shapes += [schema for answer in answers for events in answer.streams.values() for schema in events.values()]
    _, components = msgspec.json.schema_components([*shapes, ProblemShown], ref_template="#/components/schemas/{name}")
    components |= vocabulary.components(RULEBOOKS.values(), "#/components/schemas/{name}")
    for name, schema in sorted(components.items()):
        spec.components.schema(name, _without_false(schema))
    for code, (status, title) in PROBLEMS.items():
        spec.components.response(f"{status}-{code}", _problem_response(code, title))
    for op in sorted(OPERATIONS, key=lambda op: list(TAGS).index(op.tag)):
        spec.path(path=_path(op), operations={op.method.lower(): _described(op)}, parameters=_path_parameters(op))
    for body in filter(None, (op.body for op in OPERATIONS)):
        if fields := getattr(body, "ONE_OF_THEM", ()):  # what one field of a marshmallow schema cannot say
            _split(spec.components.schemas, _name_of(body), fields)
    told = spec.to_dict()
    _open(told)
    return told


def _split(schemas: dict[str, Any], name: str, fields: tuple[str, ...]) -> None:
    """Describe a body that needs one of several fields as one of several whole bodies, as generators want them."""
    whole = schemas[name]
    for field in fields:
        given = {key: told for key, told in whole["properties"][field].items() if key != "default"}
        properties = whole["properties"] | {field: given | {"type": "string"}}
        schemas[f"{name}With{field.capitalize()}"] = {**whole, "required": [field], "properties": properties}
    schemas[name] = {"anyOf": [{"$ref": f"#/components/schemas/{name}With{field.capitalize()}"} for field in fields]}


def _open(schema: Any) -> None:
    """Say of every object without members of its own that it may have any: many tools take it for an empty one."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and not schema.keys() & {"properties", "additionalProperties", "anyOf"}:
            schema["additionalProperties"] = {}
        for name, inner in schema.items():
            if name not in ("example", "examples"):
                _open(inner)
    elif isinstance(schema, list):
        for inner in schema:
            _open(inner)


def _without_false(schema: Any) -> Any:
    """Leave out `items: false`, which apispec takes for the name of a schema; `maxItems` stands beside it."""
    if isinstance(schema, dict):
        return {key: _without_false(inner) for key, inner in schema.items() if (key, inner) != ("items", False)}
    return [_without_false(inner) for inner in schema] if isinstance(schema, list) else schema


def _name_of(schema: type[Schema] | Schema) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Schema")


def _is_shape(schema: Any) -> bool:
    return isinstance(schema, type) and issubclass(schema, msgspec.Struct)


def _path(op: Operation) -> str:
    prefix = "" if op.tag in ROOT else "/v1"
    return prefix + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", op.path)


def _path_parameters(op: Operation) -> list[dict[str, Any]]:
    names = re.findall(r"<(?:\w+:)?(\w+)>", op.path)
    return [{"in": "path", "name": name, "required": True} | PATH_PARAMETERS[name] for name in names]


def _described(op: Operation) -> dict[str, Any]:
    responses: dict[str, Any] = {str(status): _response(op, status, answer) for status, answer in op.answers.items()}
    by_status: dict[int, list[str]] = {}
    for code in _all_problems(op):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = _problems_response(codes, _example(op, status, PROBLEM))
    described: dict[str, Any] = {
        "operationId": op.view.__name__,
        "summary": op.summary,
        "description": op.description,
        "tags": [op.tag],
        "responses": responses,
    }
    if op.access != "none":
        described["security"] = ACCESS[op.access]
    if op.body is not None:
        told_as = getattr(op.body, "TOLD_AS", None)
        body = {"$ref": f"#/components/schemas/{told_as}"} if told_as else op.body
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": body} | _example(op, "request", JSON)},
        }
    if op.takes is not None:
        described["requestBody"] = {"required": True, "content": {op.takes: {"schema": LINES}}}
    parameters: list[Any] = [{"in": "query", "schema": op.query}] if op.query is not None else []
    if op.idempotent:
        parameters.append(IDEMPOTENCY_KEY)
    parameters += [dict(parameter) for parameter in op.parameters]
    if op.tag not in ROOT:
        parameters.append("AcceptLanguage")  # a reference, to apispec
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


def _example(op: Operation, status: int | str, content_type: str) -> dict[str, Any]:
    known = examples()
    key = op.view.__name__, str(status), content_type
    return {"example": known[key]} if key in known else {}


def _response(op: Operation, status: int, answer: Answer) -> dict[str, Any]:
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
    for content_type, media in response.get("content", {}).items():
        media.update(_example(op, status, content_type))
    if answer.links:
        response["links"] = {name: dict(link) for name, link in answer.links.items()}
    response["headers"] = _headers(answer.headers)
    return response


def _headers(headers: Mapping[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}
    return told | {"X-Request-ID": {"$ref": "#/components/headers/RequestId"}}


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
            {"type": "object", "properties": {"type": {"type": "string", "enum": [URN + code]}}},
        ]
    }
    headers = _headers(PROBLEM_HEADERS.get(PROBLEMS[code][0], {}) | IN_LANGUAGE)
    return {"description": title, "headers": headers, "content": {PROBLEM: {"schema": schema}}}


def _problems_response(codes: list[str], example: dict[str, Any]) -> dict[str, Any]:
    if len(codes) == 1:
        return {"$ref": f"#/components/responses/{PROBLEMS[codes[0]][0]}-{codes[0]}"}
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/ProblemShown"},
            {"type": "object", "properties": {"type": {"type": "string", "enum": [URN + code for code in codes]}}},
        ]
    }
    titles = "; ".join(f"{PROBLEMS[code][1]} (`{code}`)" for code in codes)
    headers = _headers(PROBLEM_HEADERS.get(PROBLEMS[codes[0]][0], {}) | IN_LANGUAGE)
    return {"description": titles, "headers": headers, "content": {PROBLEM: {"schema": schema} | example}}


class _Plain(yaml.SafeDumper):
    """Writes what occurs twice twice: an alias is no easier to read."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def as_yaml() -> str:
    """Give the document as it is kept in `openapi.yaml`."""
    return str(yaml.dump(document(), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110))


if __name__ == "__main__":
    import service.app  # noqa: F401 - its resources declare the operations

    sys.stdout.write(as_yaml())
