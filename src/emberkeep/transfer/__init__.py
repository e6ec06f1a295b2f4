"""Memories on their way out of a store and into one: backups of all of it, and what is imported and exported."""
