"""Restoring a store from a backup, on either database. An interrupted restore is marked as such, and can be resumed."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from emberkeep.config import Config
from emberkeep.errors import Conflict, InvalidInput, StoreError
from emberkeep.learning.embedding import Progress, silent
from emberkeep.model.backup import Manifest
from emberkeep.storage import dump, migrate, shelves, spaces, unfinished
from emberkeep.storage.database import Database
from emberkeep.storage.dump import Digest, Row
from emberkeep.storage.search import ShelfKey
from emberkeep.storage.unfinished import Unfinished
from emberkeep.transfer.archive import Archive, opened
from emberkeep.wiring import database_target, open_database

MOST_AT_ONCE = 8 << 20  # bytes of JSON in one transaction


def check(file: str | Path, *, progress: Progress = silent) -> Manifest:
    """Read a backup from beginning to end and return its manifest; raises `InvalidInput` unless it is whole."""
    with opened(Path(file).expanduser()) as archive:
        archive.check(progress)
        return archive.manifest


def restore(db: str | None, file: str | Path, *, progress: Progress = silent) -> Manifest:
    """Fill an empty database from a backup, and verify the rows in it against the manifest, which is returned.

    A backup that is not whole is refused before anything is written. If the restore is interrupted, the database cannot
    be opened until the same restore is run again, which resumes where it stopped.
    """
    config = Config.load(db=db)
    config.require_store()
    if database_target(config) == ":memory:":
        raise InvalidInput("a memory in RAM ends with this command: pass a path or URL to restore to")
    with opened(Path(file).expanduser()) as archive:
        archive.check(progress)
        database = open_database(config).of_everyone()
        try:
            migrate.prepare(database)
            _fill(database, archive, progress)
            _verify(database, archive.manifest, progress)
            _drop_indexes(database)
            database.write(unfinished.end)
        finally:
            database.close()
        return archive.manifest


def _fill(database: Database, archive: Archive, progress: Progress) -> None:
    state = database.write(lambda connection: _begun(connection, archive.id, database.url))
    for table in archive.manifest.tables:
        progress(state.done.get(table, 0))
        for batch in _batches(archive.rows(table, skip=state.done.get(table, 0))):
            following = state.after(table, len(batch))
            database.write(partial(_put, table=table, batch=batch, state=state, to=following))
            state = following
            progress(len(batch))


def _begun(connection: Connection, archive: str, url: str) -> Unfinished:
    """The progress of an interrupted restore of this archive; or the start of a new one, in an empty database.

    Raises `Conflict` if the database holds anything else.
    """
    state = unfinished.get(connection)
    if state is None:
        taken = dump.occupied(connection)
        if taken:
            raise Conflict(f"{url} is not empty (it has {', '.join(taken[:3])}): restore to a database that is")
        state = Unfinished(archive)
        unfinished.begin(connection, state)
    elif state.archive != archive:
        raise Conflict(f"{url} holds a part of another backup: restore that one again, or delete the database")
    return state


def _put(connection: Connection, table: str, batch: list[Row], state: Unfinished, to: Unfinished) -> None:
    unfinished.advance(connection, state, to)
    dump.put(connection, table, batch)


def _verify(database: Database, manifest: Manifest, progress: Progress) -> None:
    with database.read() as connection:
        for table, said in manifest.tables.items():
            count, digest = 0, Digest()
            for row in dump.rows(connection, table):
                if table == "meta" and row["key"] == unfinished.NAME:
                    continue
                count += 1
                digest.add(row)
            if (count, str(digest)) != (said.rows, said.digest):
                raise StoreError(
                    f"{database.url}: its {table} are not those of the backup ({count:,} rows of {said.rows:,}). "
                    "It stays closed: delete the database, and restore to a new one"
                )
            progress(count)


def _drop_indexes(database: Database) -> None:
    """Discard large shelves' indexes that an earlier store at this place left behind: they hold other vectors."""
    with database.read() as connection:
        space = spaces.active_space(connection)
        states = [
            (tenant, state)
            for tenant in shelves.tenants(connection)
            for state in shelves.states(connection, tenant, None)
        ]
    if space is None:
        return
    for tenant, state in states:
        for number in (state.number, shelves.cold_number(state.number)):
            database.large_shelf(ShelfKey(tenant, number, space.id, space.dimension)).discard()


def _batches(rows: Iterable[tuple[Row, int]]) -> Iterator[list[Row]]:
    """The rows in batches for one transaction each, limited in number and in bytes."""
    batch: list[Row] = []
    size = 0
    for row, length in rows:
        batch.append(row)
        size += length
        if len(batch) >= dump.AT_ONCE or size >= MOST_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
