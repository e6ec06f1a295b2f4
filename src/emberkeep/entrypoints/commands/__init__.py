"""The commands, by what they are about; each module declares its own."""
