"""What happened: the verbatim log, and the episodes drawn from it."""
