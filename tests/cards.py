"""The cards of every rulebook, each with the tests that are named after it. `make cards` prints them.

A test of a card is a function of tests/games/<rulebook>/ whose name begins with the card's id, or that names it in
`@covers("imp", ...)`: `test_imp_returns_to_hand_when_activated` is a test of `imp`.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from games.kernel import CardData
from games.rulebooks import RULEBOOKS

TESTS = Path(__file__).parent / "games"


T = TypeVar("T")


def covers(*cards: str) -> Callable[[T], T]:
    """Say that a test covers these cards, besides the card that it is named after."""
    return lambda test: test


def by_card(cards: Iterable[str], names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names of tests by the card that they are named after: that with the longest id that fits."""
    longest_first = sorted(cards, key=len, reverse=True)
    tests: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for card in longest_first:
            if name == f"test_{card}" or name.startswith(f"test_{card}_"):
                tests[card].append(name)
                break
    return tests


def test_functions(rulebook: str) -> list[ast.FunctionDef]:
    """Return the tests of a rulebook, in the order of their files."""
    return [
        node
        for file in sorted((TESTS / rulebook.replace("-", "_")).rglob("test_*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def covered_cards(test: ast.FunctionDef) -> list[str]:
    """Return the cards that `@covers(...)` of a test names."""
    return [
        ast.literal_eval(card)
        for decorator in test.decorator_list
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "covers"
        for card in decorator.args
    ]


def coverage(rulebook: str) -> dict[str, list[str]]:
    """Return the names of the tests of each card of a rulebook."""
    functions = test_functions(rulebook)
    tests = by_card(RULEBOOKS[rulebook].cards, [function.name for function in functions])
    for function in functions:
        for card in covered_cards(function):
            tests[card].append(function.name)
    if unknown := tests.keys() - RULEBOOKS[rulebook].cards.keys():
        raise ValueError(f"{rulebook}: tests cover {min(unknown)}, which does not exist")
    return {card: tests[card] for card in RULEBOOKS[rulebook].cards}


def sheet(rulebook: str, cards: Mapping[str, CardData], tests: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines that show the cards of a rulebook with their tests."""
    lines = [rulebook, ""]
    for card, printed in cards.items():
        facts = {name: value for name, value in msgspec.to_builtins(printed).items() if name != "names"}
        lines.append(f"{printed.names.en} ({printed.names.fr}): " + ", ".join(map(_said, facts, facts.values())))
        sentences = [
            name.removeprefix(f"test_{card}_").removeprefix("test_").replace("_", " ") for name in tests[card]
        ] or ["NO TEST"]
        lines += [f"    {sentence}" for sentence in sentences]
    covered = sum(bool(tests[card]) for card in cards)
    return [*lines, "", f"{rulebook}: {covered} of {len(cards)} cards have a test", ""]


def _said(name: str, value: Any) -> str:
    """Return a printed fact of a card as text, in English if it has two languages."""
    text = value["en"] if isinstance(value, dict) else value
    return f"{name} {' '.join(map(str, text)) if isinstance(text, (list, tuple)) else text}"


def main() -> int:
    """Print the sheet of every rulebook that has cards; tell by the exit status whether each card has a test."""
    is_complete = True
    for rulebook, rules in RULEBOOKS.items():
        if rules.cards:
            tests = coverage(rulebook)
            print("\n".join(sheet(rulebook, rules.cards, tests)))
            is_complete &= all(tests.values())
    return 0 if is_complete else 1


if __name__ == "__main__":
    sys.exit(main())
