"""Indexes by which the vectors of an item, and what an item took the place of, are found without a look at all."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_index("vectors_by_item", "vectors", ["tenant", "item_id"])
    replaced = sa.text("superseded_by IS NOT NULL")
    op.create_index(
        "items_by_successor",
        "items",
        ["tenant", "superseded_by"],
        sqlite_where=replaced,
        postgresql_where=replaced,
    )


def downgrade() -> None:
    op.drop_index("items_by_successor", "items")
    op.drop_index("vectors_by_item", "vectors")
