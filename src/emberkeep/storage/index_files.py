"""The files beside a SQLite database that hold the indexes of large shelves: their names, and which are useless."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from emberkeep.storage import array_file
from emberkeep.storage.search import ShelfKey


def useless(folder: Path, shelves: Iterable[ShelfKey]) -> Mapping[str, str]:
    """Indexes with a file that is damaged, left over or of an unknown shelf: the name their files share, and why."""
    known = {f"{key.space}-{key.shelf}" for key in shelves}
    found: dict[str, str] = {}
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        name = file.name.partition(".")[0]
        if name not in known:
            found[name] = "of a shelf that is not in this store"
        elif file.suffix == ".tmp":
            found[name] = "left behind by who was killed while saving"
        elif not _is_whole(file):
            found[name] = "damaged"
    return found


def remove(folder: Path, name: str) -> None:
    """Delete all index files of a shelf; they are built anew from the store."""
    for file in folder.glob(f"{name}.*"):
        file.unlink(missing_ok=True)


def sum_if_whole(graph: Path) -> bytes | None:
    """The checksum of a graph's file, if it equals the one that was saved with the graph; otherwise `None`."""
    try:
        with graph.open("rb") as saved:
            found = array_file.summed(saved, os.fstat(saved.fileno()).st_size)
        return found if found.hex() == sum_file(graph).read_text(encoding="utf-8") else None
    except (OSError, UnicodeDecodeError):
        return None


def sum_file(graph: Path) -> Path:
    """The path of a graph's checksum."""
    return graph.with_suffix(".sum")


def table_file(graph: Path) -> Path:
    """The path of the table with a graph's vectors."""
    return graph.with_suffix(".halves")


def state_file(graph: Path) -> Path:
    """The path of everything else that the index of the shelf holds."""
    return graph.with_suffix(".shelf")


def _is_whole(file: Path) -> bool:
    if file.suffix == ".usearch":
        return sum_if_whole(file) is not None
    if file.suffix in {".halves", ".shelf"}:
        return file.with_suffix(".usearch").exists() and array_file.read(file) is not None
    return True
