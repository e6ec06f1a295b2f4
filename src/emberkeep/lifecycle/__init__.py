"""The life of items: keeping and revising them, warming and cooling, and telling repetition from news."""
