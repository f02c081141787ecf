"""Every rulebook that this server plays."""

from typing import Any

from games.kernel import Rulebook
from games.six_nimmt import SIX_NIMMT

RULEBOOKS: dict[str, Rulebook[Any]] = {rulebook.id: rulebook for rulebook in (SIX_NIMMT,)}
"""Every rulebook that this server plays, by its id."""
