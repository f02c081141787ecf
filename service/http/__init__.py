"""HTTP: what every route needs; validation, authentication, limits, problems, logging."""
