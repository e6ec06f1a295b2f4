"""What it means: from what was said to what can be found. For now, the vectors of items."""
