"""Where memories are kept: the schema, the two databases, and all SQL."""
