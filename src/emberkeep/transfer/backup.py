"""Backing up a whole store, all tenants, to one file, from either database, while others read and write."""

from pathlib import Path

import emberkeep
from emberkeep.clock import Clock, SystemClock
from emberkeep.config import Config
from emberkeep.errors import InvalidInput, NotFound, StoreOutdated
from emberkeep.learning.embedding import Progress, silent
from emberkeep.model.backup import Manifest
from emberkeep.storage import dump, migrate, spaces, unfinished
from emberkeep.storage.database import Database
from emberkeep.transfer.archive import Archive, Writer, put_in_place
from emberkeep.transfer.manifest import FORMAT
from emberkeep.wiring import database_target, open_database


def back_up(
    db: str | None,
    file: str | Path,
    *,
    replace: bool = False,
    clock: Clock | None = None,
    progress: Progress = silent,
) -> Manifest:
    """Write a consistent snapshot of a database to a file; returns the file's manifest.

    The file is read back and checked before it is put in place. It is as secret as the database: it holds everyone's
    memories, the secrets of webhooks and the hashes of keys. An existing backup of that name is only replaced with
    `replace`.
    """
    config = Config.load(db=db)
    config.require_store()
    target = database_target(config)
    if target == ":memory:":
        raise InvalidInput("a memory in RAM ends with its process: pass the path or URL of one that lasts")
    if "://" not in target and not Path(target).expanduser().exists():
        raise NotFound(f"no memory at {target}: correct --db")
    database = open_database(config).of_everyone()
    try:
        return _write(database, Path(file).expanduser(), clock or SystemClock(), progress, replace=replace)
    finally:
        database.close()


def _write(database: Database, path: Path, clock: Clock, progress: Progress, *, replace: bool) -> Manifest:
    version = migrate.current(database)
    if version != migrate.HEAD:
        raise StoreOutdated(
            f"{database.url} has schema {version or 'none'}, this Emberkeep backs up {migrate.HEAD}: use the Emberkeep "
            "that made it, or open it once with this one, which migrates it"
        )
    with put_in_place(path, replace=replace) as file:
        with Writer(file) as writer, database.read() as connection:  # one snapshot for all tables
            unfinished.refuse(connection, database.url)
            space = spaces.active_space(connection)
            tables = {}
            for name in dump.TABLES:
                tables[name] = writer.write(name, dump.rows(connection, name))
                progress(tables[name].rows)
            manifest = Manifest(
                format=FORMAT,
                emberkeep=emberkeep.__version__,
                schema=version,
                created_at=clock.now(),
                embedder=space.embedder if space else None,
                dimension=space.dimension if space else None,
                tables=tables,
            )
            writer.finish(manifest)
        file.flush()
        file.seek(0)
        Archive(file, str(path)).check(progress)
    return manifest
