"""The API: one module per resource, with its routes."""
