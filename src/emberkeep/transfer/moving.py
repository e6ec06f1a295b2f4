"""Moving a database to another version of the schema: up to the current one, or back to an older one after a backup."""

from dataclasses import replace
from pathlib import Path

from emberkeep.config import Config
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.learning.embedding import Progress, silent
from emberkeep.model.migration import Migration
from emberkeep.storage import migrate, unfinished
from emberkeep.storage.database import Database
from emberkeep.transfer.backup import back_up
from emberkeep.wiring import database_target, open_database


def move(
    db: str | None,
    to: str | None = None,
    *,
    backup: str | Path | None = None,
    dry_run: bool = False,
    progress: Progress = silent,
) -> Migration:
    """Migrate a database to a version of the schema, by default the current one; returns what was done.

    The migration is a single transaction: if it is interrupted, nothing has changed. Going back requires a `backup`,
    since data that the older version has no place for is lost. With `dry_run`, it only returns what it would do.
    """
    config = Config.load(db=db)
    config.require_store()
    target = database_target(config)
    if (dry_run or to) and "://" not in target and not Path(target).expanduser().exists():
        raise NotFound(f"no memory at {target}: correct --db, or leave out --to and --dry-run to make one")
    database = open_database(config)
    try:
        migration = _planned(database, to or migrate.HEAD)
        back = migration.before is not None and migration.after < migration.before
        if back and not (dry_run or backup):
            raise InvalidInput(
                f"schema {migration.after} has no place for all that is there{_listed(migration)}: pass --backup FILE, "
                "which keeps it, or --dry-run to see what would be done"
            )
        if dry_run:
            return replace(migration, dry_run=True)
        if backup is not None:
            back_up(db, backup, progress=progress)
        if back:
            migrate.go_back(database, migration.after)
        else:
            migrate.prepare(database)
    finally:
        database.close()
    return migration


def _planned(database: Database, to: str) -> Migration:
    known = migrate.versions()
    if to not in known:
        raise InvalidInput(f"there is no schema {to!r}: pass one of {', '.join(known)}")
    before = migrate.current(database)
    if before is not None and before not in known:
        raise migrate.newer(database.url, before)
    if before is None:
        if to != migrate.HEAD:
            raise NotFound(f"{database.url} holds nothing to bring to schema {to}: correct --db, or leave out --to")
        return Migration(database.url, before, to, {}, {})
    if before < to < migrate.HEAD:
        raise InvalidInput(f"forwards it goes to {migrate.HEAD}, which this Emberkeep works with: leave out --to")
    with database.read() as connection:
        unfinished.refuse(connection, database.url)
    steps = {version: what for version, what in known.items() if min(before, to) < version <= max(before, to)}
    return Migration(database.url, before, to, steps, migrate.lost_by(database, to) if to < before else {})


def _listed(migration: Migration) -> str:
    named = ", ".join(f"{number:,} {name}" for name, number in migration.lost.items())
    return f" ({named})" if named else ""
