"""The command line: `python -m service.cli`."""
