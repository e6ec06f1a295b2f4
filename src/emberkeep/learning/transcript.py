"""An exchange as the prompt shows it, and the place of a quote in it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from emberkeep.learning.gate import without_echoes
from emberkeep.model.finding import Exchange
from emberkeep.model.message import Message

# Other forms of quotation marks, dashes and angle brackets. Each maps to one character, so that offsets stay the same.
_LOOKALIKES = str.maketrans("‘’‚‛′“”„‟″«»–—‑‹›", "'''''" + '"""""""' + "---<>")
_HARMLESS = str.maketrans("<>", "‹›")
# What a model may add around a quote.
_EDGES = " \t\r\n.,;:!?…\"'()[]"


@dataclass(frozen=True, slots=True)
class Place:
    """A quote from a message, word for word, with the number of the message and the offset in it."""

    position: int
    start: int
    quote: str


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    source: bool


class Transcript:
    """The numbered lines of an exchange. No content can end its line, or the block in which the lines stand.

    Messages of systems and tools and pasted Emberkeep output are left out.
    """

    def __init__(self, exchange: Exchange) -> None:
        self._messages = exchange.interaction.messages
        self._user_name = exchange.user_name
        self._day = exchange.interaction.said_at.date()
        self._searched = {
            position: without_echoes(message.content).translate(_LOOKALIKES)
            for position, message in enumerate(self._messages)
            if message.side == "user"
        }

    @property
    def date(self) -> str:
        """The day of the exchange."""
        return f"{self._day:%A}, {self._day}"

    def parts(self, most_chars: int) -> Iterator[str]:
        """Yield the lines in blocks of about that size; blocks without a message to learn from are left out."""
        part: list[_Line] = []
        size = 0
        for line in self._lines(most_chars):
            if part and size + len(line.text) > most_chars:
                yield from _joined(part)
                part, size = [], 0
            part.append(line)
            size += len(line.text) + 1
        yield from _joined(part)

    def is_source(self, number: int) -> bool:
        """Return whether a message of that number exists and may be learned from."""
        return number - 1 in self._searched

    def find(self, quote: str, number: int) -> Place | None:
        """Return where the quote stands: in the message of that number, or else in the first that contains it."""
        words = quote.translate(_LOOKALIKES).strip(_EDGES).split()
        if not any(letter.isalnum() for word in words for letter in word):
            return None
        pattern = re.compile(
            _edge(words[0][0]) + r"\s+".join(map(re.escape, words)) + _edge(words[-1][-1]), re.IGNORECASE
        )
        for position in (number - 1, *self._searched):
            if found := pattern.search(self._searched[position]):
                return Place(position, found.start(), self._messages[position].content[found.start() : found.end()])
        return None

    def holds(self, word: str) -> bool:
        """Return whether anyone in the exchange says the word."""
        return any(word.casefold() in message.content.casefold() for message in self._messages)

    def _lines(self, most_chars: int) -> Iterator[_Line]:
        for position, message in enumerate(self._messages):
            shown = without_echoes(message.content).strip()
            if shown and message.side is not None:
                for piece in _pieces(harmless(shown), most_chars):
                    yield _Line(f"[{position + 1}] {self._label(message)}: {piece}", position in self._searched)

    def _label(self, message: Message) -> str:
        if message.side == "assistant":
            return "assistant (context only)"
        told = self._user_name or "The user" if message.role.strip().casefold() == "user" else message.role
        name = " ".join((message.name or told).translate(_HARMLESS).split())
        day = self._day if message.timestamp is None else message.timestamp.date()
        return name if day == self._day else f"({day}) {name}"


def harmless(content: str) -> str:
    """Return the content with indented lines, and without the angle brackets of tags and control tokens."""
    return "\n    ".join(line.rstrip() for line in content.translate(_HARMLESS).splitlines() if line.strip())


def _pieces(text: str, most_chars: int) -> Iterator[str]:
    """Yield the text in pieces of at most `most_chars`, cut between words where possible."""
    while len(text) > most_chars:
        space = text.rfind(" ", most_chars // 2, most_chars)
        cut = space if space > 0 else most_chars
        yield text[:cut]
        text = text[cut:].lstrip()
    yield text


def _joined(part: Iterable[_Line]) -> Iterator[str]:
    lines = list(part)
    if any(line.source for line in lines):
        yield "\n".join(line.text for line in lines)


def _edge(letter: str) -> str:
    """Return a pattern that keeps a quote from starting or ending inside a word, in scripts that separate words."""
    return r"(?a:\b)" if letter.isascii() and letter.isalnum() else ""
