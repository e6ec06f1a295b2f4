"""The manifest of a backup: the version and embedder it was made with, and checksums for each table in it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Member:
    """One table in an archive: how many rows, how many bytes of JSON lines, their sha256, and the rows' digest."""

    rows: int
    size: int
    sha256: str
    digest: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive holds."""

    format: str
    emberkeep: str
    schema: str
    created_at: datetime
    embedder: str | None
    dimension: int | None
    tables: Mapping[str, Member]

    @property
    def rows(self) -> int:
        """The rows of all tables together."""
        return sum(member.rows for member in self.tables.values())

    def encoded(self) -> bytes:
        """The manifest as JSON in UTF-8."""
        return json.dumps({**asdict(self), "created_at": self.created_at.isoformat()}, indent=1).encode()
