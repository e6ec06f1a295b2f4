"""Storage: the schema, the two databases, and all SQL."""
