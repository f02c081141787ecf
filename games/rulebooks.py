"""Every rulebook that this server plays."""

from typing import Any

from games.kernel import Rulebook
from games.millennium_blades import MILLENNIUM_BLADES
from games.six_nimmt import SIX_NIMMT
from games.vale_of_eternity import VALE_OF_ETERNITY

RULEBOOKS: dict[str, Rulebook[Any]] = {
    rulebook.id: rulebook for rulebook in (SIX_NIMMT, VALE_OF_ETERNITY, MILLENNIUM_BLADES)
}
"""Every rulebook that this server plays, by its id."""
