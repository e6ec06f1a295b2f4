"""For tests of code that uses Emberkeep: a clock that stands still, an embedder without a model, a store contract."""
