"""Arrays in a memory-mapped file: a process can use them at once, however large they are.

The file ends with a checksum of its contents. A file that was cut short or changed is treated as missing.
"""

import hashlib
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

CHECKED = 32  # the checksum covers about this many evenly spread pieces of a large file, and all of a small one
PIECE = 1_048_576  # bytes
_SUM_SIZE = 32


def write(path: Path, arrays: Arrays) -> None:
    """Write the arrays to disk; a concurrent reader gets the previous file or this one, never a mixture."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("w+b") as file:
            np.save(file, np.array(list(arrays)))
            for array in arrays.values():
                np.save(file, array)
            file.write(summed(file, file.tell()))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read(path: Path) -> dict[str, NDArray[Any]] | None:
    """The arrays, copy-on-write, so that changing them leaves the file as it is; `None` if there is no intact file."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size - _SUM_SIZE
            if size <= 0 or not _ends_with_its_sum(file, size):
                return None
            file.seek(0)
            names = np.load(file)
            # Map the open file: its path may lead to a newer file by now.
            held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
            return {str(name): _mapped(held, file) for name in names}
    except (OSError, ValueError):
        return None


def summed(file: BinaryIO, size: int) -> bytes:
    """The checksum of the first `size` bytes of a file, or of evenly spread pieces of them if the file is large.

    Leaves the file positioned at `size`.
    """
    found = hashlib.blake2b(str(size).encode(), digest_size=_SUM_SIZE)
    step = max(PIECE, size // CHECKED)
    for start in range(0, size, step):
        file.seek(start)
        found.update(file.read(min(PIECE, size - start)))
    file.seek(size)
    return found.digest()


def _ends_with_its_sum(file: BinaryIO, size: int) -> bool:
    expected = summed(file, size)
    return file.read() == expected


def _mapped(held: mmap.mmap, file: BinaryIO) -> NDArray[Any]:
    version = np.lib.format.read_magic(file)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, in_columns, dtype = read_header(file)
    if dtype.hasobject or (in_columns and len(shape) > 1):
        raise ValueError("not written here")
    start, size = file.tell(), dtype.itemsize * int(np.prod(shape))
    file.seek(start + size)
    if not size:
        return np.zeros(shape, dtype)
    return np.frombuffer(held, dtype, size // dtype.itemsize, start).reshape(shape)
