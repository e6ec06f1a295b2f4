"""The ledger: what writers were about to do, and what was acknowledged. Kept in files of its own, outside of the store.

One file a writer, since a line that a kill cut short must not spoil the next one of somebody else.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

State = Literal["acknowledged", "refused", "in doubt"]


@dataclass(slots=True)
class Deed:
    """One call of a writer: what it was to do, and what came of it.

    It is in doubt if its writer died before it had an answer, or the answer was that nobody knows.
    """

    writer: str
    number: int
    verb: str
    about: Mapping[str, Any]
    state: State = "in doubt"
    result: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def texts(self) -> list[str]:
        """The texts that are there if it was done."""
        return list(self.about.get("texts", ()))

    @property
    def target(self) -> str:
        """What it changes."""
        return str(self.about.get("target", ""))

    @property
    def user(self) -> str:
        """Whose memory it is about."""
        return str(self.about.get("user", ""))


class Ledger:
    """A writer's own file. Each line is on disk before the writer goes on."""

    def __init__(self, folder: Path, writer: str) -> None:
        self.writer = writer
        self._number = 0
        # Synced by the kernel with each write, so that a disk that fails on demand fails the store alone.
        how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_DSYNC
        self._file = os.open(folder / f"{writer}.jsonl", how, 0o600)

    def about(self, verb: str, **what: Any) -> int:
        """Say what is tried next; gives the number to come back with."""
        self._number += 1
        self._write({"n": self._number, "verb": verb, "about": what})
        return self._number

    def acknowledged(self, number: int, **result: Any) -> None:
        """The call returned."""
        self._write({"n": number, "done": result})

    def refused(self, number: int, error: Exception, *, certainly: bool) -> None:
        """The call raised; `certainly` if that means that nothing was done."""
        self._write({"n": number, "error": f"{type(error).__name__}: {error}", "certainly": certainly})

    def complain(self, what: str) -> None:
        """Something was seen that must not be."""
        self._write({"complaint": what})

    def close(self) -> None:
        """Write no more."""
        os.close(self._file)

    def _write(self, line: Mapping[str, Any]) -> None:
        os.write(self._file, json.dumps(line, ensure_ascii=False).encode() + b"\n")


@dataclass(slots=True)
class Account:
    """All that the ledgers of a folder say."""

    deeds: list[Deed] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def read(folder: Path) -> Account:
    """The deeds of all writers, those of one in their order."""
    account = Account()
    for file in sorted(folder.glob("*.jsonl")):
        one = read_one(file)
        account.deeds += one.deeds
        account.complaints += one.complaints
    return account


def read_one(file: Path) -> Account:
    """What one writer or reader wrote down."""
    by_number: dict[int, Deed] = {}
    complaints = []
    for line in _lines(file):
        if "complaint" in line:
            complaints.append(f"{file.stem}: {line['complaint']}")
        elif "verb" in line:
            by_number[line["n"]] = Deed(file.stem, line["n"], line["verb"], line["about"])
        else:
            _settle(by_number[line["n"]], line)
    return Account(list(by_number.values()), complaints)


def acknowledged(folder: Path) -> int:
    """How many deeds were acknowledged so far."""
    return sum(file.read_bytes().count(b'"done"') for file in folder.glob("w*.jsonl"))


def _settle(deed: Deed, line: Mapping[str, Any]) -> None:
    if "done" in line:
        deed.state, deed.result = "acknowledged", line["done"]
    else:
        deed.state, deed.error = "refused" if line["certainly"] else "in doubt", line["error"]


def _lines(file: Path) -> Iterator[Mapping[str, Any]]:
    """Whole lines; what a kill left of the last one was never said."""
    for line in file.read_bytes().split(b"\n")[:-1]:
        yield json.loads(line)
