"""Upcasts: facts written in an older form are converted when they are read. The log itself is never edited."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""Converts a fact from the form that it has in the log to the next one; both are plain values, `type` included. It may
change the type; if it does not, it must return a fact that already has today's form unchanged."""


def decoder(kind: Any, upcasts: Mapping[str, Upcast]) -> Callable[[bytes], Any]:
    """Return a function that decodes a type of record from stored bytes, and applies upcasts, given by type of fact."""
    decode = msgspec.json.Decoder(kind).decode
    marks = [f'"type":"{name}"'.encode() for name in upcasts]
    if not marks:
        return decode

    def read(stored: bytes) -> Any:
        if any(mark in stored for mark in marks):
            return msgspec.convert(_upcast(msgspec.json.decode(stored), upcasts), kind)
        return decode(stored)

    return read


def _upcast(value: Any, upcasts: Mapping[str, Upcast]) -> Any:
    """Convert every fact inside a value: those of a decision, and those to come in its flow."""
    if isinstance(value, list):
        return [_upcast(inner, upcasts) for inner in value]
    if not isinstance(value, dict):
        return value
    converted = {name: _upcast(inner, upcasts) for name, inner in value.items()}
    name = converted.get("type")
    while isinstance(name, str) and name in upcasts:
        converted = upcasts[name](converted)
        if converted["type"] == name:
            break
        name = converted["type"]
    return converted
