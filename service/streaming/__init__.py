"""Streaming: news of games, and the event streams that clients listen to."""
