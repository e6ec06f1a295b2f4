"""The kinds of memory."""

from typing import Literal, get_args

Kind = Literal[
    "episode",
    "fact",
    "preference",
    "decision",
    "incident",
    "procedure",
    "knowledge",
    "execution",
    "summary",
    "pattern",
    "config",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
