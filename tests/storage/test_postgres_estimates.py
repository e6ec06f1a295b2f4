"""What PostgreSQL believes of tenants who are new to it."""

from collections.abc import Callable, Iterator

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import TimeoutError as PoolTimeout

import emberkeep
from emberkeep.storage.database import Database
from emberkeep.storage.postgres_estimates import FIRST, NEXT, OFF, Estimates, Heap, _believed
from emberkeep.storage.schema import items
from emberkeep.testing.embedder import WordEmbedder

KNOWN, NEW = 200, 300  # messages of the two tenants
Believed = Callable[[str, str], float]


@pytest.fixture
def two_tenants(parted_postgres_url: str) -> tuple[str, str]:
    """Two who share a part of each table, the first of whom PostgreSQL knows; nobody else takes statistics."""
    query = "SELECT satisfies_hash_partition('items'::regclass, 8, 3, %s::varchar)"
    with psycopg.connect(parted_postgres_url, autocommit=True) as connection:
        names = (f"tenant {number}%'" for number in range(1_000))
        mine = (name for name in names if (connection.execute(query, (name,)).fetchone() or (False,))[0])
        first, second = next(mine), next(mine)
        with emberkeep.open(parted_postgres_url, tenant=first, embedder=WordEmbedder()) as memory:
            memory.add([f"Note {number}" for number in range(KNOWN)], user_id="alex", learn=False)
        for table in ("items_p3", "sources_p3", "interactions_p3"):
            connection.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)".encode())
            connection.execute(f"ANALYZE {table}".encode())
    return first, second


@pytest.fixture
def believed(parted_postgres_url: str, database: Callable[[str], Database]) -> Iterator[Believed]:
    bare = database(parted_postgres_url).of_everyone()
    with bare.engine.connect() as connection:
        yield lambda tenant, table: _believed(connection, Heap(tenant, table))[0]


def test_one_who_has_grown_is_not_taken_for_empty(
    parted_postgres_url: str, two_tenants: tuple[str, str], believed: Believed
) -> None:
    first, new = two_tenants
    assert believed(first, "items") >= KNOWN / OFF
    assert believed(new, "items") == 1
    with emberkeep.open(parted_postgres_url, tenant=new, embedder=WordEmbedder()) as memory:
        for number in range(FIRST):
            memory.add(f"Call {number}", user_id="sam", learn="later")
        memory.learn()
        memory.add([f"Letter {number}" for number in range(NEW)], user_id="sam", learn=False)
    assert believed(new, "items") >= NEW / OFF
    assert believed(new, "sources") >= NEW / OFF
    assert believed(new, "interactions") >= FIRST / OFF


def test_a_table_that_somebody_holds_is_left_for_later(
    parted_postgres_url: str, two_tenants: tuple[str, str], believed: Believed
) -> None:
    new = two_tenants[1]
    with emberkeep.open(parted_postgres_url, tenant=new, embedder=WordEmbedder()) as memory:
        with psycopg.connect(parted_postgres_url) as holder:
            holder.execute("LOCK TABLE items_p3 IN SHARE UPDATE EXCLUSIVE MODE")
            memory.add([f"Letter {number}" for number in range(NEW)], user_id="sam", learn=False)
            assert believed(new, "items") == 1
        memory.add([f"Card {number}" for number in range(NEW * NEXT)], user_id="sam", learn=False)
    assert believed(new, "items") >= NEW * NEXT / OFF


def test_it_is_looked_at_when_there_are_four_times_as_many(
    parted_postgres_url: str, database: Callable[[str], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = database(parted_postgres_url)
    estimates, looked = Estimates(bare.engine), []
    monkeypatch.setattr(estimates, "_check", lambda heap, written: looked.append((*heap, written)))
    with bare.engine.connect() as connection:
        for _ in range(FIRST * NEXT + 1):
            estimates._count(connection, items.insert(), [], {"tenant": "acme"})
            estimates._count(connection, text("SELECT 1"), [], {"tenant": "acme"})
            estimates.check()
    assert [one for one in looked if one[1] == "items"] == [("acme", "items", FIRST), ("acme", "items", FIRST * NEXT)]
    assert len([one for one in looked if one[1] == "interactions"]) == 2


@pytest.mark.parametrize("error", [psycopg.OperationalError("the connection is lost"), PoolTimeout("none is free")])
def test_what_was_written_stays_written_whatever_becomes_of_the_statistics(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Estimates, "_correct", fail)
    with emberkeep.open(postgres_url, embedder=WordEmbedder()) as memory:
        memory.add([f"Letter {number}" for number in range(FIRST)], user_id="sam", learn=False)
        assert memory.stats().items_by_kind == {"episode": FIRST}
