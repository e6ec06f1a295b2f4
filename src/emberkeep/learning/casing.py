"""Restore the capitals of names in messages that are typed without any, since the rules tell names by them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from emberkeep.learning import words

LONGEST = 10_000  # characters; longer texts are pasted, not typed
# A word, unless it is part of an address, a path or code.
_WORD = re.compile(r"(?<![\w@/.#`\\-])[^\W\d_][^\W_]*(?:[-.][^\W\d_][^\W_]*)*(?![\w@/`\\])")
# What shows that an author types no capitals: "i", or a sentence that begins with a small letter.
_SMALL = re.compile(r"\A\W*[^\W\d_A-Z]|\bi\b")
_MARKS = " \t\"'“‘(*•-"  # may stand between the end of a sentence and the next one
_ENDS = ".!?…:\n"
_BEFORE = 8  # characters before a word that are searched for the end of a sentence
# Words before a name that is another word too: "my sister rose", "named max", "a job at apple".
_BEFORE_A_PERSON = (
    words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.KIN_BARE | frozenset("named dating marry married".split())
)
_BEFORE_A_FIRM = frozenset("at for from by joined joining left leaving quit".split())


@dataclass(frozen=True, slots=True)
class _Names:
    """Proper names as they are written, by how they are written in small letters.

    `phrases` are those of several words, by their first word, the longest first; `people` and `firms` are names that
    are other words too.
    """

    plain: Mapping[str, str]
    phrases: Mapping[str, tuple[str, ...]]
    people: Mapping[str, str]
    firms: Mapping[str, str]


def with_capitals(text: str, others: Iterable[str] = (), people: Iterable[str] = ()) -> str:
    """Return a text of the same length, with capitals for its names if the author used none; else the text itself.

    `people` are names in any case. An author who begins sentences with small letters, too, may mean any name that the
    `others`, the texts around this one, write with a capital.
    """
    if len(text) > LONGEST or any(_capitalised(text)):
        return text
    own = {name.lower(): name.capitalize() for name in people}
    if _SMALL.search(text):
        own |= {name.lower(): name for other in others for name in _names_written_in(other)}
        own["i"] = "I"
    pieces, end = [], 0
    for start, name in _found(text, own):
        if start >= end:
            pieces += [text[end:start], name]
            end = start + len(name)
    return "".join([*pieces, text[end:]])


def _names_written_in(text: str) -> set[str]:
    """Return the words that a text writes with a capital between words in small letters, and never without."""
    small = set(_WORD.findall(text[:LONGEST]))
    return {word for before, word in _capitalised(text[:LONGEST]) if before.islower() and word.lower() not in small}


def _capitalised(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words with a capital that no sentence begins with, each with the word before it.

    "I" and abbreviations are left out: an author who writes "API" need not write "Anna".
    """
    before = ""
    for match in _WORD.finditer(text):
        word = match[0]
        if word[0].isupper() and not word.isupper() and not _opens(text, match.start()):
            yield before, word
        before = word


def _opens(text: str, start: int) -> bool:
    """Return whether a sentence begins at a place."""
    before = text[max(0, start - _BEFORE) : start].rstrip(_MARKS)
    return not before or before[-1] in _ENDS


def _found(text: str, own: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield the names in a text, and the first words of its sentences, as they are written; each with its place.

    What follows "name is" stays as it is: the rules take all words of such a name, in small letters too.
    """
    names = _names()
    before, earlier = "", ""
    for match in _WORD.finditer(text):
        word, start, lowered = match[0], match.start(), match[0].lower()
        for phrase in names.phrases.get(lowered, ()):
            end = start + len(phrase)
            if text[start + 1 : end] == phrase[1:].lower() and not text[end : end + 1].isalnum():
                yield start, phrase
        name = own.get(lowered) or names.plain.get(lowered)
        if before in _BEFORE_A_PERSON:
            name = name or names.people.get(lowered) or (word.capitalize() if before == "named" else None)
        if before in _BEFORE_A_FIRM:
            name = name or names.firms.get(lowered)
        if earlier == "name" and before in ("is", "s"):
            name = None
        elif name is None and word.islower() and _opens(text, start):
            name = word.capitalize()
        if name is not None and len(name) == len(word) and not word.isupper():
            yield start, name
        before, earlier = lowered, before


@lru_cache(maxsize=1)
def _names() -> _Names:
    """Read the names that ship with the package."""
    text = resources.files("emberkeep.learning").joinpath("proper_names.txt").read_text("utf-8")
    sections: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            section.append(line)
    listed = {title: " ".join(lines).split(", ") for title, lines in sections.items()}
    plain = [*listed["people"], *listed["places"], *listed["days and months"], *listed["organisations"]]
    phrases: dict[str, list[str]] = {}
    for name in sorted((name for name in plain if " " in name), key=len, reverse=True):
        phrases.setdefault(name.split(" ")[0].lower(), []).append(name)
    return _Names(
        plain={name.lower(): name for name in plain if " " not in name},
        phrases={first: tuple(several) for first, several in phrases.items()},
        people={name.lower(): name for name in listed["people who are also words"]},
        firms={name.lower(): name for name in listed["organisations that are also words"]},
    )
