"""The schema made in one go, the schema that the migrations make, and the one declared are the same."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, ForeignKeyConstraint, text
from sqlalchemy.dialects.postgresql.base import ischema_names

import emberkeep
from emberkeep.language.terms import pack
from emberkeep.storage import column_types, migrate, schema
from emberkeep.storage.database import Database
from emberkeep.storage.postgres_layout import PARTITIONS, is_partitioned, part_of
from emberkeep.storage.sqlite import SqliteDatabase
from emberkeep.testing import WordEmbedder

from .shapes import shape

Databases = Callable[[str], Database]
ROOT = Path(__file__).parents[2]

NOW = migrate.HEAD
SOON = f"{int(NOW) + 1:04}"
NEXT = f"""
import sqlalchemy as sa
from alembic import op

revision = "{SOON}"
down_revision = "{NOW}"


def upgrade():
    op.add_column("items", sa.Column("mood", sa.Text(), nullable=True))
    op.execute("UPDATE items SET mood = 'calm'")
"""


@pytest.fixture(autouse=True)
def _halfvec_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ischema_names, "halfvec", column_types.PgHalfvec)


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Code that is one migration further; gives the file of that migration."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate._FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "versions" / f"{SOON}_mood.py"
    file.write_text(NEXT)
    monkeypatch.setattr(migrate, "_FOLDER", folder)
    monkeypatch.setattr(migrate, "HEAD", SOON)
    return file


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, database: Databases) -> Database:
    if request.param == "sqlite":
        return database(":memory:")
    return database(str(request.getfixturevalue("empty_postgres_url")))


@pytest.fixture(params=["sqlite", "postgres"])
def created(request: pytest.FixtureRequest, database: Databases) -> Database:
    made = database(":memory:" if request.param == "sqlite" else str(request.getfixturevalue("parted_postgres_url")))
    migrate.prepare(made)
    return made


def migrated(database: Database) -> Database:
    def job(connection: Connection) -> None:
        database.before_schema(connection)
        migrate.migrate(connection)

    database.write(job)
    return database


def test_both_ways_make_the_same_schema(created: Database, request: pytest.FixtureRequest, database: Databases) -> None:
    dialect = created.engine.dialect.name
    other = migrated(
        database(":memory:" if dialect == "sqlite" else str(request.getfixturevalue("empty_postgres_url")))
    )
    made = shape(created)
    assert made == shape(other)
    parts = {
        part
        for name, table in schema.metadata.tables.items()
        if dialect == "postgresql" and is_partitioned(table)
        for part in [part_of(name, number) for number in range(PARTITIONS)]
    }
    assert set(made["tables"]) == {*schema.metadata.tables, *parts, "emberkeep_version"}
    declared = {str(index.name) for table in schema.metadata.tables.values() for index in table.indexes}
    assert declared <= set(made["indexes"])
    partial = {name for name, sql in made["indexes"].items() if " WHERE " in sql and name in declared}
    of_items = {"items_by_record", "items_by_successor", "items_by_version", "items_unembedded"}
    assert partial == {"interactions_in_backlog", "vectors_without_words"} | of_items
    assert migrate.current(created) == migrate.current(other) == migrate.HEAD


def test_what_refers_to_a_row_is_found_by_an_index() -> None:
    """Or whoever deletes the row looks at all of them."""
    for table in schema.metadata.tables.values():
        whole = [index for index in table.indexes if index.dialect_options["sqlite"]["where"] is None]
        found = [list(table.primary_key.columns.keys()), *(list(index.columns.keys()) for index in whole)]
        for key in table.foreign_key_constraints:
            wanted = [column.name for column in key.columns]
            assert any(names[: len(wanted)] == wanted for names in found), f"{table.name} by {wanted}"


def test_what_an_item_took_the_place_of_is_looked_up(tmp_path: Path) -> None:
    with emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder()) as memory:
        database = memory._parts.database
        assert isinstance(database, SqliteDatabase)
        plan = "EXPLAIN QUERY PLAN SELECT id FROM items WHERE tenant = 'default' AND superseded_by = 'x'"
        assert "items_by_successor" in str(database._driver.execute(plan).fetchall())


def _leads_to_a_part(key: ForeignKeyConstraint, parts: set[str]) -> bool:
    """PostgreSQL keeps one of its own for each part of the table that is referred to."""
    return all(one.target_fullname.partition(".")[0] in parts for one in key.elements)


def test_nothing_is_declared_that_the_migrations_lack(empty: Database) -> None:
    migrated(empty)

    def differences(connection: Connection) -> list[Any]:
        parts = {
            part for name in schema.metadata.tables for part in [part_of(name, number) for number in range(PARTITIONS)]
        }
        options = {
            "compare_type": True,
            "version_table": schema.VERSION_TABLE,
            "include_name": lambda name, kind, _: not (kind == "table" and name in parts),
        }
        context = MigrationContext.configure(connection, opts=options)
        found = compare_metadata(context, schema.metadata)
        return [one for one in found if not (one[0] == "remove_fk" and _leads_to_a_part(one[1], parts))]

    assert empty.write(differences) == []


def test_the_last_migration_is_the_version_this_code_knows() -> None:
    assert ScriptDirectory(str(migrate._FOLDER)).get_heads() == [migrate.HEAD]


def test_preparing_twice_changes_nothing(created: Database) -> None:
    before = shape(created)
    migrate.prepare(created)
    migrated(created)
    assert shape(created) == before


def test_a_store_of_a_newer_version_is_refused_and_left_alone(durable_target: str, database: Databases) -> None:
    with emberkeep.open(durable_target, embedder=WordEmbedder()) as memory:
        memory.add("from the future")
    bare = database(durable_target)
    bare.write(lambda c: c.execute(text("UPDATE emberkeep_version SET version_num = '9999'")))
    before = shape(bare)
    with pytest.raises(emberkeep.StoreOutdated, match="upgrade Emberkeep"):
        emberkeep.open(durable_target, embedder=WordEmbedder())
    assert shape(bare) == before
    assert migrate.current(bare) == "9999"


def test_an_older_store_is_brought_up_to_date_and_keeps_what_it_holds(
    durable_target: str, opened: Callable[..., emberkeep.Memory], database: Databases, request: pytest.FixtureRequest
) -> None:
    opened(durable_target).add("from the past", user_id="alex")
    request.getfixturevalue("next_version")
    again = opened(durable_target)
    assert again.search("past", user_id="alex")[0].text == "from the past"
    with database(durable_target).read() as connection:
        assert connection.execute(text("SELECT mood FROM items")).scalars().all() == ["calm"]
    assert migrate.current(database(durable_target)) == SOON


def test_an_upgrade_that_fails_leaves_the_store_as_it_was(
    durable_target: str, opened: Callable[..., emberkeep.Memory], database: Databases, request: pytest.FixtureRequest
) -> None:
    opened(durable_target).add("from the past", user_id="alex")
    before = shape(database(durable_target))
    request.getfixturevalue("next_version").write_text(f"{NEXT}    op.execute('SELECT * FROM no_such_table')\n")
    with pytest.raises(emberkeep.StoreError, match="no_such_table"):
        opened(durable_target)
    assert shape(database(durable_target)) == before
    assert migrate.current(database(durable_target)) == NOW


def test_making_a_schema_that_fails_leaves_nothing_behind(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(connection: Connection) -> None:
        schema.metadata.create_all(connection)
        connection.execute(text("SELECT * FROM no_such_table"))

    with monkeypatch.context() as patch:
        patch.setattr(migrate, "create", broken)
        with pytest.raises(emberkeep.StoreError, match="no_such_table"):
            migrate.prepare(empty)
    assert shape(empty)["tables"] == {}
    migrate.prepare(empty)
    assert migrate.current(empty) == migrate.HEAD


def test_the_newest_code_opens_what_the_migrations_made(empty: Database) -> None:
    migrated(empty)
    if empty.engine.dialect.name == "postgresql":
        url = empty.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with emberkeep.open(url, embedder=WordEmbedder()) as memory:
            memory.add("it works", user_id="alex", tags=["x"])
            assert memory.search("works", user_id="alex", tags=["x"])[0].similarity is not None
    else:
        migrate.prepare(empty)


def test_a_store_of_the_first_version_keeps_all_and_learns_from_it(empty: Database) -> None:
    """Written as the first version wrote it: a message that has become an episode, and one that waits."""

    def first_version(connection: Connection) -> None:
        empty.before_schema(connection)
        migrate.migrate(connection, "0001")
        said = json.dumps([{"role": "user", "content": "I live in Lisbon."}])
        for number, waiting in (("1", False), ("2", True)):
            connection.execute(
                text(
                    "INSERT INTO interactions (tenant, id, user_id, agent_id, session_id, occurred_at, recorded_at, "
                    "messages, tags, metadata, waiting) "
                    "VALUES ('default', :id, 'alex', '', '', 0, 0, :said, '[]', '{}', :waiting)"
                ),
                {"id": number, "said": said.replace("Lisbon", "Porto") if waiting else said, "waiting": waiting},
            )
        connection.execute(text("INSERT INTO shelves VALUES ('default', 'alex', 7, 8, 1)"))
        connection.execute(
            text(
                "INSERT INTO items (tenant, id, user_id, agent_id, session_id, kind, text, content_hash, terms, tags, "
                "metadata, occurred_at, recorded_at, valid_from, temperature, heated_at, access_count, sacred, "
                "revision, unembedded) VALUES ('default', 'i1', 'alex', '', '', 'episode', 'I live in Lisbon.', "
                ":hash, :terms, '[]', '{}', 0, 0, 0, 75, 0, 0, :no, 1, :yes)"
            ),
            {"hash": b"h", "terms": pack("I live in Lisbon.").tobytes(), "no": False, "yes": True},
        )
        connection.execute(
            text(
                "INSERT INTO sources (tenant, item_id, interaction_id, position, message_id, role, occurred_at) "
                "VALUES ('default', 'i1', '1', 0, '1:0', 'user', 0)"
            )
        )

    empty.write(first_version)
    migrate.prepare(empty)
    with empty.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM sources")).scalar() == 1
        rows = connection.execute(text("SELECT episodes, backlog FROM interactions ORDER BY id")).all()
    assert [(bool(row[0]), row[1]) for row in rows] == [(True, "waiting"), (False, "waiting")]
    if empty.engine.dialect.name == "postgresql":
        url = empty.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with emberkeep.open(url, embedder=WordEmbedder(), learner="rules") as memory:
            assert memory.learn().learned == 2
            assert {item.text for item in memory.get_all(user_id="alex", kinds=["episode"])} == {
                "I live in Lisbon.", "I live in Porto.",
            }  # fmt: skip
            assert len(memory.get_all(user_id="alex", kinds=["fact"])) == 1


@pytest.mark.parametrize("named_by", ["-x", "EMBERKEEP_DB", "DATABASE_URL"])
def test_alembic_does_it_too(
    named_by: str, durable_target: str, opened: Callable[..., emberkeep.Memory], database: Databases, tmp_path: Path
) -> None:
    if named_by == "DATABASE_URL" and not durable_target.startswith("postgresql"):
        pytest.skip("another service's file is left alone")
    other = {"EMBERKEEP_DB": str(tmp_path / "other.db")} if named_by == "-x" else {}
    named = {"DATABASE_URL": "sqlite:////nowhere/other.db", named_by: durable_target}
    environ = {**os.environ, "EMBERKEEP_HOME": str(tmp_path / "home"), **other, **named}
    option = ["-x", f"db={durable_target}"] if named_by == "-x" else []
    command = [sys.executable, "-m", "alembic", *option, "upgrade", "head"]
    for _ in range(2):
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False, env=environ)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.startswith("on ")
    assert not (tmp_path / "other.db").exists()
    assert not (tmp_path / "home").exists()
    assert migrate.current(database(durable_target)) == migrate.HEAD
    assert opened(durable_target).remember("It works", user_id="alex").new == 1
