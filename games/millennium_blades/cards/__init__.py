"""Millennium Blades: the texts of the cards, set by set, in the words of the rulebook."""
