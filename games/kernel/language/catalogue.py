"""Card facts: data files beside a rulebook, one TOML table per card, loaded and checked once at start.

::

    [imp]
    names = { en = "Imp", fr = "Diablotin" }
    family = "fire"

What a card does is not here: it is Python code, joined to these facts by the id of the card.
"""

import tomllib
from pathlib import Path
from typing import Annotated, ClassVar, TypeVar

import msgspec

Name = Annotated[str, msgspec.Meta(min_length=1)]


class InvalidCards(TypeError):
    """A data file of cards is invalid: the message names the file, the card and the reason."""


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    help = """The name of a card, by language."""

    en: Name
    fr: Name


class CardData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is printed on a card but for its text. A rulebook derives its own, with a field for each key of its file.

    `help` describes it to the authors of clients, in the contract.
    """

    help: ClassVar[str] = ""

    names: Names


C = TypeVar("C", bound=CardData)


def read_cards(file: Path, kind: type[C], number: int) -> dict[str, C]:
    """Return the facts of the cards in a file by id, in the order of the file.

    Raises:
        InvalidCards: an unknown or missing key, a value of another type, or not `number` cards.
    """
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InvalidCards(f"{file.name}: {error}") from None
    cards = {card: _card_data(file, card, table, kind) for card, table in tables.items()}
    if len(cards) != number:
        raise InvalidCards(f"{file.name}: {len(cards)} cards, but the game has {number}")
    return cards


def _card_data(file: Path, card: str, table: object, kind: type[C]) -> C:
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise InvalidCards(f"{file.name}: {card}: {error}") from None
