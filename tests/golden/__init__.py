"""Golden games: whole games of every rulebook, committed to be read and compared.

`transcripts/` tells each game as text, with what each seat sees; `make golden` writes it anew, and the difference is
read in review. `records/` has the same games as the log keeps them. A record is never written over: whatever happens
to the rules, an old game has to fold to the table that it ended with.
"""
