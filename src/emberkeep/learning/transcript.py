"""An exchange as a language model gets to see it, and where in it a quote stands."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from emberkeep.learning.gate import without_echoes
from emberkeep.model.finding import Exchange
from emberkeep.model.message import Message

# One character for one, so that a place in the one text is the same place in the other.
_LOOKALIKES = str.maketrans("‘’‚‛′“”„‟″«»–—‑‹›", "'''''" + '"""""""' + "---<>")
_HARMLESS = str.maketrans("<>", "‹›")
_EDGES = " \t\r\n.,;:!?…\"'()[]"


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a message, word for word, and where it stands."""

    position: int
    start: int
    quote: str


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    source: bool


class Transcript:
    """The numbered lines of an exchange. No content can end its line or the block that the lines stand in.

    Left out are the messages of systems and tools, and what came out of a memory.
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
        """The lines in blocks of about that size at most; blocks in which nobody speaks for themselves are left out."""
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
        """Whether the message of that number is there and can be learned from."""
        return number - 1 in self._searched

    def find(self, quote: str, number: int) -> Place | None:
        """Where the quote stands: in the message of that number, or else in the first that holds it."""
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
        """Whether anyone in the exchange says the word."""
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
    """The content with its lines set in, and without the brackets that tags and control tokens are made of."""
    return "\n    ".join(line.rstrip() for line in content.translate(_HARMLESS).splitlines() if line.strip())


def _pieces(text: str, most_chars: int) -> Iterator[str]:
    """The text in pieces that are not too long, cut between words where it can be."""
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
    """Keeps a quote from starting or ending inside a word, in scripts that part their words."""
    return r"(?a:\b)" if letter.isascii() and letter.isalnum() else ""
