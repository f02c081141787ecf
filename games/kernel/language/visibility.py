"""Visibility: an audience on every field of a record, and one function that redacts what a viewer may not see.

Every field of a record of a game (its state, its facts) is declared with the audience that may see it::

    class LaidFaceDown(Fact):
        seat: Everyone[Seat]
        card: Owner[Card]          # the others see that a card was laid

What a seat may not see is shown as ``{"hidden": 10}``, the number of values there (1 for a single one). An empty
optional field is shown as ``None``: whether something is there is never secret, only what it is.
"""

import types
from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

Seat = int
"""A place at the table, counted from 0 in turn order."""

Viewer = Seat | None
"""A seat, or None for a spectator."""


class Audience(Enum):
    """Who sees a field of a record."""

    EVERYONE = "everyone"
    OWNER = "owner"  # the seat in the record's own field `seat`
    NOBODY = "nobody"


class VisibleTo(msgspec.Struct, frozen=True):
    """An audience that depends on the record, for example a card that moves between two places."""

    can_see: Callable[[Any, Viewer], bool]


T = TypeVar("T")
Everyone = Annotated[T, Audience.EVERYONE]
Owner = Annotated[T, Audience.OWNER]
Nobody = Annotated[T, Audience.NOBODY]

RedactFunction = Callable[[Any, Viewer], Any]
"""Returns a record as a viewer may see it: the record itself if nothing in it is hidden, else a dict."""

Predicate = Callable[[Any, Viewer], bool]


class MissingAudience(TypeError):
    """A field of a record does not, or not properly, declare who may see it."""


def redacted(value: Any) -> Any:
    """Return what is shown in place of a value: how many values there are, or None if there is none."""
    if value is None:
        return None
    return {"hidden": len(value) if isinstance(value, tuple) else 1}


class Redactor:
    """Compiles, once per type of record, the function that shows such a record to a viewer."""

    def __init__(self) -> None:
        self._compiled: dict[type, RedactFunction | None] = {}

    def redact(self, record: Any, viewer: Viewer) -> Any:
        """Return `record`, whose type has been compiled, as `viewer` may see it."""
        show = self._compiled[type(record)]
        return record if show is None else show(record, viewer)

    def compile(self, kind: type) -> RedactFunction | None:
        """Compile a type of record; None when everybody sees all of it.

        Raises:
            MissingAudience: when a field, here or in a record inside it, declares no audience.
        """
        if kind in self._compiled:
            return self._compiled[kind]
        self._compiled[kind] = self.redact  # stops the recursion of a record that contains its own type
        self._compiled[kind] = self._record(kind)
        return self._compiled[kind]

    def _record(self, kind: type) -> RedactFunction | None:
        hints = get_type_hints(kind, include_extras=True)
        fields = [(name, *_declared_audience(kind, name, hints)) for name in kind.__struct_fields__]  # type: ignore[attr-defined]
        plan: list[tuple[str, Predicate | None, RedactFunction | None]] = [
            (name, predicate_for(audience), self._inner(inner, f"{kind.__name__}.{name}"))
            for name, audience, inner in fields
        ]
        if all(predicate is None and inner is None for _, predicate, inner in plan):
            return None
        config = kind.__struct_config__  # type: ignore[attr-defined]
        head = {config.tag_field: config.tag} if config.tag_field else {}

        def show(record: Any, viewer: Viewer) -> dict[str, Any]:
            view = dict(head)
            for name, predicate, inner in plan:
                value = getattr(record, name)
                if predicate is not None and not predicate(record, viewer):
                    view[name] = redacted(value)
                else:
                    view[name] = value if inner is None or value is None else inner(value, viewer)
            return view

        return show

    def _inner(self, kind: Any, field: str) -> RedactFunction | None:
        """The function that shows the value of a visible field; None if nothing inside it is hidden."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            if any(isinstance(mark, (Audience, VisibleTo)) for mark in arguments[1:]):
                raise MissingAudience(f"{field}: an audience is declared for the whole field, not for a part of it")
            return self._inner(arguments[0], field)
        shows = [self._inner(argument, field) for argument in arguments if argument is not ...]
        if origin is tuple:
            if not any(shows):
                return None
            if len(arguments) == 2 and arguments[1] is ...:
                show_item = shows[0]
                assert show_item is not None
                return lambda value, viewer: [show_item(item, viewer) for item in value]
            return lambda value, viewer: [
                item if show is None else show(item, viewer) for show, item in zip(shows, value, strict=True)
            ]
        if origin in (Union, types.UnionType):
            return self._union(arguments, shows)
        if any(shows) or (isinstance(origin, type) and issubclass(origin, msgspec.Struct)):
            raise MissingAudience(f"{field}: what is secret inside of {kind} could not be hidden: use tuples")
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return self.compile(kind)
        return None

    def _union(self, arguments: tuple[Any, ...], shows: list[RedactFunction | None]) -> RedactFunction | None:
        """The function that shows a value of one of several types, at most one of which is a tuple."""
        if not any(shows):
            return None
        for argument, show in zip(arguments, shows, strict=True):
            if get_origin(argument) is tuple and show is not None:
                show_tuple = show
                return lambda value, viewer: (
                    show_tuple(value, viewer) if isinstance(value, tuple) else self.redact_any(value, viewer)
                )
        return self.redact_any

    def redact_any(self, value: Any, viewer: Viewer) -> Any:
        """Show a value of a union: a record by its own type, a plain value as it is."""
        return self.redact(value, viewer) if type(value) in self._compiled else value


def _declared_audience(kind: type, name: str, hints: dict[str, Any]) -> tuple[Audience | VisibleTo, Any]:
    hint = hints[name]
    marks = [mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, (Audience, VisibleTo))]
    if len(marks) != 1:
        fault = "says more than once" if marks else "does not say"
        raise MissingAudience(f"{kind.__name__}.{name} {fault} who may see it")
    if marks[0] is Audience.OWNER and "seat" not in hints:
        raise MissingAudience(f"{kind.__name__}.{name} is for its owner, but {kind.__name__} has no seat")
    return marks[0], get_args(hint)[0]


def predicate_for(audience: Audience | VisibleTo) -> Predicate | None:
    """Return a test for an audience, as a function of the record and the viewer; None for everyone."""
    match audience:
        case Audience.EVERYONE:
            return None
        case Audience.OWNER:
            return lambda record, viewer: viewer is not None and record.seat == viewer
        case Audience.NOBODY:
            return lambda record, viewer: False
        case VisibleTo(can_see):
            return can_see
