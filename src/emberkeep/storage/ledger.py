"""The ledger: the tokens and calls spent on language models, by tenant, day, user and model."""

from sqlalchemy import Connection, func, select, text

from emberkeep.model.finding import Spent
from emberkeep.model.report import Spending
from emberkeep.storage.schema import spend

_add = text(
    """
    INSERT INTO spend (tenant, day, user_id, model, tokens_in, tokens_out, calls)
    VALUES (:tenant, :day, :user_id, :model, :tokens_in, :tokens_out, :calls)
    ON CONFLICT (tenant, day, user_id, model) DO UPDATE SET
        tokens_in = spend.tokens_in + excluded.tokens_in,
        tokens_out = spend.tokens_out + excluded.tokens_out,
        calls = spend.calls + excluded.calls
    """
)


def add(connection: Connection, tenant: str, *, day: str, user_id: str, model: str, spent: Spent) -> None:
    """Add what was spent to the ledger."""
    if spent.calls or spent.tokens_in or spent.tokens_out:
        booked = {"tokens_in": spent.tokens_in, "tokens_out": spent.tokens_out, "calls": spent.calls}
        connection.execute(_add, {"tenant": tenant, "day": day, "user_id": user_id, "model": model, **booked})


def tokens_on(connection: Connection, tenant: str, day: str, user_id: str | None = None) -> int:
    """The tokens that a tenant, or one of its users, spent on a day, in and out together."""
    query = select(func.coalesce(func.sum(spend.c.tokens_in + spend.c.tokens_out), 0)).where(
        spend.c.tenant == tenant, spend.c.day == day
    )
    if user_id is not None:
        query = query.where(spend.c.user_id == user_id)
    return int(connection.execute(query).scalar_one())


def entries(connection: Connection, tenant: str, limit: int) -> list[Spending]:
    """The entries of a tenant's ledger, the latest day first."""
    query = (
        select(spend)
        .where(spend.c.tenant == tenant)
        .order_by(spend.c.day.desc(), spend.c.user_id, spend.c.model)
        .limit(limit)
    )
    return [
        Spending(row.day, row.user_id or None, row.model, Spent(row.tokens_in, row.tokens_out, row.calls))
        for row in connection.execute(query)
    ]
