"""The store: each game is a hash-chained log of decisions on a Redis stream; knows no rulebook by name."""
