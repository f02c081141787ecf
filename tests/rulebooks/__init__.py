"""What the generic tests need to know of each rulebook: its variants, how a view is printed, how a client folds.

A rulebook adds a module here and stands in DESCRIBED; the golden games and the properties then hold for it as well.
"""

from __future__ import annotations

from tests.rulebooks.kit import RulebookKit
from tests.rulebooks.millennium_blades import MILLENNIUM_BLADES
from tests.rulebooks.six_nimmt import SIX_NIMMT
from tests.rulebooks.vale_of_eternity import VALE_OF_ETERNITY

DESCRIBED: dict[str, RulebookKit] = {
    described.rulebook.id: described for described in (SIX_NIMMT, VALE_OF_ETERNITY, MILLENNIUM_BLADES)
}
"""Every rulebook that the generic tests know, by its id."""
