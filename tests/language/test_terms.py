"""What the text index keeps of a text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.language.terms import PACKED, STOP_WORDS, pack, query_terms, term_of, words
from emberkeep.storage.postings import unpack


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The QUICK brown fox", ["quick", "brown", "fox"]),
        ("Café crème, Ünïcode Straße", ["cafe", "creme", "unicode", "strasse"]),
        ("Ａｌｅｘ", ["alex"]),
        ("Alex's cats' don't it's", ["alex", "cats"]),
        ("snake_case e-mail a@b.org v2.1", ["snake", "case", "e", "mail", "b", "org", "v2", "1"]),
        ("日本語", ["日本", "本語"]),
        ("茶 を飲む", ["茶", "を飲", "飲む"]),
        ("東京2020大会", ["東京", "大会", "2020"]),
        ("the東京", ["東京"]),
        ("สวัสดี", None),
        ("한국어 텍스트", None),
        ("the and of", []),
        ("🙂 — … !!", []),
        ("", []),
    ],
)
def test_words(text: str, found: list[str] | None) -> None:
    got = list(words(text))
    assert got if found is None else got == found


def test_composed_and_decomposed_letters_are_one() -> None:
    assert list(words("cafe\u0301")) == list(words("caf\u00e9")) == ["cafe"]


def test_hashes_are_stable_or_every_stored_index_would_be_lost() -> None:
    assert term_of("memory") == 0xBCE5A4E135F651CF
    assert term_of("日本") == 0x3A9B54E1CF3533E8


def test_inflections_share_a_term() -> None:
    assert term_of("running") == term_of("runs") == term_of("run")
    assert term_of("run") != term_of("runner")


@given(st.text())
def test_every_text_can_be_packed_and_asked_for(text: str) -> None:
    packed = pack(text)
    assert sorted(packed["term"].tolist()) == sorted(query_terms(text))
    assert np.array_equal(unpack(packed.tobytes()), packed)
    assert not STOP_WORDS & set(words(text))
    assert int(packed["count"].sum()) == sum(1 for _ in words(text))


def test_counts_stop_where_their_field_ends() -> None:
    assert pack("tea " * 70_000)["count"].tolist() == [65_535]
    assert PACKED.itemsize == 10
