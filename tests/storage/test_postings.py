"""The inverted index, BM25 and the cut at the best, each against its plainest form."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from emberkeep.language.terms import PACKED, Packed, pack, term_of
from emberkeep.storage import postings
from emberkeep.storage.bm25 import K1, B, TextStatistics, counts_in
from emberkeep.storage.postings import Postings
from emberkeep.storage.shelf_columns import Document
from emberkeep.storage.shelf_index import ShelfIndex, top

WORDS = [f"word{n}" for n in range(12)]
documents = st.lists(st.lists(st.sampled_from(WORDS), max_size=8), max_size=25)


def packed(counts: dict[int, int]) -> Packed:
    return np.array(list(counts.items()), PACKED)


def document(number: int, words: list[str], **changes: Any) -> Document:
    values: dict[str, Any] = dict.fromkeys(Document._fields) | {
        "kind": "fact",
        "agent_id": "",
        "session_id": "",
        "occurred_at": 0,
    }
    values |= {"valid_from": 0, "item_id": f"item {number}", "terms": pack(" ".join(words)).tobytes()} | changes
    return Document(**values)


@given(
    batches=st.lists(st.lists(st.dictionaries(st.integers(0, 9), st.integers(1, 5), max_size=5), max_size=5)),
    settle_at=st.sampled_from([0, 3, 50_000]),
)
def test_postings_are_a_dictionary_of_lists(batches: list[list[dict[int, int]]], settle_at: int) -> None:
    index, naive = Postings(), dict[int, list[tuple[int, int]]]()
    row = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "SETTLE_AT", settle_at)
        for batch in batches:
            index.add(np.arange(row, row + len(batch)), [packed(counts) for counts in batch])
            for counts in batch:
                for term, count in counts.items():
                    naive.setdefault(term, []).append((row, count))
                row += 1
    for term in range(11):
        for made in (index, Postings.of(index.arrays())):
            rows, times = made.find(term)
            assert list(zip(rows.tolist(), times.tolist(), strict=True)) == naive.get(term, [])


def test_terms_at_both_ends_of_their_range_are_found() -> None:
    index = Postings()
    index.add(np.arange(2), [packed({0: 1, 2**64 - 1: 2}), packed({2**63: 3})])
    assert [index.find(term)[1].tolist() for term in (0, 2**63, 2**64 - 1, 5)] == [[1], [3], [2], []]


@given(
    texts=documents,
    question=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
    gone=st.sets(st.integers(0, 24)),
)
def test_bm25_is_what_the_formula_says(texts: list[list[str]], question: list[str], gone: set[int]) -> None:
    index = ShelfIndex(4)
    index.put([document(n, words) for n, words in enumerate(texts)])
    for n in gone:
        assert index.remove(f"item {n}") == (n < len(texts))
    occurrences = index.occurrences([term_of(word) for word in question])
    scores = index.bm25(occurrences, index.text_statistics(occurrences))
    assert scores.tolist() == pytest.approx(_plain_bm25(texts, question, gone), abs=1e-4)
    rows = np.arange(len(texts))
    counted = [[0 if n in gone else texts[n].count(word) for word in question] for n in rows]
    assert counts_in(rows, occurrences).tolist() == counted
    assert counts_in(np.array([-1]), occurrences).tolist() == [[0] * len(question)]


def _plain_bm25(texts: list[list[str]], question: list[str], gone: set[int]) -> list[float]:
    alive = {n: Counter(words) for n, words in enumerate(texts) if n not in gone}
    mean = max(sum(sum(counts.values()) for counts in alive.values()) / len(alive), 1.0) if alive else 1.0
    scores = [0.0] * len(texts)
    for word in question:
        frequency = sum(word in counts for counts in alive.values())
        rarity = math.log(1 + (len(alive) - frequency + 0.5) / (frequency + 0.5))
        for n, counts in alive.items():
            length = sum(counts.values())
            scores[n] += rarity * counts[word] * (K1 + 1) / (counts[word] + K1 * (1 - B + B * length / mean))
    return scores


spoken = st.lists(
    st.tuples(
        st.sampled_from(["", "s", "t", "u"]),
        st.sampled_from(["", "voxa"]),
        st.sampled_from(["episode", "fact"]),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
    ),
    max_size=25,
)


@given(
    said=spoken,
    question=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
    gone=st.sets(st.integers(0, 24)),
)
def test_a_conversation_scores_as_if_it_were_one_text(
    said: list[tuple[str, str, str, list[str]]], question: list[str], gone: set[int]
) -> None:
    index = ShelfIndex(4)
    index.put(
        [document(n, words, kind=kind, session_id=s, agent_id=agent) for n, (s, agent, kind, words) in enumerate(said)]
    )
    for n in gone:
        index.remove(f"item {n}")
    scores = index.bm25_of_conversations(index.occurrences([term_of(word) for word in question]))
    talks: dict[tuple[str, str], list[str]] = {}
    for n, (session, agent, kind, words) in enumerate(said):
        if session and kind == "episode":
            talks.setdefault((session, agent), []).extend([] if n in gone else words)
    assume(all(talks.values()))  # something is left of each
    plain = dict(zip(talks, _plain_bm25(list(talks.values()), question, set()), strict=True))
    places = index.column("conversation").tolist()
    for n, (session, agent, kind, _) in enumerate(said):
        wanted = plain[session, agent] if session and kind == "episode" else 0.0
        assert scores[places[n]] == pytest.approx(wanted, abs=1e-4)


def test_deleting_what_was_said_in_no_session_leaves_the_scores_of_sessions_alone() -> None:
    index = ShelfIndex(4)
    index.put([document(0, ["word1", "word2", "word3"], kind="episode", session_id="s")])
    index.put([document(1, ["word4"], kind="episode"), document(2, ["word1"], kind="episode")])
    before = index.bm25_of_conversations(index.occurrences([term_of("word1")]))
    index.remove("item 1")
    after = index.bm25_of_conversations(index.occurrences([term_of("word1")]))
    assert before.tolist() == after.tolist() == [0.0, pytest.approx(math.log(4 / 3))]


def test_statistics_of_shelves_add_up() -> None:
    total = TextStatistics(2, 10.0, (1, 0)) + TextStatistics(3, 5.0, (2, 1))
    assert total == TextStatistics(5, 15.0, (3, 1))


@settings(max_examples=200)
@given(scores=st.lists(st.integers(-5, 5) | st.floats(-5, 5, width=32), max_size=60), count=st.integers(1, 70))
def test_top_is_a_sort_that_is_cut(scores: list[float], count: int) -> None:
    values = np.array(scores, np.float32)
    wanted = sorted(range(len(scores)), key=lambda place: (-values[place], place))[:count]
    assert top(values, count).tolist() == wanted


@given(texts=documents)
def test_an_item_that_is_put_again_replaces_itself(texts: list[list[str]]) -> None:
    index = ShelfIndex(4)
    for words in texts:
        index.put([document(0, words)])
    assert len(index) == bool(texts)
    for word in WORDS:
        ((rows, counts),) = index.occurrences([term_of(word)])
        assert counts.tolist() == ([texts[-1].count(word)] if texts and word in texts[-1] else [])
        assert all(index.ids[row] == "item 0" for row in rows)
