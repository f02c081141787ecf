"""The Vale of Eternity: the rulebook."""

from pathlib import Path

from games.kernel import Rulebook
from games.vale_of_eternity import effects, rules
from games.vale_of_eternity.bot import steady
from games.vale_of_eternity.cards import MODULES
from games.vale_of_eternity.catalogue import CARDS
from games.vale_of_eternity.derived import computed
from games.vale_of_eternity.facts import FACTS, Options, State, evolve, set_up
from games.vale_of_eternity.table import Vale

VALE_OF_ETERNITY = Rulebook(
    id="vale-of-eternity",
    edition=1,
    names={"en": "The Vale of Eternity", "fr": "The Vale of Eternity"},
    seats=range(2, 5),
    options=Options,
    set_up=set_up,
    begin=rules.begin_game(),
    table=Vale,
    state=State,
    facts=FACTS,
    evolve=evolve,
    points=lambda state: tuple(player.points for player in state.players),
    rules=[rules, effects, *MODULES],
    rule_names=Path(__file__).parent / "rule_names.txt",
    cards=CARDS,
    whenever=rules.WHENEVER,
    computed=computed,
    steady=steady,
    when_silent=rules.when_silent,
)
