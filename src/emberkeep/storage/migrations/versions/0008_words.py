"""Beside each vector those of the text's words, by which recall takes a closer look at the best."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("vectors", sa.Column("words", sa.LargeBinary(), nullable=True))
    lacking = sa.text("words IS NULL")
    op.create_index(
        "vectors_without_words",
        "vectors",
        ["tenant", "space", "item_id"],
        sqlite_where=lacking,
        postgresql_where=lacking,
    )


def downgrade() -> None:
    op.drop_index("vectors_without_words", "vectors")
    op.drop_column("vectors", "words")
