"""Get the entries out of a language model's answer, however it wrapped or mangled its JSON."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from emberkeep.providers.base import Completion

_DECODER = json.JSONDecoder(strict=False)
_MOST_OPENINGS = 200  # brackets tried
_LONGEST_TO_MEND = 20_000  # characters
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
# Strings, and what is wrong around them. Strings are bounded and matched without backtracking, so that no text takes
# long.
_TOKENS = re.compile(
    r"""  "(?>(?:[^"\\]|\\.){0,2000})"                                                # a string: stays as it is
    |     '(?P<single>(?>(?:[^'\\]|\\.|'(?!\s*[,:}\]])){0,2000}))'(?=\s*[,:}\]])    # one in the wrong quotes
    |     (?P<comma>,)(?=\s*[}\]])                                                  # before a closing bracket
    |     \b(?P<word>None|True|False)\b """,
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"None": "null", "True": "true", "False": "false"}


def entries_in(reply: Completion, *, key: str, fields: Sequence[str]) -> list[dict[str, Any]]:
    """Return the objects in the list under the key that have all the fields.

    Of an answer that was cut at the length limit, the complete objects are returned. Raises ValueError that says what
    is wrong.
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
    """Return the entries of the text, or of the text with its JSON repaired."""
    found = _first_list(text, key, fields)
    if found is None and len(text) <= _LONGEST_TO_MEND:
        found = _first_list(_mended(text), key, fields)
    return found


def _first_list(text: str, key: str, fields: Sequence[str]) -> list[dict[str, Any]] | None:
    """Return the first list with entries, or else an empty list if there is one."""
    lists = [entries for value in _values(text) if (entries := _entries(value, key, fields)) is not None]
    return next((entries for entries in lists if entries), lists[0] if lists else None)


def _values(text: str) -> Iterator[object]:
    """Yield the JSON values of the text, from each bracket that is not inside a value read before."""
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
        # An empty list after an unreadable bracket is part of the broken value, not the answer.
        if value != [] or not broken:
            yield value


def _entries(value: object, key: str, fields: Sequence[str]) -> list[dict[str, Any]] | None:
    """Return the objects of a list that have the fields; None if it is no list, or none of its objects has them."""
    if isinstance(value, dict):
        value = _lower_keys(value).get(key)
    if not isinstance(value, list):
        return None
    entries = [_lower_keys(one) for one in value if isinstance(one, dict)]
    entries = [one for one in entries if one.keys() >= set(fields)]
    return entries if entries or not value else None


def _complete_objects(text: str, fields: Sequence[str]) -> list[dict[str, Any]]:
    """Return the objects of a list up to where it breaks off."""
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
    """Return the text from the first bracket on, without trailing commas, Python literals and single quotes."""
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
