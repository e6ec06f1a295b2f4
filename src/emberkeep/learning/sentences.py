"""Split a message into the sentences its author wrote, without code, quotations, logs and Emberkeep's own output."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from emberkeep.language.forms import SHORT_DAYS, SHORT_MONTHS, UNIT
from emberkeep.learning import words
from emberkeep.learning.gate import without_echoes
from emberkeep.learning.subjects import STARTERS
from emberkeep.learning.tokens import EMOJI, is_a_word

MOST_SENTENCES = 1_000  # the rules and settling take a few seconds for these
LONGEST_SENTENCE = 400  # characters
SHORTEST_SENTENCE = 2  # characters
_FENCE = re.compile(r"[ \t]*(```|~~~)")
# A bullet, a number or a heading mark at the start of a line.
_BULLET = re.compile(r"[ \t]*(?:[-*•+–][ \t]+|\(?\d{1,2}[.)][ \t]+|#{1,6}[ \t]+)?")
# A line of a log or traceback, by its start.
_LOG = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[(?:\w+ )?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b"
    r"|(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[:\s]|Traceback \(|File \".*\", line \d|Caused by:"
    r"|at [\w.$<>]+\(|[\w.]+(?:Error|Exception|Warning)\b|npm (?:ERR|WARN)|\^+\s*$|\.{3} \d+ more)"
)
# A line of code or of a shell session, by its start.
_CODE = re.compile(
    r"\s*(?:[$%>#]\s|>>>|\.\.\.\s|//|/\*|\*/|--\s|#!|@\w+\s*$|def \w+\(|class \w+[(:{]|import \w|from [\w.]+ import\b"
    r"|(?:const|let|var) \w+ ?=|function \w*\(|public |private |return\b.*;|(?:if|for|while) ?\(|SELECT\b|INSERT INTO"
    r"|UPDATE \w+ SET|CREATE |ALTER |DROP |FROM \w+|RUN |ENV \w+=|export \w+=|\w+ ?[-+*]?= ?\S|<[/!?\w]"
    r"|[{}\[\]()]+\s*,?;?\s*$)"
)
# A line of code, by its end.
_CODE_END = re.compile(r"(?:[{};]|=>|\)\s*:)\s*$")
# Where a sentence may end: punctuation, line ends, dashes, smileys and emoji.
_BREAK = re.compile(
    r"[.!?…]+[\"'”’)\]*]*(?=\s|$)|[;](?=\s)|\n+|(?<=\s)[—–](?=\s)|(?<=\w)—(?=\w)|(?<=\s)--?(?=\s)"
    rf"|(?<=\s)(?:[:;]-?[()DP]|{EMOJI}+)(?=\s|$)"
)
# Words whose full stop ends no sentence, without that stop.
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st jr sr e.g i.e vs etc approx a.m p.m inc ltd co dept fig est u.s u.k ph.d feat".split()
)
# Abbreviations that may also end a sentence.
_MAY_END = frozenset("a.m p.m etc inc ltd ph.d u.s u.k jr".split())
# Shortened months and days, except "may", which is written in full.
_SHORTENED = (SHORT_MONTHS.keys() - {"may"}) | SHORT_DAYS.keys()
_WORDS_TOO = frozenset("sat sun wed mar".split())  # ordinary words, too, unless they have a capital
# How a date continues after a shortened month or day: "2018", "3rd", "at nine"; not "3 weeks later", "I ...".
_REST_OF_DATE = re.compile(
    rf"\s+(?:(?:19|20)\d\d\b|\d{{1,2}}(?:st|nd|rd|th)?\b(?! (?:{UNIT}|people|of (?:us|them|my|our|the))\b)"
    rf"|(?i:{'|'.join([*SHORT_MONTHS.values(), *SHORT_MONTHS, *SHORT_DAYS.values(), *SHORT_DAYS])})\b"
    rf"|(?:{'|'.join(sorted(words.PREPOSITIONS))}|and|or|but|because|when|after|before|every|each|the(?= \d))\b)"
)
# Initials of a name: "J", "J.R".
_INITIALS = re.compile(r"[A-HJ-Z]|[A-Z](?:\.[A-Z])+")
# First words of a question or request.
_ASKING = frozenset("what why how please thanks let".split())
# White space and Markdown emphasis around a sentence.
_MARKS = " \t\r\n*_~"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a message, and its offset in the message."""

    text: str
    start: int


def sentences(content: str) -> list[Sentence]:
    """Return the sentences of a message, at most `MOST_SENTENCES`."""
    found: list[Sentence] = []
    for start, end in _passages(content):
        for one in _split(content, start, end):
            found.append(one)
            if len(found) == MOST_SENTENCES:
                return found
    return found


def _passages(content: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each passage of prose; a line in lower case continues the one before it."""
    held: tuple[int, int] | None = None
    for start, end in _prose_lines(without_echoes(content)):
        if held and _goes_on(content, held, start):
            held = held[0], end
            continue
        if held:
            yield held
        held = start, end
    if held:
        yield held


def _goes_on(content: str, held: tuple[int, int], start: int) -> bool:
    """Return whether a line continues the passage before it."""
    between = content[held[1] : start]
    return (
        between.strip(" \t\r") == "\n"
        and content[start].islower()
        and content[held[1] - 1] not in ".!?:;"
        and content[start : start + 2] not in ("i ", "i'", "my", "we")
    )


def _prose_lines(content: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each line of prose, without its bullet."""
    position, fence, trace = 0, "", False
    for line in content.splitlines(keepends=True):
        start, position = position, position + len(line)
        marked = _FENCE.match(line)
        if marked:
            fence = "" if fence == marked[1] else fence or marked[1]
            continue
        if fence or not line.strip():
            trace = False
            continue
        trace = (trace and line[0].isspace()) or line.startswith("Traceback (")
        if trace or _is_no_prose(line):
            continue
        bullet = _BULLET.match(line)
        yield start + (bullet.end() if bullet else 0), start + len(line.rstrip())


def _is_no_prose(line: str) -> bool:
    """Return whether a line is a quotation, code or a log."""
    if line.lstrip()[:1] == ">" or line.startswith(("    ", "\t")):
        return True
    head = line[:200]
    return bool(_LOG.match(head) or _CODE.match(head) or _CODE_END.search(line[-20:]))


def _split(content: str, start: int, end: int) -> Iterator[Sentence]:
    """Yield the sentences of a passage."""
    begin = start
    for mark in _BREAK.finditer(content, start, end):
        if mark.start() < begin or not _ends_sentence(content, begin, mark):
            continue
        stop = mark.end() if mark[0][0] in ".!?…" else mark.start()
        yield from _trimmed(content, begin, stop)
        begin = mark.end()
    yield from _trimmed(content, begin, end)


def _ends_sentence(content: str, begin: int, mark: re.Match[str]) -> bool:
    """Return whether a break ends a sentence: not after "Dr.", inside a date or inside quotation marks."""
    if mark[0][0] == "\n":
        return False
    if re.match(EMOJI, mark[0]) and (
        not _begins(_word_at(content, mark.end())) or is_a_word(content, mark.start(), mark.end())
    ):
        return False
    if mark[0] != ".":
        return _outside_quotes(content, begin, mark)
    word = "".join(content[max(begin, mark.start() - 12) : mark.start()].split()[-1:]).lstrip("(\"'")
    if (word.lower() in _ABBREVIATIONS or _INITIALS.fullmatch(word)) and not _starts_anew(content, mark.end(), word):
        return False
    return not _is_inside_date(content, mark.end(), word) and _outside_quotes(content, begin, mark)


def _is_inside_date(content: str, at: int, word: str) -> bool:
    """Return whether a shortened month or day stands there, and its date continues: "in Oct. 2015"."""
    lower = word.lower()
    if lower not in _SHORTENED or (word == lower and lower in _WORDS_TOO):
        return False
    return _REST_OF_DATE.match(content, at) is not None


def _starts_anew(content: str, at: int, shortened: str) -> bool:
    """Return whether a sentence begins after an abbreviation: "at 9 a.m. Then", "on Main St. I", not "Dr. Smith"."""
    following = _word_at(content, at)
    return following[:1].isupper() and (following.lower() in STARTERS or shortened.lower() in _MAY_END)


def _begins(word: str) -> bool:
    """Return whether a word can begin a sentence after an emoji: "I ..." can, "in May" cannot."""
    return not word or word[0].isupper() or word in STARTERS or word in words.HELPERS or word in _ASKING


def _word_at(content: str, at: int) -> str:
    return re.split(r"[^\w]", content[at : at + 20].strip(), maxsplit=1)[0]


def _outside_quotes(content: str, begin: int, mark: re.Match[str]) -> bool:
    """Return whether no quotation or code that began in this sentence is still open."""
    said = content[begin : mark.end()]
    if len(said) > LONGEST_SENTENCE:
        return True
    return said.count('"') % 2 == 0 and said.count("`") % 2 == 0 and said.count("“") <= said.count("”")


def _trimmed(content: str, start: int, end: int) -> Iterator[Sentence]:
    """Yield the sentence without marks around it, if its length is within the limits."""
    while start < end and content[start] in _MARKS:
        start += 1
    while start < end and content[end - 1] in _MARKS:
        end -= 1
    if SHORTEST_SENTENCE <= end - start <= LONGEST_SENTENCE or content[start:end].isdigit():  # "2" is an answer
        yield Sentence(content[start:end], start)
