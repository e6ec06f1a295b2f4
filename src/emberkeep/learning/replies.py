"""Gets the entries out of what a language model wrote, however it wrapped or mangled its JSON."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from emberkeep.providers.base import Completion

_DECODER = json.JSONDecoder(strict=False)
_MOST_OPENINGS = 200
_LONGEST_TO_MEND = 20_000
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
# Strings are bounded and never tried again shorter, so that no text takes long.
_TOKENS = re.compile(
    r"""  "(?>(?:[^"\\]|\\.){0,2000})"                                                # a string: stays as it is
    |     '(?P<single>(?>(?:[^'\\]|\\.|'(?!\s*[,:}\]])){0,2000}))'(?=\s*[,:}\]])    # one in the wrong quotes
    |     (?P<comma>,)(?=\s*[}\]])                                                  # before a closing bracket
    |     \b(?P<word>None|True|False)\b """,
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"None": "null", "True": "true", "False": "false"}


def entries_in(reply: Completion, *, key: str, fields: Sequence[str]) -> list[dict[str, Any]]:
    """The objects that have the fields, in the list under the key; raises ValueError that says what is wrong.

    Of an answer that was cut at the length limit, those that are complete.
    """
    if reply.end == "refused":
        raise ValueError("it was a refusal")
    text = _THINKING.sub("", reply.text).strip()
    cut = reply.end == "length"
    if not text:
        raise ValueError("it was cut off before it began" if cut else "it was empty")
    found = _lists_in(text, key, fields)
    if found is None and cut:
        found = _complete_objects(text, fields) or None
    if found is None:
        with_fields = f"a list {key!r} of objects with {' and '.join(fields)}"
        raise ValueError("it was cut off" if cut else f"it was not a JSON object with {with_fields}")
    return found


def _lists_in(text: str, key: str, fields: Sequence[str]) -> list[dict[str, Any]] | None:
    found = _first_list(text, key, fields)
    if found is None and len(text) <= _LONGEST_TO_MEND:
        found = _first_list(_mended(text), key, fields)
    return found


def _first_list(text: str, key: str, fields: Sequence[str]) -> list[dict[str, Any]] | None:
    """The first list with entries; an empty one if that is all there is."""
    lists = [entries for value in _values(text) if (entries := _entries(value, key, fields)) is not None]
    return next((entries for entries in lists if entries), lists[0] if lists else None)


def _values(text: str) -> Iterator[object]:
    """What can be read, from each bracket that is not inside something read before."""
    position, broken = 0, False
    for _ in range(_MOST_OPENINGS):
        opening = _OPENING.search(text, position)
        if opening is None:
            return
        try:
            value, position = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            position, broken = opening.end(), True
            continue
        # An empty list after a bracket that could not be read is a part of that, not the answer.
        if value != [] or not broken:
            yield value


def _entries(value: object, key: str, fields: Sequence[str]) -> list[dict[str, Any]] | None:
    if isinstance(value, dict):
        value = _lower_keys(value).get(key)
    if not isinstance(value, list):
        return None
    entries = [_lower_keys(one) for one in value if isinstance(one, dict)]
    entries = [one for one in entries if one.keys() >= set(fields)]
    return entries if entries or not value else None


def _complete_objects(text: str, fields: Sequence[str]) -> list[dict[str, Any]]:
    """The objects of a list up to where it breaks off."""
    found: list[dict[str, Any]] = []
    position = text.find("[")
    while (start := text.find("{", max(0, position))) >= 0:
        try:
            value, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            break
        found.append(_lower_keys(value))
    return [one for one in found if one.keys() >= set(fields)]


def _lower_keys(value: dict[str, Any]) -> dict[str, Any]:
    return {name.strip().casefold(): one for name, one in value.items()}


def _mended(text: str) -> str:
    """The text from the first bracket on, without trailing commas, Python's words and single quotes."""
    opening = _OPENING.search(text)
    return _TOKENS.sub(_mend, text[opening.start() :]) if opening else text


def _mend(token: re.Match[str]) -> str:
    if token["comma"]:
        return ""
    if token["word"]:
        return _WORDS[token["word"]]
    if token["single"] is not None:
        return '"' + token["single"].replace("\\'", "'").replace('"', '\\"') + '"'
    return token[0]
