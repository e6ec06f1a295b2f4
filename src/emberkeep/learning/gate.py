"""Findings that are never learned: echoes, the assistant's words, trivia, instructions. Pure functions."""

import re

from emberkeep.language.instructions import is_instruction
from emberkeep.language.terms import term_of, words
from emberkeep.learning.words import CONSENT, REFUSAL
from emberkeep.model.checks import is_storable
from emberkeep.model.finding import Exchange, Finding
from emberkeep.model.message import Message

SHORTEST = 8  # characters of a statement, unless it matches `_SHORT`
# A subject, a verb and a number: "Ana is 7".
_SHORT = re.compile(r"\w+ is \d{1,3}")
# Words of a quote that is no more than a yes or no.
_MERE_ANSWER = CONSENT | REFUSAL | frozenset("not never anymore any more longer".split())
# Text that Emberkeep itself handed out, in any format: a whole block, or lines of one pasted without it.
_ECHO = re.compile(
    r"""
      <memory\b.*?(?:</memory>|\Z) | \{"note":\ "[^"\n]*",\s*"memory":\ \[.*?(?:\n\]\}|\Z)
    | ^[ \t]*-\ \[\d{4}-\d\d-\d\d\]\ \([a-z][^()\n]*\)\ [^\n]*$
    | <record\ tier=[^\n]*$ | ^[ \t]*\{"tier":\ "[^\n]*$
    """,
    re.DOTALL | re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
_ECHO_MARKS = ("<memory", "- [", "<record", '{"note"', '{"tier"')  # every echo contains one of these
_LETTER = re.compile(r"[^\n]")
# A statement that begins with a pronoun does not say whom it is about.
_DANGLING = re.compile(
    r"^(?:i|my|mine|we|our|he|she|they|it|this|that|you|your)(?:['’](?:m|ve|re|s|d|ll))?\b", re.IGNORECASE
)
# A statement that ends with an article lacks its object: it was a picture, or a model left it out.
_BROKEN_OFF = re.compile(r"(?<!vitamin )\b(?:a|an|the|my|our|their)\W*$")


def refusal(finding: Finding, exchange: Exchange) -> str | None:
    """Return why a finding must not be learned, or None if it may be."""
    message = exchange.interaction.messages[finding.position]
    checks = {
        "cannot be kept": not all(is_storable(text) for text in (finding.text, *finding.tags, *finding.entities)),
        "too short": len(finding.text.strip()) < SHORTEST and not _SHORT.fullmatch(finding.text.strip()),
        "does not stand alone": stands_open(finding.text),
        "says something else than its quote": not _share_a_word(finding, exchange),
        "not the user's words": message.side != "user",
        "an instruction": is_instruction(finding.text) or is_instruction(sentence_around(message, finding.quote)),
        "an echo": finding.quote not in without_echoes(message.content),
    }
    return next((reason for reason, is_so in checks.items() if is_so), None)


def stands_open(text: str) -> bool:
    """Return whether a statement leaves open whom or what it is about."""
    return _DANGLING.match(text.strip()) is not None or _BROKEN_OFF.search(text) is not None


def _share_a_word(finding: Finding, exchange: Exchange) -> bool:
    """Return whether the statement and its quote have a word in common besides the speaker's name.

    A quote that is a mere yes or no is compared by the message it answers.
    """
    said = set(words(finding.quote))
    before = exchange.message_before(finding.position)
    if said and before is not None and said <= _MERE_ANSWER:
        said = set(words(before.content))
    name = exchange.interaction.messages[finding.position].name or ""
    stated = set(map(term_of, words(finding.text))) - set(map(term_of, words(name)))
    return not said or bool(stated & set(map(term_of, said)))


def without_echoes(content: str) -> str:
    """Return a message with blanks in place of pasted Emberkeep output, so that offsets stay the same."""
    folded = content.casefold()
    if not any(mark in folded for mark in _ECHO_MARKS):
        return content
    return _ECHO.sub(lambda echo: _LETTER.sub(" ", echo[0]), content)


def sentence_around(message: Message, quote: str) -> str:
    """Return the lines of a message that a quote stands in."""
    at = message.content.find(quote)
    if at < 0:
        return quote
    start = message.content.rfind("\n", 0, at) + 1
    stop = message.content.find("\n", at + len(quote))
    return message.content[start : stop if stop >= 0 else None]
