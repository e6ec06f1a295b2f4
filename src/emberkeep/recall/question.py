"""What a question asks for, read from its words."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from emberkeep.language.names import capitalised, is_meant, name_words
from emberkeep.language.terms import query_terms, terms_of
from emberkeep.language.traits import speaks_of_listener, speaks_of_speaker
from emberkeep.model.claim import Claim
from emberkeep.storage.search import Floats
from emberkeep.storage.word_vectors import AskedWords

_WHEN = re.compile(
    r"\W*(?:when|how long|(?:on |in |at )?what (?:date|day|month|year|time))\b|.*\bhow long ago\b", re.IGNORECASE
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|often)\b", re.IGNORECASE)
_SOMEONE = r"(?:did|have|has|had|was|were|am|is|are) (?!(?:my|our|his|her|their|your|the|it|this|that|there)\b)[\w'’]+"
_PERIOD = (
    r"(?:night|week|month|year|spring|summer|autumn|fall|winter|\w+day|weekend|time|january|february|march|april|may|june"
    r"|july|august|september|october|november|december|christmas|easter)"
)
_LATEST = re.compile(
    r"\b(?:latest|newest|most recent(?:ly)?|current(?:ly)?|right now|the last time|as of now|up to date)\b|\bnow\W*$"
    rf"|\b{_SOMEONE} last\b(?! {_PERIOD})",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"\b(?:earliest|the (?:very )?first time|originally|initial(?:ly)?|oldest)\b|\b{_SOMEONE} first\b", re.IGNORECASE
)
_PAST = re.compile(
    r"\b(?:did|was|were|had|used to|when|back then|previous(?:ly)?|former(?:ly)?|original(?:ly)?|once)\b", re.IGNORECASE
)
_PRESENT = re.compile(
    r"\b(?:still|now|nowadays|these days|current(?:ly)?|at the moment|any ?more|any longer|no longer|yet)\b",
    re.IGNORECASE,
)
_WHICH_ONE = re.compile(
    r"\bthe (?:very )?(?:last|first) time\b|\b(?:last|latest|newest|most recent(?:ly)?|first|earliest|oldest)\b",
    re.IGNORECASE,
)
_YEAR_TOO = re.compile(
    r"\b((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d\d?(?:st|nd|rd|th)?)?"
    r"|spring|summer|autumn|fall|winter|christmas|easter),?(?: of)? (?:19|20)\d\d\b",
    re.IGNORECASE,
)
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
_NOBODY = re.compile(r"\W*(?:I|my|we|our)\W*")
_WHATEVER = re.compile(r"\W*(?:what|which|anything|list|tell|show|give|recap|summar)", re.IGNORECASE)
_ANYTHING = frozenset(
    """
    happen happens happened happening occur occurred event events thing things talk talked talking discuss discussed
    discussing tell told say said mention mentioned chat chatted speak spoke spoken conversation conversations topic
    topics recap summary summarize summarise going activities activity
    """.split()
)
ENOUGH = 2  # terms that say what a question is about
MOST_SPEAKERS = 200  # whose names are compared one by one


class Span(NamedTuple):
    """A time that is asked about, in microseconds as a clock shows them, and at which of its edges it is exact.

    It ends with what "before" was said of, and begins with what "after" was.
    """

    first: int
    last: int
    exact: Literal["first", "last"] | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What the channels look for.

    The vector, and those of its words, if there are any, and the terms with their words; the names it may hold; whether
    it is about the one who asks or the one who is asked; whether it wants a time or a number; and the time it is about,
    whether it says nothing else, and then whether it wants all that was said in it. It is asked `utc_offset` minutes
    east of UTC, and may ask about the past. Weights are made for the bundled model's cosines:
    `stretch` says how much closer the embedder puts texts.
    """

    vector: Floats | None
    terms: Mapping[int, str]
    names: tuple[str, ...] = ()
    of_speaker: bool = False
    of_listener: bool = False
    wants_time: bool = False
    wants_number: bool = False
    period: Span | None = None
    stretch: float = 1.0
    words: AskedWords | None = None
    only_when: bool = False
    wants_all: bool = False
    utc_offset: int = 0
    wants_latest: int = 0  # more than none for the latest, less for the first
    of_past: bool = False

    def is_of(self, former: Claim | None) -> bool:
        """Whether it asks about something that was so before: it is about the past, and names what it was."""
        was = set() if former is None else set(terms_of(former.value))
        return bool(was) and self.of_past and self.terms.keys() >= was

    def named(self, speakers: Mapping[str, int]) -> list[int]:
        """The numbers of the speakers that it names."""
        if not self.names:
            return []
        if len(speakers) > MOST_SPEAKERS:
            asked = frozenset(self.names)
            return [number for speaker, number in speakers.items() if asked & name_words(speaker)]
        return [speakers[speaker] for speaker in _meant(speakers, self.names)]


def what_is_asked(text: str, timeless: str | None, speakers: Collection[str]) -> str:
    """What a question's vector should stand for: as those it names would put it, and without its date.

    What happened then seldom gives the date, and the time has a channel of its own; unless the question says little
    else ("Where was I on 31 December?").
    """
    if timeless is not None and timeless != text:
        told = as_said_by(timeless, speakers)
        if len(query_terms(told)) >= ENOUGH:
            return told
        text = _YEAR_TOO.sub(r"\1", text)
    told = as_said_by(text, speakers)
    return text if _NOBODY.fullmatch(told) else told  # it was nothing but a name


def asks_only_when(timeless: str | None, speakers: Collection[str]) -> bool:
    """Whether a question says nothing but the time that it is about: "What did I do in April?"."""
    if timeless is None:
        return False
    return not {word for word in query_terms(as_said_by(timeless, speakers)).values() if word not in _ANYTHING}


def as_said_by(text: str, speakers: Iterable[str]) -> str:
    """The question as those it names would put it: "Where does Ana live?" is "Where do I live?" to Ana.

    What she said of it begins with I as well, so a vector of this is far nearer to it; that it is about her is for the
    speaker's channel. Unchanged where none of them is named.
    """
    meant = _meant(speakers, capitalised(text))
    if not meant:
        return text
    named = set().union(*meant.values())
    told = _WORD.sub(lambda match: _self(match) if _is_one_of(named, match["name"]) else match[0], text)
    told = _SAME_AGAIN.sub("", told)
    if len(meant) > 1:
        return _PAIR.sub(lambda match: "our" if match[1].endswith("my") else "we", told)
    for pattern, word in _TO_SELF:
        told = pattern.sub(word, told)
    return told


def _meant(speakers: Iterable[str], names: Sequence[str]) -> dict[str, set[str]]:
    """The speakers who are named, each with the names that are theirs.

    Of several whom a name may mean it is those who have it as it is, and of those the ones with most of the others too:
    "Paul" is not Paula where there is a Paul, "Anna Jones" not Anna Smith.
    """
    may_be = {speaker: own for speaker in speakers if (own := _names_of(speaker, names))}
    theirs: dict[str, set[str]] = {}
    for name in names:
        rivals = [speaker for speaker, own in may_be.items() if name in own]
        exact = [speaker for speaker in rivals if name in name_words(speaker)] or rivals
        most = max((len(may_be[speaker]) for speaker in exact), default=0)
        for speaker in exact:
            if len(may_be[speaker]) == most:
                theirs.setdefault(speaker, set()).add(name)
    return theirs


def _names_of(speaker: str, names: Iterable[str]) -> set[str]:
    """Which of the names are this speaker's."""
    return {name for name in names if any(is_meant(name, word) for word in name_words(speaker))}


def _is_one_of(named: set[str], word: str) -> bool:
    return word.casefold() in named and not word[0].islower()


def _self(match: re.Match[str]) -> str:
    return "my" if match["owns"] else "I"


def _looked_for(text: str, period: Span | None) -> str:
    """The words of a question that may stand in an answer.

    Not those by which it wants the last or the first of several; nor the year of a month whose time is known: what
    was learned gives the year of every date, so it would draw to whatever has one.
    """
    for order in (_LATEST, _FIRST):
        text = order.sub(lambda match: _WHICH_ONE.sub(" ", match[0]), text)
    return text if period is None else _YEAR_TOO.sub(r"\1", text)


def read(
    text: str,
    vector: Floats | None,
    period: Span | None = None,
    stretch: float = 1.0,
    words: AskedWords | None = None,
    *,
    only_when: str | None = None,
    utc_offset: int = 0,
) -> Question:
    """The question that a text asks; `only_when` is what is left of one that says nothing but a time."""
    wants_all = only_when is not None and (_WHATEVER.match(text) is not None or not only_when.strip(" ?.!"))
    return Question(
        vector=vector,
        terms=query_terms(only_when if only_when is not None and wants_all else _looked_for(text, period)),
        names=capitalised(text),
        of_speaker=speaks_of_speaker(text),
        of_listener=speaks_of_listener(text),
        wants_time=_WHEN.match(text) is not None,
        wants_number=_HOW_MANY.search(text) is not None,
        period=period,
        stretch=stretch,
        words=words,
        only_when=only_when is not None,
        wants_all=wants_all,
        utc_offset=utc_offset,
        wants_latest=bool(_LATEST.search(text)) - bool(_FIRST.search(text)),
        of_past=_PAST.search(text) is not None and _PRESENT.search(text) is None,
    )
