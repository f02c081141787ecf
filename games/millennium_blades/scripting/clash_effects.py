"""Millennium Blades: clashes in effects of cards."""

from collections.abc import Iterable

from games.kernel import Outcome, Seat, msg
from games.millennium_blades.scripting.effects import each_player_gains
from games.millennium_blades.scripting.selectors import opponents
from games.millennium_blades.scripting.targets import ChooseTarget, TargetSelector
from games.millennium_blades.scripting.triggers import action
from games.millennium_blades.tournament.abilities import Step
from games.millennium_blades.tournament.clashes import clash
from games.millennium_blades.tournament.context import Context


def rivals(ctx: Context) -> tuple[Seat, ...]:
    """The players whom you can clash with: both you and they need a Top card."""
    if ctx.board.top(ctx.you) is None:
        return ()
    return tuple(seat for seat in opponents(ctx) if ctx.board.top(seat) is not None)


def new_rivals(ctx: Context) -> tuple[Seat, ...]:
    """The rivals with whom this card has not clashed in this turn."""
    clashed = {seat for card, seat in ctx.state.turn_clashes if card == ctx.this}
    return tuple(seat for seat in rivals(ctx) if seat not in clashed)


def clash_with_target(ctx: Context) -> Outcome:
    """You clash with the chosen player."""
    return None if ctx.target is None else clash((ctx.you, ctx.target))


def clash_with_one(legal_targets: TargetSelector = rivals) -> tuple[Step, Step]:
    """You clash with one other player of your choice."""
    return ChooseTarget(msg("Choose whom to clash with."), legal_targets), clash_with_target


def clash_of_all(ctx: Context) -> Outcome:
    """All players with a Top card clash."""
    return clash(tuple(seat for seat in ctx.table.seats if ctx.board.top(seat) is not None))


def clash_winner(ctx: Context) -> Iterable[Seat]:
    """The winner of the clash."""
    return () if ctx.clash is None or ctx.clash.winner is None else (ctx.clash.winner,)


def clash_losers(ctx: Context) -> Iterable[Seat]:
    """The losers of the clash."""
    if ctx.clash is None or ctx.clash.status != "won":
        return ()
    return tuple(side.seat for side in ctx.clash.sides if side.seat != ctx.clash.winner)


def clash_non_winners(ctx: Context) -> Iterable[Seat]:
    """The participants of the clash who did not win it, also on a tie."""
    if ctx.clash is None or ctx.clash.status not in ("won", "tied"):
        return ()
    return tuple(side.seat for side in ctx.clash.sides if side.seat != ctx.clash.winner)


def you_won(ctx: Context) -> bool:
    """Did you win the clash?"""
    return ctx.you in clash_winner(ctx)


def you_lost(ctx: Context) -> bool:
    """Did you lose the clash?"""
    return ctx.you in clash_losers(ctx)


def winner_gains(points: int) -> Step:
    """The winner of the clash gains reputation."""
    return each_player_gains(clash_winner, lambda ctx, seat: points)


def loser_gains(points: int) -> Step:
    """The losers of the clash gain reputation."""
    return each_player_gains(clash_losers, lambda ctx, seat: points)


CLASH_FOR_TEN = action(*clash_with_one(), winner_gains(10))
"""Action: you clash with an opponent. The winner gains 10."""
