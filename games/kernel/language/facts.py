"""Facts: what happened, in the past tense. Nothing but facts changes a game."""

import re
from typing import ClassVar

import msgspec

from games.kernel.language.visibility import Audience, VisibleTo


def snake_case(name: str) -> str:
    """Return the name that a class has in the log and in the API: LaidFaceDown is laid_face_down."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Record(msgspec.Struct, frozen=True, gc=False):
    """A part of a game's state. Tuples, never lists; every field declares its audience.

    `help` describes it to the authors of clients, in the contract.
    """

    help: ClassVar[str] = ""


class Fact(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag=snake_case):
    """Something that happened in a game. Every field declares its audience.

    `observers` are those who learn that it happened; no other viewer receives the fact. `help` says to the authors of
    clients what happened, in the contract.
    """

    help: ClassVar[str] = ""

    observers: ClassVar[Audience | VisibleTo] = Audience.EVERYONE
