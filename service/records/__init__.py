"""Audits, and games as they were at earlier decisions."""
