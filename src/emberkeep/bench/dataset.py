"""Conversations with questions whose answers are known, read from files in the format of docs/howto/measure.md."""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from emberkeep.errors import InvalidInput
from emberkeep.model.item import spoken

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said, by whom and when."""

    id: str
    session: str
    speaker: str
    role: str
    time: datetime
    text: str

    @property
    def name(self) -> str | None:
        """The speaker's name, unless that is only their role."""
        return None if self.speaker.casefold() == self.role.casefold() else self.speaker

    @property
    def spoken(self) -> str:
        """The text with the speaker's name, which every compared system indexes."""
        return spoken(self.name, self.text)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the messages, and where known the sessions, that hold the answer."""

    id: str
    text: str
    category: str
    gold: tuple[str, ...]
    time: datetime
    gold_sessions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Store:
    """One conversation, kept in one memory, and the questions about it that are answered in it."""

    id: str
    messages: tuple[Message, ...]
    questions: tuple[Question, ...]
    without_gold: int = 0

    def sessions(self) -> Iterator[tuple[str, list[Message]]]:
        """The sessions in order, each with its messages."""
        for session, messages in groupby(self.messages, key=lambda message: message.session):
            yield session, list(messages)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Conversations that are reported together."""

    name: str
    stores: tuple[Store, ...]

    @property
    def messages(self) -> int:
        """The number of messages in all stores."""
        return sum(len(store.messages) for store in self.stores)

    @property
    def questions(self) -> int:
        """The number of questions in all stores."""
        return sum(len(store.questions) for store in self.stores)

    def limited(self, count: int) -> "Dataset":
        """Only the first `count` stores, with the first `count` questions of each."""
        stores = tuple(replace(store, questions=store.questions[:count]) for store in self.stores[:count])
        return replace(self, stores=stores)


def read_datasets(paths: Iterable[Path]) -> list[Dataset]:
    """The datasets in files; raises `InvalidInput` if two have the same name, or a file would be measured twice."""
    datasets: dict[str, Dataset] = {}
    given: dict[Path, Path] = {}
    for path in paths:
        files = _files_of(path)
        real = [Path(os.path.realpath(file)) for file in files]  # unlike `resolve`, of a loop of links, too
        if twice := [file for file in real if file in given]:
            raise InvalidInput(f"{path}: {twice[0].name} is in {given[twice[0]]} too: give each file once")
        given |= dict.fromkeys(real, path)
        dataset = _dataset_of(path, files)
        if dataset.name in datasets:
            raise InvalidInput(f"{path}: another data set is called {dataset.name!r} too: give each once")
        datasets[dataset.name] = dataset
    if not datasets:
        raise InvalidInput("no data: name a file with --data")
    return list(datasets.values())


def read_dataset(path: Path) -> Dataset:
    """The dataset in a JSON file, gzipped or not, or in all files of a folder, which then gives it its name.

    Raises `InvalidInput` with the place of a mistake.
    """
    return _dataset_of(path, _files_of(path))


def _dataset_of(path: Path, files: Sequence[Path]) -> Dataset:
    """Return what the files of a path hold, as one dataset."""
    documents = [_Part(_loaded(file), str(file)) for file in files]
    of_files = [[_store(store) for store in document.parts("stores")] for document in documents]
    homes: dict[str, str] = {}
    for file, found in zip(files, of_files, strict=True):
        _refuse_twice((store.id for store in found), f"{file}: store")
        if twice := [store.id for store in found if store.id in homes]:
            raise InvalidInput(f"{file}: store {twice[0]!r} is in {homes[twice[0]]} too: remove one, or rename it")
        homes |= {store.id: file.name for store in found}
    stores = tuple(store for found in of_files for store in found)
    name = path.resolve().name if path.is_dir() else documents[0].text("name")
    dataset = Dataset(name, stores)
    if not dataset.questions:
        raise InvalidInput(f"{path}: no question names its gold messages, so there is nothing to measure")
    return dataset


def _files_of(path: Path) -> list[Path]:
    return _files_in(path) if path.is_dir() else [path]


def _files_in(folder: Path) -> list[Path]:
    """Return the .json and .json.gz files in a folder, hidden ones left out."""
    try:
        found = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError as error:
        raise InvalidInput(f"{folder}: cannot be read ({error.strerror})") from None
    if not (files := [path for path in found if path.name.endswith((".json", ".json.gz"))]):
        raise InvalidInput(f"{folder}: the folder has no .json or .json.gz file")
    return files


def _loaded(path: Path) -> Any:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read ({error.strerror})") from None
    if content.startswith(_GZIP):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidInput(f"{path}: not a whole gzip file ({error}): fetch it again") from None
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path}: not valid JSON: {error}") from None


@dataclass(frozen=True, slots=True)
class _Part:
    """An object in the file, and its place for error messages."""

    value: Any
    where: str

    def __post_init__(self) -> None:
        if not isinstance(self.value, Mapping):
            raise InvalidInput(f"{self.where}: must be an object, not {_type(self.value)}")

    def text(self, name: str) -> str:
        value = self.value.get(name)
        if not isinstance(value, str) or not value.strip():
            raise InvalidInput(f"{self.where}: needs {name}, a text")
        return value

    def moment(self, name: str) -> datetime:
        """A time; one without a zone is UTC."""
        value = self.text(name)
        try:
            parsed = datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInput(f"{self.where}: {name} is {value!r}: write ISO 8601, 2023-05-08T13:56:00") from None
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed

    def listed(self, name: str) -> Sequence[Any]:
        value = self.value.get(name)
        if not isinstance(value, list):
            raise InvalidInput(f"{self.where}: needs {name}, a list")
        return value

    def parts(self, name: str) -> list["_Part"]:
        return [_Part(one, f"{self.where}: {name}[{at}]") for at, one in enumerate(self.listed(name))]

    def ids(self, name: str, known: set[str]) -> tuple[str, ...]:
        """A list of known ids, each once; empty if the key is missing."""
        named = [] if self.value.get(name) is None else self.listed(name)
        for one in named:
            if not isinstance(one, str) or one not in known:
                raise InvalidInput(f"{self.where}: {name} names {one!r}, which is not in its store")
        return tuple(dict.fromkeys(named))

    def has(self, name: str) -> bool:
        return self.value.get(name) is not None


def _store(part: _Part) -> Store:
    messages = tuple(_message(one) for one in part.parts("messages"))
    if not messages:
        raise InvalidInput(f"{part.where}: has no messages")
    _refuse_twice((message.id for message in messages), f"{part.where}: message")
    known = {message.id for message in messages}, {message.session for message in messages}
    last = max(message.time for message in messages)
    questions = [_question(one, *known, last) for one in part.parts("questions")]
    _refuse_twice((question.id for question in questions), f"{part.where}: question")
    asked = tuple(question for question in questions if question.gold)
    return Store(part.text("id"), messages, asked, len(questions) - len(asked))


def _message(part: _Part) -> Message:
    return Message(
        id=part.text("id"),
        session=part.text("session"),
        speaker=part.text("speaker"),
        role=part.text("role") if part.has("role") else "user",
        time=part.moment("time"),
        text=part.text("text"),
    )


def _question(part: _Part, messages: set[str], sessions: set[str], last: datetime) -> Question:
    """A question; one without a time is asked at the time of the last message."""
    return Question(
        id=part.text("id"),
        text=part.text("text"),
        category=part.text("category"),
        gold=part.ids("gold", messages),
        gold_sessions=part.ids("gold_sessions", sessions),
        time=part.moment("time") if part.has("time") else last,
    )


def _refuse_twice(ids: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            raise InvalidInput(f"{what} {one!r} is there twice: give each an id of its own")
        seen.add(one)


def _type(value: object) -> str:
    names = {list: "a list", str: "a text", type(None): "null"}
    return names.get(type(value), type(value).__name__)
