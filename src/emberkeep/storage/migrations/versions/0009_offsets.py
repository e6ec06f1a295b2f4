"""How far the clock of where something was said is from UTC, which decides what day "tomorrow" is."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    for table in ("interactions", "items"):
        op.add_column(table, sa.Column("utc_offset", sa.SmallInteger(), nullable=True))


def downgrade() -> None:
    for table in ("interactions", "items"):
        op.drop_column(table, "utc_offset")
