"""The HTTP API. Requests are checked for their shape here, and for their meaning by the facade."""
