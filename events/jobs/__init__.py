"""Jobs: what web processes ask of workers, by name."""
