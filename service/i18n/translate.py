"""Translations: texts for people, in the language of the request.

The rules and the service use English templates (`games.kernel.language.messages`). The translations are in
`service/i18n/locale/<name>.<language>.po`: one file for the kernel, the store and the service, and one for each
rulebook. They are read once. `service.i18n.catalogs` keeps them in sync with the sources.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from flask import Response, has_request_context, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from games.kernel import Choice, Message, Rulebook

ENGLISH = "en"
LANGUAGES = (ENGLISH, "fr")
LOCALE = Path(__file__).parent / "locale"

VALIDATION_MESSAGES = (
    "Missing data for required field.",
    "Unknown field.",
    "Field may not be null.",
    "Not a valid string.",
    "Not a valid boolean.",
    "Must be one of: {choices}.",
    "Must be greater than or equal to {min}.",
    "Must be less than or equal to {max}.",
    "Must be greater than or equal to {min} and less than or equal to {max}.",
    "Shorter than minimum length {min}.",
    "Longer than maximum length {max}.",
    "Length must be between {min} and {max}.",
    "must be a number",
    "must be a SHA-256 hash: 64 hexadecimal digits, in lower case",
    "must be a whole number",
    "must be a whole number, written in digits",
    "must be an object",
    "may only have letters, digits and . _ ~ -",
    "must be readable text that is not blank",
    "a player needs a name",
)
"""The messages about invalid values: marshmallow's, which come with their values filled in, and our own fields'."""


def language() -> str:
    """Return the language to answer the request in: the most preferred one of `Accept-Language` that is known here."""
    if not has_request_context():
        return ENGLISH
    accepted = request.environ.get("HTTP_ACCEPT_LANGUAGE")
    return _best_language(accepted) if accepted else ENGLISH


@lru_cache(maxsize=1000)
def _best_language(accepted: str) -> str:
    for tag, quality in parse_accept_header(accepted, LanguageAccept):  # the best first
        primary = tag.partition("-")[0].lower()
        if quality > 0 and primary in LANGUAGES:
            return str(primary)
    return ENGLISH


def translate(text: str | Message, to: str) -> str:
    """Translate a text into a language; it stays in English if there is no translation."""
    if to == ENGLISH:
        return str(text)
    known = translations(to)
    if isinstance(text, str):
        return known.get(text, text)
    values = {
        name: translate(value, to) if isinstance(value, Message) else value for name, value in text.values.items()
    }
    return str(Message(known.get(text.template, text.template), values))


def translate_validation_error(reason: str, to: str) -> str:
    """Translate the message about an invalid value into a language."""
    if to == ENGLISH:
        return reason
    for template, pattern in _validation_patterns():
        if match := pattern.fullmatch(reason):
            return translate(Message(template, match.groupdict()), to)
    return reason


def localize_schema(choice: Choice, to: str) -> dict[str, Any]:
    """Return the JSON Schema of all answers to a choice, with titles and descriptions in a language."""
    return choice.schema(partial(translate, to=to))


def with_content_language(answer: Response, to: str) -> Response:
    """Mark an answer with its language, and as depending on `Accept-Language`."""
    answer.headers["Content-Language"] = to
    answer.headers["Vary"] = ", ".join([*answer.headers.getlist("Vary"), "Accept-Language"])
    return answer


def help_page(rulebook: Rulebook[Any], to: str) -> str:
    """Return the page that explains how a game is played, as Markdown."""
    return (rulebook.folder / f"help.{to}.md").read_text("utf-8")


@cache
def translations(to: str) -> Mapping[str, str]:
    """Return the translations into a language, by the text in English."""
    known: dict[str, str] = {}
    for file in sorted(LOCALE.glob(f"*.{to}.po")):
        with file.open("rb") as opened:
            catalog = read_po(opened, locale=to)
        known |= {str(message.id): str(message.string) for message in catalog if message.id and message.string}
    return known


@cache
def _validation_patterns() -> list[tuple[str, re.Pattern[str]]]:
    def pattern(template: str) -> str:
        parts = string.Formatter().parse(template)
        return "".join(re.escape(text) + (f"(?P<{name}>.+)" if name else "") for text, name, _, _ in parts)

    longest_first = sorted(VALIDATION_MESSAGES, key=len, reverse=True)
    return [(template, re.compile(pattern(template), re.DOTALL)) for template in longest_first]
