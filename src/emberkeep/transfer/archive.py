"""The file of a backup: a zip with JSON lines for each table, and a manifest at its end.

It is written under a temporary name and renamed when complete, readable by its owner only. A backup is read and checked
from beginning to end before any of it is used.
"""

import errno
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, Self

from emberkeep.errors import InvalidInput, NotFound, StoreError, StoreFull
from emberkeep.learning.embedding import Progress
from emberkeep.model.backup import Manifest, Member
from emberkeep.storage import dump
from emberkeep.storage.dump import Digest, Row
from emberkeep.transfer.manifest import parse_manifest

MANIFEST = "manifest.json"
MAX_MANIFEST = 1 << 20
MAX_LINE = 1 << 30
COMPRESSION = 3  # most of the data is vectors, which hardly compress
_OTHER = "Nothing was written. Copy it again from where it was kept, or take another one"
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)


class Writer:
    """Writes tables to an archive, one after the other."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION)

    def write(self, table: str, rows: Iterable[Row]) -> Member:
        """Write a table; returns its entry for the manifest."""
        count, size, lines, digest = 0, 0, hashlib.sha256(), Digest()
        with self._zip.open(_name(table), "w", force_zip64=True) as member:
            for row in rows:
                line = json.dumps(row).encode() + b"\n"
                member.write(line)
                lines.update(line)
                digest.add(row)
                count, size = count + 1, size + len(line)
        return Member(count, size, lines.hexdigest(), str(digest))

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest and the end of the file."""
        self._zip.writestr(MANIFEST, manifest.encoded())
        self._zip.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.fp = None  # keeps `ZipFile.__del__` from writing to the file after an error


class Archive:
    """An archive, open for reading."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._name = name
        with self._readable():
            self._zip = zipfile.ZipFile(file)
            with self._member(MANIFEST) as member:
                said = member.read(MAX_MANIFEST + 1)
        if len(said) > MAX_MANIFEST:
            raise InvalidInput(f"{name}: its manifest is too large to be one: it is not a backup of Emberkeep")
        with self._named():
            self.manifest = parse_manifest(said)
        self.id = hashlib.sha256(said).hexdigest()

    def rows(self, table: str, *, skip: int = 0) -> Iterator[tuple[Row, int]]:
        """The rows of a table after the first `skip`, each with its length in bytes as JSON."""
        with self._readable(), self._member(_name(table)) as member:
            for number, line in enumerate(_lines(member)):
                if number >= skip:
                    yield json.loads(line), len(line)

    def check(self, progress: Progress) -> None:
        """Read the whole archive; raises `InvalidInput` unless each table matches the manifest and this store."""
        for table, said in self.manifest.tables.items():
            with self._readable(), self._member(_name(table)) as member:
                if self._read(table, member, said, progress) != said:
                    raise InvalidInput(f"{self._name}: its {table} are not those it was made with. {_OTHER}")

    def _read(self, table: str, member: Any, said: Member, progress: Progress) -> Member:
        count, size, lines, digest = 0, 0, hashlib.sha256(), Digest()
        for line in _lines(member):
            count, size = count + 1, size + len(line)
            if size > said.size:  # a zip bomb is not read to its end
                break
            lines.update(line)
            row = json.loads(line)
            if b"\\ud" in line.lower():  # an unpaired surrogate, which no database can store, fails to encode
                json.dumps(row, ensure_ascii=False).encode()
            with self._named():
                dump.parsed(table, row)
            digest.add(row)
            if count % dump.AT_ONCE == 0:
                progress(dump.AT_ONCE)
        progress(count % dump.AT_ONCE)
        return Member(count, size, lines.hexdigest(), str(digest))

    def _member(self, name: str) -> IO[bytes]:
        if self._zip.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile(f"{name} is packed as no backup is")
        return self._zip.open(name)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (*_DAMAGED, KeyError, ValueError, RecursionError) as error:
            words = f"{self._name}: this is not a whole backup of Emberkeep ({error}). {_OTHER}"
            raise InvalidInput(words) from None

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Prefix errors with the name of the file."""
        try:
            yield
        except (InvalidInput, StoreError) as error:
            raise type(error)(f"{self._name}: {error}") from None


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """An archive, open for reading."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise NotFound(f"no file {path}: correct its name") from None
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read ({error.strerror}). Pass a backup that you may read") from None
    with file:
        yield Archive(file, str(path))


@contextmanager
def put_in_place(path: Path, *, replace: bool = False) -> Iterator[BinaryIO]:
    """A file to write, readable by its owner only, that appears at `path` once it is complete, or not at all."""
    _refuse_taken(path, replace=replace)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(draft, "x+b", opener=_private) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        if error.errno in _NO_SPACE:
            raise StoreFull(f"{path}: the disk is full, no file was written. Free some space and try again") from None
        raise StoreError(f"{path}: cannot be written ({error.strerror}). Pass a path you may write to") from None
    finally:
        draft.unlink(missing_ok=True)


def _refuse_taken(path: Path, *, replace: bool) -> None:
    if not path.exists():
        return
    if not replace:
        raise InvalidInput(f"{path} is there already: pass another name, or for a backup --replace")
    if not zipfile.is_zipfile(path):
        raise InvalidInput(f"{path} is there and is no backup, so it is not replaced: pass another name")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _name(table: str) -> str:
    return f"tables/{table}.jsonl"


def _lines(member: Any) -> Iterator[bytes]:
    while line := member.readline(MAX_LINE):
        if not line.endswith(b"\n"):
            raise zipfile.BadZipFile("a row has no end")
        yield line
