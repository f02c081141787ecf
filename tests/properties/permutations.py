"""Permutations of hidden information: another game that must look the same to a viewer.

Hidden values are exchanged with hidden values of the same kind only, so the game has the same cards. How many values
are in a place, and whether there are any, is public and does not change. A sorted hand is sorted again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

import msgspec
from msgspec.structs import replace

from games.kernel import Chance, Decision, Effect, Rulebook, Viewer
from games.kernel.language.effects import Pending, Stack, Together
from games.kernel.language.visibility import Predicate, _declared_audience, predicate_for

Kinds = Mapping[tuple[str, str], str]
Leaf = Callable[[str, Any], Any]
"""Returns the value that replaces a hidden value of a kind."""


_predicates: dict[type, tuple[tuple[str, Predicate | None], ...]] = {}


def predicates(kind: type[Any]) -> tuple[tuple[str, Predicate | None], ...]:
    """Return each field of a record with the predicate that says who sees it; None: everybody."""
    if kind not in _predicates:
        hints = get_type_hints(kind, include_extras=True)
        _predicates[kind] = tuple(
            (name, predicate_for(_declared_audience(kind, name, hints)[0])) for name in kind.__struct_fields__
        )
    return _predicates[kind]


def with_hidden(record: Any, viewer: Viewer, leaf: Leaf, kinds: Kinds) -> Any:
    """Return the record with every value that the viewer may not see replaced by what `leaf` gives."""
    changes: dict[str, Any] = {}
    for name, predicate in predicates(type(record)):
        value = getattr(record, name)
        if predicate is None or predicate(record, viewer):
            changes[name] = _visible(value, viewer, leaf, kinds)
        else:
            changes[name] = _hidden(value, leaf, kinds.get((type(record).__name__, name)))
    return replace(record, **changes)


def _visible(value: Any, viewer: Viewer, leaf: Leaf, kinds: Kinds) -> Any:
    if isinstance(value, msgspec.Struct):
        return with_hidden(value, viewer, leaf, kinds)
    if isinstance(value, tuple):
        return tuple(_visible(item, viewer, leaf, kinds) for item in value)
    return value


def _hidden(value: Any, leaf: Leaf, kind: str | None) -> Any:
    if value is None:
        return None
    if isinstance(value, tuple):
        permuted = tuple(_hidden(item, leaf, kind) for item in value)
        return tuple(sorted(permuted)) if _is_sorted(value) else permuted
    return leaf(kind or type(value).__name__, value)


def _is_sorted(value: tuple[Any, ...]) -> bool:
    return all(isinstance(item, (int, str)) for item in value) and list(value) == sorted(value)


def hidden_values(record: Any, viewer: Viewer, kinds: Kinds) -> dict[str, list[Any]]:
    """Return the values that the viewer may not see, by kind, in the order in which `with_hidden` meets them."""
    values: dict[str, list[Any]] = defaultdict(list)

    def collect(kind: str, value: Any) -> Any:
        values[kind].append(value)
        return value

    with_hidden(record, viewer, collect, kinds)
    return values


class HiddenInfoPermutation:
    """A permutation of what a viewer may not see of a state, applied alike to facts and to the flow."""

    def __init__(self, table: Any, viewer: Viewer, kinds: Kinds, chance: Chance) -> None:
        self.viewer = viewer
        self.kinds = kinds
        self.chance = chance
        self.hidden = hidden_values(table, viewer, kinds)
        replacements = {kind: list(chance.shuffled(values)) for kind, values in self.hidden.items()}
        self.mapping: dict[tuple[type, Any], Any] = {}
        for kind, values in self.hidden.items():
            for value, other in zip(values, replacements[kind], strict=True):
                if isinstance(value, (int, str)):
                    self.mapping.setdefault((type(value), value), other)
        self.table = with_hidden(table, viewer, lambda kind, value: replacements[kind].pop(0), kinds)

    def any_other(self, kind: str, value: Any) -> Any:
        """Return one of the hidden values of a kind; another text in place of a text, so that seeds change."""
        if isinstance(value, str) and kind == "str":
            return f"not {value}"
        return self.chance.choice([*self.hidden.get(kind, []), value])

    def decision(self, rulebook: Rulebook[Any], decision: Decision[Any]) -> Decision[Any]:
        """Return the decision with what the viewer may not see of it permuted or left out."""
        facts = tuple(
            with_hidden(fact, self.viewer, self.any_other, self.kinds)
            for fact in decision.facts
            if rulebook.can_observe(fact, self.viewer)
        )
        is_own = decision.by == self.viewer and self.viewer is not None
        own = {} if is_own else {"choice": 999, "move": "something_else", "args": {"card": 999}}
        return replace(decision, facts=facts, flow=(), last_choice=999, **own)

    def flow(self, rulebook: Rulebook[Any], flow: Stack, public_args: frozenset[str]) -> Stack:
        """Return only what the flow asks of the viewer, with the hidden cards among its arguments permuted."""
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
            self._permuted(arg) if name in public_args else arg
            for name, arg in zip(names, top.effect.args, strict=True)
        )
        return (replace(top, effect=replace(top.effect, args=args)),)

    def _permuted(self, arg: Any) -> Any:
        if isinstance(arg, tuple):
            return tuple(self._permuted(item) for item in arg)
        return self.mapping.get((type(arg), arg), arg)
