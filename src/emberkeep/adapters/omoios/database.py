"""OmoiOS's database service and its sessions."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Executable, Result, orm

import emberkeep
from emberkeep.adapters.omoios.embedding import EmbeddingService
from emberkeep.adapters.omoios.event_bus import publish
from emberkeep.adapters.omoios.models import TENANT
from emberkeep.errors import ConfigError, EmbedderMismatch
from emberkeep.providers.base import Embedder
from emberkeep.providers.padding import PaddedEmbedder


class _Reading(orm.Session):
    """Answers each query in a read transaction of its own, and keeps no connection or objects afterwards."""

    def __init__(self, memory: emberkeep.Memory) -> None:
        super().__init__()
        self._memory = memory

    def execute(self, statement: Executable, params: Any = None, **options: Any) -> Result[Any]:
        """Run a query on the rows of the memory's own tenant, and fetch all of its result."""
        own = {**(params or {}), TENANT: self._memory.config.tenant}
        with self._memory._parts.database.read() as connection, orm.Session(bind=connection) as session:  # noqa: SLF001
            return session.execute(statement, own, **options).freeze()()


class Session:
    """An open memory, as a database session."""

    def __init__(self, database: "DatabaseService") -> None:
        self._database = database

    @property
    def memory(self) -> emberkeep.Memory:
        """The open memory."""
        return self._database.memory

    def opened(self, embedding_service: EmbeddingService | None) -> emberkeep.Memory:
        """The open memory, with its vectors made by this service; see `DatabaseService.opened`."""
        return self._database.opened(embedding_service)

    def query(self, *what: Any) -> orm.Query[Any]:
        """Query tasks, executions or patterns with SQLAlchemy: `session.query(Task).filter(…).count()`."""
        asked: orm.Query[Any] = _Reading(self.memory).query(*what)
        return asked

    def commit(self) -> None:
        """Do nothing: every write is durable already."""

    def close(self) -> None:
        """Do nothing: a session holds no resources."""


class DatabaseService:
    """The database: a file or a URL, `DATABASE_URL` if it is set, or this user's own memory.

    It is opened on first use, or at once if an embedding service is given; else with the one given to `MemoryService`.
    """

    def __init__(
        self, url: str | os.PathLike[str] | None = None, embedding_service: EmbeddingService | None = None
    ) -> None:
        self._target = url or os.environ.get("DATABASE_URL") or None
        self._service = embedding_service
        self._memory: emberkeep.Memory | None = None
        self._lock = threading.Lock()
        if embedding_service is not None:
            self.opened()

    @property
    def memory(self) -> emberkeep.Memory:
        """The open memory."""
        return self.opened()

    def opened(self, embedding_service: EmbeddingService | None = None) -> emberkeep.Memory:
        """The memory, opened on first use; raises `ConfigError` for a service whose vectors differ from its own."""
        with self._lock:
            self._service = self._service or embedding_service or EmbeddingService()
            known, asked = self._service.embedder.name, (embedding_service or self._service).embedder.name
            if known != asked:
                raise ConfigError(
                    f"this database is open with vectors of {known}, not {asked}: pass the same embedding_service to "
                    "DatabaseService and MemoryService"
                )
            if self._memory is None:
                self._memory = _open(self._target, self._service.embedder)
                self._memory.events.subscribe("*", publish)
            return self._memory

    @contextmanager
    def get_session(self) -> Iterator[Session]:
        """A session, for a `with` block."""
        yield Session(self)

    def close(self) -> None:
        """Close the database."""
        if self._memory is not None:
            self._memory.close()


def _open(target: str | os.PathLike[str] | None, embedder: Embedder) -> emberkeep.Memory:
    """Open a memory; one made by Emberkeep's service or library, whose vectors are not padded, is used as it is."""
    try:
        return emberkeep.open(target, embedder=embedder)
    except EmbedderMismatch:
        if not isinstance(embedder, PaddedEmbedder):
            raise
    return emberkeep.open(target, embedder=embedder.inner)
