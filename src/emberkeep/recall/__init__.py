"""Recall: candidates from several channels, fused into one ranking."""
