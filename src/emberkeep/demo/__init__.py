"""The demo: a month in the life of an assistant and a coding agent, written by hand and loaded by the public verbs."""
