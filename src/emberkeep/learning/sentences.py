"""A message as the sentences its author wrote, without code, quotations, logs and what came out of a memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from emberkeep.language.forms import SHORT_DAYS, SHORT_MONTHS, UNIT
from emberkeep.learning import words
from emberkeep.learning.gate import without_echoes
from emberkeep.learning.subjects import STARTERS
from emberkeep.learning.tokens import EMOJI, is_a_word

MOST_SENTENCES = 1_000  # rules and settling take some seconds for so many
LONGEST_SENTENCE = 400
SHORTEST_SENTENCE = 2
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_BULLET = re.compile(r"[ \t]*(?:[-*•+–][ \t]+|\(?\d{1,2}[.)][ \t]+|#{1,6}[ \t]+)?")
_LOG = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[(?:\w+ )?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b"
    r"|(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[:\s]|Traceback \(|File \".*\", line \d|Caused by:"
    r"|at [\w.$<>]+\(|[\w.]+(?:Error|Exception|Warning)\b|npm (?:ERR|WARN)|\^+\s*$|\.{3} \d+ more)"
)
_CODE = re.compile(
    r"\s*(?:[$%>#]\s|>>>|\.\.\.\s|//|/\*|\*/|--\s|#!|@\w+\s*$|def \w+\(|class \w+[(:{]|import \w|from [\w.]+ import\b"
    r"|(?:const|let|var) \w+ ?=|function \w*\(|public |private |return\b.*;|(?:if|for|while) ?\(|SELECT\b|INSERT INTO"
    r"|UPDATE \w+ SET|CREATE |ALTER |DROP |FROM \w+|RUN |ENV \w+=|export \w+=|\w+ ?[-+*]?= ?\S|<[/!?\w]"
    r"|[{}\[\]()]+\s*,?;?\s*$)"
)
_CODE_END = re.compile(r"(?:[{};]|=>|\)\s*:)\s*$")
_BREAK = re.compile(
    r"[.!?…]+[\"'”’)\]*]*(?=\s|$)|[;](?=\s)|\n+|(?<=\s)[—–](?=\s)|(?<=\w)—(?=\w)|(?<=\s)--?(?=\s)"
    rf"|(?<=\s)(?:[:;]-?[()DP]|{EMOJI}+)(?=\s|$)"
)
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st jr sr e.g i.e vs etc approx a.m p.m inc ltd co dept fig est u.s u.k ph.d feat".split()
)
_MAY_END = frozenset("a.m p.m etc inc ltd ph.d u.s u.k jr".split())
_SHORTENED = (SHORT_MONTHS.keys() - {"may"}) | SHORT_DAYS.keys()
_WORDS_TOO = frozenset("sat sun wed mar".split())  # unless they have a capital
# How a date goes on after a shortened month or day: "2018", "3rd", "at nine"; not "3 weeks later", "I ...".
_REST_OF_DATE = re.compile(
    rf"\s+(?:(?:19|20)\d\d\b|\d{{1,2}}(?:st|nd|rd|th)?\b(?! (?:{UNIT}|people|of (?:us|them|my|our|the))\b)"
    rf"|(?i:{'|'.join([*SHORT_MONTHS.values(), *SHORT_MONTHS, *SHORT_DAYS.values(), *SHORT_DAYS])})\b"
    rf"|(?:{'|'.join(sorted(words.PREPOSITIONS))}|and|or|but|because|when|after|before|every|each|the(?= \d))\b)"
)
_INITIALS = re.compile(r"[A-HJ-Z]|[A-Z](?:\.[A-Z])+")
_ASKING = frozenset("what why how please thanks let".split())
_MARKS = " \t\r\n*_~"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a message, and where it stands there."""

    text: str
    start: int


def sentences(content: str) -> list[Sentence]:
    """The sentences of a message, at most `MOST_SENTENCES`."""
    found: list[Sentence] = []
    for start, end in _passages(content):
        for one in _split(content, start, end):
            found.append(one)
            if len(found) == MOST_SENTENCES:
                return found
    return found


def _passages(content: str) -> Iterator[tuple[int, int]]:
    """The parts of prose; a line that begins in lower case goes on with the one before it."""
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
    between = content[held[1] : start]
    return (
        between.strip(" \t\r") == "\n"
        and content[start].islower()
        and content[held[1] - 1] not in ".!?:;"
        and content[start : start + 2] not in ("i ", "i'", "my", "we")
    )


def _prose_lines(content: str) -> Iterator[tuple[int, int]]:
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
    if line.lstrip()[:1] == ">" or line.startswith(("    ", "\t")):
        return True
    head = line[:200]
    return bool(_LOG.match(head) or _CODE.match(head) or _CODE_END.search(line[-20:]))


def _split(content: str, start: int, end: int) -> Iterator[Sentence]:
    begin = start
    for mark in _BREAK.finditer(content, start, end):
        if mark.start() < begin or not _ends_sentence(content, begin, mark):
            continue
        stop = mark.end() if mark[0][0] in ".!?…" else mark.start()
        yield from _trimmed(content, begin, stop)
        begin = mark.end()
    yield from _trimmed(content, begin, end)


def _ends_sentence(content: str, begin: int, mark: re.Match[str]) -> bool:
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
    """Whether a shortened month or day stands there, and the date or its sentence goes on: "in Oct. 2015"."""
    lower = word.lower()
    if lower not in _SHORTENED or (word == lower and lower in _WORDS_TOO):
        return False
    return _REST_OF_DATE.match(content, at) is not None


def _starts_anew(content: str, at: int, shortened: str) -> bool:
    """Whether a sentence begins after a shortened word: "at 9 a.m. Then", "on Main St. I", but not "Dr. Smith"."""
    following = _word_at(content, at)
    return following[:1].isupper() and (following.lower() in STARTERS or shortened.lower() in _MAY_END)


def _begins(word: str) -> bool:
    """Whether a word can begin a sentence: after an emoji, "in May" goes on, "I ..." does not."""
    return not word or word[0].isupper() or word in STARTERS or word in words.HELPERS or word in _ASKING


def _word_at(content: str, at: int) -> str:
    return re.split(r"[^\w]", content[at : at + 20].strip(), maxsplit=1)[0]


def _outside_quotes(content: str, begin: int, mark: re.Match[str]) -> bool:
    """Whether no quotation or code that began in this sentence is still open."""
    said = content[begin : mark.end()]
    if len(said) > LONGEST_SENTENCE:
        return True
    return said.count('"') % 2 == 0 and said.count("`") % 2 == 0 and said.count("“") <= said.count("”")


def _trimmed(content: str, start: int, end: int) -> Iterator[Sentence]:
    while start < end and content[start] in _MARKS:
        start += 1
    while start < end and content[end - 1] in _MARKS:
        end -= 1
    if SHORTEST_SENTENCE <= end - start <= LONGEST_SENTENCE or content[start:end].isdigit():  # "2" is an answer
        yield Sentence(content[start:end], start)
