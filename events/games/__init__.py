"""Games: loading them from their logs, deciding commands, and appending decisions."""
