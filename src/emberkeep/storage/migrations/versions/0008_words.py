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
    _forget_plans()
    op.drop_index("vectors_without_words", "vectors")
    op.drop_column("vectors", "words")


def _forget_plans() -> None:
    """Contexts are on record with the plan that they were searched by, and older versions know less of plans."""
    if op.get_bind().dialect.name == "sqlite":
        channels = (
            "SELECT json_group_array(value) FROM json_each(settings, '$.plan.channels') WHERE value != 'meanings'"
        )
        without = f"json_set(json_remove(settings, '$.plan.closer'), '$.plan.channels', json(({channels})))"
        has_it = "json_extract(settings, '$.plan.closer')"
    else:
        channels = "(settings #> '{plan,channels}') - 'meanings'"
        without = f"jsonb_set(settings #- '{{plan,closer}}', '{{plan,channels}}', {channels})"
        has_it = "settings #> '{plan,closer}'"
    op.execute(f"UPDATE contexts SET settings = {without} WHERE {has_it} IS NOT NULL")  # noqa: S608 - our own words
