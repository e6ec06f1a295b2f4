"""Fuzzing of all code that reads input from outside: `make fuzz`."""
