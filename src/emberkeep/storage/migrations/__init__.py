"""Alembic's migrations, one file a step. `emberkeep migrate` and opening a database run them."""
