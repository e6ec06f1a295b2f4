"""The ways in for people and programs: thin layers that parse, call the facade, and print or answer."""
