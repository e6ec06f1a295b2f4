"""The result of migrating a database from one schema version to another."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Migration:
    """The schema version before and after, what each step did, and the rows by table that a downgrade loses."""

    database: str
    before: str | None
    after: str
    steps: Mapping[str, str]
    lost: Mapping[str, int]
    dry_run: bool = False
