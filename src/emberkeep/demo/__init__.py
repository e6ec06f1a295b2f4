"""A month in the life of an assistant and a coding agent, to look at: written by hand, told by the verbs themselves."""
