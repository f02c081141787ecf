"""The board: what lies before the seats, with what its cards say."""
