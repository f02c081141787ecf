"""Records over HTTP: audits, and games as they were at any moment."""
