"""Reading a question: whom and which time it means, and what it wants, from its words."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from emberkeep.language.names import NOBODY, PossibleNames, is_meant, name_words, possible_names
from emberkeep.language.terms import query_terms, terms_of
from emberkeep.language.traits import speaks_of_listener, speaks_of_speaker
from emberkeep.model.claim import Claim
from emberkeep.storage.search import Floats
from emberkeep.storage.word_vectors import AskedWords

# A question for a time: "When did ...", "In what year ...", "... how long ago ...".
_WHEN = re.compile(
    r"\W*(?:when|how long|(?:on |in |at )?what (?:date|day|month|year|time))\b|.*\bhow long ago\b", re.IGNORECASE
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|often)\b", re.IGNORECASE)
# A verb and a subject of one word, before "last" or "first": "did Ana", "have I".
_SOMEONE = r"(?:did|have|has|had|was|were|am|is|are) (?!(?:my|our|his|her|their|your|the|it|this|that|there)\b)[\w'’]+"
# Words with which "last" does not ask for the latest of several: "last week".
_PERIOD = (
    r"(?:night|week|month|year|spring|summer|autumn|fall|winter|\w+day|weekend|time|january|february|march|april|may|june"
    r"|july|august|september|october|november|december|christmas|easter)"
)
# A question for the latest of several: "my current address", "When did Ana last call?", "Where do I work now?".
_LATEST = re.compile(
    r"\b(?:latest|newest|most recent(?:ly)?|current(?:ly)?|right now|the last time|as of now|up to date)\b|\bnow\W*$"
    rf"|\b{_SOMEONE} last\b(?! {_PERIOD})",
    re.IGNORECASE,
)
# A question for the first of several: "my oldest note", "Where did I first meet Ana?".
_FIRST = re.compile(
    rf"\b(?:earliest|the (?:very )?first time|originally|initial(?:ly)?|oldest)\b|\b{_SOMEONE} first\b", re.IGNORECASE
)
# A request that names who asks, but is not about them: "Tell me where Ana lives".
_REQUEST = re.compile(
    r"\W*(?:(?:hey|hi|hello|ok|okay|so|and|now|please|just)\b\W*)*"
    r"(?:(?:what\s+)?(?:can|could|would|will)\s+you\s+(?:(?:please|just)\s+)?)?"
    r"(?:(?:tell|remind|show|give)\s+me|let\s+me\s+know)\b",
    re.IGNORECASE,
)
# Words of a question about the past, unless there is one of the present, too: "Did I call Ana yet?".
_PAST = re.compile(
    r"\b(?:did|was|were|had|used to|when|back then|previous(?:ly)?|former(?:ly)?|original(?:ly)?|once)\b", re.IGNORECASE
)
_PRESENT = re.compile(
    r"\b(?:still|now|nowadays|these days|current(?:ly)?|at the moment|any ?more|any longer|no longer|yet)\b",
    re.IGNORECASE,
)
# The words in a match of `_LATEST` or `_FIRST` that pick one of several.
_WHICH_ONE = re.compile(
    r"\bthe (?:very )?(?:last|first) time\b|\b(?:last|latest|newest|most recent(?:ly)?|first|earliest|oldest)\b",
    re.IGNORECASE,
)
# A month, season or feast with its year, which is outside the group: "May 2023", "Christmas of 2022".
_YEAR_TOO = re.compile(
    r"\b((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d\d?(?:st|nd|rd|th)?)?"
    r"|spring|summer|autumn|fall|winter|christmas|easter),?(?: of)? (?:19|20)\d\d\b",
    re.IGNORECASE,
)
# A word that may be a name, and its possessive ending: "Ana's", "James'".
_WORD = re.compile(r"(?P<name>[^\W\d_]+)(?P<owns>['’]s?(?!\w))?")
# A pronoun that stands twice, for a name of several words: "I I" for "Ana Silva".
_SAME_AGAIN = re.compile(r"\bI (?=(?:I|my)\b)")
# The pronouns of two people: "I and I" for "Ana and Ben", "I and my" for "Ana and Ben's".
_PAIR = re.compile(r"\b(?:I|my) (?:and|or) (I|my)\b")
# Other words about a person who is now "I", and what they become.
_TO_SELF = (
    (re.compile(r"\b(?:his|her|their)\b"), "my"),
    (re.compile(r"\b(?:he|she|they)\b"), "I"),
    (re.compile(r"\b(?:him|them)\b"), "me"),
    (re.compile(r"\b([Dd])oes I\b"), r"\1o I"),
    (re.compile(r"\bis I\b"), "am I"),
    (re.compile(r"\bIs I\b"), "Am I"),
    (re.compile(r"\b([Hh])as I\b"), r"\1ave I"),
)
# Nothing but a pronoun.
_NOBODY = re.compile(r"\W*(?:I|my|we|our)\W*")
# How a question begins that may want everything: "What happened ...", "List ...", "Tell me ...".
_WHATEVER = re.compile(r"\W*(?:what|which|anything|list|tell|show|give|recap|summar)", re.IGNORECASE)
# Words that ask for anything at all, whatever it is about.
_ANYTHING = frozenset(
    """
    happen happens happened happening occur occurred event events thing things talk talked talking discuss discussed
    discussing tell told say said mention mentioned chat chatted speak spoke spoken conversation conversations topic
    topics recap summary summarize summarise going activities activity
    """.split()
)
ENOUGH = 2  # terms that say what a question is about
MOST_SPEAKERS = 200  # among more speakers, only identical names are found


class Span(NamedTuple):
    """A time span that is asked about, in microseconds as local clocks show them.

    `exact` is the edge that the question names: the last for the time before something, the first for that after it.
    It is `guessed` if the question names an event besides what it asks about, and all that is known is when somebody
    spoke of that.
    """

    first: int
    last: int
    exact: Literal["first", "last"] | None = None
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question, as the channels need it.

    `vector` is None if it was not embedded, `words` if its words are not compared; `terms` are its terms with the words
    they come from, `names` the words that may be names. `of_speaker` says that it is about those who ask ("I", "we"),
    `of_self` that it is about one who asks ("I"), `of_listener` that it is about the one who is asked ("you"). `period`
    is the time that it is about, `only_when` says that it asks about nothing else, and `wants_all` that it wants
    everything said then. `utc_offset` is that of the one who asks, in minutes east of UTC. The weights are fitted to
    the cosines of the bundled model; `stretch` is the factor by which that one puts texts farther apart than the
    embedder in use.
    """

    vector: Floats | None
    terms: Mapping[int, str]
    names: PossibleNames = NOBODY
    of_speaker: bool = False
    of_self: bool = False
    of_listener: bool = False
    wants_time: bool = False
    wants_number: bool = False
    period: Span | None = None
    stretch: float = 1.0
    words: AskedWords | None = None
    only_when: bool = False
    wants_all: bool = False
    utc_offset: int = 0
    wants_latest: int = 0  # 1 for the latest, -1 for the first
    of_past: bool = False

    def is_of(self, former: Claim | None) -> bool:
        """Return whether it asks about a former claim: it is about the past, and contains the claim's value."""
        value = set() if former is None else set(terms_of(former.value))
        return bool(value) and self.of_past and self.terms.keys() >= value

    def named(self, speakers: Mapping[str, int]) -> list[int]:
        """Return the numbers of the speakers that it names."""
        if not self.names.words:
            return []
        if len(speakers) > MOST_SPEAKERS:
            asked = frozenset(self.names.words)
            return [number for speaker, number in speakers.items() if asked & name_words(speaker)]
        return [speakers[speaker] for speaker in _meant(speakers, self.names)]


def what_is_asked(text: str, timeless: str | None, speakers: Collection[str]) -> str:
    """Return the text to embed for a question: as the people it names would put it, and without its time.

    A message seldom gives its own date, and time has a channel of its own. But the date stays, without the year of a
    month, if the question says little else ("Where was I on 31 December?"). `timeless` is the question without its
    time, if it could be removed.
    """
    if timeless is not None and timeless != text:
        said = as_said_by(timeless, speakers)
        if len(query_terms(said)) >= ENOUGH:
            return said
        text = _YEAR_TOO.sub(r"\1", text)
    said = as_said_by(text, speakers)
    return text if _NOBODY.fullmatch(said) else said  # a question that is nothing but a name stays


def asks_only_when(timeless: str | None, speakers: Collection[str]) -> bool:
    """Return whether a question asks about nothing but a time: "What did I do in April?"."""
    if timeless is None:
        return False
    return not {word for word in query_terms(as_said_by(timeless, speakers)).values() if word not in _ANYTHING}


def as_said_by(text: str, speakers: Iterable[str]) -> str:
    """Return the question as the people it names would put it: "Where does Ana live?" becomes "Where do I live?".

    What Ana said about it has an "I", too, so the vector of this is far nearer to it; that it is about Ana is left to
    the channel "speaker". A question that names nobody is unchanged.
    """
    names = possible_names(text)
    meant = _meant(speakers, names)
    if not meant:
        return text
    named = set().union(*meant.values())

    def spoken(match: re.Match[str]) -> str:
        is_named = match["name"].casefold() in named and (names.identical or not match["name"][0].islower())
        return _pronoun(match) if is_named else match[0]

    said = _WORD.sub(spoken, text)
    said = _SAME_AGAIN.sub("", said)
    if len(meant) > 1:
        return _PAIR.sub(lambda match: "our" if match[1].endswith("my") else "we", said)
    for pattern, word in _TO_SELF:
        said = pattern.sub(word, said)
    return said


def _meant(speakers: Iterable[str], names: PossibleNames) -> dict[str, set[str]]:
    """Return the speakers who are named, each with the names that are theirs.

    Of several whom a name may mean, those with exactly this name are meant, and of these the ones who have most of the
    other names, too: "Paul" is not Paula if there is a Paul, "Anna Jones" not Anna Smith.
    """
    may_be = {speaker: own for speaker in speakers if (own := _names_of(speaker, names))}
    theirs: dict[str, set[str]] = {}
    for name in names.words:
        rivals = [speaker for speaker, own in may_be.items() if name in own]
        exact = [speaker for speaker in rivals if name in name_words(speaker)] or rivals
        most = max((len(may_be[speaker]) for speaker in exact), default=0)
        for speaker in exact:
            if len(may_be[speaker]) == most:
                theirs.setdefault(speaker, set()).add(name)
    return theirs


def _names_of(speaker: str, names: PossibleNames) -> set[str]:
    """Return which of the names may mean this speaker."""
    if names.identical:
        return set(names.words) & name_words(speaker)
    return {name for name in names.words if any(is_meant(name, word) for word in name_words(speaker))}


def _pronoun(match: re.Match[str]) -> str:
    return "my" if match["owns"] else "I"


def _looked_for(text: str, period: Span | None) -> str:
    """Return the question without words that say nothing about an answer.

    These are the words that pick the last or the first of several, and the year of a month, if the period is known:
    learned statements give the year with every date, so it would favour any of them that has one.
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
    """Return the question that a text asks; `only_when` is the text without its time if it asks about nothing else."""
    request = _REQUEST.match(text)
    asked = text[request.end() :] if request else text
    wants_all = only_when is not None and (_WHATEVER.match(text) is not None or not only_when.strip(" ?.!"))
    return Question(
        vector=vector,
        terms=query_terms(only_when if only_when is not None and wants_all else _looked_for(text, period)),
        names=possible_names(text),
        of_speaker=speaks_of_speaker(asked),
        of_self=speaks_of_speaker(asked, alone=True),
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
