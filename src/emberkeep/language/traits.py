"""What kind of message a text is, apart from its words: whether it asks, tells a time, or speaks of "I" and "you".

English only, as are the rules of learning; a message in another language has few traits, and ranks by its words.
"""

import re
from dataclasses import dataclass

MOST_COUNTED = 3  # mentions of "I" or "you"; more are not counted
# Bits of the packed number; each of the two counts takes two bits, from its position.
ASKS, TIMED, NUMBERED, MACHINE = 1, 2, 4, 8
SPEAKER_AT, LISTENER_AT = 4, 6
_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_TIMES = (
    f"{_MONTHS} {_DAYS} yesterday today tonight tomorrow last next ago week weeks weekend month months year years day "
    "days recently since morning evening"
)
_TIMED = re.compile(rf"\b(?:{'|'.join(_TIMES.split())}|(?:19|20)\d\d|\d+(?:st|nd|rd|th))\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|couple|first|second|third|once|twice)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"\b(?:i|my|me|mine|we|our)\b", re.IGNORECASE)
# These are of questions. The pattern above counts in texts, and what it counted is stored: a word that is added there
# would count in new texts only.
_ONE = r"(?<!\b(?-i:[A-Z])\.)i(?!/o\b|-\d|\.e\b)|my|me|mine|myself"  # not the letter of "I/O", "A.I." and "I-95"
_ASKING = re.compile(rf"\b(?:{_ONE}|we|(?-i:us|Us)|our|ours|ourselves)\b", re.IGNORECASE)  # not "the US"
_ASKING_ALONE = re.compile(rf"\b(?:{_ONE})\b", re.IGNORECASE)
_LISTENER = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
_READ = 4_000  # characters; the rest would change little


@dataclass(frozen=True, slots=True)
class Traits:
    """Whether a text asks, tells a time, has numbers or is a machine's, and how often it says "I" and "you"."""

    asks: bool = False
    timed: bool = False
    numbered: bool = False
    by_machine: bool = False
    of_speaker: int = 0
    of_listener: int = 0

    def pack(self) -> int:
        """Return the traits as one number."""
        flags = ASKS * self.asks | TIMED * self.timed | NUMBERED * self.numbered | MACHINE * self.by_machine
        return flags | self.of_speaker << SPEAKER_AT | self.of_listener << LISTENER_AT


def traits_of(text: str, *, by_machine: bool = False) -> Traits:
    """Return the traits of a text."""
    start = text[:_READ]
    return Traits(
        asks=text.rstrip().endswith("?"),
        timed=_TIMED.search(start) is not None,
        numbered=_NUMBERED.search(start) is not None,
        by_machine=by_machine,
        of_speaker=_count(_SPEAKER, start),
        of_listener=_count(_LISTENER, start),
    )


def speaks_of_speaker(text: str, *, alone: bool = False) -> bool:
    """Return whether the text says "I" or "my", or also "we" or "our" unless it has to speak of the speaker alone."""
    said = text.lower() if text.isupper() else text
    return (_ASKING_ALONE if alone else _ASKING).search(said) is not None


def speaks_of_listener(text: str) -> bool:
    """Return whether the text says "you" or "your"."""
    return _LISTENER.search(text) is not None


def _count(pattern: re.Pattern[str], text: str) -> int:
    """Return the number of matches, at most `MOST_COUNTED`."""
    found = 0
    for _ in pattern.finditer(text):
        found += 1
        if found == MOST_COUNTED:
            break
    return found
