"""Sentences for people: prompts and refusals, in English, so made that they can be told in other languages.

The rules know no language. A sentence keeps its template and its values apart; whoever shows it to a person looks up
the template in a catalogue. A text without values may stand as it is.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Sentence(Struct, frozen=True):
    """A template in English, as `str.format` has it, and its values; a value may be a sentence itself."""

    template: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return self.template.format(**self.values) if self.values else self.template


Says = str | Sentence
"""What is said to a person: a text without values, or a sentence."""


def say(template: str, **values: Any) -> Sentence:
    """Make a sentence: `say("keep {limit} stones", limit=4)`. Templates are found by this name: write them here."""
    return Sentence(template, values)
