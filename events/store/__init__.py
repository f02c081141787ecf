"""The store: the log of every game, as bytes on Redis streams, and the connections to it."""
