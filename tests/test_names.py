"""Identifiers speak the field's language: words of our first stage that needed translating may not come back."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
FOLDERS = ("games", "events", "service", "workers", "bench")

INSTEAD = {
    # metaphors for technical things
    "company": "batch",
    "companies": "batcher",
    "wish": "request, command",
    "wishes": "requests, signals",
    "house": "services",
    "desk": "resources, negotiations",
    "door": "predicate",
    "doors": "predicates",
    "wire": "connection",
    "strand": "branch",
    "strands": "branches",
    "lobby": "session",
    "outage": "downtime",
    "outages": "downtimes",
    "seating": "seat, seat_info",
    "seatings": "seats",
    "sight": "observation, visibility",
    "eyes": "perspective",
    "glance": "poll, check",
    "patience": "timeout",
    # participles and adverbs that stand for nouns
    "asked": "requested, pending, choice",
    "told": "language, response, notified",
    "kept": "cached, stored",
    "held": "locked, cards",
    "seen": "view",
    "shown": "view",
    "found": "match, result",
    "wanted": "requested",
    "granted": "result",
    "whenever": "trigger",
    "anew": "a plain verb",
    "meanwhile": "a plain noun",
}
"""Words that may not be a part of an identifier, and what to say instead."""

LIMITS = {"most": "max", "longest": "max", "largest": "max", "shortest": "min", "least": "min"}
"""Words that may not begin the name of a constant, and what to say instead."""

ALLOWED = {
    "HandSeen",  # a fact of Millennium Blades: the cards of a hand were seen
    "PlaysGranted",  # a fact of Millennium Blades: a card granted further plays
}


def sources() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", *(f"{folder}/**.py" for folder in FOLDERS)],
        cwd=CHECKOUT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [CHECKOUT / name for name in listed.stdout.split() if (CHECKOUT / name).is_file()]


def identifiers(source: str) -> Iterator[tuple[str, int]]:
    """Yield every name that a module defines, with its line: what other people's libraries are called is theirs."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
            case ast.arg(arg=name):
                yield name, node.lineno
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno


def words(identifier: str) -> list[str]:
    """Split an identifier: `MAX_CachedGames` has the words max, cached and games."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier)]


def offences(source: str) -> set[tuple[int, str, str]]:
    """Return the line, the identifier and the word of each offence; `not found` is the field's own term."""
    found = set()
    for name, line in identifiers(source):
        parts = words(name)
        for before, word in zip(["", *parts], parts, strict=False):
            if word in INSTEAD and name not in ALLOWED and (before, word) != ("not", "found"):
                found.add((line, name, word))
        if name.isupper() and parts[0] in LIMITS:
            found.add((line, name, parts[0]))
    return found


def test_identifiers_use_the_words_of_the_field() -> None:
    faults = [
        f"{file.relative_to(CHECKOUT)}:{line}: {name}: for {word!r} say {(INSTEAD | LIMITS)[word]}"
        for file in sources()
        for line, name, word in sorted(offences(file.read_text("utf-8")))
    ]
    assert faults == [], "\n".join(["", *faults])


@pytest.mark.parametrize(
    "source",
    ["def asked_of(): ...", "class Companies: ...", "told = 1", "def f(kept): ...", "self.wish = 1", "MOST_CARDS = 3"],
)
def test_a_word_of_the_old_dialect_would_be_noticed(source: str) -> None:
    assert offences(source)


@pytest.mark.parametrize(
    "source", ["class GameNotFound: ...", "most_points = 1", "MAX_CARDS = 3", "def request(): ..."]
)
def test_words_of_the_field_are_accepted(source: str) -> None:
    assert not offences(source)
