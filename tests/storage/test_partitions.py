"""Tables divided by tenant: each query touches one part, and each part has what it needs."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import psycopg
import pytest
from sqlalchemy import Connection, event, insert, inspect, select, text

import emberkeep
from emberkeep.storage import migrate, schema
from emberkeep.storage.database import Database
from emberkeep.storage.postgres_layout import PARTITIONS, is_partitioned, part_of
from emberkeep.storage.search import ShelfKey

Open = Callable[..., emberkeep.Memory]
pytestmark = pytest.mark.slow
LARGE = [name for name, table in schema.metadata.tables.items() if is_partitioned(table)]
PART = re.compile(rf"\bon ({'|'.join(LARGE)})_p(\d)\b")


def partitions_of(name: str) -> list[str]:
    return [part_of(name, number) for number in range(PARTITIONS)]


class Explaining(psycopg.Cursor[Any]):
    """Asks for the plan of each query right after it, with the same values."""

    found: ClassVar[list[str]] = []

    def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
        super().execute(query, params, **options)
        if str(query).lstrip().startswith(("SELECT", "UPDATE", "DELETE")) and "pg_" not in str(query):
            with psycopg.Cursor(self.connection) as other:
                other.execute(f"EXPLAIN {query}", params)
                self.found.append("\n".join(row[0] for row in other))
        return self


@contextmanager
def plans(database: Database) -> Iterator[list[str]]:
    """The plans of what is run meanwhile."""

    def explain(connection: psycopg.Connection[Any], _record: object, _proxy: object) -> None:
        connection.cursor_factory = Explaining

    def stop(connection: psycopg.Connection[Any], _record: object) -> None:
        connection.cursor_factory = psycopg.Cursor

    Explaining.found = []
    event.listen(database.engine, "checkout", explain)
    event.listen(database.engine, "checkin", stop)
    try:
        yield Explaining.found
    finally:
        event.remove(database.engine, "checkout", explain)
        event.remove(database.engine, "checkin", stop)


def test_rows_are_spread_over_the_parts(parted_postgres_url: str, opened: Open) -> None:
    first = opened(parted_postgres_url)
    for number in range(40):
        first.of_tenant(f"tenant {number}").add("the lamp is red", user_id="alex")
    with first._parts.database.of_everyone().read() as connection:
        for name in ("items", "interactions", "vectors", "sources"):
            counted = connection.execute(
                text(f"SELECT tableoid::regclass::text, count(*) FROM {name} GROUP BY 1")
            ).all()
            assert {row[0] for row in counted} == set(partitions_of(name))
            assert sum(row[1] for row in counted) == 40


def test_what_belongs_together_lies_together(parted_postgres_url: str, opened: Open) -> None:
    """All parts of a tenant have the same number, whatever the table."""
    first = opened(parted_postgres_url, keep_events=True)
    for tenant in ("acme", "globex", "initech"):
        view = first.of_tenant(tenant)
        view.add("the lamp is red", user_id="alex", tags=["lamp"])
        view.tasks.step(view.tasks.start("Pack").id, "box")
        with view._parts.database.read() as connection:
            numbers = {
                part[-1]
                for name in LARGE
                for part in connection.execute(
                    text(f"SELECT tableoid::regclass::text FROM {name} WHERE tenant = :tenant"), {"tenant": tenant}
                ).scalars()
            }
        assert len(numbers) == 1


def test_verbs_touch_one_part(parted_postgres_url: str, opened: Open) -> None:
    memory = opened(parted_postgres_url, tenant="acme")
    told = memory.remember("the lamp is red", user_id="alex", tags=["lamp"])
    memory.add(["the door is shut", "the lamp is lit"], user_id="alex", session_id="s")
    verbs: list[Callable[[], Any]] = [
        lambda: memory.search("lamp", user_id="alex", touch=True),
        lambda: memory.search("lamp", user_id="*", tags=["lamp"]),
        lambda: memory.get(told.id),
        lambda: memory.get_all(user_id="alex"),
        lambda: memory.history(told.id),
        lambda: memory.update(told.id, "the lamp is green"),
        lambda: memory.context("lamp", user_id="alex"),
        memory.capture.recent,
        memory.stats,
        memory.learn,
        lambda: memory.delete(told.id),
        lambda: memory.delete_all(user_id="alex"),
    ]
    touched = set()
    for verb in verbs:
        with plans(memory._parts.database) as found:
            verb()
        assert found
        for plan in found:
            numbers = {match[2] for match in PART.finditer(plan.lower())}
            assert len(numbers) <= 1, plan
            touched |= numbers
    assert len(touched) == 1


def test_a_large_shelf_has_its_index_on_its_part(parted_postgres_url: str, opened: Open) -> None:
    first = opened(parted_postgres_url, large_from=5)
    for tenant in ("acme", "globex"):
        view = first.of_tenant(tenant)
        view.add([f"lamp {n}" for n in range(10)], user_id="alex")
        assert view.upkeep().indexes_built == 1
        with view._parts.database.read() as connection:
            query = text("SELECT DISTINCT tableoid::regclass::text FROM vectors WHERE tenant = :t")
            home = connection.execute(query, {"t": tenant}).scalar_one()
            row = connection.execute(select(schema.shelves).where(schema.shelves.c.tenant == tenant)).one()
            (space,) = connection.execute(select(schema.spaces)).all()
            where = connection.execute(
                text("SELECT tablename FROM pg_indexes WHERE indexname = :name"),
                {"name": f"vectors_hnsw_{space.id}_{row.number}"},
            ).scalar_one()
        assert where == home
        large = view._parts.database.large_shelf(ShelfKey(tenant, row.number, space.id, space.dimension))
        assert large.load()
        large.discard()
        assert not large.load()


def test_older_stores_keep_their_rows_and_their_keys(
    empty_postgres_url: str, database: Callable[[str], Database], opened: Open, parted_postgres_url: str
) -> None:
    """Rows of the version before, copied from a store of this one, so that every column has a value that occurs."""
    memory = opened(parted_postgres_url, keep_events=True, tenant="acme")
    memory.add("I live in Lisbon.", user_id="alex", tags=["home"])
    memory.remember("Alex lives in Porto now", user_id="alex")
    memory.tasks.finish(memory.tasks.start("Pack").id, success=True)
    memory.context("Pack", user_id="alex")
    rows = {}
    with memory._parts.database.read() as connection:
        for table in schema.metadata.sorted_tables:
            rows[table.name] = [dict(row._mapping) for row in connection.execute(select(table))]
    older = database(empty_postgres_url).of_everyone()

    def write(connection: Connection) -> None:
        older.before_schema(connection)
        migrate.migrate(connection, "0005")
        known = set(inspect(connection).get_table_names())
        for table in schema.metadata.sorted_tables:
            if rows[table.name] and table.name in known:
                named = text("SELECT column_name FROM information_schema.columns WHERE table_name = :table")
                columns = set(connection.execute(named, {"table": table.name}).scalars())
                there = [{name: row[name] for name in row if name in columns} for row in rows[table.name]]
                connection.execute(insert(table), there)

    older.write(write)
    migrate.prepare(older)
    again = opened(empty_postgres_url, tenant="acme")
    assert [item.text for item in again.get_all(user_id="alex")] == [
        item.text for item in memory.get_all(user_id="alex")
    ]
    assert again.stats().items_by_kind == memory.stats().items_by_kind
    assert again.search("Lisbon", user_id="alex")[0].similarity is not None
    again.delete_all(user_id="*")
    with again._parts.database.read() as connection:
        left = {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar() for name in LARGE}
    assert {name for name, count in left.items() if count} <= {"outbox"}  # what was erased is told


def test_a_part_is_found_for_any_name(parted_postgres_url: str, opened: Open) -> None:
    first = opened(parted_postgres_url)
    for tenant in ("acme", "ÄÖ", "it's", "x" * 256):
        view = first.of_tenant(tenant)
        view.remember("the lamp is red")
        with view._parts.database.read() as connection:
            shelf: Any = view._parts.database.large_shelf(ShelfKey(tenant, 1, 1, 64))
            part = shelf._part(connection)
            assert part in partitions_of("vectors")
            assert (
                connection.execute(text(f"SELECT count(*) FROM {part} WHERE tenant = :t"), {"t": tenant}).scalar() == 1
            )
    assert len(partitions_of("vectors")) == PARTITIONS
