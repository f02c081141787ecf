"""OpenAPI: the document of the contract, made from the routes and the rulebooks."""
