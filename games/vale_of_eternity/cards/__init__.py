"""The Vale of Eternity: the texts of its creatures, one module a family. Importing it writes them all."""

from games.vale_of_eternity.cards import dragon, earth, fire, water, wind

MODULES = (fire, water, earth, wind, dragon)
"""The modules that hold the rules of odd cards."""
