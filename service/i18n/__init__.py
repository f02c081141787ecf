"""Translation: the language of a request, and the catalogues of translated messages."""
