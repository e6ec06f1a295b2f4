"""The place where a file lives: who may write and read it, and how much room there is."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from emberkeep.config import Config
from emberkeep.entrypoints.doctor.check import Check
from emberkeep.wiring import database_target

LITTLE_FREE = 1_000_000_000  # bytes
NONE_FREE = 50_000_000  # too little for a write-ahead log and an index to be saved
_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
_OTHERS_ENTER = stat.S_IXGRP | stat.S_IXOTH


def checks(config: Config) -> Iterator[Check]:
    """Permissions and room, if the memory is a file; what is on a server is that server's to know."""
    path = file_of(config)
    if path is None:
        return
    folder = folder_of(path)
    yield _permissions(path, folder)
    yield _room(folder)


def file_of(config: Config) -> Path | None:
    """The file that a memory is in, if it is in one, whether or not it is there yet."""
    if "://" in config.db or config.db == ":memory:":
        return None
    return Path(database_target(config)).expanduser()


def folder_of(path: Path) -> Path:
    """The folder that a file is in, or the nearest one that is there to make it in."""
    return next(folder for folder in path.absolute().parents if is_there(folder))


def is_there(path: Path) -> bool:
    """Whether it can be seen from here."""
    try:
        return path.exists()
    except OSError:  # in a folder that is closed to us
        return False


def may(path: Path, how: int) -> bool:
    """Whether whoever runs this may do that."""
    return os.access(path, how, effective_ids=os.access in os.supports_effective_ids)


def _permissions(path: Path, folder: Path) -> Check:
    if not folder.is_dir() or not may(folder, os.W_OK | os.X_OK):
        advice = f"you may not write to {folder}: chmod u+wx it, or pass another --db"
        return Check("permissions", "fail", advice)
    if not is_there(path):
        return Check("permissions", "ok", f"{folder} can be written to")
    if not may(path, os.R_OK | os.W_OK):
        return Check(
            "permissions", "fail", f"{path} is not yours to read and write: chmod u+rw it, or pass another --db"
        )
    if path.stat().st_mode & _OTHERS_READ and folder.stat().st_mode & _OTHERS_ENTER:
        advice = f"chmod 600 '{path}'"
        return Check("permissions", "warn", f"others on this machine can read what is remembered: {advice}")
    return Check("permissions", "ok", f"{path} is yours alone")


def _room(folder: Path) -> Check:
    free = shutil.disk_usage(folder).free
    found = f"{free / 1e9:,.1f} GB free in {folder}"
    if free < NONE_FREE:
        return Check("disk", "fail", f"{found}: nothing more can be kept; make room, or move the memory with --db")
    if free < LITTLE_FREE:
        return Check("disk", "warn", f"{found}: make room; emberkeep upkeep gives back what deleting freed")
    return Check("disk", "ok", found)
