"""How tasks ended, what they have in common, and who is told of changes."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    _record(
        "executions",
        _key("task_id"),
        _text("type"),
        _text("description"),
        _text("summary"),
        sa.Column("success", sa.Boolean(), nullable=False),
        _json("errors"),
        _json("tools"),
        _text("code", nullable=True),
        _number("reused"),
    )
    op.create_index("executions_by_task", "executions", ["tenant", "task_id"])
    op.create_index("executions_by_type", "executions", ["tenant", "user_id", "type", "created_at"])
    _patterns()
    _outbox()


def downgrade() -> None:
    # What they are found by goes with them.
    found_by = "FROM items WHERE record LIKE 'pattern:%' OR record LIKE 'execution:%'"
    op.execute(f"DELETE FROM history WHERE (tenant, item_id) IN (SELECT tenant, id {found_by})")  # noqa: S608 - ours
    op.execute(f"DELETE {found_by}")
    op.execute("UPDATE shelves SET epoch = epoch + 1")
    for name in "listeners deliveries outbox pattern_feedback pattern_versions patterns executions".split():
        op.drop_table(name)


def _patterns() -> None:
    _record(
        "patterns",
        sa.Column("pattern_type", sa.String(length=16), nullable=False),
        _text("task_type_pattern"),
        _key("subject"),
        _text("description"),
        _json("success_indicators"),
        _json("failure_indicators"),
        _json("recommended_context"),
        _json("examples"),
        *map(_number, ("hits", "support", "other_hits", "other_support", "helpful", "unhelpful")),
        sa.Column("adjustment", sa.Float(), nullable=False),
        sa.Column("confidence_score", sa.Float(), nullable=False),
        _number("usage_count"),
        _number("version"),
        _moment("retired_at", nullable=True),
    )
    op.create_index("patterns_by_subject", "patterns", ["tenant", "user_id", "subject"])
    of_pattern = ["tenant", "pattern_id"], ["patterns.tenant", "patterns.id"]
    op.create_table(
        "pattern_versions",
        _key("tenant"),
        _key("pattern_id"),
        _number("version"),
        _moment("at"),
        _text("reason"),
        _json("changed"),
        sa.PrimaryKeyConstraint("tenant", "pattern_id", "version"),
        sa.ForeignKeyConstraint(*of_pattern, ondelete="CASCADE"),
    )
    op.create_table(
        "pattern_feedback",
        _key("tenant"),
        _key("id"),
        _key("pattern_id"),
        sa.Column("helpful", sa.Boolean(), nullable=True),
        sa.Column("adjustment", sa.Float(), nullable=False),
        _text("note", nullable=True),
        _moment("at"),
        sa.PrimaryKeyConstraint("tenant", "id"),
        sa.ForeignKeyConstraint(*of_pattern, ondelete="CASCADE"),
    )
    op.create_index("pattern_feedback_by_pattern", "pattern_feedback", ["tenant", "pattern_id", "id"])


def _outbox() -> None:
    op.create_table(
        "outbox",
        _key("tenant"),
        _key("id"),
        _key("type"),
        _moment("at"),
        _key("user_id"),
        _json("payload"),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_table(
        "deliveries",
        _key("tenant"),
        _key("sink"),
        _key("event_id"),
        _number("attempts"),
        _moment("due_at"),
        sa.Column("holder", sa.String(length=32), nullable=True),
        sa.Column("failed", sa.Boolean(), nullable=False),
        _text("reason", nullable=True),
        sa.PrimaryKeyConstraint("tenant", "sink", "event_id"),
        sa.ForeignKeyConstraint(["tenant", "event_id"], ["outbox.tenant", "outbox.id"], ondelete="CASCADE"),
    )
    op.create_index("deliveries_by_event", "deliveries", ["tenant", "event_id"])
    op.create_table(
        "listeners",
        _key("tenant"),
        _key("id"),
        sa.Column("kind", sa.String(length=16), nullable=False),
        _text("url"),
        _text("secret"),
        _json("types"),
        _moment("created_at"),
        _moment("until", nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )


def _record(name: str, *columns: sa.Column[Any]) -> None:
    op.create_table(
        name,
        *map(_key, ("tenant", "id", "user_id", "agent_id", "session_id")),
        *columns,
        _json("metadata"),
        _moment("created_at"),
        _moment("updated_at"),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index(f"{name}_by_time", name, ["tenant", "user_id", "updated_at", "id"])


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=256), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _json(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False)
