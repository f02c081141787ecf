"""Lists: the read models that answer which games there are, and how players stand."""
