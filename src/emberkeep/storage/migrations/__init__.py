"""Alembic's migrations, one file per step. `emberkeep migrate` and opening a database run them."""
