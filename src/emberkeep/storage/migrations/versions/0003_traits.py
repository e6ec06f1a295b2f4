"""What kind of message each item is, and the time that it tells of: what recall ranks by beyond words and vectors."""

import sqlalchemy as sa
from alembic import op

from emberkeep.language.traits import traits_of
from emberkeep.model.message import side_of
from emberkeep.model.moment import from_micros
from emberkeep.storage.items import about_columns

revision = "0003"
down_revision = "0002"

BATCH = 1_000


def upgrade() -> None:
    op.add_column("items", sa.Column("traits", sa.Integer(), nullable=True))
    op.add_column("items", sa.Column("about_from", sa.BigInteger(), nullable=True))
    op.add_column("items", sa.Column("about_to", sa.BigInteger(), nullable=True))
    _fill(op.get_bind())


def downgrade() -> None:
    for name in ("about_to", "about_from", "traits"):
        op.drop_column("items", name)


def _fill(connection: sa.Connection) -> None:
    """Read the traits of what is there, so that old memories rank as new ones do."""
    columns = ("tenant", "id", "text", "occurred_at", "traits", "about_from", "about_to")
    items = sa.table("items", *map(sa.column, columns))
    sources = sa.table("sources", *map(sa.column, ("tenant", "item_id", "role")))
    role = (
        sa.select(sa.func.min(sources.c.role))
        .where(sources.c.tenant == items.c.tenant, sources.c.item_id == items.c.id)
        .scalar_subquery()
    )
    found = sa.select(items.c.tenant, items.c.id, items.c.text, items.c.occurred_at, role).order_by(
        items.c.tenant, items.c.id
    )
    change = (
        sa.update(items)
        .where(items.c.tenant == sa.bindparam("owner"), items.c.id == sa.bindparam("item"))
        .values({name: sa.bindparam(f"new_{name}") for name in ("traits", "about_from", "about_to")})
    )
    after = ("", "")
    while rows := connection.execute(
        found.where(sa.tuple_(items.c.tenant, items.c.id) > sa.tuple_(*after)).limit(BATCH)
    ).all():
        after = rows[-1][0], rows[-1][1]
        values = [
            {
                "owner": tenant,
                "item": item_id,
                "new_traits": traits_of(text, by_machine=side_of(said_by or "") == "assistant").pack(),
                **{f"new_{name}": value for name, value in about_columns(text, from_micros(occurred_at)).items()},
            }
            for tenant, item_id, text, occurred_at, said_by in rows
        ]
        connection.execute(change, values)
