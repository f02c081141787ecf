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
    if values:
        return Message(template, values)
    message = _WITHOUT_VALUES.get(template)
    if message is None:
        message = _WITHOUT_VALUES[template] = Message(template, values)
    return message


_WITHOUT_VALUES: dict[str, Message] = {}
"""Messages without values by template: prompts are made whenever somebody looks at a choice."""


class Refusal(Exception):
    """An answer or command is refused; nothing has changed.

    `code` is stable (`illegal-move`, `stale-choice`, …). `message` tells people why; it may be given as a template and
    its values: `Refusal("seat-taken", "seat {seat} is taken", seat=3)`.
    """

    def __init__(self, code: str, message: str | Message, **values: Any) -> None:
        self.code = code
        self.message = Message(message, values) if isinstance(message, str) else message
        super().__init__(f"{code}: {self.message}")

    @property
    def text(self) -> str:
        """The reason, in English."""
        return str(self.message)
