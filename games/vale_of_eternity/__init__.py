"""The Vale of Eternity: the rulebook."""

from pathlib import Path

from games.kernel import Rulebook
from games.vale_of_eternity import effects, rules
from games.vale_of_eternity.bot import steady_bot
from games.vale_of_eternity.cards import MODULES, SCRIPTS
from games.vale_of_eternity.catalogue import CARDS
from games.vale_of_eternity.derived import derived
from games.vale_of_eternity.facts import FACTS, Options, State, evolve, initial_state
from games.vale_of_eternity.table import Vale


class ScriptedVale(Vale):
    """A table of The Vale of Eternity with the scripts of all cards."""

    __slots__ = ()

    scripts = SCRIPTS


VALE_OF_ETERNITY = Rulebook(
    id="vale-of-eternity",
    edition=1,
    names={"en": "The Vale of Eternity", "fr": "The Vale of Eternity"},
    seats=range(2, 5),
    options=Options,
    initial_state=initial_state,
    initial_effect=rules.start_game(),
    table=ScriptedVale,
    state=State,
    facts=FACTS,
    evolve=evolve,
    points=lambda state: tuple(player.points for player in state.players),
    rules=[rules, effects, *MODULES],
    rule_names=Path(__file__).parent / "rule_names.txt",
    cards=CARDS,
    triggers=rules.TRIGGERS,
    derived=derived,
    derived_help=(
        "The turn order, who hunts, and the stones, slots and active effects of each seat. `summoning_costs` has what "
        "each card in the viewer's own hand costs to summon now; it is empty for a spectator."
    ),
    bots={"steady": steady_bot},
    timeout_answers=rules.timeout_answers,
)
