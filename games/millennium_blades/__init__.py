"""Millennium Blades: the rulebook."""

from pathlib import Path

from games.kernel import Rulebook
from games.millennium_blades import facts, game_flow
from games.millennium_blades.board.card_script import use_scripts
from games.millennium_blades.bot import steady_bot
from games.millennium_blades.cards import MODULES, SCRIPTS
from games.millennium_blades.catalogue import CARDS
from games.millennium_blades.deckbuilding import market, trades
from games.millennium_blades.derived import derived
from games.millennium_blades.evolve import evolve
from games.millennium_blades.scripting import effects, players, targets
from games.millennium_blades.state import Options, State, initial_state
from games.millennium_blades.table import MillenniumBlades
from games.millennium_blades.tournament import clashes, discards, flips, resolution, turns
from games.millennium_blades.tournament import facts as tournament_facts

use_scripts(SCRIPTS)

MILLENNIUM_BLADES = Rulebook(
    id="millennium-blades",
    edition=1,
    names={"en": "Millennium Blades", "fr": "Millennium Blades"},
    seats=range(2, 6),
    options=Options,
    initial_state=initial_state,
    initial_effect=game_flow.play_game(),
    table=MillenniumBlades,
    state=State,
    facts=(*facts.FACTS, *tournament_facts.TOURNAMENT_FACTS),
    evolve=evolve,
    rules=[
        game_flow, market, trades, turns, resolution, flips, clashes, discards,
        effects, players, targets, *MODULES,
    ],
    points=lambda state: tuple(
        sum(player.tournament_points) + sum(player.collection_points)
        for player in state.players
    ),
    cards=CARDS,
    rule_names=Path(__file__).parent / "rule_names.txt",
    derived=derived,
    derived_help=(
        "The face-up cards of all tableaus with their stars and attributes as effects make them, and values "
        "of seats. `top` and `slots` have one entry for each seat. `deck_limits` (Singles, accessories, deck "
        "boxes) and `collection_points` are those of the viewer; a spectator has none."
    ),
    bots={"steady": steady_bot},
    timeout_answers=market.timeout_answers,
    triggers={
        **dict.fromkeys(
            (
                facts.CardSold, facts.CardsFused, facts.TradeCompleted, facts.PackOpened, facts.CardBought,
                facts.DollarsPaid,
            ),
            trades.cancel_invalid,
        ),
        **dict.fromkeys(
            (
                tournament_facts.TurnBegun, tournament_facts.TurnEnded, tournament_facts.CardPlayed,
                tournament_facts.ClashDecided,
            ),
            resolution.collect_triggers,
        ),
    },
)  # fmt: skip
