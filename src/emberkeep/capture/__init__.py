"""Capturing what was said: the verbatim log, episodes made from it, seed files, and the redaction of secrets."""
