"""The scenarios, one file for each sort of fault."""
