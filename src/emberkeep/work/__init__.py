"""Records of work and of its outcome: goals, tasks with their steps, decisions, states, collections."""
