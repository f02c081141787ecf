"""Millennium Blades: the tournament, and how effects of cards are resolved in it."""
