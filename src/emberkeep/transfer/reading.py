"""Streaming objects from files that other programs wrote: JSON, JSON lines, or either inside a zip.

Nothing is unpacked to disk, and limits apply to the bytes actually read, not to the sizes that a file claims.
"""

import codecs
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from emberkeep.errors import InvalidInput, NotFound, TooLarge

CHUNK = 1 << 20
MAX_ELEMENT = 64 << 20  # characters of one element, or of a whole document that is not a list
MAX_FILE = 4 << 30
Object = dict[str, Any]
_VISIBLE = re.compile(r"\S")


def objects(path: Path, member: Callable[[str], bool], *inside: str) -> Iterator[tuple[str, Object]]:
    """The objects of a file, each with its place in it; of a zip, those of each file whose name `member` accepts.

    They are the elements of a list, of the list under a key in `inside`, or one object per line.
    """
    with _opened(path) as file:
        if not zipfile.is_zipfile(file):
            file.seek(0)
            yield from _objects(file, str(path), inside)
            return
        with zipfile.ZipFile(file) as archive:
            names = sorted(name for name in archive.namelist() if member(name.rpartition("/")[2]))
            if not names:
                raise InvalidInput(f"{path}: none of the files in it is one to import")
            for name in names:
                if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise InvalidInput(f"{path}: {name} is packed in an unusual way: unpack it, and pass what is in it")
                with archive.open(name) as content:
                    yield from _objects(content, f"{path}: {name}", inside)


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Prefix errors with the place of the mistake."""
    try:
        yield
    except (InvalidInput, TooLarge) as error:
        raise type(error)(f"{place}: {error}") from None


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    if path.exists() and not path.is_file():  # a pipe or a device may have no end
        raise InvalidInput(f"{path}: this is not a file: pass one")
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise NotFound(f"no file {path}: correct its name") from None
    except (OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise InvalidInput(
            f"{path}: cannot be read ({error}). Pass a file that is whole and that you may read"
        ) from None


def _objects(file: IO[bytes], name: str, inside: tuple[str, ...]) -> Iterator[tuple[str, Object]]:
    text = _Text(file, name)
    first = text.peek()
    if first == "[":
        found = text.elements()
    elif first == "{":
        found = text.values()
    elif first == "":
        raise InvalidInput(f"{name}: this is empty")
    else:
        raise InvalidInput(f"{name}: this is not JSON: it begins with {first!r}")
    number = 0
    for value in found:
        rows = next(
            (value[key] for key in inside if isinstance(value, dict) and isinstance(value.get(key), list)), [value]
        )
        for one in rows:
            number += 1
            if not isinstance(one, dict):
                raise InvalidInput(f"{name}: element {number} is {type(one).__name__}, not an object")
            yield f"{name}: element {number}", one


class _Text:
    """A text that is read from its file only as far as needed."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._name = name
        self._held = ""
        self._at = 0  # how much of `_held` is consumed: cutting off each element would copy all that follows it
        self._read = 0
        self._decoder = json.JSONDecoder()

    def peek(self) -> str:
        """The next character that is not whitespace; "" at the end."""
        while True:
            if found := _VISIBLE.search(self._held, self._at):
                self._at = found.start()
                return found.group()
            self._at = len(self._held)
            if not self._more(CHUNK):
                return ""

    def elements(self) -> Iterator[Any]:
        """The elements of a list, one by one."""
        self._at += 1
        while (mark := self.peek()) != "]":
            if mark == "":
                raise InvalidInput(f"{self._name}: the list in it has no end: the file was cut off")
            yield self._value()
            if self.peek() == ",":
                self._at += 1
            elif self.peek() != "]":
                raise InvalidInput(f"{self._name}: this is not JSON: a comma is missing between two elements")
        self._at += 1
        if self.peek():
            raise InvalidInput(f"{self._name}: something follows the list in it: put each list into a file of its own")

    def values(self) -> Iterator[Any]:
        """The values that follow each other up to the end of the text."""
        while self.peek():
            yield self._value()

    def _value(self) -> Any:
        more = CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._held, self._at)
            except RecursionError:
                raise InvalidInput(f"{self._name}: this is nested too deeply") from None
            except ValueError as error:
                if len(self._held) - self._at > MAX_ELEMENT:
                    raise TooLarge(
                        f"{self._name}: one element has over {MAX_ELEMENT:,} characters, or is not JSON"
                    ) from None
                if not self._more(more):
                    raise InvalidInput(f"{self._name}: this is not JSON: {error}") from None
                more *= 2  # so that a large element is not parsed from its start too often
            else:
                self._at = end
                return value

    def _more(self, size: int) -> bool:
        read = self._file.read(size)
        try:
            self._held = self._held[self._at :] + self._decode(read, final=not read)
            self._at = 0
        except UnicodeDecodeError:
            raise InvalidInput(f"{self._name}: this is not UTF-8 text") from None
        self._read += len(read)
        if self._read > MAX_FILE:
            raise TooLarge(f"{self._name}: it unpacks to more than {MAX_FILE:,} bytes: import it in parts")
        return bool(read)
