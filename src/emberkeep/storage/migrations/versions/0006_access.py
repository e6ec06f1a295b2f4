"""Who may use the store from outside: keys, a log of what was done to look after it, requests done once."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "api_keys",
        _key("tenant"),
        _key("id"),
        _key("name"),
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        _key("user_id"),
        _moment("created_at"),
        _moment("expires_at", nullable=True),
        _moment("revoked_at", nullable=True),
        _moment("last_used_at", nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("api_keys_by_id", "api_keys", ["id"], unique=True)
    op.create_table(
        "audit",
        _key("tenant"),
        _key("id"),
        _moment("at"),
        _key("who"),
        _key("action"),
        _key("user_id"),
        sa.Column("what", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_table(
        "idempotency",
        *map(_key, ("tenant", "who", "key", "user_id")),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("holder", sa.String(length=32), nullable=False),
        _moment("lease_until"),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        _moment("created_at"),
        sa.PrimaryKeyConstraint("tenant", "who", "key"),
    )
    op.create_index("idempotency_by_user", "idempotency", ["tenant", "user_id"])


def downgrade() -> None:
    for name in ("idempotency", "audit", "api_keys"):
        op.drop_table(name)


def _key(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.String(length=256), nullable=False)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)
