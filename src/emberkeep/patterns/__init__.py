"""What repeats: patterns mined from how tasks ended, matched to new ones, and corrected by feedback. Pure functions."""
