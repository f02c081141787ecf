"""The session of a game: its seats, its clocks, and the decisions of its log."""
