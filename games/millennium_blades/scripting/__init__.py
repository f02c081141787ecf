"""Millennium Blades: the vocabulary that scripts of cards are written in."""
