"""The HTTP API. Requests are checked here for shape, by the facade for sense."""
