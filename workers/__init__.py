"""Background jobs of the card table: clocks, and the projections that are read but never decided on."""
