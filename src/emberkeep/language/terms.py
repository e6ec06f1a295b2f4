"""What the text index keeps of a text: hashed stems and how often each occurs."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import Stemmer
from numpy.typing import NDArray

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
_WORD = re.compile(r"[^\W_]+")
# Scripts written without spaces: Japanese, Chinese, Thai. Their runs are indexed as pairs of characters.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_stemmer = Stemmer.Stemmer("english", 0)

PACKED = np.dtype([("term", "<u8"), ("count", "<u2")])
Packed = NDArray[np.void]


def words(text: str) -> Iterator[str]:
    """The words of a text, folded (case, accents, width), stop words left out."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    if not folded.isascii():
        folded = "".join(char for char in folded if not unicodedata.combining(char))
    for word in _WORD.findall(folded):
        if word in STOP_WORDS:
            continue
        if word.isascii() or not _UNSPACED.search(word):
            yield word
        else:
            yield from _split_unspaced(word)


def pack(text: str) -> Packed:
    """The stems of a text with their counts, ready to store."""
    counts = Counter(map(term_of, words(text)))
    packed = np.empty(len(counts), PACKED)
    packed["term"] = np.fromiter(counts.keys(), np.uint64, len(counts))
    packed["count"] = np.fromiter((min(n, 65_535) for n in counts.values()), np.uint16, len(counts))
    return packed


@lru_cache(maxsize=65_536)
def term_of(word: str) -> int:
    """The number that stands for a word's stem: nothing readable is left in the index."""
    return int.from_bytes(blake2b(_stemmer.stemWord(word).encode(), digest_size=8).digest(), "little")


@lru_cache(maxsize=65_536)
def term_in(word: str) -> int | None:
    """The term of what some tokenizer takes for a word; nothing if it is punctuation, or a word that is left out."""
    return next(map(term_of, words(word)), None)


@lru_cache(maxsize=65_536)
def terms_of(name: str) -> tuple[int, ...]:
    """The terms of a name, in their order."""
    return tuple(map(term_of, words(name)))


def query_terms(text: str) -> dict[int, str]:
    """The terms that a question asks for, each with the word that named it."""
    return {term_of(word): word for word in words(text)}


def _split_unspaced(word: str) -> Iterator[str]:
    for run in _UNSPACED.findall(word):
        if len(run) == 1:
            yield run
        for first, second in pairwise(run):
            yield first + second
    yield from (rest for rest in _UNSPACED.split(word) if rest and rest not in STOP_WORDS)
