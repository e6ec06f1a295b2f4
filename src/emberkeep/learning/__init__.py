"""Learning: from what was said to statements worth keeping, by rules or by a model, and the vectors of both."""
