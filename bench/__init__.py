"""Benchmarks: what `make bench` measures and writes to docs/benchmarks.md. Nothing here is part of the service."""
