"""The notes and questions of a comparison: conversations from files, made-up notes, or both; and their JSON file."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from emberkeep.bench.compare.entrant import Note
from emberkeep.bench.dataset import Dataset, Message, Question
from emberkeep.bench.texts import Texts
from emberkeep.errors import InvalidInput

MADE_UP = 2_000  # notes, by default
OF_A_USER = 1_000
OF_A_SESSION = 100
QUESTIONS = 200
AT_ONCE = 100  # notes in one call, at most
_FIRST = datetime(2026, 1, 5, 8, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Material:
    """Notes in the order in which they are kept, and questions, each with the user whose notes are searched."""

    notes: tuple[Note, ...]
    questions: tuple[tuple[str, Question], ...]

    @property
    def has_gold(self) -> bool:
        """Whether the answering messages of all questions are known."""
        return all(question.gold for _, question in self.questions)


def of_datasets(datasets: Sequence[Dataset], items: int | None) -> Material:
    """The conversations of datasets, after made-up notes of other users that fill up to `items` notes in all."""
    stores = [store for dataset in datasets for store in dataset.stores]
    notes = [Note(str(number), one) for number, store in enumerate(stores) for one in store.messages]
    if items is not None and items < len(notes):
        raise InvalidInput(f"the data holds {len(notes):,} messages: leave out --items, or name more than that")
    asked = ((str(number), one) for number, store in enumerate(stores) for one in store.questions)
    around = made_up((items or len(notes)) - len(notes), first_user=len(stores))
    return Material((*around, *notes), tuple(asked))


def of_nothing(items: int) -> Material:
    """Made-up notes and questions; the questions have no known answers."""
    notes = tuple(made_up(items))
    users = list(dict.fromkeys(note.user for note in notes))
    texts = Texts(seed=1).questions(QUESTIONS)
    questions = (
        (users[number % len(users)], Question(f"q{number}", text, "made up", (), notes[-1].message.time))
        for number, text in enumerate(texts)
    )
    return Material(notes, tuple(questions))


def made_up(count: int, *, first_user: int = 0, seed: int = 0) -> Iterator[Note]:
    """So many notes, a thousand for each user; no two have the same text."""
    for number, text in enumerate(Texts(seed).memories(count)):
        user = str(first_user + number // OF_A_USER)
        session, said = f"s{number // OF_A_SESSION}", _FIRST + timedelta(minutes=number)
        yield Note(user, Message(f"made-up-{number}", session, "user", "user", said, text))


def batches(notes: Iterable[Note], most: int = AT_ONCE) -> Iterator[list[Note]]:
    """Notes in batches for one call each: consecutive ones of the same user and session, at most `most`."""
    for _, group in groupby(notes, key=lambda note: (note.user, note.message.session)):
        together = list(group)
        for start in range(0, len(together), most):
            yield together[start : start + most]


def write(material: Material, file: Path) -> None:
    """Write material to a JSON file."""
    document = {
        "notes": [{**asdict(note.message), "user": note.user} for note in material.notes],
        "questions": [{**asdict(question), "user": user} for user, question in material.questions],
    }
    file.write_text(json.dumps(document, default=datetime.isoformat), encoding="utf-8")


def read(file: Path) -> Material:
    """Read the material that `write` wrote."""
    document = json.loads(file.read_text(encoding="utf-8"))
    notes = tuple(Note(one.pop("user"), Message(**_timed(one))) for one in document["notes"])
    questions = tuple((one.pop("user"), Question(**_timed(one))) for one in document["questions"])
    return Material(notes, questions)


def _timed(fields: dict[str, Any]) -> dict[str, Any]:
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return {**fields, **lists, "time": datetime.fromisoformat(fields["time"])}
