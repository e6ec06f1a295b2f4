"""Beside each vector those of the text's words, by which recall takes a closer look at the best."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("vectors", sa.Column("words", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("vectors", "words")
