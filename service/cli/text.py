"""Rendering: a view of a game as text for a terminal, for any rulebook."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

SHORT = 100
"""The most characters of a nested value that is written on one line."""

INDENT = "  "


def is_hidden(value: Any) -> bool:
    """Is this the placeholder for something that may not be seen?"""
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
            told = {name: brief(inner) for name, inner in value.items() if not is_empty(inner)}
            return ", ".join(f"{words(name)} {text}" for name, text in told.items() if text)
        case list() | tuple():
            inner = [f"({brief(item)})" if isinstance(item, (dict, list, tuple)) else brief(item) for item in value]
            return " ".join(inner) if inner else "none"
    return str(value)


def is_empty(value: Any) -> bool:
    """Does a value say nothing, being absent, false or empty?"""
    return value is None or value is False or value in ([], {}, (), {"hidden": 0})


def words(name: str) -> str:
    """Write the name of a field or fact as words."""
    return name.replace("_", " ")


def fact_line(fact: dict[str, Any]) -> str:
    """Write a fact, as a viewer sees it, on one line: its name, then its fields."""
    told = brief({name: value for name, value in fact.items() if name != "type"})
    return f"{words(fact['type'])}: {told}" if told else words(fact["type"])


def table_lines(seen: Any, width: int) -> Iterator[str]:
    """Write a table, as a viewer sees it: one field per line, with long values broken down into lines of their own."""
    for line in _lines(seen):
        yield from textwrap.wrap(line, width, subsequent_indent=_indent(line) + 2 * INDENT, break_long_words=False)


def _lines(seen: Any) -> Iterator[str]:
    items = seen.items() if isinstance(seen, dict) else map(_labelled, enumerate(seen, 1))
    for name, value in items:
        if isinstance(seen, dict) and (is_empty(value) or brief(value) == ""):
            continue
        if _is_long(value):
            yield f"{words(name)}:"
            yield from (INDENT + line for line in _lines(value))
        else:
            yield f"{words(name)}: {brief(value)}"


def _labelled(counted: tuple[int, Any]) -> tuple[str, Any]:
    """Label an item of a list: by its seat, if it has one, else by its position."""
    place, value = counted
    if isinstance(value, dict) and "seat" in value:
        return f"seat {value['seat']}", {name: inner for name, inner in value.items() if name != "seat"}
    return str(place), value


def _is_long(value: Any) -> bool:
    if not isinstance(value, (dict, list, tuple)) or is_hidden(value):
        return False
    items = value.values() if isinstance(value, dict) else value
    nested = any(isinstance(item, (dict, list, tuple)) and not is_hidden(item) for item in items)
    return nested and len(brief(value)) > SHORT


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
