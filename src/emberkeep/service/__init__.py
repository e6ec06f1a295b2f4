"""What a service and its clients agree on: the verbs, what is sent, and who may call what."""
