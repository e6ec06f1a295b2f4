"""Cutting texts into chunks: nothing is lost, and cuts are where a reader would make them."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emberkeep.documents.chunking import LARGEST_WHOLE, MOST_TOKENS, Chunk, chunks, first_heading


def words(text: str) -> int:
    return len(text.split())


def cut(text: str, *, markdown: bool = True) -> list[Chunk]:
    return list(chunks(text, words, markdown=markdown))


def said(text: str, *, markdown: bool = True) -> list[str]:
    return [text[one.start : one.end] for one in cut(text, markdown=markdown)]


PARTS = st.sampled_from(
    [
        "# One\n", "## Two\n\n", "Title\n=====\n", "Under\n---\n", "\n", "\n\n", "```\n", "~~~py\n", "    ", "\f\n",
        "| a | b |\n| --- | --- |\n", "| 1 | 2 |\n", "- point\n", "---\n", "A sentence. ", "Another one! ", "и ещё. ",
        "一二三。", "word " * 300, "x" * 700, "é", "\t", "…", "?\" ",
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.lists(PARTS, max_size=40).map("".join), st.text(max_size=400)), st.booleans())
def test_the_chunks_are_the_text(text: str, markdown: bool) -> None:
    assert "".join(said(text, markdown=markdown)) == text


@settings(max_examples=100, deadline=None)
@given(st.lists(PARTS, max_size=40).map("".join))
def test_no_chunk_is_too_long(text: str) -> None:
    assert all(words(one) <= MOST_TOKENS + LARGEST_WHOLE for one in said(text))


def test_a_section_is_a_chunk_and_knows_what_it_stands_under() -> None:
    text = "# Guide\n\nFor all.\n\n## Install\n\nRun it.\n\n### Linux\n\nUse apt.\n\n## Use\n\nCall it.\n"
    found = cut(text)
    assert [one.headings for one in found] == [
        ("Guide",),
        ("Guide", "Install"),
        ("Guide", "Install", "Linux"),
        ("Guide", "Use"),
    ]
    assert [one.inherited for one in found] == [0, 1, 2, 1]
    assert said(text)[1] == "## Install\n\nRun it.\n\n"


def test_a_heading_stays_with_what_follows() -> None:
    text = f"# Guide\n\n## Install\n\n{'word ' * 190}\n\nRest.\n"
    assert [one.headings for one in cut(text)] == [("Guide", "Install")]
    assert said(text)[0].startswith("# Guide\n\n## Install\n\nword")


def test_underlined_headings_are_headings_and_rules_are_not() -> None:
    assert [one.headings for one in cut("Guide\n=====\n\nText.\n\nInstall\n-------\n\nMore.\n")] == [
        ("Guide",),
        ("Guide", "Install"),
    ]
    assert [one.headings for one in cut("Text.\n\n---\n\nMore.\n")] == [()]


def test_plain_text_has_no_headings() -> None:
    assert [one.headings for one in cut("# a comment\nset x\n", markdown=False)] == [()]


def test_a_hash_in_code_is_no_heading() -> None:
    assert [one.headings for one in cut("# Guide\n\n```sh\n# a comment\nrun\n```\n")] == [("Guide",)]


def test_long_paragraphs_are_cut_between_sentences() -> None:
    text = " ".join(f"This is the sentence with the number {n}." for n in range(200))
    found = said(text)
    assert len(found) > 5
    assert all(one.rstrip().endswith(".") and one.startswith("This") for one in found)
    assert all(one.again == "" for one in cut(text))


def test_a_cut_sentence_is_said_again_where_it_goes_on() -> None:
    text = " ".join(f"word{n}" for n in range(500))
    first, second, *_ = cut(text)
    assert text[first.start : first.end].endswith(second.again)
    assert 0 < len(second.again) <= 80
    assert second.again.startswith("word")


@pytest.mark.parametrize("size", [100, 400])
def test_code_and_tables_are_not_torn(size: int) -> None:
    code = "```python\n" + "".join(f"x = {n}\n" for n in range(size // 3)) + "```\n"
    table = "| a | b |\n| --- | --- |\n" + "".join(f"| {n} | x |\n" for n in range(size // 5))
    found = said(f"{'word ' * 100}\n\n{code}\n{'word ' * 100}\n\n{table}\nEnd.\n")
    assert any(code in one for one in found)
    assert any(table in one for one in found)


def test_a_very_long_table_is_torn_between_rows_and_has_its_head_again() -> None:
    head = "| key | value |\n| --- | --- |\n"
    found = cut(head + "".join(f"| {n} | some value |\n" for n in range(500)))
    assert [one.again for one in found[1:]] == [head] * (len(found) - 1) != []


def test_pages_are_counted() -> None:
    text = "\n\n\f\n\n".join(" ".join([f"page{n}"] * 150) for n in range(1, 5))
    assert [one.page for one in cut(text)] == [1, 2, 3, 4]


def test_the_first_heading_is_a_title() -> None:
    assert first_heading("---\na: b\n---\n\nHi.\n\n## The title ##\n") == "The title"
    assert first_heading("No heading.") == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["```\n", "# a\n", ". ", "|-|\n", "-\n", "word. ", "|" + "-" * 1000 + "x\n", '!")', "x", " ", "界"]
)
def test_time_grows_with_the_length_and_no_faster(part: str) -> None:
    def took(size: int) -> float:
        text = part * (size // len(part))
        start = time.process_time()
        assert "".join(said(text)) == text
        return time.process_time() - start

    took(50_000)
    small = min(took(100_000) for _ in range(3))
    assert took(800_000) < 8 * small * 3 + 0.5
