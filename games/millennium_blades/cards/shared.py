"""What several texts of the core set share."""

from games.millennium_blades.scripting.effects import clash_with_one, winner_gains
from games.millennium_blades.scripting.words import action
from games.millennium_blades.tournament.resolution import TriggerContext

clash_for_ten = action(*clash_with_one(), winner_gains(10))
"""You clash with an opponent; the winner gains ten."""


def your_turn(trigger: TriggerContext) -> bool:
    """Is it a turn of the card's player?"""
    return bool(trigger.fact.seat == trigger.seat)
