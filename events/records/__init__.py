"""Records: finished games as files that a stranger can verify; their audit and import."""
