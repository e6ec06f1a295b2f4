"""A shelf's index kept as arrays: made of them again it answers, and goes on, as the one it was."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from emberkeep.language.terms import pack, term_of
from emberkeep.model.recall import Selection
from emberkeep.storage import shelf_index
from emberkeep.storage.shelf_columns import Document
from emberkeep.storage.shelf_index import ShelfIndex

WORDS = ["cat", "dog", "sea", "wind", "bread"]
NUMBERS = st.integers(0, 14)
steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("put"),
            NUMBERS,
            st.sampled_from(WORDS),
            st.sampled_from(["", "s1", "s2"]),
            st.sampled_from(["episode", "fact"]),
            st.sampled_from([None, "Ann", "Bo"]),
            st.sampled_from([None, 7]),
        ),
        st.tuples(st.just("remove"), NUMBERS),
        st.tuples(st.just("origin"), NUMBERS, NUMBERS),
        st.tuples(st.just("key"), NUMBERS, st.integers(1, 99)),
    ),
    max_size=30,
)


def take(index: ShelfIndex, step: tuple[Any, ...]) -> None:
    name = f"{step[1]:04}"
    if step[0] == "put":
        _, _, word, session, kind, speaker, valid_to = step
        values: dict[str, Any] = dict.fromkeys(Document._fields) | {"item_id": name, "kind": kind, "agent_id": ""}
        values |= {"session_id": session, "occurred_at": step[1], "valid_from": 0, "valid_to": valid_to}
        index.put([Document(**values | {"speaker": speaker, "subject": speaker, "terms": pack(word).tobytes()})])
    elif step[0] == "remove":
        index.remove(name)
    elif step[0] == "origin":
        index.put_origins([(name, f"{step[2]:04}")])
    else:
        index.put_keys([name], np.array([step[2]]))


def answers(index: ShelfIndex) -> Any:
    rows = np.flatnonzero(index.column("live"))
    occurrences = index.occurrences([term_of(word) for word in WORDS])
    statistics = index.text_statistics(occurrences)
    allowed = index.allowed(Selection("default", "alex"), 8, None)
    return {
        "size": len(index),
        "row_of": index.row_of,
        "bm25": index.bm25(occurrences, statistics).tolist(),
        "statistics": statistics,
        "conversations": index.bm25_of_conversations(occurrences).tolist(),
        "before": index.before(rows).tolist(),
        "after": index.after(rows).tolist(),
        "origins": index.origins(rows).tolist(),
        "speakers": dict(index.speakers()),
        "another": index.speak_of_another(rows, {term_of("ann")}).tolist(),
        "keys": sorted(index.keys().tolist()),
        "allowed": None if allowed is None else allowed.tolist(),
    }


@given(steps, steps)
@example([("put", 0, "cat", "", "episode", None, None), ("put", 0, "cat", "", "episode", "Ann", None)], [])
def test_it_answers_and_goes_on_as_the_one_it_was(before: list[Any], after: list[Any]) -> None:
    index = ShelfIndex(4, "alex")
    for step in before:
        take(index, step)
    again = ShelfIndex.of(4, "alex", {name: array.copy() for name, array in index.arrays().items()})
    assert again is not None
    assert answers(again) == answers(index)
    for step in after:
        take(index, step)
        take(again, step)
    assert answers(again) == answers(index)


def test_what_another_version_kept_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = ShelfIndex(4, "alex").arrays()
    assert ShelfIndex.of(4, "alex", arrays) is not None
    monkeypatch.setattr(shelf_index, "LAYOUT", "other columns")
    assert ShelfIndex.of(4, "alex", arrays) is None
