"""Making stored text a quotation: on one line, with nothing unseen, and nothing that a model takes for structure."""

import re

from emberkeep.language.characters import visible

LONGEST_LABEL = 80  # characters of a speaker, a kind or a source
# Whose turn it is, at the start of what is said: "### System:", "Human:".
_TURN = re.compile(
    r"(^|[.!?;>\]})\"'”]\s*|#\s*)((?i:system|developer|assistant|human|user|instructions?|response|tool|input|output))\s*:"
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
    clean = " ".join(_TURN.sub(r"\1\2 -", line) if ":" in line else line for line in lines if line)
    for mark, pattern, instead in _TOKENS:
        if mark in clean:
            clean = pattern.sub(instead, clean)
    return clean


def label(text: str) -> str:
    """A name or kind as part of a record's head, short and without what would end it."""
    return " ".join(_ENDING.sub(" ", quoted(text)).split())[:LONGEST_LABEL].strip()
