"""The OpenAPI document, generated from the endpoints and the types that they declare.

``python -m service.cli.openapi`` prints it as YAML, which is kept in ``openapi.yaml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from games.rulebooks import RULEBOOKS
from service.http.content_types import EVENT_STREAM, JSON, PROBLEM_JSON
from service.http.endpoint import Endpoint, ResponseSpec
from service.openapi.api_description import DESCRIPTION, TAGS, TOKENS
from service.openapi.examples import examples
from service.schemas import rulebook_schemas
from service.schemas.problems import PROBLEMS, URN
from service.schemas.responses import ProblemView

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
VERSION: str = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"]
BASE_PATH = "/v1/"
"""All paths begin with it, except those for operators and for the keys of records."""

LINES = {"description": "Lines, each of them a JSON value."}
"""The schema of a body that a view reads by itself."""

IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": (
        "A random text of 16 to 128 characters, such as a UUID. A request that is repeated with the same key is "
        "carried out once. Keep the key secret: whoever knows it gets the same response, with the token. A request "
        "for another game with the same key is refused. For seats, the key is combined with `name` and `player`: "
        "another name or player with the same key gets another seat."
    ),
    "schema": {"type": "string", "minLength": 16, "maxLength": 128},
}

PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "game": {"description": "the id of a game", "schema": {"type": "string", "pattern": "^[0-9a-z]{16}$"}},
    "seat": {"description": "the number of a seat, from 0", "schema": {"type": "integer", "minimum": 0, "maximum": 63}},
    "rulebook": {
        "description": "the id of a rulebook, as `GET /v1/rulebooks` lists them",
        "schema": {"type": "string", "minLength": 1},
        "example": "six-nimmt",
    },
    "player": {
        "description": "the opaque id that was sent when a seat was taken",
        "schema": {"type": "string", "minLength": 1},
        "example": "ana-17",
    },
}

ACCEPT_LANGUAGE = {
    "name": "Accept-Language",
    "description": "The language of prompts, titles and refusals: `en` or `fr`; English for any other.",
    "schema": {"type": "string"},
    "example": "en",
}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "description": "The `ETag` of your latest response. If it is still current, the response is 304 without a body.",
    "schema": {"type": "string"},
}
IF_MATCH = {
    "name": "If-Match",
    "description": "Refuse the request unless the game is at the version of this `ETag` (or of one of several).",
    "schema": {"type": "string"},
}
REQUEST_ID = {
    "description": "identifies the request in the logs of the service",
    "schema": {"type": "string"},
}

ACCESS: dict[str, list[dict[str, list[str]]]] = {
    "seat": [{"seatToken": []}],
    "host": [{"hostToken": []}],
    "either": [{"hostToken": []}, {"seatToken": []}],
    "host-if-any": [{"hostToken": []}, {}],
    "any": [{"hostToken": []}, {"seatToken": []}, {}],
}
"""The tokens that a route takes, by the access that it declares; an empty entry: it also works without one."""

IN_LANGUAGE = {"Content-Language": "the language of `title` and `detail`: `en` or `fr`"}
PROBLEM_HEADERS = {
    401: {"WWW-Authenticate": "how to send a token"},
    429: {"Retry-After": "seconds after which to try again, if waiting helps"},
    503: {"Retry-After": "seconds after which to try again"},
}


def build_document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of some endpoints as plain values."""
    spec = APISpec(
        title="Croupier",
        version=VERSION,
        openapi_version="3.1.0",
        plugins=[MarshmallowPlugin(schema_name_resolver=_component_name)],
        info={"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/"}],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
    )
    for name, text in TOKENS.items():
        spec.components.security_scheme(name, {"type": "http", "scheme": "bearer", "description": text})
    spec.components.parameter("AcceptLanguage", "header", ACCEPT_LANGUAGE)
    spec.components.parameter("IfNoneMatch", "header", IF_NONE_MATCH)
    spec.components.parameter("IfMatch", "header", IF_MATCH)
    spec.components.header("RequestId", REQUEST_ID)
    for code in PROBLEMS:
        if example := _refusal(code):
            spec.components.example(code, {"value": example})
    response_specs = [response for op in endpoints for response in op.responses.values()]
    structs = [response.schema for response in response_specs if _is_struct(response.schema)]
    structs += [
        schema for response in response_specs for events in response.streams.values() for schema in events.values()
    ]
    _, components = rulebook_schemas.struct_schemas([*structs, ProblemView], "#/components/schemas/{name}")
    components |= rulebook_schemas.components(RULEBOOKS.values(), "#/components/schemas/{name}")
    for name, schema in sorted(components.items()):
        spec.components.schema(name, rulebook_schemas.without_false(_without_none(schema)))
    for code, (status, title) in PROBLEMS.items():
        spec.components.response(f"{status}-{code}", _refused([code], title))
    for op in sorted(endpoints, key=lambda op: list(TAGS).index(op.tag)):
        spec.path(path=_path(op), operations={op.method.lower(): _described(op)}, parameters=_path_parameters(op))
    for body in filter(None, (op.body for op in endpoints)):
        if fields := getattr(body, "ALTERNATIVES", {}):  # no field of a marshmallow schema can say this
            _split(spec.components.schemas, _component_name(body), fields)
    document: dict[str, Any] = spec.to_dict()
    _open(document)
    return document


def _split(schemas: dict[str, Any], name: str, fields: dict[str, str]) -> None:
    """Describe a body that needs one of several fields as alternative bodies, which client generators support."""
    schema = schemas[name]
    for field, title in fields.items():
        field_schema = {key: value for key, value in schema["properties"][field].items() if key != "default"}
        properties = schema["properties"] | {field: field_schema | {"type": "string"}}
        schemas[f"{name}With{field.capitalize()}"] = {
            **schema,
            "title": title,
            "required": [field],
            "properties": properties,
        }
    schemas[name] = {"anyOf": [{"$ref": f"#/components/schemas/{name}With{field.capitalize()}"} for field in fields]}


def _open(schema: Any) -> None:
    """Declare that an object without declared members may have any members: many tools would assume it is empty."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and not schema.keys() & {"properties", "additionalProperties", "anyOf"}:
            schema["additionalProperties"] = {}
        for name, inner in schema.items():
            if name not in ("example", "examples"):
                _open(inner)
    elif isinstance(schema, list):
        for inner in schema:
            _open(inner)


def _without_none(schema: Any, name: str = "") -> Any:
    """Write null for None in descriptions, which come from docstrings, and join the lines of each paragraph."""
    if isinstance(schema, dict):
        return {key: _without_none(inner, key) for key, inner in schema.items()}
    if isinstance(schema, list):
        return [_without_none(inner) for inner in schema]
    return rulebook_schemas.client_text(schema) if name == "description" and isinstance(schema, str) else schema


def _component_name(schema: type[Schema] | Schema) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Schema")


def _is_struct(schema: Any) -> bool:
    return isinstance(schema, type) and issubclass(schema, msgspec.Struct)


def _path(op: Endpoint) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", op.path)


def _path_parameters(op: Endpoint) -> list[dict[str, Any]]:
    names = re.findall(r"<(?:\w+:)?(\w+)>", op.path)
    return [{"in": "path", "name": name, "required": True} | PATH_PARAMETERS[name] for name in names]


def _described(op: Endpoint) -> dict[str, Any]:
    responses: dict[str, Any] = {
        str(status): _response(op, status, response) for status, response in op.responses.items()
    }
    by_status: dict[int, list[str]] = {}
    for code in _all_problems(op):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = _problems_response(codes)
    described: dict[str, Any] = {
        "operationId": op.operation,
        "summary": op.summary,
        "description": op.description,
        "tags": [op.tag],
        "responses": responses,
    }
    if op.access != "none":
        described["security"] = ACCESS[op.access]
    if op.body is not None:
        documented_as = getattr(op.body, "DOCUMENTED_AS", None)
        body = {"$ref": f"#/components/schemas/{documented_as}"} if documented_as else op.body
        described["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": body} | _example(op, "request", JSON)},
        }
    if op.content_type is not None:
        content = {op.content_type: {"schema": LINES} | _example(op, "request", op.content_type)}
        described["requestBody"] = {"required": True, "content": content}
    parameters: list[Any] = [{"in": "query", "schema": op.query}] if op.query is not None else []
    if op.idempotent:
        parameters.append(IDEMPOTENCY_KEY)
    parameters += [dict(parameter) for parameter in op.parameters]
    if 304 in op.responses:
        parameters.append("IfNoneMatch")  # a reference, to apispec
    if "version-mismatch" in op.problems:
        parameters.append("IfMatch")
    if op.path.startswith(BASE_PATH):
        parameters.append("AcceptLanguage")
    if parameters:
        described["parameters"] = parameters
    return described


def _all_problems(op: Endpoint) -> list[str]:
    """Return the problems that a route declares, and those that every route of its kind can have."""
    codes = list(op.problems)
    if "<" in op.path:
        codes += ["not-found"]  # a parameter with a slash, or a seat that is no number
    if op.body is not None:
        codes += ["not-json", "body-timeout", "too-large", "not-json-type", "invalid"]
    elif op.query is not None:
        codes += ["invalid"]
    if op.path.startswith(BASE_PATH):
        codes += ["too-many-requests"]
    if op.path.startswith(BASE_PATH) and op.tag != "rulebooks":
        codes += ["store-unavailable"]
    return codes


def _example(op: Endpoint, status: int | str, content_type: str) -> dict[str, Any]:
    """Return the recorded example; a repeated request (200) has that of the first one (201)."""
    known, name = examples(), op.operation
    keys = [(name, str(status), content_type)] + [(name, "201", content_type)] * (status == 200)
    return next(({"example": known[key]} for key in keys if key in known), {})


def _refusal(code: str) -> Any:
    """Return the recorded example of a problem, if there is one: it is the same for every route."""
    return examples().get((code, str(PROBLEMS[code][0]), PROBLEM_JSON))


def _refusals(codes: Iterable[str]) -> dict[str, Any]:
    refusals = {code: {"$ref": f"#/components/examples/{code}"} for code in codes if _refusal(code)}
    return {"examples": refusals} if refusals else {}


def _response(op: Endpoint, status: int, response_spec: ResponseSpec) -> dict[str, Any]:
    response: dict[str, Any] = {"description": response_spec.description}
    if _is_struct(response_spec.schema):
        schema = {"$ref": f"#/components/schemas/{response_spec.schema.__name__}"}
        response["content"] = {response_spec.content_type: {"schema": schema}}
    elif response_spec.schema is str:
        response["content"] = {response_spec.content_type: {"schema": {"type": "string"}}}
    elif response_spec.schema is dict:
        response["content"] = {response_spec.content_type: {"schema": {"type": "object"}}}
    for content_type, events in response_spec.streams.items():
        write = _server_sent_event if content_type == EVENT_STREAM else _line
        one_of = [write(name, shape) for name, shape in events.items()]
        response["content"][content_type] = {"schema": {"oneOf": one_of}}
    for content_type, media in response.get("content", {}).items():
        media.update(_example(op, status, content_type))
    if response_spec.links:
        response["links"] = {name: dict(link) for name, link in response_spec.links.items()}
    response["headers"] = _headers(response_spec.headers)
    return response


def _headers(headers: Mapping[str, str]) -> dict[str, Any]:
    described: dict[str, Any] = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()
    }
    return described | {"X-Request-ID": {"$ref": "#/components/headers/RequestId"}}


def _server_sent_event(name: str, schema: Any) -> dict[str, Any]:
    """Return the schema of one Server-Sent Event, as an object made of its fields."""
    content = {"$ref": f"#/components/schemas/{schema.__name__}"}
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": content}
    fields = {"id": {"type": "string"}, "event": {"const": name}, "data": data}
    return {"type": "object", "properties": fields, "required": ["event", "data"]}


def _line(name: str, schema: Any) -> dict[str, Any]:
    """Return the schema of one line of an NDJSON stream."""
    typed = {"type": "object", "properties": {"type": {"const": name}}, "required": ["type"]}
    return {"allOf": [{"$ref": f"#/components/schemas/{schema.__name__}"}, typed]}


def _problems_response(codes: list[str]) -> dict[str, Any]:
    if len(codes) == 1:
        return {"$ref": f"#/components/responses/{PROBLEMS[codes[0]][0]}-{codes[0]}"}
    return _refused(codes, "; ".join(f"{PROBLEMS[code][1]} (`{code}`)" for code in codes))


def _refused(codes: list[str], description: str) -> dict[str, Any]:
    """Describe the response to a request that is refused for one of several reasons with the same status."""
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/ProblemView"},
            {"type": "object", "properties": {"type": {"type": "string", "enum": [URN + code for code in codes]}}},
        ]
    }
    headers = _headers(PROBLEM_HEADERS.get(PROBLEMS[codes[0]][0], {}) | IN_LANGUAGE)
    return {
        "description": description,
        "headers": headers,
        "content": {PROBLEM_JSON: {"schema": schema} | _refusals(codes)},
    }


class _Plain(yaml.SafeDumper):
    """Writes repeated values out in full: aliases are no easier to read."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def as_yaml(document: Mapping[str, Any]) -> str:
    """Return a document as it is kept in `openapi.yaml`."""
    return str(yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110))
