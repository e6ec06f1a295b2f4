"""Parsing the manifest of an archive."""

import json
from datetime import datetime
from typing import Any

from emberkeep.errors import InvalidInput, StoreOutdated
from emberkeep.model.backup import Manifest, Member
from emberkeep.storage.dump import TABLES
from emberkeep.storage.migrate import HEAD

FORMAT = "emberkeep-backup-1"


def parse_manifest(said: bytes) -> Manifest:
    """Parse a manifest; raises an error that names the right version if this one cannot restore the archive."""
    try:
        value: dict[str, Any] = json.loads(said)
        if value["format"] != FORMAT:
            raise InvalidInput(f"the archive has the format {value['format']!r}, not {FORMAT}: upgrade Emberkeep")
        tables = {str(name): Member(**one) for name, one in value["tables"].items()}
        manifest = Manifest(
            **{**value, "created_at": datetime.fromisoformat(value["created_at"]), "tables": tables},
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InvalidInput("its manifest cannot be read: it is not a whole backup of Emberkeep") from None
    if manifest.schema != HEAD:
        raise StoreOutdated(
            f"the archive has schema {manifest.schema}, this Emberkeep restores {HEAD}: restore it with Emberkeep "
            f"{manifest.emberkeep}, which made it, and open that database with this one, which migrates it"
        )
    if tables.keys() != TABLES.keys():
        raise InvalidInput("its manifest does not name the tables of a store: it is not a whole backup of Emberkeep")
    return manifest
