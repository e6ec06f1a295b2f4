"""A database as OmoiOS opens it, and a session of it."""

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
    """Answers each query from the database as it then is, and holds nothing of it afterwards."""

    def __init__(self, memory: emberkeep.Memory) -> None:
        super().__init__()
        self._memory = memory

    def execute(self, statement: Executable, params: Any = None, **options: Any) -> Result[Any]:
        """Read all rows of the memory's own tenant."""
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
        """The same, whose vectors this service makes."""
        return self._database.opened(embedding_service)

    def query(self, *what: Any) -> orm.Query[Any]:
        """Ask for tasks, executions or patterns by SQLAlchemy's means: `session.query(Task).filter(…).count()`."""
        asked: orm.Query[Any] = _Reading(self.memory).query(*what)
        return asked

    def commit(self) -> None:
        """Nothing is left to do: what was stored is durable."""

    def close(self) -> None:
        """Nothing is held."""


class DatabaseService:
    """The database: a file or a URL, `DATABASE_URL` if it is set, or this user's own memory.

    It is opened by the first who needs it, with the embedding service that is given here or to `MemoryService`.
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
        """The memory, opened if it is not; a service that makes other vectors than it was opened with is refused."""
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
        """Let go of the database."""
        if self._memory is not None:
            self._memory.close()


def _open(target: str | os.PathLike[str] | None, embedder: Embedder) -> emberkeep.Memory:
    """Open a memory; one that was made without padding, by the service or the library, is used as it is."""
    try:
        return emberkeep.open(target, embedder=embedder)
    except EmbedderMismatch:
        if not isinstance(embedder, PaddedEmbedder):
            raise
    return emberkeep.open(target, embedder=embedder.inner)
