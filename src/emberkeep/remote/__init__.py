"""A memory on a server: the same verbs, each a request over HTTP."""
