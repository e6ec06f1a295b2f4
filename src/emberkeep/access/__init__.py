"""Who is asking, and may they: keys, what a key's holder may do, how often, and requests that are done once."""
