"""Contexts: records chosen and rendered within a token budget."""
