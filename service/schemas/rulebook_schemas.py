"""What a rulebook publishes, as JSON Schema: its moves, facts, state and cards as clients see them.

A field that is not for everyone may be shown as `{"hidden": n}`; the schemas say so. The texts of moves and of derived
values are declared by the rulebook; facts, states and cards are described by the docstrings of their classes.
"""

from __future__ import annotations

import inspect
import re
import types
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from games.kernel import Audience, Fact, Move, Rulebook, VisibleTo
from games.kernel.language.moves import Localize
from games.kernel.sessions.session import SESSION_FACTS
from service.schemas.requests import MAX_INTEGER

JsonSchema = dict[str, Any]

HIDDEN: JsonSchema = {
    "title": "Hidden",
    "description": "Stands for values that the caller may not see; `hidden` is their number.",
    "type": "object",
    "required": ["hidden"],
    "properties": {"hidden": {"type": "integer", "minimum": 0}},
    "additionalProperties": False,
}

NULL = re.compile(r"\bNone\b(?=[:.,;]| when| for| where)")


class SchemaBuilder:
    """Collects the schemas of records by name. `ref` is the template of references to them."""

    def __init__(self, prefix: str, ref: str) -> None:
        self.schemas: dict[str, JsonSchema] = {"Hidden": HIDDEN}
        self._prefix = prefix
        self._ref = ref

    def ref(self, name: str) -> JsonSchema:
        """Return a reference to a schema."""
        return {"$ref": self._ref.format(name=name)}

    def record(self, kind: type[Any], name: str | None = None) -> JsonSchema:
        """Describe a type of record as clients see it, under its own name or another; return a reference to it."""
        name = name or self._prefix + kind.__name__
        if name not in self.schemas:
            self.schemas[name] = {}  # stops the recursion of a record that contains its own type
            self.schemas[name] = self._describe_record(kind)
        return self.ref(name)

    def _describe_record(self, kind: type[Any]) -> JsonSchema:
        hints = get_type_hints(kind, include_extras=True)
        names: tuple[str, ...] = kind.__struct_fields__
        config = kind.__struct_config__
        properties: JsonSchema = {}
        if config.tag_field:
            properties[config.tag_field] = {"type": "string", "const": config.tag}
        properties |= {name: self._field(hints[name]) for name in names}
        schema: JsonSchema = {"type": "object", "required": list(properties), "properties": properties}
        if doc := _description(kind):
            schema["description"] = doc
        return schema

    def _field(self, hint: Any) -> JsonSchema:
        marks = [mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, (Audience, VisibleTo))]
        inner = get_args(hint)[0] if marks else hint
        schema = self.value(inner)
        if not marks or marks[0] is Audience.EVERYONE:
            return schema
        if marks[0] is Audience.NOBODY:
            empty = [{"type": "null"}] if type(None) in get_args(inner) else []
            return {"anyOf": [self.ref("Hidden"), *empty]} if empty else self.ref("Hidden")
        alternatives = schema["anyOf"] if schema.keys() == {"anyOf"} else [schema]
        return {"anyOf": [*alternatives, self.ref("Hidden")]}

    def value(self, hint: Any) -> JsonSchema:
        """Describe a type of value."""
        if not _holds_records(hint):
            return _plain(hint)
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.value(arguments[0])
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.value(argument) for argument in arguments]}
        if origin is tuple and arguments[-1] is ...:
            return {"type": "array", "items": self.value(arguments[0])}
        if origin is tuple:
            places = [self.value(argument) for argument in arguments]
            return {"type": "array", "prefixItems": places, "minItems": len(places), "maxItems": len(places)}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.value(arguments[1])}
        return self.record(hint)


def _plain(hint: Any) -> JsonSchema:
    """Describe a type of value that holds no records."""
    plain: JsonSchema = without_false(msgspec.json.schema(hint))
    return plain


def without_false(schema: Any) -> Any:
    """Remove `items: false` after `prefixItems`: `maxItems` says the same, and more tools understand it."""
    if isinstance(schema, dict):
        return {key: without_false(value) for key, value in schema.items() if not (key == "items" and value is False)}
    return [without_false(value) for value in schema] if isinstance(schema, list) else schema


def struct_schemas(kinds: Iterable[Any], ref: str) -> tuple[list[JsonSchema], dict[str, JsonSchema]]:
    """Return the schemas of some types, and the schemas of all structs in them by name, described by their `help`.

    `ref` is the template of references to structs.
    """
    listed = list(kinds)
    roots, schemas = msgspec.json.schema_components(listed, ref_template=ref)
    for kind in _structs(msgspec.inspect.multi_type_info(listed)):
        title, *rest = schemas[kind.__name__].items()
        if text := _description(kind):
            schemas[kind.__name__] = dict([title, ("description", text), *rest])
    return list(roots), schemas


def _structs(infos: Iterable[Any]) -> set[type[Any]]:
    """Return all types of structs in some descriptions of types."""
    structs: set[type[Any]] = set()
    pending = list(infos)
    while pending:
        info = pending.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls not in structs:
                structs.add(info.cls)
                pending += [field.type for field in info.fields]
        elif isinstance(info, msgspec.inspect.Type):
            values = [getattr(info, name) for name in info.__struct_fields__]
            parts = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
            pending += [part for part in parts if isinstance(part, msgspec.inspect.Type)]
    return structs


def _holds_records(hint: Any) -> bool:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return True
    return any(_holds_records(argument) for argument in get_args(hint) if argument is not ...)


def _description(kind: Any) -> str:
    """Return the declared `help` of a class, unless it is inherited, with each paragraph on one line."""
    return client_text(inspect.cleandoc(kind.__dict__.get("help", "")))


def client_text(text: str) -> str:
    """Convert a text of ours to what clients read: each paragraph on one line, and null for None."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    return NULL.sub("null", "\n\n".join(paragraphs))


# Moves.


def args_schema(move: Move[Any], localize: Localize = str) -> JsonSchema:
    """Return the schema of the arguments that a seat fills in."""
    hints = get_type_hints(move.body, include_extras=True)
    titles = move.arg_titles
    return {
        "type": "object",
        "required": list(titles),
        "properties": {name: {"title": localize(title), **_plain(hints[name])} for name, title in titles.items()},
        "additionalProperties": False,
    }


# For the contract and for `GET /rulebooks/{rulebook}`.


def fact_schemas(rulebook: Rulebook[Any]) -> dict[str, JsonSchema]:
    """Return the schema of each fact of a rulebook by its type, each self-contained."""
    return {str(kind.__struct_config__.tag): _complete(kind) for kind in rulebook.facts}


def _complete(kind: type[Any]) -> JsonSchema:
    builder = SchemaBuilder("", "#/$defs/{name}")
    builder.record(kind)
    root = builder.schemas.pop(kind.__name__)
    if not any(f"/{name}'" in str([root, builder.schemas]) for name in builder.schemas):
        return root
    return root | {"$defs": builder.schemas}


def components(rulebooks: Iterable[Rulebook[Any]], ref: str) -> dict[str, JsonSchema]:
    """Return the schemas `Command`, `Fact`, `State`, `Card`, `Derived` of all rulebooks, and those they refer to."""
    rulebooks = list(rulebooks)
    schemas: dict[str, JsonSchema] = {}
    tables, cards = [], []
    session = SchemaBuilder("Session", ref)
    facts: dict[str, list[tuple[SchemaBuilder, type[Fact]]]] = defaultdict(list)
    for fact in SESSION_FACTS:
        facts[fact.__name__].append((session, fact))
    builders = [session]
    for rulebook in rulebooks:
        prefix = _pascal(rulebook.id)
        builder = SchemaBuilder(prefix, ref)
        builders.append(builder)
        tables.append(builder.record(rulebook.state, f"{prefix}State"))
        builder.schemas[f"{prefix}State"].setdefault("title", f"The state of {rulebook.names['en']}")
        cards += [builder.record(kind) for kind in {type(card): None for card in rulebook.catalogue.values()}]
        for fact in rulebook.facts:
            facts[fact.__name__].append((builder, fact))
    schemas["Fact"] = _facts(facts, schemas, ref)
    schemas["State"] = {
        "description": "The state of the table as the caller may see it; one schema for each rulebook.",
        "anyOf": tables,
    }
    schemas["Card"] = {"description": "The data of a card; one schema for each rulebook.", "anyOf": cards}
    schemas["Derived"] = _derived(rulebooks)
    schemas["Command"] = _commands(rulebooks, schemas, ref)
    for builder in builders:
        schemas |= builder.schemas
    return schemas


def _derived(rulebooks: list[Rulebook[Any]]) -> JsonSchema:
    """Describe the derived values of rulebooks in words: they differ from rulebook to rulebook."""
    texts = [f"{rulebook.names['en']}: {rulebook.derived_help}" for rulebook in rulebooks if rulebook.derived_help]
    description = "\n\n".join(
        ["Values that a rulebook works out for front ends. Rulebooks not named here have none.", *texts]
    )
    return {"description": description, "type": "object", "additionalProperties": {}}


def _facts(
    facts: dict[str, list[tuple[SchemaBuilder, type[Fact]]]], schemas: dict[str, JsonSchema], ref: str
) -> JsonSchema:
    """Describe every fact; facts of several rulebooks with the same name become alternatives under that name."""
    mapping: dict[str, str] = {}
    for name, kinds in facts.items():
        component = f"Fact{name}"
        if len(kinds) == 1:
            (builder, kind) = kinds[0]
            builder.record(kind, component)
        else:
            alternatives = [builder.record(kind) for builder, kind in kinds]
            tag = {"type": "string", "const": str(kinds[0][1].__struct_config__.tag)}
            schemas[component] = {
                "type": "object",
                "required": ["type"],
                "properties": {"type": tag},
                "anyOf": alternatives,
            }
        mapping[str(kinds[0][1].__struct_config__.tag)] = ref.format(name=component)
    return _alternatives(mapping, "type", "Something that happened in the game; `type` says what.")


def _commands(rulebooks: list[Rulebook[Any]], schemas: dict[str, JsonSchema], ref: str) -> JsonSchema:
    """Describe every command; moves of several rulebooks with the same name become one, with alternative `args`."""
    moves: dict[str, dict[str, Move[Any]]] = defaultdict(dict)
    for rulebook in rulebooks:
        for name, move in rulebook.moves.items():
            moves[name][rulebook.names["en"]] = move
    titles = {
        name: " / ".join({move.title: None for move in by_rulebook.values()}) for name, by_rulebook in moves.items()
    }
    counts = Counter(titles.values())
    mapping: dict[str, str] = {}
    for name, by_rulebook in sorted(moves.items()):
        title = titles[name]
        args = [args_schema(move) for move in by_rulebook.values()]
        properties = {
            "choice": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_INTEGER,
                "description": "the `choice` that is answered",
            },
            "move": {"type": "string", "const": name},
            "args": args[0] if len(args) == 1 else {"anyOf": args},
        }
        has_args = any(move.arg_titles for move in by_rulebook.values())
        schemas[f"Move{_pascal(name)}"] = {
            "title": title if counts[title] == 1 else f"{title} ({name})",  # generators name types by their title
            "description": "\n\n".join(f"{rulebook}: {move.help}" for rulebook, move in by_rulebook.items()),
            "type": "object",
            "required": ["choice", "move", "args"] if has_args else ["choice", "move"],
            "properties": properties,
            "additionalProperties": False,
        }
        mapping[name] = ref.format(name=f"Move{_pascal(name)}")
    return _alternatives(mapping, "move", "An answer to a choice: one of the moves that its `schema` lists.")


def _alternatives(mapping: dict[str, str], property_name: str, description: str) -> JsonSchema:
    return {
        "description": description,
        "oneOf": [{"$ref": target} for target in mapping.values()],
        "discriminator": {"propertyName": property_name, "mapping": mapping},
    }


def _pascal(name: str) -> str:
    return "".join(part.capitalize() for part in name.replace("-", "_").split("_"))
