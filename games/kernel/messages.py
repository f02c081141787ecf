"""Messages for people: prompts and reasons, written in English in a form that can be translated.

The rules know no language. A message keeps its template and its values apart; the service looks up the template in a
catalog of translations.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Message(Struct, frozen=True):
    """A template in English, in the syntax of `str.format`, and its values. A value may be a message itself."""

    template: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return self.template.format(**self.values) if self.values else self.template


def msg(template: str, **values: Any) -> Message:
    """Make a message: `msg("keep {limit} stones", limit=4)`.

    The template is written in the call: the catalogs of translations are filled from the source.
    """
    return Message(template, values)
