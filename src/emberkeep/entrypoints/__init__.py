"""How people and programs reach a memory: thin; parse, call the facade, print."""
