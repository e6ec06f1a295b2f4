"""Answers of tools: a text and the same as data, with stored texts quoted in both.

A model reads either, so a stored text must not be able to pass for anything else (docs/explanation/safety.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from xml.sax.saxutils import escape

from emberkeep.context.candidates import of_item
from emberkeep.context.quoting import label, quoted
from emberkeep.context.render import LAYOUTS, NOTE, markdown
from emberkeep.language.instructions import is_instruction
from emberkeep.model.context import Candidate, Trust
from emberkeep.model.experience import SimilarTask
from emberkeep.model.item import Item
from emberkeep.service.shapes import plain

SHOWN_CHARS = 2_000  # of one memory, unless it is asked for alone
LONGEST_TEXT = 2**62  # longer than any text: nothing is cut off


@dataclass(frozen=True, slots=True)
class Answer:
    """A text to read, and the same as data."""

    text: str
    data: Mapping[str, Any]


def answered(said: str, records: Sequence[Candidate] = (), degraded: Iterable[str] = (), **data: Any) -> Answer:
    """Return an answer: `said`, in our own words, what was left out and why, and stored records in a fence."""
    missing = tuple(degraded)
    parts = [said] if said else []
    parts += [f"Left out: {quotation(reason)}" for reason in missing]
    if records:
        parts.append(fenced(records))
    left_out = {"degraded": quotation(list(missing))} if missing else {}
    return Answer("\n".join(parts), {**({"note": NOTE} if records else {}), **data, **left_out})


def record_of(item: Item, shown: int = SHOWN_CHARS) -> Candidate:
    """Return a memory as a record, with the id by which it can be updated or deleted."""
    one = of_item(item, 1.0)
    said = cut(one.text, shown)
    trust: Trust = "untrusted" if is_instruction(said) else one.trust
    return replace(one, text=said, trust=trust, source=f"memory {item.id} {one.source}".strip())


def told(kind: str, text: str, at: datetime, source: str = "") -> Candidate:
    """Return a text that was derived from recorded work, such as an outcome or advice, as a record."""
    said = cut(text, SHOWN_CHARS)
    trust: Trust = "untrusted" if is_instruction(said) else "tool"
    return Candidate("working", "", kind, said, at, 1.0, trust, source=source)


def ended(one: SimilarTask) -> str:
    """Return the summary of a task, with those of its errors that the summary does not mention."""
    missing = [error for error in one.errors if error not in one.summary]
    return f"{one.summary} ({'; '.join(missing)})" if missing else one.summary


def memory_data(item: Item, shown: int = SHOWN_CHARS) -> dict[str, Any]:
    """Return a memory as data: its text quoted, with its trust; fields without a value are left out."""
    one = record_of(item, shown)
    data = {
        "id": item.id,
        "kind": item.kind,
        "text": quotation(one.text),
        "trust": one.trust,
        "occurred_at": plain(item.occurred_at),
        "by": escape(label(item.speaker or "")),
        "tags": quotation(list(item.tags)),
        "temperature": round(item.temperature, 1),
        "sacred": item.sacred,
        "valid_to": plain(item.valid_to),
    }
    return {name: value for name, value in data.items() if value not in ("", None, [], False)}


def quotation(value: Any) -> Any:
    """Return a value with every text in it quoted as in contexts: on one line, with markup escaped."""
    if isinstance(value, str):
        return escape(quoted(value))
    if isinstance(value, Mapping):
        return {quotation(str(key)): quotation(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [quotation(one) for one in value]
    return value


def fenced(records: Iterable[Candidate]) -> str:
    """Render records inside a fence whose marks they cannot contain."""
    return LAYOUTS["markdown"].page([markdown(one, one.text) for one in records])


def cut(text: str, most: int) -> str:
    """Return the beginning of a long text, and how many characters follow; a shorter one as it is."""
    return text if len(text) <= most else f"{text[:most]} […{len(text) - most:,} more characters]"
