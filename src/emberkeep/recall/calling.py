"""The names of speakers: their own, and those that others address them by.

A user may be stored as "kjones" and be called Kate by whoever talks with her. No text says that the two are one. But a
name that one of two speakers uses in most of their conversations, mostly at the start, and the other hardly ever, is
taken for the other's. The name of somebody whom they merely talk about comes up later, and both use it.
"""

import numpy as np

from emberkeep.language.names import PossibleNames, is_common, is_same_name, name_words
from emberkeep.language.terms import query_terms
from emberkeep.recall.question import MOST_SPEAKERS
from emberkeep.storage.search import Mask, Rows
from emberkeep.storage.shelf_index import ShelfIndex

LEAST = 5  # conversations in which the caller must use the name
MOST_OF_THEM = 0.5  # the least share of the caller's conversations in which they must use it
BY_ONE = 0.85  # the least share of all uses that must be the caller's
MOST_NAMES = 1_000  # names to remember per index
GREETED = 0.5  # the least share of these conversations that must have it in one of the first two messages


def speakers_called(index: ShelfIndex, names: PossibleNames) -> dict[str, int]:
    """Return the speakers with their numbers; one who is addressed by one of `names` has it appended: "kjones kate"."""
    speakers = dict(index.speakers())
    if len(speakers) > MOST_SPEAKERS or names.identical:
        return speakers
    own = [word for speaker in speakers for word in name_words(speaker)]
    for name in dict.fromkeys(names.words):
        if is_common(name) or any(is_same_name(word, name) for word in own):
            continue
        number = _known_as(index, name)
        for speaker in [known for known, code in speakers.items() if code == number and known]:
            speakers[f"{speaker} {name}"] = speakers.pop(speaker)
    return speakers


def _known_as(index: ShelfIndex, name: str) -> int | None:
    """Return `_addressed`, cached until the index changes, because a search asks twice and users repeat names."""
    known: dict[str, int | None] = index.worked_out.setdefault(__name__, {})
    if len(known) > MOST_NAMES:
        known.clear()
    if name not in known:
        known[name] = _addressed(index, name)
    return known[name]


def _addressed(index: ShelfIndex, name: str) -> int | None:
    """Return the number of the speaker whom another one addresses by this name; None if it is not used like that."""
    uses = _uses(index, name)
    if len(uses) < LEAST:
        return None
    conversation, speaker, threaded = (index.column(column) for column in ("conversation", "speaker", "threaded"))
    users, times = np.unique(speaker[uses], return_counts=True)
    caller = users[times.argmax()]
    used_in = _conversations(conversation[uses[speaker[uses] == caller]])
    if times.max() < BY_ONE * len(uses) or len(used_in) < LEAST:
        return None
    if len(used_in) < MOST_OF_THEM * len(_conversations(conversation[threaded & (speaker == caller)])):
        return None
    if len(_conversations(conversation[uses[_are_early(index, uses)]])) < GREETED * len(used_in):
        return None
    others = np.unique(speaker[threaded & np.isin(conversation, used_in) & (speaker != caller)])
    return int(others[0]) if len(others) == 1 else None


def _uses(index: ShelfIndex, name: str) -> Rows:
    """Return the messages that contain a name; none if the name is not a single term."""
    terms = list(query_terms(name))
    if len(terms) != 1:
        return np.empty(0, np.int64)
    rows, _ = index.occurrences(terms)[0]
    messages: Rows = rows[index.column("threaded")[rows]]
    return messages


def _are_early(index: ShelfIndex, rows: Rows) -> Mask:
    """Return which messages are the first or the second of their conversation."""
    before = index.before(rows)
    early: Mask = (before < 0) | (index.before(np.maximum(before, 0)) < 0)
    return early


def _conversations(numbers: Rows) -> Rows:
    """Return the distinct conversations, without 0, which stands for none."""
    found: Rows = np.unique(numbers)
    return found[found > 0]
