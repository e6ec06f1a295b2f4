"""What a service and its clients share: the table of verbs, the JSON of values and errors, and who may call what."""
