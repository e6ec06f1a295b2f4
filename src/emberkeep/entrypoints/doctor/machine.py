"""Checks of the place where a memory's file lives: who may read and write it, and how much space is free."""

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
    """Check permissions and free space if the memory is a file; for a database server there is nothing to check."""
    path = file_of(config)
    if path is None:
        return
    folder = folder_of(path)
    yield _permissions(path, folder)
    yield _room(folder)


def file_of(config: Config) -> Path | None:
    """The file of a memory, whether or not it exists yet; None if the memory is not in a file."""
    if "://" in config.db or config.db == ":memory:":
        return None
    return Path(database_target(config)).expanduser()


def folder_of(path: Path) -> Path:
    """The folder that a file is in or, if that does not exist, the nearest one above that does."""
    return next(folder for folder in path.absolute().parents if is_there(folder))


def is_there(path: Path) -> bool:
    """Whether a path exists, as far as this user can see."""
    try:
        return path.exists()
    except OSError:  # the folder may not be entered
        return False


def may(path: Path, how: int) -> bool:
    """Whether the current user has access to a path; `how` is a mode of `os.access`."""
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
