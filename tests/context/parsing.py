"""Reading a context back with real parsers: what a strict reader of each format sees."""

import html
import json
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

from emberkeep.context.render import LAYOUTS, NOTE
from emberkeep.model.context import Context, Format

Record = dict[str, str]
_LINE = re.compile(
    r"- \[(?P<date>\d{4}-\d\d-\d\d)\] \((?P<kind>[a-z ]+), (?P<trust>[a-z]+)"
    r"(?:, by (?P<by>[^(),<>\[\]{}]+))?(?:, from (?P<from>[^(),<>\[\]{}]+))?\) (?P<text>[^<>\n]*)"
)


def records(context: Context, form: Format) -> list[Record]:
    """The records of a context, or a failure if anything is outside of them."""
    if form == "messages":
        assert [message["role"] for message in context.messages] == ["system", "user"]
        assert context.text == "\n".join(message["content"] for message in context.messages)
        assert context.messages[0]["content"] == LAYOUTS["messages"].note
        return _lines(context.messages[1]["content"], note=False)
    readers: Mapping[str, Any] = {"markdown": _lines, "xml": _elements, "json": _objects}
    found: list[Record] = readers[form](context.text)
    return found


def _lines(text: str, *, note: bool = True) -> list[Record]:
    head, *lines, foot = text.split("\n")
    assert (head, foot) == ("<memory>", "</memory>")
    assert text.splitlines() == [head, *lines, foot]  # there are no other line breaks
    if note:
        assert lines.pop(0) == NOTE
    found = [_LINE.fullmatch(line) for line in lines]
    assert all(found), lines
    return [{name: html.unescape(part) for name, part in one.groupdict().items() if part} for one in found if one]


def _elements(text: str) -> list[Record]:
    assert text.count("<memory>") == text.count("</memory>") == 1
    assert text.startswith("<memory>")
    assert text.endswith("</memory>")
    root = ET.fromstring(text)  # noqa: S314 - that it is harmless is what is tested
    note, *elements = root
    assert (note.tag, note.text) == ("note", NOTE)
    assert {one.tag for one in elements} <= {"record"}
    assert not any(len(one) for one in elements)
    assert not any((one.tail or "").strip() for one in (note, *elements))
    return [{**one.attrib, "text": one.text or ""} for one in elements]


def _objects(text: str) -> list[Record]:
    assert not set(text) & set("<>&")
    whole = json.loads(text)
    assert list(whole) == ["note", "memory"]
    assert whole["note"] == NOTE
    found: list[Record] = whole["memory"]
    assert all(isinstance(value, str) for one in found for value in one.values())
    return found
