"""Making stored text a quotation: on one line, with nothing unseen, and nothing that a model takes for structure."""

import re
import unicodedata
from functools import lru_cache

from emberkeep.language.characters import latin, visible

_COLONS = ":：﹕︓∶꞉ː։׃"
LONGEST_LABEL = 80  # characters of a speaker, a kind or a source
# Whose turn it is, at the start of what is said: "### System:", "Human:", "- **AI:**".
_TURN = re.compile(
    r"(?:^[\W\d_]*|[.!?;>\]})\"'”][\s*_•-]{0,8}|#\s*)"
    r"(?:system|developer|assistant|human|user|ai|bot|model|instructions?|response|tool|input|output)"
    r"[*_`\"']{0,4}(\s*:)",
    re.IGNORECASE,
)
# What else chat templates and Markdown take for structure though it has no angle bracket, and what is written instead;
# each with what has to be there for it.
_TOKENS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    # [INST], [/SYS], [TOOL_CALLS], [/memory]: control tokens and fences in square brackets
    ("[", re.compile(r"\[\s*(/?\s*(?:[A-Z][A-Z_]{2,}|(?i:memory|inst|sys|system|user|assistant|tool)))\s*\]"), r"(\1)"),
    ("##", re.compile(r"#{2,}\s*"), "# "),
    ("```", re.compile(r"`{3,}"), "'''"),
    ("~~~", re.compile(r"~{3,}"), "'''"),
    ("![", re.compile(r"!\["), "! ["),  # a picture that a page would fetch
    ("]", re.compile(r"\]\s*\("), "] ("),
)
_ENDING = re.compile(r"[()\[\]{},\"]+")


def quoted(text: str) -> str:
    """The text as a quotation. What was cut or replaced is never what a person reads as words."""
    lines = (visible(line) for line in text.splitlines())
    clean = " ".join(_no_turn(line) for line in lines if line)
    for mark, pattern, instead in _TOKENS:
        if mark in clean:
            clean = pattern.sub(instead, clean)
    return clean.strip()


def _no_turn(line: str) -> str:
    """The line with a dash for the colon after whoever's turn it says it is, in whatever letters."""
    if not any(colon in line for colon in _COLONS):
        return line
    folded = line if line.isascii() else latin(line.translate(_PLAIN))
    parts, start = [], 0
    for found in _TURN.finditer(folded):  # as long as the line, character by character
        parts += [line[start : found.start(1)], " -"]
        start = found.end(1)
    return "".join([*parts, line[start:]])


class _Plain:
    """For each character the plain one that it is a form of, if it is one character; bounded, as Unicode is large."""

    @staticmethod
    @lru_cache(2**13)
    def __getitem__(code: int) -> int:
        form = unicodedata.normalize("NFKC", chr(code)).lower()
        return ord(":") if chr(code) in _COLONS else ord(form) if len(form) == 1 else code


_PLAIN = _Plain()


def label(text: str) -> str:
    """A name or kind as part of a record's head, short and without what would end it."""
    return " ".join(_ENDING.sub(" ", quoted(text)).split())[:LONGEST_LABEL].strip()
