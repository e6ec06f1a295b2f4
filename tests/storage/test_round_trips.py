"""What a call asks of a database server: over a network, each statement is a wait."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, select, text

import emberkeep
from emberkeep.storage import schema, shelves
from emberkeep.storage.database import Database
from emberkeep.storage.postgres import PostgresDialect

Open = Callable[..., emberkeep.Memory]
MOST_FOR_TWO_FINDINGS = 70


@contextmanager
def asked() -> Iterator[list[str]]:
    """The statements that are sent to PostgreSQL, as long as this lasts."""
    sent: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("execute", "executemany"):
            original = getattr(psycopg.Cursor, name)

            def recorded(self: Any, query: Any, *rest: Any, run: Any = original, **more: Any) -> Any:
                sent.append(query.decode() if isinstance(query, bytes) else str(query))
                return run(self, query, *rest, **more)

            patch.setattr(psycopg.Cursor, name, recorded)
        yield sent


def test_a_transaction_asks_nothing_but_its_own(postgres_url: str, opened: Open) -> None:
    memory = opened(postgres_url)
    memory.add("first", user_id="alex", learn="later")
    with asked() as sent:
        memory.add("second", user_id="alex", learn="later")
    assert [one.split()[0] for one in sent] == ["BEGIN", "INSERT"]


def test_two_findings_take_a_bounded_number_of_statements(postgres_url: str, opened: Open) -> None:
    memory = opened(postgres_url, learner="rules")
    memory.add("I live in Rome and I work at Dell.", user_id="alex")
    with asked() as sent:
        added = memory.add("I moved to Lisbon, and I play the cello.", user_id="alex")
    assert len(added.learned) == 2
    assert len(sent) <= MOST_FOR_TWO_FINDINGS


def test_a_connection_that_looks_well_and_is_not_is_replaced(
    postgres_url: str, opened: Open, database: Callable[[str], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = opened(postgres_url)
    memory.add("line 1", user_id="alex")
    monkeypatch.setattr(PostgresDialect, "do_ping", lambda *_: True)  # as if the end had not arrived yet
    bare = database(postgres_url)
    end_all = text(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    for _ in range(2):
        with bare.read() as connection:
            connection.execute(end_all)
        assert memory.get_all(user_id="alex")
        with bare.read() as connection:
            connection.execute(end_all)
        assert memory.add("line 1", user_id="alex").updated == 1


def revisions(connection: Connection, counts: list[int]) -> list[int]:
    return [shelves.claim(connection, "default", "alex", count).first for count in counts]


def stands_at(database: Database) -> int:
    with database.read() as connection:
        revision: int = connection.execute(select(schema.shelves.c.revision)).scalar_one()
        return revision


def test_revisions_that_are_taken_ahead_are_those_of_one_transaction(target: str, opened: Open) -> None:
    memory = opened(target)
    memory.add("first", user_id="alex")
    database = memory._parts.database
    before, counts = stands_at(database), [2, 1, 1, 30, 1]
    taken = database.write(lambda c: revisions(c, counts))
    assert taken[:3] == [before + 1, before + 3, before + 4]
    assert all(first + count <= after for first, count, after in zip(taken, counts, taken[1:], strict=False))
    last = stands_at(database)
    assert taken[-1] <= last
    assert database.write(lambda c: revisions(c, [1])) == [last + 1]


def test_revisions_that_were_rolled_back_are_not_used(target: str, opened: Open) -> None:
    memory = opened(target)
    memory.add("first", user_id="alex")
    database = memory._parts.database
    before = stands_at(database)

    def fails(connection: Connection) -> None:
        revisions(connection, [1, 1, 1])
        raise emberkeep.InvalidInput("broken off")

    with pytest.raises(emberkeep.InvalidInput):
        database.write(fails)
    assert stands_at(database) == before
    assert database.write(lambda c: revisions(c, [1])) == [before + 1]


def test_a_shelf_that_was_taken_away_has_nothing_ahead(target: str, opened: Open) -> None:
    memory = opened(target)
    database = memory._parts.database

    def anew(connection: Connection) -> tuple[shelves.Claim, shelves.Claim]:
        revisions(connection, [1, 1])
        shelves.remove(connection, "default", "alex")
        return shelves.claim(connection, "default", "alex", 1), shelves.claim(connection, "default", "alex", 1)

    first, second = database.write(anew)
    assert (first.first, second.first) == (1, 2)
    assert first.shelf == second.shelf
