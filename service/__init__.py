"""The card table over HTTP, its command line and its launcher."""
