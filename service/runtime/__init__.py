"""The runtime: the launcher of all programs, their supervisor, and gunicorn's settings."""
