"""The card table over HTTP: resources, schemas, access tokens, problems, and the launcher of the whole."""
