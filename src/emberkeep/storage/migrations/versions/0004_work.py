"""What is being done (goals, tasks, steps, decisions), collections, kept events, entries, the ledger of contexts."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0004"
down_revision = "0003"

COLD = 1 << 48  # what the number of a shelf's cold vectors is higher by


def upgrade() -> None:
    op.add_column("items", _key("record", nullable=True))
    op.add_column("items", sa.Column("cold", sa.Boolean(), nullable=True))
    where = sa.text("record IS NOT NULL")
    op.create_index("items_by_record", "items", ["tenant", "record"], sqlite_where=where, postgresql_where=where)
    _work()
    _collections()
    _rest()


def downgrade() -> None:
    for name in """
        contexts entries events documents config_changes incidents procedures cached_patterns decisions
        steps tasks goals
    """.split():
        op.drop_table(name)
    # What records are found by goes with them: that version would not know some of their kinds, nor whose they are.
    op.execute("DELETE FROM history WHERE (tenant, item_id) IN (SELECT tenant, id FROM items WHERE record IS NOT NULL)")
    op.execute("DELETE FROM items WHERE record IS NOT NULL")
    # That version knows no cold items: their vectors go back to the shelf that the others are on.
    op.execute(f"UPDATE vectors SET shelf = shelf - {COLD} WHERE shelf >= {COLD}")  # noqa: S608 - a number of ours
    op.execute("UPDATE shelves SET epoch = epoch + 1")
    op.drop_index("items_by_record", "items")
    for name in ("cold", "record"):
        op.drop_column("items", name)


def _work() -> None:
    _record(
        "goals",
        _key("parent_id", nullable=True),
        _text("description"),
        _short("status"),
        sa.Column("priority", sa.Integer(), nullable=False),
        _text("summary"),
        _moment("finished_at", nullable=True),
        _moment("archived_at", nullable=True),
    )
    op.create_index("goals_by_parent", "goals", ["tenant", "parent_id"])
    op.create_index("goals_by_status", "goals", ["tenant", "status", "id"])
    _record(
        "tasks",
        _key("goal_id", nullable=True),
        _text("description"),
        _short("status"),
        _text("summary"),
        _moment("started_at", nullable=True),
        _moment("finished_at", nullable=True),
        _moment("archived_at", nullable=True),
    )
    op.create_index("tasks_by_goal", "tasks", ["tenant", "goal_id"])
    op.create_index("tasks_by_status", "tasks", ["tenant", "status", "id"])
    op.create_table(
        "steps",
        _key("tenant"),
        _key("task_id"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("iteration", sa.Integer(), nullable=False),
        _text("tool"),
        _json("parameters"),
        _text("output"),
        sa.Column("output_chars", sa.BigInteger(), nullable=False),
        sa.Column("success", sa.Boolean(), nullable=False),
        sa.Column("duration_ms", sa.Float(), nullable=True),
        _moment("created_at"),
        sa.PrimaryKeyConstraint("tenant", "task_id", "number"),
        sa.ForeignKeyConstraint(["tenant", "task_id"], ["tasks.tenant", "tasks.id"], ondelete="CASCADE"),
    )
    _record(
        "decisions",
        _key("goal_id", nullable=True),
        _key("task_id", nullable=True),
        _text("who"),
        _text("what"),
        _text("why"),
        _text("context"),
        _json("alternatives"),
        sa.Column("confidence", sa.Float(), nullable=True),
        _text("outcome", nullable=True),
        sa.Column("success", sa.Boolean(), nullable=True),
        _moment("archived_at", nullable=True),
    )
    op.create_index("decisions_by_task", "decisions", ["tenant", "task_id"])
    op.create_index("decisions_by_goal", "decisions", ["tenant", "goal_id"])
    _record(
        "cached_patterns",
        _text("trigger"),
        _text("action"),
        sa.Column("successes", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        _moment("used_at", nullable=True),
    )


def _collections() -> None:
    _record("procedures", _text("name"), _text("description"), _json("steps"))
    _record(
        "incidents",
        _text("title"),
        _text("description"),
        _short("severity"),
        _text("cause"),
        _text("resolution"),
        _moment("occurred_at"),
        _moment("resolved_at", nullable=True),
    )
    _record(
        "config_changes",
        _text("key"),
        _json("old", nullable=True),
        _json("new", nullable=True),
        _text("who"),
        _text("why"),
        _moment("occurred_at"),
    )
    _record(
        "documents",
        _text("title"),
        _text("origin"),
        sa.Column("media_type", sa.String(length=64), nullable=False),
        sa.Column("content_hash", sa.LargeBinary(), nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
    )


def _rest() -> None:
    op.create_table(
        "events",
        _key("tenant"),
        _key("id"),
        _moment("at"),
        _text("category"),
        _short("severity"),
        _text("source"),
        _text("message"),
        _json("data", nullable=True),
        _moment("archived_at", nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("events_by_time", "events", ["tenant", "at", "id"])
    op.create_table(
        "entries",
        _key("tenant"),
        _short("drawer"),
        _key("user_id"),
        _key("agent_id"),
        _key("key"),
        _json("value", nullable=True),
        _moment("updated_at"),
        sa.PrimaryKeyConstraint("tenant", "drawer", "user_id", "agent_id", "key"),
    )
    op.create_table(
        "contexts",
        *_owned(),
        _moment("at"),
        _text("task"),
        sa.Column("max_tokens", sa.Integer(), nullable=False),
        sa.Column("total_tokens", sa.Integer(), nullable=False),
        _json("settings"),
        _json("entries"),
        _json("degraded"),
        sa.Column("helpful", sa.Boolean(), nullable=True),
        _text("note", nullable=True),
        _moment("rated_at", nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("contexts_by_time", "contexts", ["tenant", "user_id", "at", "id"])


def _record(name: str, *columns: sa.Column[Any]) -> None:
    op.create_table(
        name,
        *_owned(),
        *columns,
        _json("metadata"),
        _moment("created_at"),
        _moment("updated_at"),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index(f"{name}_by_time", name, ["tenant", "user_id", "updated_at", "id"])


def _owned() -> list[sa.Column[str]]:
    return [_key(name) for name in ("tenant", "id", "user_id", "agent_id", "session_id")]


def _key(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=256), nullable=nullable)


def _short(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=16), nullable=False)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _json(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON().with_variant(JSONB(), "postgresql"), nullable=nullable)
