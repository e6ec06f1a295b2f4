"""What fits: hits chosen and rendered under a token budget."""
