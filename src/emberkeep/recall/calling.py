"""Who is called what: speakers by their own name, and by the one that others address them by.

A user may be kept as "kjones" and be called Kate by whoever talks with her. No text says that the two are one; but a
name that one of two speakers uses in most of their conversations, mostly at the start, and the other hardly ever, is
the other's. What they only talk about is named later on, and by both.
"""

from collections.abc import Iterable

import numpy as np

from emberkeep.language.names import is_common, is_same_name, name_words
from emberkeep.language.terms import query_terms
from emberkeep.recall.question import MOST_SPEAKERS
from emberkeep.storage.search import Mask, Rows
from emberkeep.storage.shelf_index import ShelfIndex

LEAST = 5  # conversations in which a name has to be used
MOST_OF_THEM = 0.5  # of the conversations of the one who uses it
BY_ONE = 0.85  # of all uses of it
MOST_NAMES = 1_000  # that are remembered
GREETED = 0.5  # of the conversations in which it is used: there it is in one of the first two messages


def speakers_called(index: ShelfIndex, names: Iterable[str]) -> dict[str, int]:
    """Who speaks here with the number that stands for each, those of these names that they are called by added."""
    speakers = dict(index.speakers())
    if len(speakers) > MOST_SPEAKERS:
        return speakers
    own = [word for speaker in speakers for word in name_words(speaker)]
    for name in dict.fromkeys(names):
        if is_common(name) or any(is_same_name(word, name) for word in own):
            continue
        number = _known_as(index, name)
        for speaker in [one for one, theirs in speakers.items() if theirs == number and one]:
            speakers[f"{speaker} {name}"] = speakers.pop(speaker)
    return speakers


def _known_as(index: ShelfIndex, name: str) -> int | None:
    """What `_addressed` says, worked out once for every state of the index: a search asks twice, and users again."""
    known: dict[str, int | None] = index.worked_out.setdefault(__name__, {})
    if len(known) > MOST_NAMES:
        known.clear()
    if name not in known:
        known[name] = _addressed(index, name)
    return known[name]


def _addressed(index: ShelfIndex, name: str) -> int | None:
    """The number of the one whom others call by this name, if that is how it is used."""
    uses = _uses(index, name)
    if len(uses) < LEAST:
        return None
    conversation, speaker, threaded = (index.column(one) for one in ("conversation", "speaker", "threaded"))
    who, times = np.unique(speaker[uses], return_counts=True)
    caller = who[times.argmax()]
    there = _conversations(conversation[uses[speaker[uses] == caller]])
    if times.max() < BY_ONE * len(uses) or len(there) < LEAST:
        return None
    if len(there) < MOST_OF_THEM * len(_conversations(conversation[threaded & (speaker == caller)])):
        return None
    if len(_conversations(conversation[uses[_are_early(index, uses)]])) < GREETED * len(there):
        return None
    others = np.unique(speaker[threaded & np.isin(conversation, there) & (speaker != caller)])
    return int(others[0]) if len(others) == 1 else None


def _uses(index: ShelfIndex, name: str) -> Rows:
    """The messages that hold a name."""
    terms = list(query_terms(name))
    if len(terms) != 1:
        return np.empty(0, np.int64)
    rows, _ = index.occurrences(terms)[0]
    said: Rows = rows[index.column("threaded")[rows]]
    return said


def _are_early(index: ShelfIndex, rows: Rows) -> Mask:
    """Which messages are the first or the second of their conversation."""
    before = index.before(rows)
    early: Mask = (before < 0) | (index.before(np.maximum(before, 0)) < 0)
    return early


def _conversations(numbers: Rows) -> Rows:
    """Which ones, each once; what was not said in one is left out."""
    found: Rows = np.unique(numbers)
    return found[found > 0]
