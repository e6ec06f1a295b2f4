"""What bringing a database from one version of the schema to another comes to."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Migration:
    """Which schema a database had and has then, what the steps between brought, and rows that going back loses."""

    database: str
    before: str | None
    after: str
    steps: Mapping[str, str]
    lost: Mapping[str, int]
    dry_run: bool = False
