"""Tests of the kernel, with small rulebooks of their own: market, throne_room, secrets and the scenes of each test."""
