"""Background jobs: alarms, bots, projections (read models), ratings, the archive."""
