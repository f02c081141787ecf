"""What the sections of the benchmarks share: servers, games, the load generator, measuring, and the page."""
