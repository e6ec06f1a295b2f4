"""The values that Emberkeep speaks in: frozen, without I/O."""
