"""What the text index keeps of a text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.language.marks import is_mark
from emberkeep.language.terms import PACKED, STOP_WORDS, pack, query_terms, term_of, words
from emberkeep.storage.postings import unpack


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The QUICK brown fox", ["quick", "brown", "fox"]),
        ("Café crème, Ünïcode Straße", ["cafe", "creme", "unicode", "strasse", "uenicode"]),
        ("Ａｌｅｘ", ["alex"]),
        ("Alex's cats' don't it's", ["alex", "cats"]),
        ("snake_case e-mail", ["snake", "case", "e", "mail"]),
        ("to a@b.org, v2.1", ["b", "org", "v2", "1", "v2.1", "a@b.org"]),
        ("Release 3.11.7.", ["release", "3", "11", "7", "3.11.7"]),
        ("TBL-220-BLK_L", ["tbl", "220", "blk", "l", "tbl.220.blk.l"]),
        ("paid $4,217.50", ["paid", "4", "217", "50", "217.50", "4217.50", "4217"]),
        ("+49 170 555 1234", ["49", "170", "555", "1234", "tel705551234"]),
        ("0170/5551234", ["0170", "5551234", "0170.5551234", "tel705551234"]),
        ("on 2026-05-20", ["2026", "05", "20", "2026.05.20"]),
        ("HTTPConnectionPool", ["httpconnectionpool", "http", "connection", "pool"]),
        ("getUserById", ["getuserbyid", "get", "user", "id"]),
        ("vitamin D in the US, don't", ["vitamin", "D", "US"]),
        ("commit a3f9c1d4", ["commit", "a3f9c1d4", "hexa3f9c1d"]),
        ("C++ or C#", ["c", "c", "c++", "c#"]),
        ("WHO IT US", []),
        ("日本語", ["日本", "本語", "日", "本", "語"]),
        ("茶 を飲む", ["茶", "を飲", "飲む", "飲"]),
        ("東京2020大会", ["東京", "東", "京", "大会", "大", "会", "2020"]),
        ("the東京", ["東京", "東", "京"]),
        ("パンダ", ["パン", "ンダ"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("मेरी बेटी", ["मेरी", "बेटी"]),
        ("Fıstık FISTIK Søren sœur Đorđe Łukasz", ["fistik", "fistik", "soren", "soeur", "dorde", "lukasz"]),
        ("Kestrel℠ №7 𝗕𝗢𝗟𝗗 Kranken\u00adhaus", ["kestrel", "no7", "bold", "krankenhaus"]),
        ("٤٥٨٩١", ["45891"]),
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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Москва", "в Москве"),
        ("кошка", "кошки"),
        ("γάτα", "γάτες"),
        ("الكتاب", "كتابا"),
        ("München", "Muenchen"),
        ("SINAV", "Sınav"),
        ("+491705551234", "0170 5551234"),
        ("$4217.50", "$4,217.50"),
        ("猫", "猫を二匹飼っています"),
        ("고양이는", "고양이가"),
    ],
)
def test_what_is_written_in_two_ways_has_a_term_in_common(one: str, other: str) -> None:
    assert query_terms(one).keys() & query_terms(other).keys()


@pytest.mark.parametrize(("one", "other"), [("बेटी", "बेटा"), ("パンダ", "ハンダ"), ("1.2.3", "3.2.2"), ("C", "C++")])
def test_what_is_not_the_same_has_a_term_of_its_own(one: str, other: str) -> None:
    assert query_terms(one).keys() ^ query_terms(other).keys()


@pytest.mark.parametrize("word", ["3.11.7", "e.1013", "40p01", "a@b.org", "45891", "tel705551234"])
def test_a_mark_stands_for_one_thing(word: str) -> None:
    assert is_mark(word)


@pytest.mark.parametrize("word", ["tea", "2024", "1990s", "20mg", "5pm", "10th", ""])
def test_a_word_a_year_and_a_number_with_its_unit_are_none(word: str) -> None:
    assert not is_mark(word)


@pytest.mark.parametrize(
    "text", ["me@x.org " + "-" * 200_000, "+" * 200_000 + "@", "a1" * 100_000, "1-" * 100_000, "aA" * 100_000]
)
def test_a_long_run_of_marks_takes_no_long_time(text: str) -> None:
    assert len(pack(text)) < 200_000  # a pattern that starts anew at every sign would take minutes
