"""Millennium Blades: steps that several players carry out."""

from games.kernel import Outcome, rule
from games.millennium_blades.scripting.selectors import SeatSelector
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament.abilities import Step, current_step
from games.millennium_blades.tournament.context import Context


class ForEachPlayer:
    """A step that players each carry out, in turn order from the active player."""

    def __init__(self, seats: SeatSelector, step: Step) -> None:
        self.seats = seats
        self.step = step

    def __call__(self, ctx: Context) -> Outcome:
        """Return the part of each player."""
        return tuple(run_step_for_player(ctx.step).by(seat) for seat in ctx.in_turn_order(self.seats(ctx)))


@rule
def run_step_for_player(table: MillenniumBlades, step: int) -> Outcome:
    """Carry out one player's part of a step of the current effect."""
    context = Context(table, step)
    for_each_player = current_step(context)
    assert isinstance(for_each_player, ForEachPlayer)
    return for_each_player.step(context)
