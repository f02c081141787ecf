"""Execution: from commands and answers to decisions, and from decisions to games and views."""
