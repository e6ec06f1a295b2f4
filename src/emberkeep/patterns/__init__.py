"""Patterns: mined from the outcomes of tasks, matched to new tasks, and corrected by feedback. Pure functions."""
