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
LEARNED: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind != "episode")  # all but episodes, which are verbatim
