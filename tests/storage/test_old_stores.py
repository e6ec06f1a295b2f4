"""Stores that older versions wrote, each by its own code: they open, lose nothing, and can go back.

They are in `old_stores`, as SQL; `scripts/write_old_stores.py` writes them.
"""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Boolean, Connection, MetaData, insert, select, text
from sqlalchemy.dialects.postgresql.base import ischema_names
from typer.testing import CliRunner

import emberkeep
from emberkeep.entrypoints.cli import app
from emberkeep.errors import InvalidInput, NotFound, StoreOutdated
from emberkeep.model.recall import USUAL
from emberkeep.storage import column_types, migrate, postgres_layout, schema
from emberkeep.storage.database import Database
from emberkeep.testing import FixedClock, WordEmbedder
from emberkeep.transfer.moving import move
from emberkeep.transfer.restore import restore

from .shapes import shape

Databases = Callable[[str], Database]
Open = Callable[..., emberkeep.Memory]
Rows = dict[str, list[tuple[Any, ...]]]
pytestmark = pytest.mark.slow
FOLDER = Path(__file__).parent / "old_stores"
VERSIONS = list(migrate.versions())
IN_FILES = [("sqlite", version) for version in VERSIONS]
# The first takes all steps, the last but one has rows in all tables.
FIRST, FULL = (pytest.param("postgres", version, marks=pytest.mark.slow) for version in ("0001", "0006"))


def settings() -> dict[str, Any]:
    """What the stores were written with, and the time shortly after."""
    clock = FixedClock()
    clock.move(days=400)
    return {"embedder": WordEmbedder(dimension=16), "clock": clock}


@pytest.fixture(autouse=True)
def _halfvec_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ischema_names, "halfvec", column_types.PgHalfvec)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(postgres_layout, "PARTITIONS", 1)  # as the databases that tests begin with
    return str(request.param)


@pytest.fixture
def written(tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> Callable[[str], str]:
    """The store of a version, on either database."""

    def one(version: str) -> str:
        path = tmp_path / f"{version}.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((FOLDER / f"{version}.sql").read_text(encoding="utf-8"))
        if engine == "sqlite":
            return str(path)
        url = str(request.getfixturevalue("empty_postgres_url"))
        _copy(path, request.getfixturevalue("database")(url), version)
        return url

    return one


def _copy(path: Path, database: Database, version: str) -> None:
    """The rows of a file, in a PostgreSQL of the same version."""

    def job(connection: Connection) -> None:
        database.before_schema(connection)
        migrate.migrate(connection, version)
        tables = MetaData()
        tables.reflect(connection)
        with closing(sqlite3.connect(path)) as file:
            file.row_factory = sqlite3.Row
            for table in tables.sorted_tables:
                if table.name not in schema.metadata.tables:  # a part of one
                    continue
                rows = [dict(row) for row in file.execute(f"SELECT * FROM {table.name}")]
                for row in rows:
                    for column in table.c:
                        row[column.name] = _as_there(column.type, row[column.name])
                if rows:
                    connection.execute(insert(table), rows)

    database.write(job)


def _as_there(kind: object, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(kind, Boolean):
        return bool(value)
    if isinstance(kind, column_types.PgHalfvec):
        return f"[{','.join(map(str, np.frombuffer(value, '<f2').tolist()))}]"
    return json.loads(str(value)) if "JSON" in type(kind).__name__ else value  # SQLite keeps a number as one


def test_there_is_a_store_of_every_version() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.sql")) == VERSIONS


def kept(version: str, table: str, columns: str, where: str = "true") -> list[tuple[Any, ...]]:
    """What an old store holds, read without any of our code."""
    connection = _loaded(version)
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
        return []
    return connection.execute(f"SELECT {columns} FROM {table} WHERE {where}").fetchall()


@cache
def _loaded(version: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript((FOLDER / f"{version}.sql").read_text(encoding="utf-8"))
    return connection


def check_all_there(memory: emberkeep.Memory, version: str) -> None:
    """Everything that the old version knew is found, by its id and by its words."""
    for tenant in ("default", "acme"):
        mine = memory.of_tenant(tenant)
        for item_id, user, said, kind, ended in kept(
            version, "items", "id, user_id, text, kind, valid_to", f"tenant = '{tenant}' AND version_of IS NULL"
        ):
            assert mine.get(item_id).text == said
            if ended is None:
                hits = mine.search(said, user_id=user or None, kinds=[kind], limit=10, include_cold=True)
                assert item_id in {hit.id for hit in hits}, said
        numbers: dict[str, int] = {}
        for (item_id,) in kept(version, "history", "item_id", f"tenant = '{tenant}'"):
            numbers[item_id] = numbers.get(item_id, 0) + 1
        for item_id, number in numbers.items():
            assert len(mine.history(item_id)) >= number
        for interaction_id, messages in kept(version, "interactions", "id, messages", f"tenant = '{tenant}'"):
            said_then = [one["content"] for one in json.loads(messages) if one is not None]
            assert [one.content for one in mine.capture.get(interaction_id).messages if one.content] == [
                one for one in said_then if one
            ]
        for task_id, status in kept(version, "tasks", "id, status", f"tenant = '{tenant}'"):
            assert mine.tasks.get(task_id).status == status
        for key, value in kept(version, "entries", "key, value", f"tenant = '{tenant}' AND drawer = 'preference'"):
            assert mine.preferences.get(key, user_id="alex") == json.loads(value)


@pytest.mark.parametrize(("engine", "version"), [*IN_FILES, FULL], indirect=["engine"])
def test_it_opens_with_all_that_it_holds_and_works(version: str, written: Callable[[str], str], opened: Open) -> None:
    target = written(version)
    memory = opened(target, **settings())
    check_all_there(memory, version)
    assert {one.what for one in memory.repair().found} <= {"claims"}  # of which the first version knew nothing
    waiting = "backlog IS NOT NULL" if version >= "0002" else "true"
    assert len(memory.backlog()) == len(kept(version, "interactions", "id", f"tenant = 'default' AND {waiting}"))
    report = memory.learn()
    assert (report.waiting, report.failed) == (0, 0)
    assert memory.of_tenant("acme").learn().waiting == 0
    memory.add("I live in Faro now.", user_id="alex")
    assert memory.search("Faro", user_id="alex")[0].text == "I live in Faro now."
    check_all_there(memory, version)


def tables_of(database: Database, names: set[str] | None = None) -> Rows:
    """All rows, by table, as the database gives them."""
    with database.of_everyone().read() as connection:
        found = MetaData()
        found.reflect(connection)
        return {
            table.name: sorted((tuple(map(str, row)) for row in connection.execute(select(table))), key=str)
            for table in found.sorted_tables
            if table.name in schema.metadata.tables and (names is None or table.name in names)
        }


def plain_shape(database: Database) -> dict[str, Any]:
    """Its tables without what is of no account: in which order, and what SQLite keeps for itself."""
    made = shape(database)
    made["tables"] = {name: table for name, table in made["tables"].items() if not name.startswith("sqlite_")}
    return made


@pytest.mark.parametrize(("engine", "version"), [*IN_FILES, FIRST], indirect=["engine"])
def test_it_gets_the_schema_of_a_new_one_goes_back_and_comes_again(
    version: str, engine: str, written: Callable[[str], str], database: Databases, request: pytest.FixtureRequest
) -> None:
    old = database(written(version))
    before, shape_before = tables_of(old), plain_shape(old)
    migrate.prepare(old)
    fresh = database(":memory:" if engine == "sqlite" else str(request.getfixturevalue("postgres_url")))
    migrate.prepare(fresh)
    assert plain_shape(old) == plain_shape(fresh)
    up = tables_of(old)
    migrate.go_back(old, version)
    assert migrate.current(old) == version
    assert plain_shape(old) == shape_before
    after = tables_of(old)
    assert after.keys() == before.keys()
    for name in before:
        assert _without_epoch(name, after[name]) == _without_epoch(name, before[name]), name
    migrate.prepare(old)
    again = tables_of(old, set(before))
    assert {name: len(rows) for name, rows in again.items()} == {name: len(up[name]) for name in before}
    assert plain_shape(old) == plain_shape(fresh)


def test_the_latest_goes_back_as_far_as_the_first_and_keeps_what_was_said_and_learned(
    written: Callable[[str], str], opened: Open, database: Databases
) -> None:
    target = written("0007")
    migrate.prepare(database(target))
    for version in ("0004", "0001"):
        migrate.go_back(database(target), version)
    memory = opened(target, **settings())
    with memory.database.of_everyone().read() as connection:
        assert connection.execute(text("SELECT count(*) FROM items WHERE record IS NOT NULL")).scalar() == 0
    assert memory.repair().sound
    assert memory.repair(dry_run=True).found == ()
    for tenant in ("default", "acme"):
        mine = memory.of_tenant(tenant)
        for item_id, said in kept("0007", "items", "id, text", f"tenant = '{tenant}' AND record IS NULL"):
            assert mine.get(item_id).text == said


def test_an_older_version_finds_the_plans_of_contexts_as_it_knows_them(
    written: Callable[[str], str], opened: Open, database: Databases
) -> None:
    target = written(migrate.HEAD)
    with opened(target, **settings()) as memory:
        kept_context = memory.context("What to cook?", user_id="*")
    assert kept_context.id is not None
    migrate.go_back(database(target), "0007")
    with database(target).of_everyone().read() as connection:
        found = connection.execute(
            select(schema.contexts.c.settings).where(schema.contexts.c.id == kept_context.id)
        ).scalar_one()
    assert found["plan"]["channels"] == [name for name in USUAL if name != "meanings"]
    assert "closer" not in found["plan"]
    assert "most" not in found["shares"]
    assert found["where"]["user_id"] == "*"
    with opened(target, **settings()) as memory:
        assert memory.replay_context(kept_context.id).budget == kept_context.budget


def test_pictures_and_times_to_come_are_read_anew_on_the_way_up_and_not_on_the_way_back(
    durable_target: str, opened: Open, database: Databases
) -> None:
    columns = select(schema.items.c.terms, schema.items.c.about_from).order_by(schema.items.c.id)

    def read() -> list[tuple[bytes, int | None]]:
        with database(durable_target).of_everyone().read() as connection:
            return [(bytes(terms), about) for terms, about in connection.execute(columns)]

    with opened(durable_target, learner="none") as memory:
        said = ["I play 🎸", "The baby is due in July", "I was there in May 2020"]
        memory.add(said, user_id="alex", occurred_at="2026-01-08T10:00:00Z")
    made = read()
    migrate.go_back(database(durable_target), "0011")
    before = read()
    assert [old[0] != new[0] for old, new in zip(before, made, strict=True)] == [True, False, False]
    assert [old[1] != new[1] for old, new in zip(before, made, strict=True)] == [False, True, False]
    with opened(durable_target, learner="none") as memory:
        assert read() == made
        assert "🎸" in memory.search("🎸", user_id="alex")[0].text


def _without_epoch(name: str, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """An epoch only says to read again."""
    return [row[:3] + row[4:] for row in rows] if name == "shelves" else rows


OPEN = """
import sys
from sqlalchemy import Engine, event
import emberkeep
from emberkeep.storage import postgres_layout
from emberkeep.testing import FixedClock, WordEmbedder

postgres_layout.PARTITIONS = 1
stop = int(sys.argv[2])
done = 0

@event.listens_for(Engine, "before_cursor_execute")
def pause(connection, cursor, statement, *rest):
    global done
    done += statement.lstrip().startswith(("CREATE", "ALTER", "UPDATE", "INSERT", "DROP"))
    if done == stop:
        done += 1
        print("there", flush=True)
        sys.stdin.readline()

clock = FixedClock()
clock.move(days=400)
with emberkeep.open(sys.argv[1], embedder=WordEmbedder(dimension=16), clock=clock) as memory:
    print(memory.stats().items, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "statements"), [("sqlite", 30), ("sqlite", 90), ("postgres", 60)], indirect=["engine"]
)
def test_one_whose_migration_is_killed_opens_as_if_nothing_had_been(
    statements: int,
    written: Callable[[str], str],
    opened: Open,
    database: Databases,
    start: Callable[..., Any],
) -> None:
    target = written("0001")
    before = tables_of(database(target))
    killed = start(OPEN, target, str(statements))
    assert killed.hear() == "there"
    killed.kill()
    assert migrate.current(database(target)) == "0001"
    assert tables_of(database(target)) == before
    check_all_there(opened(target, **settings()), "0001")


@pytest.mark.slow
def test_of_two_who_open_it_at_once_one_migrates_and_the_other_waits(
    written: Callable[[str], str], opened: Open, start: Callable[..., Any]
) -> None:
    target = written("0001")
    first = start(OPEN, target, "30")
    assert first.hear() == "there"
    second = start(OPEN, target, "-1")
    assert second.popen.poll() is None
    first.tell("go on")
    counted = {process.hear() for process in (first, second)}
    for process in (first, second):
        process.finish()
    with opened(target, **settings()) as memory:
        assert counted == {str(memory.stats().items)}
        check_all_there(memory, "0001")


def ran(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def test_the_command_goes_back_with_a_backup_and_says_what_is_lost(
    written: Callable[[str], str], opened: Open, database: Databases, tmp_path: Path
) -> None:
    target = written("0007")
    opened(target, **settings()).close()
    refused = ran("migrate", "--to", "0005", "--db", target)
    assert refused.exit_code == 2
    assert "2 api_keys" in refused.stderr
    assert "--backup FILE" in refused.stderr
    planned = json.loads(ran("migrate", "--to", "0005", "--dry-run", "--json", "--db", target).stdout)
    assert (planned["before"], planned["after"], planned["dry_run"]) == (migrate.HEAD, "0005", True)
    assert list(planned["steps"]) == [version for version in VERSIONS if version > "0005"]
    assert planned["lost"]["api_keys"] == 2
    assert migrate.current(database(target)) == migrate.HEAD
    file = tmp_path / "before.backup"
    done = ran("migrate", "--to", "0005", "--backup", file, "--db", target)
    assert done.exit_code == 0, done.stderr
    assert f"from schema {migrate.HEAD} to 0005" in done.stdout
    assert migrate.current(database(target)) == "0005"
    up = ran("migrate", "--db", target)
    assert "with 0006: Who may use the store" in up.stdout
    with opened(target, **settings()) as memory:
        check_all_there(memory, "0007")
        assert memory.keys.list() == []  # the older version had no place for them
    restore(str(tmp_path / "whole.db"), file)
    with opened(str(tmp_path / "whole.db"), **settings()) as memory:
        assert len(memory.keys.list()) == 1


def test_a_version_that_there_is_none_of_is_refused(tmp_path: Path, opened: Open, database: Databases) -> None:
    path = str(tmp_path / "agent.db")
    for asked in ({"to": "0003"}, {"dry_run": True}):
        with pytest.raises(NotFound, match="no memory at"):
            move(path, **asked)
    assert not Path(path).exists()
    database(path).close()
    with pytest.raises(NotFound, match="holds nothing"):
        move(path, "0003")
    opened(path).close()
    with pytest.raises(InvalidInput, match=f"pass one of 0001, .*{migrate.HEAD}"):
        move(path, "12")
    database(path).write(lambda c: c.execute(text("UPDATE emberkeep_version SET version_num = '9999'")))
    with pytest.raises(StoreOutdated, match=f"upgrade Emberkeep, or go back .*--to {migrate.HEAD}"):
        move(path, "0003")
    with pytest.raises(StoreOutdated, match=f"upgrade Emberkeep, or go back .*--to {migrate.HEAD}"):
        opened(path)
    assert "upgrade Emberkeep" in ran("doctor", "--db", path).stdout
