"""The backlog with leases, claims, mentions, links, the ledger, and what was forgotten."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"


def _json() -> sa.JSON[Any]:
    return sa.JSON().with_variant(JSONB(), "postgresql")


def _key(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=256), nullable=nullable)


def _of_item(column: str = "item_id") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant", column], ["items.tenant", "items.id"], ondelete="CASCADE")


def upgrade() -> None:
    _interactions()
    op.add_column("items", sa.Column("gloss", sa.Text(), nullable=True))
    op.add_column("items", sa.Column("told", sa.Boolean(), nullable=True))
    op.execute("UPDATE items SET told = (kind <> 'episode')")  # nothing had been learned yet
    op.add_column("items", sa.Column("stale_from", sa.BigInteger(), nullable=True))
    op.add_column("sources", sa.Column("quote", sa.Text(), nullable=True))
    op.create_index("sources_by_interaction", "sources", ["tenant", "interaction_id"])
    op.create_table(
        "claims",
        _key("tenant"),
        _key("item_id"),
        _key("user_id"),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("stems", sa.Text(), nullable=False),
        sa.Column("single", sa.Boolean(), nullable=False),
        sa.Column("negated", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "item_id"),
        _of_item(),
    )
    op.create_index("claims_by_subject", "claims", ["tenant", "user_id", "subject", "relation"])
    op.create_table(
        "mentions",
        _key("tenant"),
        _key("item_id"),
        _key("entity"),
        _key("user_id"),
        sa.PrimaryKeyConstraint("tenant", "item_id", "entity"),
        _of_item(),
    )
    op.create_index("mentions_by_entity", "mentions", ["tenant", "user_id", "entity"])
    op.create_table(
        "links",
        _key("tenant"),
        _key("item_id"),
        _key("other_id"),
        sa.Column("relation", sa.String(length=32), nullable=False),
        _key("user_id"),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "item_id", "other_id", "relation"),
        _of_item(),
        _of_item("other_id"),
    )
    op.create_index("links_by_other", "links", ["tenant", "other_id"])
    op.create_table(
        "spend",
        _key("tenant"),
        sa.Column("day", sa.String(length=10), nullable=False),
        _key("user_id"),
        _key("model"),
        sa.Column("tokens_in", sa.BigInteger(), nullable=False),
        sa.Column("tokens_out", sa.BigInteger(), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "day", "user_id", "model"),
    )
    op.create_table(
        "forgotten",
        _key("tenant"),
        _key("user_id"),
        sa.Column("content_hash", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "user_id", "content_hash"),
    )
    op.create_table(
        "generations",
        _key("tenant"),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        _key("learner"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "number"),
    )
    op.create_table(
        "generation_changes",
        _key("tenant"),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        _key("item_id"),
        _key("user_id"),
        sa.Column("change", sa.String(length=16), nullable=False),
        sa.Column("before", _json(), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "number", "item_id"),
    )
    op.create_index("generation_changes_by_user", "generation_changes", ["tenant", "user_id"])


def downgrade() -> None:
    for name in ("generation_changes", "generations", "forgotten", "spend", "links", "mentions", "claims"):
        op.drop_table(name)
    op.drop_index("sources_by_interaction", "sources")
    op.drop_column("sources", "quote")
    for name in ("stale_from", "told", "gloss"):
        op.drop_column("items", name)
    for index in ("interactions_in_backlog", "interactions_by_time"):
        op.drop_index(index, "interactions")
    with op.batch_alter_table("interactions") as table:
        table.add_column(sa.Column("waiting", sa.Boolean(), nullable=True))
    # What that version waits for are episodes; that nothing was learned from one is nothing to it.
    op.execute("UPDATE interactions SET waiting = NOT episodes")
    with op.batch_alter_table("interactions") as table:
        for name in ("details", "episodes", "backlog", "attempts", "due_at", "lease", "reason", "learned_by"):
            table.drop_column(name)
        table.alter_column("waiting", existing_type=sa.Boolean(), nullable=False)
    where = sa.text("waiting")
    op.create_index(
        "interactions_waiting", "interactions", ["tenant", "id"], sqlite_where=where, postgresql_where=where
    )


def _interactions() -> None:
    op.drop_index("interactions_waiting", "interactions")
    with op.batch_alter_table("interactions") as table:
        table.add_column(sa.Column("details", _json(), nullable=True))
        table.add_column(sa.Column("episodes", sa.Boolean(), nullable=True))
        table.add_column(sa.Column("backlog", sa.String(length=16), nullable=True))
        table.add_column(sa.Column("attempts", sa.Integer(), nullable=True))
        table.add_column(sa.Column("due_at", sa.BigInteger(), nullable=True))
        table.add_column(_key("lease", nullable=True))
        table.add_column(sa.Column("reason", sa.Text(), nullable=True))
        table.add_column(_key("learned_by", nullable=True))
    # Nothing of what is there has been learned from yet: all of it is the backlog.
    op.execute("UPDATE interactions SET episodes = NOT waiting, backlog = 'waiting', attempts = 0, due_at = 0")
    with op.batch_alter_table("interactions") as table:
        table.drop_column("waiting")
        table.alter_column("episodes", existing_type=sa.Boolean(), nullable=False)
        table.alter_column("attempts", existing_type=sa.Integer(), nullable=False)
        table.alter_column("due_at", existing_type=sa.BigInteger(), nullable=False)
    op.create_index("interactions_by_time", "interactions", ["tenant", "occurred_at", "id"])
    op.create_index(
        "interactions_in_backlog",
        "interactions",
        ["tenant", "backlog", "id"],
        sqlite_where=sa.text("backlog IS NOT NULL"),
        postgresql_where=sa.text("backlog IS NOT NULL"),
    )
