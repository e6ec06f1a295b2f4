"""Runs the migrations on the connection that `storage.migrate` hands over."""

from alembic import context

from emberkeep.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
