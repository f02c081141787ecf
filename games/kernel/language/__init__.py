"""The language of rules: facts, effects, moves, choices, messages, visibility, chance, cards."""
