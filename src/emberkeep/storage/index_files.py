"""The files beside a SQLite database that hold the indexes of large shelves: their names, and which are of no use."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from emberkeep.storage import array_file
from emberkeep.storage.search import ShelfKey


def useless(folder: Path, shelves: Iterable[ShelfKey]) -> Mapping[str, str]:
    """The names that the files of a shelf share, where one of them is damaged, left over or of no shelf; and why."""
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
    """Delete all files of a shelf: they are made anew from the store."""
    for file in folder.glob(f"{name}.*"):
        file.unlink(missing_ok=True)


def sum_if_whole(graph: Path) -> bytes | None:
    """The sum of a file with a graph, if that is the one which was written before it was put in place."""
    try:
        with graph.open("rb") as saved:
            found = array_file.summed(saved, os.fstat(saved.fileno()).st_size)
        return found if found.hex() == sum_file(graph).read_text(encoding="utf-8") else None
    except (OSError, UnicodeDecodeError):
        return None


def sum_file(graph: Path) -> Path:
    """Where the sum of a graph is."""
    return graph.with_suffix(".sum")


def table_file(graph: Path) -> Path:
    """Where the vectors of a graph are."""
    return graph.with_suffix(".halves")


def state_file(graph: Path) -> Path:
    """Where all else is that the index of the shelf holds."""
    return graph.with_suffix(".shelf")


def _is_whole(file: Path) -> bool:
    if file.suffix == ".usearch":
        return sum_if_whole(file) is not None
    if file.suffix in {".halves", ".shelf"}:
        return file.with_suffix(".usearch").exists() and array_file.read(file) is not None
    return True
