"""Quoting stored text: on one line, without invisible characters, and without what a model takes for structure."""

import re
import unicodedata
from functools import lru_cache

from emberkeep.language.characters import latin, visible

# Characters that look like a colon.
_COLONS = ":：﹕︓∶꞉ː։׃"
LONGEST_LABEL = 80  # characters of a speaker, a kind or a source
# The name of a turn with its colon, at the start of a line or sentence: "### System:", "Human:", "- **AI:**".
_TURN = re.compile(
    r"(?:^[\W\d_]*|[.!?;>\]})\"'”][\s*_•-]{0,8}|#\s*)"
    r"(?:system|developer|assistant|human|user|ai|bot|model|instructions?|response|tool|input|output)"
    r"[*_`\"']{0,4}(\s*:)",
    re.IGNORECASE,
)
# Other structure in chat templates and Markdown, except angle brackets: a part of every match, which is quick to test,
# the pattern, and the replacement.
_TOKENS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    # [INST], [/SYS], [TOOL_CALLS], [/memory]: control tokens and fences in square brackets
    ("[", re.compile(r"\[\s*(/?\s*(?:[A-Z][A-Z_]{2,}|(?i:memory|inst|sys|system|user|assistant|tool)))\s*\]"), r"(\1)"),
    ("##", re.compile(r"#{2,}\s*"), "# "),
    ("```", re.compile(r"`{3,}"), "'''"),
    ("~~~", re.compile(r"~{3,}"), "'''"),
    ("![", re.compile(r"!\["), "! ["),  # a picture that a page would fetch
    ("]", re.compile(r"\]\s*\("), "] ("),
)
# Characters that would end a field in the head of a record.
_ENDING = re.compile(r"[()\[\]{},\"]+")


def quoted(text: str) -> str:
    """Return the text as a quotation. Only characters that a person does not read as words are cut or replaced."""
    lines = (visible(line) for line in text.splitlines())
    clean = " ".join(_without_turns(line) for line in lines if line)
    for mark, pattern, replacement in _TOKENS:
        if mark in clean:
            clean = pattern.sub(replacement, clean)
    return clean.strip()


def _without_turns(line: str) -> str:
    """Return the line with a dash for the colon after the name of a turn, even if that has lookalike letters."""
    if not any(colon in line for colon in _COLONS):
        return line
    folded = line if line.isascii() else latin(line.translate(_PLAIN))
    parts, start = [], 0
    for match in _TURN.finditer(folded):  # folding keeps offsets: it replaces each character by one
        parts += [line[start : match.start(1)], " -"]
        start = match.end(1)
    return "".join([*parts, line[start:]])


class _Plain:
    """A table for `str.translate`: from a character to the single plain one it is a form of, if there is one.

    The cache is bounded, because Unicode is large.
    """

    @staticmethod
    @lru_cache(2**13)
    def __getitem__(code: int) -> int:
        form = unicodedata.normalize("NFKC", chr(code)).lower()
        return ord(":") if chr(code) in _COLONS else ord(form) if len(form) == 1 else code


_PLAIN = _Plain()


def label(text: str) -> str:
    """Return a name or kind for the head of a record: short, and without characters that would end its field."""
    return " ".join(_ENDING.sub(" ", quoted(text)).split())[:LONGEST_LABEL].strip()
