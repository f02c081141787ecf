"""Deckbuilding: the market, and trades between seats."""
