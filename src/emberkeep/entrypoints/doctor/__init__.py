"""Is everything in place? Each check says what it found and, where something is wrong, what to do."""
