"""Finding records that add nothing to one that was chosen. An index in memory, without I/O."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from emberkeep.model.context import Candidate
from emberkeep.model.sameness import is_negated

FEWEST_WORDS = 3  # of a record that another contains: a mere "Yes" is no part of "yes, let us go"
NEARLY = 0.9  # the least share of the pairs of neighbouring words that the other must have, too
_WORD = re.compile(r"\S+")
# Punctuation around words, which is ignored.
_AROUND = ".,;:!'\"()…“”‘’"


class Repeats:
    """The chosen records, indexed by their words."""

    def __init__(self) -> None:
        self._chosen: list[tuple[str, str, list[str]]] = []  # key, text and words of each
        self._with: dict[tuple[str, str], set[int]] = defaultdict(set)  # positions of records, by voice and word

    def add(self, record: Candidate, text: str) -> None:
        """Add a chosen record with the part of its text that is shown."""
        words, voice, place = list(_words(text)), _voice(record), len(self._chosen)
        self._chosen.append((record.key, text, words))
        for word in words:
            self._with[voice, word].add(place)

    def find(self, record: Candidate, text: str) -> str | None:
        """Return the key of a chosen record in the same voice that says all of `text`; None if there is none.

        That record has all the words, and nearly all of them next to each other, because only their order tells who
        owes whom.
        """
        words, voice = [], _voice(record)
        places: set[int] | None = None
        for word in _words(text):  # usually ends after a few words
            words.append(word)
            holding = self._with.get((voice, word))
            places = holding if places is None else places & holding if holding else None
            if not places:
                return None
        pairs = set(pairwise(words))
        for place in sorted(places or ()):
            key, other, others = self._chosen[place]
            together = len(pairs & set(pairwise(others))) >= NEARLY * len(pairs)
            if (words == others or (together and len(words) >= FEWEST_WORDS)) and is_negated(text) == is_negated(other):
                return key
        return None


def _voice(record: Candidate) -> str:
    """Return whose words a record is."""
    return record.speaker or ("assistant" if record.trust == "assistant" else "")


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text, with a small first letter and without punctuation around words.

    A text of nothing but punctuation is left as it is.
    """
    is_empty = True
    for match in _WORD.finditer(text):
        word = match[0] if match[0].isascii() else unicodedata.normalize("NFC", match[0])
        bare = (word if match.start() else word[:1].lower() + word[1:]).strip(_AROUND)
        if bare:
            is_empty = False
            yield bare
    if is_empty:
        yield from text.split()
