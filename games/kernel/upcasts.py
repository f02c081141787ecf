"""Upcasts: facts that were written in an older form are lifted when they are read. The log is never edited."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""Gives a fact, as it stands in the log, in the next form: plain values, its `type` among them. It may be given a new
type; where the type stays, a fact that has today's form already must be given back as it is."""


def reader(kind: Any, upcasts: Mapping[str, Upcast]) -> Callable[[bytes], Any]:
    """Give what reads a type of record from the bytes of the log, with the upcasts of facts by their type."""
    decode = msgspec.json.Decoder(kind).decode
    marks = [f'"type":"{name}"'.encode() for name in upcasts]
    if not marks:
        return decode

    def read(stored: bytes) -> Any:
        if any(mark in stored for mark in marks):
            return msgspec.convert(_lifted(msgspec.json.decode(stored), upcasts), kind)
        return decode(stored)

    return read


def _lifted(value: Any, upcasts: Mapping[str, Upcast]) -> Any:
    """Lift every fact inside a value: among the facts of a decision, and among those to come in its flow."""
    if isinstance(value, list):
        return [_lifted(inner, upcasts) for inner in value]
    if not isinstance(value, dict):
        return value
    lifted = {name: _lifted(inner, upcasts) for name, inner in value.items()}
    name = lifted.get("type")
    while isinstance(name, str) and name in upcasts:
        lifted = upcasts[name](lifted)
        if lifted["type"] == name:
            break
        name = lifted["type"]
    return lifted
