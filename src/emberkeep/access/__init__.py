"""Who calls: keys, what they may do, how often, and what was done in their name."""
