"""The first schema."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from emberkeep.storage.column_types import Vector

revision = "0001"
down_revision = None


def _json() -> sa.JSON[Any]:
    return sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "history",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("item_id", sa.String(length=256), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("version_id", sa.String(length=256), nullable=True),
        sa.Column("temperature", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "item_id", "number"),
    )
    op.create_index("history_by_user", "history", ["tenant", "user_id"], unique=False)
    op.create_table(
        "interactions",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("id", sa.String(length=256), nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.Column("agent_id", sa.String(length=256), nullable=False),
        sa.Column("session_id", sa.String(length=256), nullable=False),
        sa.Column("occurred_at", sa.BigInteger(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("messages", _json(), nullable=False),
        sa.Column("tags", _json(), nullable=False),
        sa.Column("metadata", _json(), nullable=False),
        sa.Column("waiting", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index(
        "interactions_waiting",
        "interactions",
        ["tenant", "id"],
        unique=False,
        sqlite_where=sa.text("waiting"),
        postgresql_where=sa.text("waiting"),
    )
    op.create_index("interactions_by_session", "interactions", ["tenant", "user_id", "session_id", "id"], unique=False)
    op.create_table(
        "items",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("id", sa.String(length=256), nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.Column("agent_id", sa.String(length=256), nullable=False),
        sa.Column("session_id", sa.String(length=256), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("speaker", sa.String(length=256), nullable=True),
        sa.Column("content_hash", sa.LargeBinary(), nullable=False),
        sa.Column("terms", sa.LargeBinary(), nullable=False),
        sa.Column("tags", _json(), nullable=False),
        sa.Column("metadata", _json(), nullable=False),
        sa.Column("occurred_at", sa.BigInteger(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("valid_from", sa.BigInteger(), nullable=False),
        sa.Column("valid_to", sa.BigInteger(), nullable=True),
        sa.Column("superseded_by", sa.String(length=256), nullable=True),
        sa.Column("version_of", sa.String(length=256), nullable=True),
        sa.Column("temperature", sa.Float(), nullable=False),
        sa.Column("heated_at", sa.BigInteger(), nullable=False),
        sa.Column("access_count", sa.Integer(), nullable=False),
        sa.Column("last_access", sa.BigInteger(), nullable=True),
        sa.Column("sacred", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("unembedded", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("items_by_content", "items", ["tenant", "user_id", "content_hash"], unique=False)
    op.create_index("items_by_revision", "items", ["tenant", "user_id", "revision"], unique=False)
    op.create_index("items_by_time", "items", ["tenant", "user_id", "occurred_at", "id"], unique=False)
    op.create_index(
        "items_by_version",
        "items",
        ["tenant", "version_of"],
        unique=False,
        sqlite_where=sa.text("version_of IS NOT NULL"),
        postgresql_where=sa.text("version_of IS NOT NULL"),
    )
    op.create_index(
        "items_unembedded",
        "items",
        ["tenant", "id"],
        unique=False,
        sqlite_where=sa.text("unembedded"),
        postgresql_where=sa.text("unembedded"),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=256), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "shelves",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "user_id"),
        sa.UniqueConstraint("number"),
    )
    op.create_table(
        "spaces",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("embedder", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tombstones",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("item_id", sa.String(length=256), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "user_id", "revision"),
    )
    op.create_table(
        "attributes",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("item_id", sa.String(length=256), nullable=False),
        sa.Column("attribute", sa.LargeBinary(), nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.ForeignKeyConstraint(["tenant", "item_id"], ["items.tenant", "items.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tenant", "item_id", "attribute"),
    )
    op.create_index("attributes_by_value", "attributes", ["tenant", "user_id", "attribute"], unique=False)
    op.create_table(
        "sources",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("item_id", sa.String(length=256), nullable=False),
        sa.Column("interaction_id", sa.String(length=256), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=256), nullable=False),
        sa.Column("role", sa.String(length=256), nullable=False),
        sa.Column("name", sa.String(length=256), nullable=True),
        sa.Column("occurred_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["tenant", "item_id"], ["items.tenant", "items.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tenant", "item_id", "interaction_id", "position"),
    )
    op.create_table(
        "vectors",
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("space", sa.BigInteger(), nullable=False),
        sa.Column("item_id", sa.String(length=256), nullable=False),
        sa.Column("shelf", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("embedded_hash", sa.LargeBinary(), nullable=False),
        sa.Column("embedding", Vector(), nullable=False),
        sa.ForeignKeyConstraint(["tenant", "item_id"], ["items.tenant", "items.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tenant", "space", "item_id"),
    )
    op.create_index("vectors_by_content", "vectors", ["tenant", "space", "embedded_hash"], unique=False)
    op.create_index("vectors_by_revision", "vectors", ["tenant", "space", "shelf", "revision"], unique=False)


def downgrade() -> None:
    op.drop_table("vectors")
    op.drop_table("sources")
    op.drop_table("attributes")
    op.drop_table("tombstones")
    op.drop_table("spaces")
    op.drop_table("shelves")
    op.drop_table("meta")
    op.drop_table("items")
    op.drop_table("interactions")
    op.drop_table("history")
