"""What it means: from what was said to what is known, by rules or by a model, and the vectors of both."""
