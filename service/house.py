"""The house: what the views of one process share."""

from __future__ import annotations

from typing import NamedTuple, cast

from flask import current_app

from events.games import Games
from service.access import Tokens


class House(NamedTuple):
    """The games and the tokens of this process."""

    games: Games
    tokens: Tokens


def house() -> House:
    """Give the house of the app that handles this request."""
    return cast("House", current_app.extensions["croupier"])
