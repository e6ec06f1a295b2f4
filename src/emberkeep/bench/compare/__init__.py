"""Compares stores of memories side by side: speed, recall, disk and memory use, and survival of kills."""
