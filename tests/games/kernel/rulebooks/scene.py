"""The smallest world in which rules can be watched: a state that remembers what was said, and by whom."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec.structs import replace

from games.kernel import Effect, Everyone, Fact, Record, Rule, Rulebook, Seat, Table


class Said(Fact, frozen=True):
    """A word was said, by a seat or by nobody."""

    word: Everyone[str]
    seat: Everyone[Seat | None] = None


class Echoed(Fact, frozen=True):
    """A word came back."""

    word: Everyone[str]


class Scene(Record, frozen=True):
    """What was said so far."""

    said: Everyone[tuple[str, ...]] = ()


class Options(Record, frozen=True, forbid_unknown_fields=True):
    """There is nothing to choose."""

    def resolve(self, seats: int) -> Options:
        """Leave them as they are."""
        return self


class SceneTable(Table[Scene]):
    """The table of a scene."""

    __slots__ = ()

    @property
    def said(self) -> tuple[str, ...]:
        """What was said so far."""
        return self.state.said


def evolve(state: Scene, fact: Fact) -> Scene:
    """Return the state after a fact."""
    match fact:
        case Said(word, _):
            return replace(state, said=(*state.said, word))
        case Echoed(word):
            return replace(state, said=(*state.said, f"({word})"))
    raise TypeError(f"not a fact of a scene: {fact}")


def rules_in(module: ModuleType) -> list[str]:
    """The names of the rules that a module defines."""
    return sorted(
        each.name for each in vars(module).values() if isinstance(each, Rule) and each.module == module.__name__
    )


def scene(names: Path, begin: Effect, *modules: ModuleType, **changes: Any) -> Rulebook[Any]:
    """Make a rulebook of the rules in some modules that begins with an effect of them."""
    declared: dict[str, Any] = {
        "id": "scene",
        "edition": 1,
        "names": {"en": "A scene", "fr": "Une scène"},
        "seats": range(1, 7),
        "options": Options,
        "initial_state": lambda options, seats: Scene(),
        "initial_effect": begin,
        "table": SceneTable,
        "state": Scene,
        "facts": (Said, Echoed),
        "evolve": evolve,
        "rules": modules,
        "rule_names": names,
    }
    return Rulebook(**(declared | changes))
