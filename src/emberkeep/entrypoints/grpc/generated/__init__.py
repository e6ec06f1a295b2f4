"""Written by `make proto`."""
