"""Schemas: what requests may hold, and what responses hold."""
