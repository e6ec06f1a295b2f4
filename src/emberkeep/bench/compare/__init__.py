"""Compares stores of memories side by side: how fast each is, how much it finds and takes, and what it survives."""
