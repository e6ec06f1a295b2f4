"""What a question asks for, read from its words."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from emberkeep.language.names import capitalised, is_same_name, name_words
from emberkeep.language.terms import query_terms
from emberkeep.language.traits import speaks_of_listener, speaks_of_speaker
from emberkeep.storage.search import Floats
from emberkeep.storage.word_vectors import AskedWords

_WHEN = re.compile(
    r"\W*(?:when|how long|(?:on |in |at )?what (?:date|day|month|year|time))\b|.*\bhow long ago\b", re.IGNORECASE
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|often)\b", re.IGNORECASE)
_WORD = re.compile(r"(?P<name>[^\W\d_]+)(?P<owns>['’]s?(?!\w))?")
_SAME_AGAIN = re.compile(r"\bI (?=(?:I|my)\b)")  # of a name of several words
_PAIR = re.compile(r"\b(?:I|my) (?:and|or) (I|my)\b")
_TO_SELF = (
    (re.compile(r"\b(?:his|her|their)\b"), "my"),
    (re.compile(r"\b(?:he|she|they)\b"), "I"),
    (re.compile(r"\b(?:him|them)\b"), "me"),
    (re.compile(r"\b([Dd])oes I\b"), r"\1o I"),
    (re.compile(r"\bis I\b"), "am I"),
    (re.compile(r"\bIs I\b"), "Am I"),
    (re.compile(r"\b([Hh])as I\b"), r"\1ave I"),
)
ENOUGH = 2  # terms that say what a question is about
MOST_SPEAKERS = 200  # whose names are compared one by one


@dataclass(frozen=True, slots=True)
class Question:
    """What the channels look for.

    The vector, and those of its words, if there are any, and the terms with their words; the names it may hold; whether
    it is about the one who asks or the one who is asked; whether it wants a time or a number; and the time it is about,
    in microseconds. Weights are made for the bundled model's cosines: `stretch` says how much closer the embedder puts
    texts.
    """

    vector: Floats | None
    terms: Mapping[int, str]
    names: tuple[str, ...] = ()
    of_speaker: bool = False
    of_listener: bool = False
    wants_time: bool = False
    wants_number: bool = False
    period: tuple[int, int] | None = None
    stretch: float = 1.0
    words: AskedWords | None = None

    def named(self, speakers: Mapping[str, int]) -> list[int]:
        """The numbers of the speakers that it names."""
        if not self.names:
            return []
        if len(speakers) > MOST_SPEAKERS:
            asked = frozenset(self.names)
            return [number for speaker, number in speakers.items() if asked & name_words(speaker)]
        return [number for speaker, number in speakers.items() if _names_of(speaker, self.names)]


def what_is_asked(text: str, timeless: str | None, speakers: Collection[str]) -> str:
    """What a question's vector should stand for: as those it names would put it, and without its date.

    What happened then seldom gives the date, and the time has a channel of its own; unless the question says little
    else ("Where was I on 31 December?").
    """
    if timeless is not None and timeless != text:
        told = as_said_by(timeless, speakers)
        if len(query_terms(told)) >= ENOUGH:
            return told
    return as_said_by(text, speakers)


def as_said_by(text: str, speakers: Iterable[str]) -> str:
    """The question as those it names would put it: "Where does Ana live?" is "Where do I live?" to Ana.

    What she said of it begins with I as well, so a vector of this is far nearer to it; that it is about her is for the
    speaker's channel. Unchanged where none of them is named.
    """
    names = capitalised(text)
    meant = [found for speaker in speakers if (found := _names_of(speaker, names))]
    if not meant:
        return text
    named = set().union(*meant)
    told = _WORD.sub(lambda match: _self(match) if _is_one_of(named, match["name"]) else match[0], text)
    told = _SAME_AGAIN.sub("", told)
    if len(meant) > 1:
        return _PAIR.sub(lambda match: "our" if match[1].endswith("my") else "we", told)
    for pattern, word in _TO_SELF:
        told = pattern.sub(word, told)
    return told


def _names_of(speaker: str, names: Iterable[str]) -> set[str]:
    """Which of the names are this speaker's."""
    return {name for name in names if any(is_same_name(word, name) for word in name_words(speaker))}


def _is_one_of(named: set[str], word: str) -> bool:
    return word.casefold() in named and not word[0].islower()


def _self(match: re.Match[str]) -> str:
    return "my" if match["owns"] else "I"


def read(
    text: str,
    vector: Floats | None,
    period: tuple[int, int] | None = None,
    stretch: float = 1.0,
    words: AskedWords | None = None,
) -> Question:
    """The question that a text asks."""
    return Question(
        vector=vector,
        terms=query_terms(text),
        names=capitalised(text),
        of_speaker=speaks_of_speaker(text),
        of_listener=speaks_of_listener(text),
        wants_time=_WHEN.match(text) is not None,
        wants_number=_HOW_MANY.search(text) is not None,
        period=period,
        stretch=stretch,
        words=words,
    )
