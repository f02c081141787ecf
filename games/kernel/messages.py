"""Sentences for people: prompts and refusals, written in English in a form that can be translated.

The rules know nothing of languages. A sentence keeps its template and its values apart; whoever shows it to a person
looks the template up in a catalogue. A text without values may be a plain string.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Message(Struct, frozen=True):
    """A template in English, in the syntax of `str.format`, and its values; a value may itself be a sentence."""

    template: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return self.template.format(**self.values) if self.values else self.template


Text = str | Message
"""What is said to a person: a text without values, or a sentence."""


def msg(template: str, **values: Any) -> Message:
    """Make a sentence: `say("keep {limit} stones", limit=4)`. Write the template in the call, where it can be found."""
    return Message(template, values)
