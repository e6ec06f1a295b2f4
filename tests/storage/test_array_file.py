"""Arrays in a file: there again as they were, or not at all."""

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest
from numpy.typing import NDArray

from emberkeep.storage import array_file

ARRAYS: dict[str, NDArray[Any]] = {
    "ids": np.arange(70_000, dtype=np.int64),
    "matrix": np.random.default_rng(3).standard_normal((300, 24)).astype(np.float16),
    "flags": np.array([True, False, True]),
    "nothing": np.zeros((0, 24), np.float32),
    "names": np.frombuffer(b'{"speaker": ["\xc3\xa9"]}', np.uint8),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "1-2.shelf"
    array_file.write(path, ARRAYS)
    return path


def test_what_was_written_is_read(file: Path) -> None:
    found = array_file.read(file)
    assert found is not None
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_writing_to_what_was_read_leaves_the_file_alone(file: Path) -> None:
    before = file.read_bytes()
    found = array_file.read(file)
    assert found is not None
    found["ids"][:] = 7
    assert found["ids"][69_999] == 7
    assert file.read_bytes() == before


def test_what_was_read_stays_when_the_file_is_replaced_or_removed(file: Path) -> None:
    found = array_file.read(file)
    assert found is not None
    array_file.write(file, {"ids": np.zeros(3)})
    assert np.array_equal(found["ids"], ARRAYS["ids"])
    file.unlink()
    assert np.array_equal(found["matrix"], ARRAYS["matrix"])


def test_a_file_that_is_replaced_while_it_is_read_is_read_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = array_file._ends_with_its_sum

    def replaced_then(opened: BinaryIO, size: int) -> bool:
        answer = check(opened, size)
        array_file.write(file, {name: array[: len(array) // 2] for name, array in ARRAYS.items()})
        return answer

    monkeypatch.setattr(array_file, "_ends_with_its_sum", replaced_then)
    found = array_file.read(file)
    assert found is not None
    for name, array in ARRAYS.items():
        assert np.array_equal(found[name], array)


@pytest.mark.parametrize("damage", ["missing", "empty", "a byte", "cut", "longer", "garbage", "one byte other"])
def test_a_file_that_is_not_whole_is_none(file: Path, damage: str) -> None:
    whole = file.read_bytes()
    middle = len(whole) // 2
    damaged = {
        "empty": b"",
        "a byte": b"x",
        "cut": whole[:-1],
        "longer": whole + b"x",
        "garbage": b"\xff" * 5_000,
        "one byte other": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    }
    if damage == "missing":
        file.unlink()
    else:
        file.write_bytes(damaged[damage])
    assert array_file.read(file) is None


def test_of_a_large_file_pieces_all_over_it_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_file, "PIECE", 100)
    path = tmp_path / "large"
    array_file.write(path, {"ids": ARRAYS["ids"]})
    whole = path.read_bytes()
    for place in (0, len(whole) // 2 // 100 * 100, len(whole) - 1):
        holes = bytearray(whole)
        holes[place : place + 17_500] = bytes(len(holes[place : place + 17_500]))
        path.write_bytes(bytes(holes))
        assert array_file.read(path) is None
    path.write_bytes(whole)
    assert array_file.read(path) is not None


def test_a_draft_that_could_not_be_written_is_not_left(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    with pytest.raises(OSError):
        array_file.write(path, {"ids": np.zeros(3)})
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]
