"""Text for a terminal: facts and states of any rulebook."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

MAX_INLINE = 100
"""Nested values with more characters get lines of their own."""

INDENT = "  "


def is_hidden(value: Any) -> bool:
    """Is this the placeholder for a hidden value?"""
    return isinstance(value, dict) and value.keys() == {"hidden"}


def brief(value: Any) -> str:
    """Write a value on one line."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case {"hidden": number} if is_hidden(value):
            return f"[{number} hidden]"
        case dict():
            fields = {name: brief(inner) for name, inner in value.items() if not is_empty(inner)}
            return ", ".join(f"{words(name)} {text}" for name, text in fields.items() if text)
        case list() | tuple():
            inner = [f"({brief(item)})" if isinstance(item, (dict, list, tuple)) else brief(item) for item in value]
            return " ".join(inner) if inner else "none"
    return str(value)


def is_empty(value: Any) -> bool:
    """Is a value missing, false or empty?"""
    return value is None or value is False or value in ([], {}, (), {"hidden": 0})


def words(name: str) -> str:
    """Write the name of a field or fact as words."""
    return name.replace("_", " ")


def fact_line(fact: dict[str, Any]) -> str:
    """Write a fact on one line: its name, then its fields."""
    fields = brief({name: value for name, value in fact.items() if name != "type"})
    return f"{words(fact['type'])}: {fields}" if fields else words(fact["type"])


def state_lines(state: Any, width: int) -> Iterator[str]:
    """Write a state, one field per line; long values get indented lines of their own."""
    for line in _lines(state):
        yield from textwrap.wrap(line, width, subsequent_indent=_indent(line) + 2 * INDENT, break_long_words=False)


def _lines(value: Any) -> Iterator[str]:
    items = value.items() if isinstance(value, dict) else map(_labelled, enumerate(value, 1))
    for name, inner in items:
        if isinstance(value, dict) and (is_empty(inner) or brief(inner) == ""):
            continue
        if _is_long(inner):
            yield f"{words(name)}:"
            yield from (INDENT + line for line in _lines(inner))
        else:
            yield f"{words(name)}: {brief(inner)}"


def _labelled(numbered: tuple[int, Any]) -> tuple[str, Any]:
    """Label an item of a list: by its seat, if it has one, else by its number."""
    number, value = numbered
    if isinstance(value, dict) and "seat" in value:
        return f"seat {value['seat']}", {name: inner for name, inner in value.items() if name != "seat"}
    return str(number), value


def _is_long(value: Any) -> bool:
    if not isinstance(value, (dict, list, tuple)) or is_hidden(value):
        return False
    items = value.values() if isinstance(value, dict) else value
    nested = any(isinstance(item, (dict, list, tuple)) and not is_hidden(item) for item in items)
    return nested and len(brief(value)) > MAX_INLINE


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
