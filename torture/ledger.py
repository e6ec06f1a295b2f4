"""The ledger: what writers were about to do, and what was acknowledged, in files outside the store.

Each writer has a file of its own, so that a line cut short by a kill cannot corrupt another writer's next line.
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
    """One call of a writer: its arguments, and its outcome.

    It is in doubt if its writer died before it had an answer, or if the error leaves open whether it was done.
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
        """The texts that are in the store if it was done."""
        return list(self.about.get("texts", ()))

    @property
    def target(self) -> str:
        """The id of what it changes."""
        return str(self.about.get("target", ""))

    @property
    def user(self) -> str:
        """The user whose memory it changes."""
        return str(self.about.get("user", ""))


class Ledger:
    """A writer's own file. Each line is on disk before the writer goes on."""

    def __init__(self, folder: Path, writer: str) -> None:
        self.writer = writer
        self._number = 0
        # O_DSYNC syncs without a call to fsync, so that the disk that fails on demand affects only the store.
        how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_DSYNC
        self._file = os.open(folder / f"{writer}.jsonl", how, 0o600)

    def about(self, verb: str, **what: Any) -> int:
        """Record the next call before it is made; returns its number, to report the outcome with."""
        self._number += 1
        self._write({"n": self._number, "verb": verb, "about": what})
        return self._number

    def acknowledged(self, number: int, **result: Any) -> None:
        """Record that a call returned."""
        self._write({"n": number, "done": result})

    def refused(self, number: int, error: Exception, *, certainly: bool) -> None:
        """Record that a call raised; `certainly` if the error means that nothing was done."""
        self._write({"n": number, "error": f"{type(error).__name__}: {error}", "certainly": certainly})

    def complain(self, what: str) -> None:
        """Record an observation that must never occur."""
        self._write({"complaint": what})

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, line: Mapping[str, Any]) -> None:
        os.write(self._file, json.dumps(line, ensure_ascii=False).encode() + b"\n")


@dataclass(slots=True)
class Account:
    """The deeds and complaints of all ledgers in a folder."""

    deeds: list[Deed] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def read(folder: Path) -> Account:
    """Read all ledgers of a folder; the deeds of each writer are in order."""
    account = Account()
    for file in sorted(folder.glob("*.jsonl")):
        one = read_one(file)
        account.deeds += one.deeds
        account.complaints += one.complaints
    return account


def read_one(file: Path) -> Account:
    """Read the ledger of one writer or reader."""
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
    """The number of deeds acknowledged so far."""
    return sum(file.read_bytes().count(b'"done"') for file in folder.glob("w*.jsonl"))


def _settle(deed: Deed, line: Mapping[str, Any]) -> None:
    if "done" in line:
        deed.state, deed.result = "acknowledged", line["done"]
    else:
        deed.state, deed.error = "refused" if line["certainly"] else "in doubt", line["error"]


def _lines(file: Path) -> Iterator[Mapping[str, Any]]:
    """The complete lines; the last one is dropped if a kill cut it short."""
    for line in file.read_bytes().split(b"\n")[:-1]:
        yield json.loads(line)
