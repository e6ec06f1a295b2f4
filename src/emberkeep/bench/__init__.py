"""Measures how well search finds the messages that answer a question, and compares Emberkeep with other stores."""
