"""Emoji that stand for things: the guitar, the dog, the flag. Faces, hands and hearts say how, not what."""

import re

_THINGS = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"  # flags
    "|["
    "\u2600-\u2638\u263c-\u26ff\u2708"  # weather, signs, sports; the plane
    "\U0001f300-\U0001f3fa\U0001f400-\U0001f43f"  # plants, food, music, sports, places; animals
    "\U0001f451-\U0001f48a\U0001f48d-\U0001f492\U0001f4a1\U0001f4b0-\U0001f524\U0001f526-\U0001f5ff"  # people, objects
    "\U0001f680-\U0001f6ff"  # vehicles
    "\U0001f930\U0001f938-\U0001f96f\U0001f97b-\U0001f9ff\U0001fa70-\U0001fadf"  # sports, food, animals, clothes
    "]"
)


def pictures(text: str) -> list[str]:
    """Return the emoji in a text that stand for things, each by itself, without skin tone."""
    return _THINGS.findall(text)
