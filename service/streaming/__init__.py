"""Event streams of games."""
