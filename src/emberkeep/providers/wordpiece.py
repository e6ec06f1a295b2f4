"""The WordPiece tokenizer of the uncased BERT models, without a dependency."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from emberkeep.errors import ConfigError

BERT_UNCASED = Path(__file__).parent / "data" / "bert-base-uncased-vocab.txt"

_LONGEST_WORD = 100
_REMEMBERED_WORDS = 2**15
_REMEMBERED_CHARACTERS = 2**14
_MOST_BYTES_A_TOKEN = 8  # no tokenizer averages more bytes per token over a longer text
_RARE = "\ue000"  # from here on: private use, presentation forms, emoji, rare scripts
_DROPPED_CATEGORIES = frozenset(("Cc", "Cf", "Co", "Cs"))
_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)

# Stretches of about a thousand characters that end at a certain word boundary, so that only the beginning of
# a long text need be read. Where there is no boundary for that long, the stretch goes on to the next one.
_WORD_END = r" \t\n\r!-/:-@\[-`{-~\u4e00-\u9fff"
_STRETCH = re.compile(rf".{{1,1000}}(?:[{_WORD_END}]|\Z)|[^{_WORD_END}]+", re.DOTALL)


class WordPiece:
    """Splits text into the pieces that a BERT model was trained on."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        missing = [token for token in ("[UNK]", "[CLS]", "[SEP]") if token not in vocabulary]
        if missing:
            raise ConfigError(f"the vocabulary lacks {', '.join(missing)}: it is not one of a BERT model")
        self._vocabulary = vocabulary
        self._unknown = (vocabulary["[UNK]"],)
        self._first = vocabulary["[CLS]"]
        self._last = vocabulary["[SEP]"]
        self._longest_piece = max(map(len, vocabulary))
        self._split_remembered = lru_cache(_REMEMBERED_WORDS)(self._split)
        self._cost_remembered = lru_cache(_REMEMBERED_WORDS)(self._cost)

    @classmethod
    def from_file(cls, path: Path) -> "WordPiece":
        """Reads a `vocab.txt` or a `tokenizer.json`."""
        try:
            return cls.from_vocabulary(path) if path.suffix != ".json" else cls(_vocabulary_in(path))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path} cannot be read: {error}") from None

    @classmethod
    def from_vocabulary(cls, path: Path = BERT_UNCASED) -> "WordPiece":
        """Reads a `vocab.txt`: one piece per line; the number of a piece is its line, from 0."""
        lines = path.read_text(encoding="utf-8").split("\n")
        return cls({piece: number for number, piece in enumerate(lines) if piece})

    @property
    def unknown(self) -> int:
        """The number of [UNK], the piece for a word that cannot be split into known pieces."""
        return self._unknown[0]

    @property
    def size(self) -> int:
        """The highest number of a piece, plus one."""
        return max(self._vocabulary.values()) + 1

    def encode(self, text: str, max_tokens: int = 256) -> list[int]:
        """The pieces' numbers between [CLS] and [SEP], no more than `max_tokens` in all."""
        pieces = chain.from_iterable(map(self._pieces, _words(text)))
        return [self._first, *islice(pieces, max_tokens - 2), self._last]

    def encode_words(self, text: str, max_tokens: int = 256) -> tuple[list[int], list[str]]:
        """The result of `encode`, and for each piece between [CLS] and [SEP] the word it belongs to."""
        pairs = ((piece, word) for word in _words(text) for piece in self._pieces(word))
        pieces, words = [self._first], []
        for piece, word in islice(pairs, max_tokens - 2):
            pieces.append(piece)
            words.append(word)
        return [*pieces, self._last], words

    def count(self, text: str) -> int:
        """How many pieces the whole text has."""
        words = Counter(text.translate(_SPELLINGS).split())
        return sum(len(self._pieces(word)) * times for word, times in words.items())

    def estimate(self, text: str) -> int:
        """About how many tokens a large model's tokenizer makes of the text, in any script; errs on the high side.

        A piece of the vocabulary counts as one token. A character that the vocabulary lacks or this tokenizer drops
        (emoji, rare scripts, accents, marks, invisible characters) costs large models a token or more.
        """
        words = Counter(text.translate(_SPELLINGS).split())
        half_tokens = sum(self._halves(word) * times for word, times in words.items())
        if not (text.isascii() and text.isprintable()):
            half_tokens += sum(_lost(character) * times for character, times in Counter(text).items())
        return max(-(-half_tokens // 2), -(-len(text.encode("utf-8", "surrogatepass")) // _MOST_BYTES_A_TOKEN))

    def _halves(self, word: str) -> int:
        if len(word) <= _LONGEST_WORD:
            return self._cost_remembered(word)
        # Encoded data, or a script without spaces: no tokenizer finds long pieces in either.
        return sum(
            (1 if character < "\x80" else _price(character)) * times for character, times in Counter(word).items()
        )

    def _cost(self, word: str) -> int:
        cost = start = 0
        while start < len(word):
            end, piece = self._longest_match(word, start)
            cost += _price(word[start]) if piece is None else 2
            start = start + 1 if piece is None else end
        return cost

    def _pieces(self, word: str) -> tuple[int, ...]:
        # Checked before the cache, which would otherwise hold words of any length.
        return self._unknown if len(word) > _LONGEST_WORD else self._split_remembered(word)

    def _split(self, word: str) -> tuple[int, ...]:
        pieces: list[int] = []
        start = 0
        while start < len(word):
            end, piece = self._longest_match(word, start)
            if piece is None:
                return self._unknown
            pieces.append(piece)
            start = end
        return tuple(pieces)

    def _longest_match(self, word: str, start: int) -> tuple[int, int | None]:
        prefix = "##" if start else ""
        for end in range(min(len(word), start + self._longest_piece), start, -1):
            piece = self._vocabulary.get(prefix + word[start:end])
            if piece is not None:
                return end, piece
        return start, None


def _vocabulary_in(path: Path) -> dict[str, int]:
    """The vocabulary of a `tokenizer.json`; raises `ConfigError` unless it splits texts as this module does."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigError(f"{path} is not JSON: {error}") from None
    match content:
        case {"model": {"type": "WordPiece", "vocab": dict(vocabulary)}}:
            if not all(type(number) is int and number >= 0 for number in vocabulary.values()):
                raise ConfigError(f"{path} has a piece whose number is none")
            _refuse_cased(path, content.get("normalizer", {}))
            return vocabulary
    raise ConfigError(f"{path} is not a WordPiece tokenizer: only models of the uncased BERT family are served")


def _refuse_cased(path: Path, normalizer: Any) -> None:
    match normalizer:
        case {"lowercase": False} | {"strip_accents": False} | {"handle_chinese_chars": False} | None:
            raise ConfigError(f"{path} keeps case or accents: only models of the uncased BERT family are served")


class _Spellings:
    """The table for `str.translate`: the spelling of each character, in a cache of bounded size."""

    @staticmethod
    @lru_cache(_REMEMBERED_CHARACTERS)
    def __getitem__(code: int) -> str:
        return _spell(chr(code))


_SPELLINGS = _Spellings()


def _words(text: str) -> Iterator[str]:
    for stretch in _STRETCH.finditer(text):
        yield from stretch[0].translate(_SPELLINGS).split()


def _spell(character: str) -> str:
    """The character in lower case without its accents, with spaces around if it is a word of its own."""
    # Unassigned characters stay: which ones are unassigned depends on the Python version, and vectors must not.
    if character == "\ufffd" or (character not in "\t\n\r" and unicodedata.category(character) in _DROPPED_CATEGORIES):
        return ""
    if character.isspace():
        return " "
    letters = (
        f" {part} " if _is_punctuation(part) else part.lower()
        for part in unicodedata.normalize("NFD", character)
        if unicodedata.category(part) != "Mn"
    )
    spelling = "".join(letters)
    return f" {spelling} " if _is_ideograph(character) else spelling


def _price(character: str) -> int:
    """The cost of a character by itself, in half tokens."""
    return 4 if character >= _RARE else 2


@lru_cache(_REMEMBERED_CHARACTERS)
def _lost(character: str) -> int:
    """The cost of the part of a character that its spelling leaves out, in half tokens."""
    if character.isspace():
        return 0
    if not _spell(character).strip():
        return _price(character)
    return sum(unicodedata.category(part) == "Mn" for part in unicodedata.normalize("NFD", character))


def _is_punctuation(character: str) -> bool:
    return character in _ASCII_PUNCTUATION or unicodedata.category(character).startswith("P")


def _is_ideograph(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _IDEOGRAPHS)
