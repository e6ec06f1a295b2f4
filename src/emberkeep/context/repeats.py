"""Records that say nothing beyond one that was chosen. A pure index of what was chosen."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from emberkeep.model.context import Candidate
from emberkeep.model.sameness import is_negated

FEWEST_WORDS = 3  # "Yes" says nothing that is in "yes, let us go"
NEARLY = 0.9  # of the pairs of words that have to stand together in the other, too
_WORD = re.compile(r"\S+")
_AROUND = ".,;:!'\"()…“”‘’"


class Repeats:
    """What was chosen, by its words."""

    def __init__(self) -> None:
        self._chosen: list[tuple[str, str, list[str]]] = []  # key, text and words of each
        self._with: dict[tuple[str, str], set[int]] = defaultdict(set)

    def add(self, one: Candidate, text: str) -> None:
        """Remember a chosen record and how much of its text is shown."""
        words, voice, place = list(_words(text)), _voice(one), len(self._chosen)
        self._chosen.append((one.key, text, words))
        for word in words:
            self._with[voice, word].add(place)

    def find(self, one: Candidate, said: str) -> str | None:
        """The key of a chosen record, in the same voice, that says all this one does (`said`, as far as it is read).

        All its words are there, and nearly all of them beside each other: who owes whom is told by the order alone.
        """
        words, voice = [], _voice(one)
        places: set[int] | None = None
        for word in _words(said):  # few are read of what says something else
            words.append(word)
            holding = self._with.get((voice, word))
            places = holding if places is None else places & holding if holding else None
            if not places:
                return None
        pairs = set(pairwise(words))
        for place in sorted(places or ()):
            key, text, others = self._chosen[place]
            together = len(pairs & set(pairwise(others))) >= NEARLY * len(pairs)
            if (words == others or (together and len(words) >= FEWEST_WORDS)) and is_negated(said) == is_negated(text):
                return key
        return None


def _voice(one: Candidate) -> str:
    return one.speaker or ("assistant" if one.trust == "assistant" else "")


def _words(text: str) -> Iterator[str]:
    """Words as they are written, but for the capital at the beginning and the punctuation around each."""
    some = False
    for found in _WORD.finditer(text):
        word = found[0] if found[0].isascii() else unicodedata.normalize("NFC", found[0])
        bare = (word if found.start() else word[:1].lower() + word[1:]).strip(_AROUND)
        if bare:
            some = True
            yield bare
    if not some:
        yield from text.split()
