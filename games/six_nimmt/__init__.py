"""6 nimmt! (6 qui prend !, Take 5): the rulebook."""

from pathlib import Path

from games.kernel import Rulebook
from games.six_nimmt import rules
from games.six_nimmt.bot import steady_bot
from games.six_nimmt.facts import CATALOGUE, FACTS, Options, State, evolve, initial_state
from games.six_nimmt.table import SixNimmt

SIX_NIMMT = Rulebook(
    id="six-nimmt",
    edition=1,
    names={"en": "6 nimmt!", "fr": "6 qui prend !"},
    seats=range(2, 11),
    options=Options,
    initial_state=initial_state,
    initial_effect=rules.play_round(),
    table=SixNimmt,
    state=State,
    facts=FACTS,
    evolve=evolve,
    catalogue=CATALOGUE,
    points=lambda state: tuple(player.points for player in state.players),
    bots={"steady": steady_bot},
    rules=[rules],
    rule_names=Path(__file__).parent / "rule_names.txt",
)
