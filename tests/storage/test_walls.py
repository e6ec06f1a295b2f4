"""Row-level security: what a query forgets, the server does not."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
from sqlalchemy import Connection, create_engine, insert, make_url, select, text, update

import emberkeep
from emberkeep.config import Config
from emberkeep.errors import StoreError
from emberkeep.model.recall import select as selected
from emberkeep.storage import counts, entries, erasure, history, items, log, migrate, schema, shelves
from emberkeep.storage.database import Database
from emberkeep.transfer.backup import back_up
from emberkeep.transfer.restore import restore
from emberkeep.wiring import open_database

Open = Callable[..., emberkeep.Memory]
pytestmark = pytest.mark.slow


class Role(NamedTuple):
    server: str
    name: str
    template: str

    def url(self, database: str) -> str:
        return make_url(self.server).set(username=self.name, database=database).render_as_string(hide_password=False)


def run(url: str, *statements: str) -> None:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for one in statements:
            connection.execute(text(one))
    engine.dispose()


@pytest.fixture(scope="module")
def role(postgres_server: str) -> Iterator[Role]:
    """A role like any application's, and a database of its own that it made the tables in."""
    name = f"plain_{uuid4().hex[:8]}"
    made = Role(postgres_server, name, f"walled_{name}")
    run(postgres_server, f"CREATE ROLE {name} LOGIN", f"CREATE DATABASE {made.template} OWNER {name}")
    run(make_url(postgres_server).set(database=made.template).render_as_string(), "CREATE EXTENSION vector")
    database = open_database(Config(db=made.url(made.template)))
    migrate.prepare(database)
    database.close()
    yield made
    run(postgres_server, f"DROP DATABASE {made.template} WITH (FORCE)", f"DROP ROLE {name}")


@pytest.fixture
def walled_url(role: Role) -> Iterator[str]:
    name = f"test_{uuid4().hex}"
    run(role.server, f"CREATE DATABASE {name} TEMPLATE {role.template} OWNER {role.name}")
    yield role.url(name)
    run(role.server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def first(walled_url: str, opened: Open) -> emberkeep.Memory:
    """Both tenants have lived a little."""
    memory = opened(walled_url, keep_events=True)
    for tenant in ("acme", "globex"):
        view = memory.of_tenant(tenant)
        view.add(["the door code is 1234"], user_id="alex", tags=["door"])
        told = view.remember("the lamp is red", user_id="alex").id
        view.update(told, "the lamp is green")
        view.remember("the gate is shut", user_id="alex")
        view.delete(view.search("gate", user_id="alex")[0].id)
        view.preferences.set("language", "pt")
        task = view.tasks.start("Pack", goal_id=view.goals.save("Ship it").id)
        view.tasks.step(task.id, "box")
        view.tasks.finish(task.id, success=True)
        view.operational.push_event("disk", severity="critical")
        view.operational.flush()
        view.context("Pack", user_id="alex")
    return memory


def database_of(memory: emberkeep.Memory, tenant: str) -> Database:
    return memory.of_tenant(tenant)._parts.database


def owned_tables() -> list[str]:
    return [name for name, table in schema.metadata.tables.items() if "tenant" in table.c]


def seen_in(connection: Connection, table: str) -> set[str]:
    return set(connection.execute(text(f"SELECT tenant FROM {table}")).scalars())


def test_a_query_without_the_tenant_sees_only_its_own(first: emberkeep.Memory) -> None:
    acme = database_of(first, "acme")
    with acme.read() as connection:
        found = {name: seen_in(connection, name) for name in owned_tables()}
        assert {tenant for some in found.values() for tenant in some} == {"acme"}
    with acme.of_everyone().read() as connection:
        everyone = {name: seen_in(connection, name) for name in owned_tables()}
    assert {name for name, some in everyone.items() if some} == {name for name, some in found.items() if some}
    filled = {"items", "interactions", "vectors", "sources", "history", "shelves", "tasks", "steps", "events", "outbox"}
    assert filled <= {name for name, some in everyone.items() if some == {"acme", "globex"}}


def test_our_own_queries_with_another_tenants_name_find_nothing(first: emberkeep.Memory) -> None:
    globex = first.of_tenant("globex")
    (item, *_) = globex.get_all(user_id="alex")
    interaction = globex.capture.recent()[0]
    with database_of(first, "acme").read() as connection:
        assert items.fetch(connection, "globex", [item.id]) == {}
        assert items.owner(connection, "globex", item.id) is None
        assert history.read(connection, "globex", item.id, None) == []
        assert log.get(connection, "globex", interaction.id) is None
        assert shelves.states(connection, "globex", None) == []
        assert counts.items_by_kind(connection, "globex") == {}
        assert entries.listed(connection, "preference", "globex", None, 10) == []
        assert shelves.tenants(connection) == ["acme"]


def test_nothing_of_another_tenant_is_written(first: emberkeep.Memory) -> None:
    globex = first.of_tenant("globex")
    before = globex.get_all(user_id="alex")
    acme = database_of(first, "acme")

    def take_over(connection: Connection) -> int:
        return connection.execute(update(schema.items).values(text="taken over")).rowcount

    def forge(connection: Connection) -> None:
        row = {"tenant": "globex", "user_id": "eve", "number": 1, "epoch": 1, "revision": 1}
        connection.execute(insert(schema.shelves), row)

    def move(connection: Connection) -> None:
        connection.execute(update(schema.goals).values(tenant="globex"))

    assert 0 < acme.write(take_over) <= len(first.of_tenant("acme").get_all(user_id="*")) + 1
    for job in (forge, move, lambda c: shelves.claim(c, "globex", "alex", 1)):
        with pytest.raises(StoreError, match="row-level security"):
            acme.write(job)
    everything = selected("globex", {"user_id": "*"})
    assert sum(acme._write(lambda c: erasure.erase_scope(c, everything)).values()) == 0
    assert acme.write(lambda c: c.execute(schema.items.delete()).rowcount) > 0
    assert globex.get_all(user_id="alex") == before
    assert len(globex.search("door lamp", user_id="alex")) == len(before)


def test_who_names_nobody_sees_nothing(first: emberkeep.Memory, walled_url: str) -> None:
    engine = create_engine(make_url(walled_url).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        assert [name for name in owned_tables() if seen_in(connection, name)] == []
        row = {"tenant": "acme", "user_id": "eve", "number": 1, "epoch": 1, "revision": 1}
        with pytest.raises(Exception, match="row-level security"), connection.begin_nested():
            connection.execute(insert(schema.shelves), row)
        connection.execute(text("SET LOCAL emberkeep.tenant = 'acme'"))
        assert seen_in(connection, "items") == {"acme"}
    with engine.connect() as connection:  # the same one, given back and taken again
        assert seen_in(connection, "items") == set()
    engine.dispose()


def test_a_connection_forgets_whose_it_was(walled_url: str, opened: Open) -> None:
    first = opened(walled_url, pool_size=1)
    for tenant in ("acme", "globex", "acme"):
        first.of_tenant(tenant).remember(f"of {tenant}")
        with database_of(first, tenant).read() as connection:
            assert seen_in(connection, "items") == {tenant}
    with pytest.raises(ZeroDivisionError):
        database_of(first, "acme").write(lambda _: 1 / 0)
    with database_of(first, "initech").read() as connection:
        assert seen_in(connection, "items") == set()


def test_odd_names_are_just_names(walled_url: str, opened: Open) -> None:
    first = opened(walled_url)
    names = ["acme", "acme' OR '1'='1", "\\", "\\'; DROP TABLE items; --", "%s", "$1", ":x", "ÄÖ", "**", "acme "]
    for name in names:
        first.of_tenant(name).remember("mine", user_id="alex")
    for name in names:
        with database_of(first, name).read() as connection:
            assert seen_in(connection, "items") == {name}
        assert len(first.of_tenant(name).get_all(user_id="*")) == 1


def test_work_across_tenants_goes_on(first: emberkeep.Memory) -> None:
    for tenant in ("acme", "globex"):
        first.of_tenant(tenant).add("the bridge is long", user_id="alex", learn="later")
    assert first.worker().once()
    for tenant in ("acme", "globex"):
        view = first.of_tenant(tenant)
        assert view.search("bridge", user_id="alex")[0].similarity is not None
        assert view.upkeep().waiting == 0
    first.rebuild()
    assert first.of_tenant("globex").search("bridge", user_id="alex")[0].similarity is not None
    first.events.deliver()
    first.tidy()


def test_a_large_shelf_is_indexed_and_searched(walled_url: str, opened: Open) -> None:
    first = opened(walled_url, large_from=5)
    for tenant in ("acme", "globex"):
        first.of_tenant(tenant).add([f"lamp {tenant} {n}" for n in range(10)], user_id="alex")
        assert first.of_tenant(tenant).upkeep().indexes_built == 1
    hits = first.of_tenant("acme").search("lamp acme 3", user_id="alex", limit=20)
    assert len(hits) == 10
    assert all("acme" in hit.text and hit.similarity is not None for hit in hits)


def test_every_table_with_a_tenant_has_the_wall(first: emberkeep.Memory) -> None:
    query = """
        SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant'
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
        AND NOT (c.relrowsecurity AND c.relforcerowsecurity
                 AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))
    """
    with database_of(first, "acme").read() as connection:
        assert connection.execute(text(query)).all() == []


def test_doctor_warns_of_a_role_above_the_wall(
    walled_url: str, postgres_url: str, database: Callable[[str], Database]
) -> None:
    assert database(walled_url).above_the_wall() is None
    assert database(postgres_url).above_the_wall() == "postgres"
    assert database(":memory:").above_the_wall() is None


def test_a_migrated_store_keeps_all_behind_the_wall(role: Role, opened: Open) -> None:
    name = f"test_{uuid4().hex}"
    run(role.server, f"CREATE DATABASE {name} OWNER {role.name}")
    run(make_url(role.server).set(database=name).render_as_string(), "CREATE EXTENSION vector")
    database = open_database(Config(db=role.url(name)))

    def older(connection: Connection) -> None:
        database.before_schema(connection)
        migrate.migrate(connection, "0005")
        for number, tenant in enumerate(("acme", "globex")):
            row = {"tenant": tenant, "user_id": "alex", "number": number, "epoch": 1, "revision": 1}
            connection.execute(insert(schema.shelves), row)

    database.write(older)
    migrate.prepare(database)
    with database.of_tenant("acme").read() as connection:
        assert connection.execute(select(schema.shelves.c.tenant)).scalars().all() == ["acme"]
    with database.of_everyone().read() as connection:
        assert sorted(shelves.tenants(connection)) == ["acme", "globex"]
    database.close()
    run(role.server, f"DROP DATABASE {name} WITH (FORCE)")


def test_a_backup_by_a_role_behind_the_wall_holds_every_tenant(walled_url: str, opened: Open, tmp_path: Path) -> None:
    with opened(walled_url) as memory:
        for tenant in ("acme", "globex"):
            memory.of_tenant(tenant).remember(f"The secret of {tenant}", user_id="alex")
    assert back_up(walled_url, tmp_path / "all.backup").tables["items"].rows == 2
    run(walled_url, f"TRUNCATE {', '.join(schema.metadata.tables)}")
    restore(walled_url, tmp_path / "all.backup")
    with opened(walled_url) as memory:
        for tenant in ("acme", "globex"):
            (item,) = memory.of_tenant(tenant).get_all(user_id="alex")
            assert item.text == f"The secret of {tenant}"
