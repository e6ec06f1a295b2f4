"""What stays: warming and cooling, telling the same thing apart from a new one, keeping and revising."""
