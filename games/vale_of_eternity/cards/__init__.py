"""The Vale of Eternity: the scripts of its creatures, one module for each family."""

from games.vale_of_eternity.card_script import scripts_by_card
from games.vale_of_eternity.cards import dragon, earth, fire, water, wind

MODULES = (fire, water, earth, wind, dragon)
"""The modules with the rules that only single cards use."""

SCRIPTS = scripts_by_card(*fire.CARDS, *water.CARDS, *earth.CARDS, *wind.CARDS, *dragon.CARDS)
