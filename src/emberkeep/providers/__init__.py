"""Models: what turns texts into vectors."""
