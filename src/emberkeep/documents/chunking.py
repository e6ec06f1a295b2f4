"""Cut a text into chunks that can be found, and read, one by one. Pure functions.

Each chunk is a stretch of the text; in order they make up all of it. Cuts are made at headings, then between
paragraphs, then between sentences. Code and tables are cut only when they are very long, and then between lines. Each
step reads the text once, so the time grows linearly with its length.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

CountTokens = Callable[[str], int]
Span = tuple[int, int]
Form = Literal["heading", "text", "code", "table"]

MOST_TOKENS = 240  # of a chunk: what the bundled embedder reads, less a line with the headings above it
LARGEST_PIECE = 200  # tokens of a piece, so that it fits below its own heading
LARGEST_WHOLE = 480  # tokens of code or a table that is not cut
OVERLAP_CHARS = 80  # of a sentence that had to be cut, repeated before its rest
LONGEST_WORD = 200  # characters without a space; longer runs are cut
MAX_HEAD_CHARS = 500  # of the head of a table that was cut, repeated before its rest
MAX_FRONT_LINES = 200  # of a front matter block
MAX_UNDERLINED_CHARS = 200
LOOK_FOR_TITLE = 20  # blocks that are searched for a first heading

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HASHES = re.compile(r"\s{0,3}(#{1,6})(?=\s|$)")
# The line below a Markdown heading: "===", "---".
_UNDERLINE = re.compile(r"\s{0,3}(?:(=+)|-{2,})\s*$")
# The gap after a sentence, or before an item of a list.
_SENTENCE_END = re.compile(
    r"""(?<=[.!?…])["'”’)\]]*\s+(?=[^\sa-z])|(?<=[。！？])|\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])"""
)
_WORD = re.compile(rf"\s*\S{{1,{LONGEST_WORD}}}\s*")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The stretch of a text from `start` to `end`, the `headings` above it, and its page.

    The first `inherited` of the headings stand before the stretch. `again` is text from before it that is repeated: the
    beginning of a sentence that was cut, or the head of a table.
    """

    start: int
    end: int
    headings: tuple[str, ...]
    inherited: int
    again: str
    page: int


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together, with the blank lines after them."""

    start: int
    end: int
    form: Form
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a block that is not cut any further."""

    block: _Block
    start: int
    end: int
    tokens: int
    again: str = ""

    @property
    def is_heading(self) -> bool:
        return self.block.form == "heading" and self.start == self.block.start


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    title: str
    start: int


def chunks(text: str, count: CountTokens, *, markdown: bool = True) -> Iterator[Chunk]:
    """Yield the chunks of a text. Without `markdown` it has no headings, code or tables, only paragraphs."""
    path: list[_Heading] = []
    taken: list[_Piece] = []
    tokens, says_something, page, counted = 0, False, 1, 0
    for piece in _pieces(text, count, markdown=markdown):
        full = tokens + piece.tokens > MOST_TOKENS and (says_something or tokens > MOST_TOKENS - LARGEST_PIECE)
        if taken and (full or (piece.is_heading and says_something)):
            page, counted = page + text.count("\f", counted, taken[0].start), taken[0].start
            yield _chunk(taken, path, page)
            taken, tokens, says_something = [], 0, False
        if piece.is_heading:
            path = [one for one in path if one.level < piece.block.level]
            path.append(_Heading(piece.block.level, piece.block.title, piece.start))
        taken.append(piece)
        tokens += piece.tokens
        says_something |= bool(piece.tokens) and not piece.is_heading
    if taken:
        yield _chunk(taken, path, page + text.count("\f", counted, taken[0].start))


def first_heading(text: str) -> str:
    """Return the first heading of a Markdown text, "" if it has none in its first blocks."""
    found = (block.title for block in islice(_blocks(text, markdown=True), LOOK_FOR_TITLE) if block.title)
    return next(found, "")


def _chunk(taken: Sequence[_Piece], path: Sequence[_Heading], page: int) -> Chunk:
    start = taken[0].start
    inherited = sum(heading.start < start for heading in path)
    return Chunk(start, taken[-1].end, tuple(one.title for one in path), inherited, taken[0].again, page)


# From lines to blocks.


def _blocks(text: str, *, markdown: bool) -> Iterator[_Block]:
    """Yield the blocks of a text; each includes the blank lines after it."""
    spans = [match.span() for match in _LINE.finditer(text)]
    lines = _Lines(text, spans)
    at = 0
    while at < len(spans):
        form, level, title, after = _block_at(lines, at) if markdown else ("text", 0, "", _paragraph(lines, at))
        while after < len(spans) and lines.is_blank(after):
            after += 1
        yield _Block(spans[at][0], spans[after - 1][1], form, level, title)
        at = after


class _Lines:
    """The lines of a text, and what each is in Markdown."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self._text = text
        self._spans = spans

    def __len__(self) -> int:
        return len(self._spans)

    def __getitem__(self, at: int) -> str:
        start, end = self._spans[at]
        return self._text[start:end]

    def is_blank(self, at: int) -> bool:
        return not self[at].strip()

    def begins_table(self, at: int) -> bool:
        if "|" not in self[at] or at + 1 >= len(self):
            return False
        below = self[at + 1].strip()
        return "|" in below and "-" in below and not below.strip("|:- \t")

    def begins_block(self, at: int) -> bool:
        line = self[at]
        return bool(_FENCE.match(line) or _HASHES.match(line)) or self.begins_table(at)


def _block_at(lines: _Lines, at: int) -> tuple[Form, int, str, int]:
    """Return the form of the block at a line, its level and title if it is a heading, and the line after it."""
    line = lines[at]
    if at == 0 and line.rstrip() == "---":
        closing = range(1, min(len(lines), MAX_FRONT_LINES))
        front = next((number + 1 for number in closing if lines[number].rstrip() == "---"), None)
        if front is not None:
            return "code", 0, "", front
    if fence := _FENCE.match(line):
        return "code", 0, "", _after_fence(lines, at + 1, fence.group(1))
    if hashes := _HASHES.match(line):
        title = line[hashes.end() :].strip()
        return "heading", len(hashes.group(1)), title.rstrip("#").rstrip() or title, at + 1
    if lines.begins_table(at):
        after = at + 2
        while after < len(lines) and "|" in lines[after]:
            after += 1
        return "table", 0, "", after
    if at + 1 < len(lines) and line.strip() and len(line) <= MAX_UNDERLINED_CHARS:
        underline = _UNDERLINE.match(lines[at + 1])
        if underline:
            return "heading", 1 if underline.group(1) else 2, line.strip(), at + 2
    return "text", 0, "", _paragraph(lines, at, lines.begins_block)


def _after_fence(lines: _Lines, at: int, fence: str) -> int:
    """Return the line after the end of a code block; an unclosed block goes on to the end of the text."""
    while at < len(lines):
        closing = lines[at].strip()
        at += 1
        if closing.startswith(fence) and not closing.strip(fence[0]):
            break
    return at


def _paragraph(lines: _Lines, at: int, ends_before: Callable[[int], bool] = lambda _: False) -> int:
    """Return the line after a paragraph."""
    after = at + 1
    while after < len(lines) and not lines.is_blank(after) and not ends_before(after):
        after += 1
    return after


# From blocks to pieces.


def _pieces(text: str, count: CountTokens, *, markdown: bool) -> Iterator[_Piece]:
    """Yield the pieces of a text: small blocks as they are, others cut."""
    for block in _blocks(text, markdown=markdown):
        tokens = count(text[block.start : block.end])
        whole = block.form in {"code", "table"}
        if tokens <= (LARGEST_WHOLE if whole else LARGEST_PIECE):
            yield _Piece(block, block.start, block.end, tokens)
        elif whole:
            yield from _torn(text, block, count)
        else:
            yield from _cut(text, block, (block.start, block.end), (_sentences, _lines), count)


def _torn(text: str, block: _Block, count: CountTokens) -> Iterator[_Piece]:
    """Yield a long table or code block line by line, with its head repeated where it continues."""
    lines = list(_lines(text, block.start, block.end))
    after_head = lines[min(1 if block.form == "table" else 0, len(lines) - 1)][1]
    head = text[block.start : after_head]
    for span in lines:
        for piece in _cut(text, block, span, (), count):
            again = piece.again or (head if piece.start >= after_head and len(head) <= MAX_HEAD_CHARS else "")
            yield _Piece(block, piece.start, piece.end, piece.tokens, again)


Cutter = Callable[[str, int, int], Iterator[Span]]


def _cut(text: str, block: _Block, span: Span, cutters: Sequence[Cutter], count: CountTokens) -> Iterator[_Piece]:
    """Yield a stretch, cut as little as possible: by the first cutter, and what is still too long by the next."""
    tokens = count(text[slice(*span)])
    if tokens <= LARGEST_PIECE:
        yield _Piece(block, *span, tokens)
    elif cutters:
        for part in cutters[0](text, *span):
            yield from _cut(text, block, part, cutters[1:], count)
    else:
        yield from _between_words(text, block, span, count)


def _between_words(text: str, block: _Block, span: Span, count: CountTokens) -> Iterator[_Piece]:
    """Yield a stretch cut between words, with the words before each cut repeated."""
    start, end, tokens = span[0], span[0], 0
    for word in _WORD.finditer(text, *span):
        more = count(word.group())
        if end > start and tokens + more > LARGEST_PIECE:
            yield _Piece(block, start, end, tokens, _said_before(text, span[0], start))
            start, tokens = end, 0
        end, tokens = word.end(), tokens + more
    yield _Piece(block, start, span[1], tokens, _said_before(text, span[0], start))


def _said_before(text: str, first: int, start: int) -> str:
    """Return the last words of a sentence before the cut."""
    tail = text[max(first, start - OVERLAP_CHARS) : start]
    if start - OVERLAP_CHARS <= first:
        return tail
    _, space, words = tail.partition(" ")  # the first word may be cut off
    return words if space else tail


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    return _between(start, end, (match.end() for match in _SENTENCE_END.finditer(text, start, end)))


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    return _between(start, end, (match.end() for match in _LINE.finditer(text, start, end)))


def _between(start: int, end: int, cuts: Iterator[int]) -> Iterator[Span]:
    for cut in cuts:
        if start < cut < end:
            yield start, cut
            start = cut
    yield start, end
