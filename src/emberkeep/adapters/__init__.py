"""Interfaces that others already program against, each a thin file over the facade."""
