"""The terms that the text index keeps of a text: hashed stems with their counts."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import Stemmer
from numpy.typing import NDArray

from emberkeep.language.folding import fold, spelled_out
from emberkeep.language.marks import humps, marks
from emberkeep.language.pictures import pictures

STOP_WORDS = frozenset(
    """
    a about after again all also am an and any are as at be because been before being but by can could did do does
    doing don down during each few for from further had has have having he her here hers him his how i if in into is
    it its itself just let me more most my myself no nor not now of off on once only or other our ours out over own
    same she should so some such than that the their theirs them then there these they this those through to too
    under until up us very was we were what when where which while who whom why will with would you your yours
    ll re ve m s t d
    """.split()
)
_ASCII_WORD = re.compile(r"[a-z0-9]+")
# A word of any script. Vowel signs and the like are part of it, though a pattern does not count them as letters.
_WORD = re.compile(
    "(?:[^\\W_]|[\u0900-\u0963\u0966-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
    "\u3099\u309a])+"
)
# Scripts without spaces (Japanese, Chinese, Thai), or with endings attached to words (Korean). Their runs are indexed
# as pairs of characters, and Chinese characters also singly, as one may be a word.
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3099\u309a\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_STEMMERS = {name: Stemmer.Stemmer(name, 0) for name in ("english", "russian", "greek", "arabic")}
_SCRIPTS = (("\u0370", "\u03ff", "greek"), ("\u0400", "\u04ff", "russian"), ("\u0600", "\u06ff", "arabic"))

PACKED = np.dtype([("term", "<u8"), ("count", "<u2")])
Packed = NDArray[np.void]


def words(text: str) -> Iterator[str]:
    """Yield the words of a text, folded (case, accents, width), without stop words; then what is more than a word.

    These are marks, the words inside names in code, spellings of umlauts ("ue" for "ü") and emoji.
    """
    folded = fold(text)
    plain = folded.isascii()
    for word in (_ASCII_WORD if plain else _WORD).findall(folded):
        if word in STOP_WORDS:
            continue
        if plain or word.isascii() or not _UNSPACED.search(word):
            yield word
        else:
            yield from _split_unspaced(word)
    yield from marks(text)
    yield from (word for word in humps(text) if word not in STOP_WORDS)
    if not text.isascii():
        yield from (word for word in _WORD.findall(spelled_out(text)) if word not in STOP_WORDS)
        yield from pictures(text)


def pack(text: str) -> Packed:
    """Return the terms of a text with their counts, ready to store."""
    return pack_terms(map(term_of, words(text)))


def pack_terms(terms: Iterable[int]) -> Packed:
    """Return terms with their counts, at most 65,535 each."""
    counts = Counter(terms)
    packed = np.empty(len(counts), PACKED)
    packed["term"] = np.fromiter(counts.keys(), np.uint64, len(counts))
    packed["count"] = np.fromiter((min(n, 65_535) for n in counts.values()), np.uint16, len(counts))
    return packed


@lru_cache(maxsize=65_536)
def term_of(word: str) -> int:
    """Return the hash of a word's stem: nothing readable is left in the index."""
    stemmer = _STEMMERS["english"]
    if not word.isascii():
        stemmer = _STEMMERS[next((name for first, last, name in _SCRIPTS if first <= word[0] <= last), "english")]
    return int.from_bytes(blake2b(stemmer.stemWord(word).encode(), digest_size=8).digest(), "little")


@lru_cache(maxsize=65_536)
def term_in(word: str) -> int | None:
    """Return the term of another tokenizer's word; None for punctuation and stop words."""
    return next(map(term_of, words(word)), None)


@lru_cache(maxsize=65_536)
def terms_of(name: str) -> tuple[int, ...]:
    """Return the terms of a name, in order."""
    return tuple(map(term_of, words(name)))


def query_terms(text: str) -> dict[int, str]:
    """Return the terms of a question, each with the word it comes from."""
    return {term_of(word): word for word in words(text)}


def likeness(text: str, other: str) -> float:
    """Return the cosine similarity of two texts by their word counts: 1 for the same words, 0 for none in common."""
    counts, others = (Counter(map(term_of, words(one))) for one in (text, other))
    product = sum(count * others[term] for term, count in counts.items())
    lengths = math.prod(sum(count * count for count in each.values()) for each in (counts, others))
    return product / math.sqrt(lengths) if product else 0.0


def _split_unspaced(word: str) -> Iterator[str]:
    """Yield the pairs of characters in a run of such a script, and the rest of the word."""
    for run in _UNSPACED.findall(word):
        if len(run) == 1:
            yield run
        for first, second in pairwise(run):
            yield first + second
        if len(run) > 1:
            yield from _HAN.findall(run)
    yield from (rest for rest in _UNSPACED.split(word) if rest and rest not in STOP_WORDS)
