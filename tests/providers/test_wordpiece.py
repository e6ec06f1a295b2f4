import hashlib
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emberkeep.errors import ConfigError
from emberkeep.providers.wordpiece import BERT_UNCASED, WordPiece

CLS, SEP = 101, 102
SHARED = WordPiece.from_vocabulary()


@pytest.fixture(scope="module")
def pieces() -> list[str]:
    return BERT_UNCASED.read_text(encoding="utf-8").split("\n")


@pytest.fixture(scope="module")
def tokenizer() -> WordPiece:
    return WordPiece.from_vocabulary()


def test_the_vocabulary_is_the_one_the_model_was_trained_with() -> None:
    digest = hashlib.sha256(BERT_UNCASED.read_bytes()).hexdigest()
    assert digest == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"


# The expected pieces were made with Hugging Face's `tokenizers`.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, world!", ["hello", ",", "world", "!"]),
        ("unaffable embeddings", ["una", "##ffa", "##ble", "em", "##bed", "##ding", "##s"]),
        ("don't", ["don", "'", "t"]),
        ("Café NAÏVE Ångström", ["cafe", "naive", "ang", "##strom"]),
        ("ΟΔΟΣ", ["ο", "##δ", "##ο", "##σ"]),
        ("漢字test", ["漢", "[UNK]", "test"]),
        ("tab\tand\nline\r\nand\u00a0hard", ["tab", "and", "line", "and", "hard"]),
        ("zero\u200bwidth\x00\ufffd", ["zero", "##wi", "##dt", "##h"]),
        ("a≠b", ["a", "=", "b"]),
        ("👍🏽 ok", ["[UNK]", "ok"]),
        ("“quoted” — dash", ["“", "quoted", "”", "—", "dash"]),
        ("x" * 101, ["[UNK]"]),
        ("한국", ["ᄒ", "##ᅡ", "##ᆫ", "##ᄀ", "##ᅮ", "##ᆨ"]),
        ("", []),
    ],
)
def test_splits_like_the_reference(tokenizer: WordPiece, pieces: list[str], text: str, expected: list[str]) -> None:
    numbers = tokenizer.encode(text)

    assert (numbers[0], numbers[-1]) == (CLS, SEP)
    assert [pieces[number] for number in numbers[1:-1]] == expected
    assert tokenizer.count(text) == len(expected)


def test_half_a_surrogate_pair_is_dropped(tokenizer: WordPiece) -> None:
    assert tokenizer.encode("\ud800alone") == tokenizer.encode("alone")


def test_special_tokens_in_the_text_are_plain_text(tokenizer: WordPiece, pieces: list[str]) -> None:
    numbers = tokenizer.encode("[SEP] [CLS]")[1:-1]

    assert [pieces[number] for number in numbers] == ["[", "sep", "]", "[", "cl", "##s", "]"]


def test_truncates_and_keeps_the_end_token(tokenizer: WordPiece) -> None:
    numbers = tokenizer.encode("one two three four five", max_tokens=5)

    assert numbers == [*tokenizer.encode("one two three")[:-1], SEP]
    assert len(tokenizer.encode("word " * 1000)) == 256


@pytest.mark.parametrize("unit", ["word, ", "汉", "!", "\n", "a", "😀", "é", "\x00"])
def test_half_a_million_characters_are_quick(tokenizer: WordPiece, unit: str) -> None:
    text = unit * (500_000 // len(unit))

    start = time.process_time()
    numbers = tokenizer.encode(text)
    count = tokenizer.count(text)

    assert len(numbers) == min(256, count + 2)
    assert time.process_time() - start < 1.0


# What models' own tokenizers make of each is known to be more than half of the length, in characters.
@pytest.mark.parametrize(
    "text",
    [
        "🎉" * 2_000,
        "hello🎉" * 500,
        "สวัสดีครับผมชื่อ" * 110,
        "a" + "\u0301" * 50_000,
        "\ue000" * 1_000,
        "\U000f0000" * 1_000,
        "\u200b" * 1_000,
        "\U000e0041" * 1_000,
        "𓀀" * 500,
        "ꦲꦏ" * 500,
        "\ud800" * 100,
        "\x00" * 100,
    ],
    ids="emoji mixed thai marks private planes unseen tags hieroglyphs javanese surrogates controls".split(),
)
def test_what_the_vocabulary_lacks_is_estimated_by_its_characters(tokenizer: WordPiece, text: str) -> None:
    assert len(text) / 2 < tokenizer.estimate(text) <= 2 * len(text)


@given(text=st.text(max_size=500) | st.text("🎉a \n\u0301ก漢é\ue000\u200b", max_size=500))
def test_an_estimate_is_never_far_below_the_bytes(text: str) -> None:
    tokens = SHARED.estimate(text)
    assert tokens >= len(text.encode("utf-8", "surrogatepass")) / 8
    assert tokens >= SHARED.count(text)
    assert tokens <= 6 * len(text)


@pytest.mark.parametrize("text", ["Alex lives in Lisbon, near the river. " * 50, "It's 5 o'clock; tea (hot)!\n" * 50])
def test_the_estimate_of_english_is_its_pieces(tokenizer: WordPiece, text: str) -> None:
    assert tokenizer.estimate(text) == tokenizer.count(text)


def test_encoded_data_is_estimated_as_many_tokens(tokenizer: WordPiece) -> None:
    assert tokenizer.estimate("aGVsbG8gd29ybGQK0a" * 300) == 2_700


@pytest.mark.parametrize("unit", ["word, ", "汉", "a", "0a9f", "😀", "é", "\x00", "\u0301", "ก"])
def test_half_a_million_characters_are_estimated_quickly(tokenizer: WordPiece, unit: str) -> None:
    text = unit * (500_000 // len(unit))
    start = time.process_time()
    tokenizer.estimate(text)
    assert time.process_time() - start < 1.0


def test_words_that_cross_a_stretch_stay_whole(tokenizer: WordPiece) -> None:
    for offset in range(990, 1010):
        text = "." * offset + " memory\x1fkeeper " + "é" * 3000 + " end"
        assert len(tokenizer.encode(text, max_tokens=10_000)) - 2 == tokenizer.count(text)


def test_a_vocabulary_without_special_tokens_is_refused(tmp_path: Path) -> None:
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text("[UNK]\nhello\n")

    with pytest.raises(ConfigError, match=r"lacks \[CLS\], \[SEP\]"):
        WordPiece.from_vocabulary(vocabulary)
