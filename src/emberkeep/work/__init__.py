"""What is being done, and what became of it: goals, tasks with their steps, decisions, states, collections."""
