"""Millennium Blades: the scripts of its cards, set by set, and of its characters."""

from games.millennium_blades.board.card_script import scripts_by_design
from games.millennium_blades.cards import (
    characters,
    core_equipment,
    core_great,
    core_middle,
    core_small,
    promos,
)

MODULES = (core_small, core_middle, core_great, core_equipment, promos, characters)
"""The modules with the rules that only single cards use."""

SCRIPTS = scripts_by_design(*(script for module in MODULES for script in module.CARDS))
"""The scripts of all cards and characters that can be played, by design."""
