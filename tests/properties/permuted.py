"""The same game to a viewer, another game to the others: everything that the viewer may not see is mixed up.

What makes a mix fair: hidden values change places with hidden values of their own kind only, so the cards of a game
stay the same; how many lie somewhere, and whether something lies there at all, is open and stays; a hand that was in
order is put in order again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

import msgspec
from msgspec.structs import replace

from games.kernel import Chance, Decision, Effect, Rulebook, Viewer
from games.kernel.effects import Pending, Stack, Together
from games.kernel.visibility import Predicate, _declared_audience, predicate_for

Kinds = Mapping[tuple[str, str], str]
Leaf = Callable[[str, Any], Any]
"""Gives another value in place of a hidden one of a kind."""


_doors: dict[type, tuple[tuple[str, Predicate | None], ...]] = {}


def doors(kind: type[Any]) -> tuple[tuple[str, Predicate | None], ...]:
    """Return each field of a record with the test of who sees it."""
    if kind not in _doors:
        hints = get_type_hints(kind, include_extras=True)
        _doors[kind] = tuple(
            (name, predicate_for(_declared_audience(kind, name, hints)[0])) for name in kind.__struct_fields__
        )
    return _doors[kind]


def with_hidden(record: Any, viewer: Viewer, leaf: Leaf, kinds: Kinds) -> Any:
    """Return the record with every value that the viewer may not see replaced by what `leaf` gives."""
    changes: dict[str, Any] = {}
    for name, door in doors(type(record)):
        value = getattr(record, name)
        if door is None or door(record, viewer):
            changes[name] = _open(value, viewer, leaf, kinds)
        else:
            changes[name] = _closed(value, leaf, kinds.get((type(record).__name__, name)))
    return replace(record, **changes)


def _open(value: Any, viewer: Viewer, leaf: Leaf, kinds: Kinds) -> Any:
    if isinstance(value, msgspec.Struct):
        return with_hidden(value, viewer, leaf, kinds)
    if isinstance(value, tuple):
        return tuple(_open(item, viewer, leaf, kinds) for item in value)
    return value


def _closed(value: Any, leaf: Leaf, kind: str | None) -> Any:
    if value is None:
        return None
    if isinstance(value, tuple):
        mixed = tuple(_closed(item, leaf, kind) for item in value)
        return tuple(sorted(mixed)) if _is_sorted(value) else mixed
    return leaf(kind or type(value).__name__, value)


def _is_sorted(value: tuple[Any, ...]) -> bool:
    return all(isinstance(item, (int, str)) for item in value) and list(value) == sorted(value)


def hidden_values(record: Any, viewer: Viewer, kinds: Kinds) -> dict[str, list[Any]]:
    """Return the values that the viewer may not see, by kind, in the order in which `with_hidden` meets them."""
    found: dict[str, list[Any]] = defaultdict(list)

    def note(kind: str, value: Any) -> Any:
        found[kind].append(value)
        return value

    with_hidden(record, viewer, note, kinds)
    return found


class Mix:
    """One way to mix up what a viewer may not see of a table; the same for its facts and for what waits in the flow."""

    def __init__(self, table: Any, viewer: Viewer, kinds: Kinds, chance: Chance) -> None:
        self.viewer = viewer
        self.kinds = kinds
        self.chance = chance
        self.hidden = hidden_values(table, viewer, kinds)
        coming = {kind: list(chance.shuffled(values)) for kind, values in self.hidden.items()}
        self.becomes: dict[tuple[type, Any], Any] = {}
        for kind, values in self.hidden.items():
            for value, other in zip(values, coming[kind], strict=True):
                if isinstance(value, (int, str)):
                    self.becomes.setdefault((type(value), value), other)
        self.table = with_hidden(table, viewer, lambda kind, value: coming[kind].pop(0), kinds)

    def any_other(self, kind: str, value: Any) -> Any:
        """Return one of the hidden values of a kind; another text in place of a text, so that seeds change."""
        if isinstance(value, str) and kind == "str":
            return f"not {value}"
        return self.chance.choice([*self.hidden.get(kind, []), value])

    def decision(self, rulebook: Rulebook[Any], decision: Decision[Any]) -> Decision[Any]:
        """Return the decision with what the viewer may not see of it mixed up or left out."""
        facts = tuple(
            with_hidden(fact, self.viewer, self.any_other, self.kinds)
            for fact in decision.facts
            if rulebook.can_observe(fact, self.viewer)
        )
        told = decision.by == self.viewer and self.viewer is not None
        own = {} if told else {"choice": 999, "move": "something_else", "args": {"card": 999}}
        return replace(decision, facts=facts, flow=(), last_choice=999, **own)

    def flow(self, rulebook: Rulebook[Any], flow: Stack, public_args: frozenset[str]) -> Stack:
        """Return only what the flow asks of the viewer; cards among its arguments that it may not see are mixed up."""
        if not flow:
            return ()
        top = flow[-1]
        if isinstance(top, Together):
            return (Together(tuple(self.flow(rulebook, branch, public_args) for branch in top.branches)),)
        assert isinstance(top, Pending)
        if top.effect is None or top.is_timer:
            return (top,)
        if top.effect.seat != self.viewer:
            return (replace(top, effect=Effect("no_such_rule", (), top.effect.seat)),)
        names = rulebook.rules[top.effect.rule].parameters
        args = tuple(
            self._mixed(arg) if name in public_args else arg for name, arg in zip(names, top.effect.args, strict=True)
        )
        return (replace(top, effect=replace(top.effect, args=args)),)

    def _mixed(self, arg: Any) -> Any:
        if isinstance(arg, tuple):
            return tuple(self._mixed(item) for item in arg)
        return self.becomes.get((type(arg), arg), arg)
