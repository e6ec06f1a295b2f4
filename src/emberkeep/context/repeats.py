"""Records that say nothing beyond one that was chosen. A pure index of what was chosen."""

import unicodedata
from collections import defaultdict
from itertools import pairwise

from emberkeep.model.context import Candidate
from emberkeep.model.sameness import is_negated

FEWEST_WORDS = 3  # "Yes" says nothing that is in "yes, let us go"
NEARLY = 0.9  # of the pairs of words that have to stand together in the other, too
_AROUND = ".,;:!'\"()…“”‘’"


class Repeats:
    """What was chosen, by its words."""

    def __init__(self) -> None:
        self._chosen: list[tuple[str, str, list[str]]] = []  # key, text and words of each
        self._with: dict[tuple[str, str], set[int]] = defaultdict(set)

    def add(self, one: Candidate, text: str) -> None:
        """Remember a chosen record and how much of its text is shown."""
        words, voice, place = _words(text), _voice(one), len(self._chosen)
        self._chosen.append((one.key, text, words))
        for word in words:
            self._with[voice, word].add(place)

    def find(self, one: Candidate) -> str | None:
        """The key of a chosen record, in the same voice, that says all this one does.

        All its words are there, and nearly all of them beside each other: who owes whom is told by the order alone.
        """
        words, voice = _words(one.text), _voice(one)
        places: set[int] | None = None
        for word in words:
            holding = self._with.get((voice, word))
            places = holding if places is None else places & holding if holding else None
            if not places:
                return None
        pairs = set(pairwise(words))
        for place in sorted(places or ()):
            key, text, others = self._chosen[place]
            together = len(pairs & set(pairwise(others))) >= NEARLY * len(pairs)
            if (words == others or (together and len(words) >= FEWEST_WORDS)) and is_negated(one.text) == is_negated(
                text
            ):
                return key
        return None


def _voice(one: Candidate) -> str:
    return one.speaker or ("assistant" if one.trust == "assistant" else "")


def _words(text: str) -> list[str]:
    """Words as they are written, but for the capital at the beginning and the punctuation around each."""
    plain = text if text.isascii() else unicodedata.normalize("NFC", text)
    return [bare for word in (plain[:1].lower() + plain[1:]).split() if (bare := word.strip(_AROUND))] or plain.split()
