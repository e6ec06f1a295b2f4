"""The domain's value types: frozen dataclasses and checks, without I/O."""
