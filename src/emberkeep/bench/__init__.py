"""Measures how well search finds the messages that answer a question, on conversations with known answers."""
