"""Embedders, rerankers, language models and learners, behind the protocols in `base`."""
