"""The commands, grouped by subject; each module declares its own."""
