"""Count the faults of what was learned, over a user's own data, with examples."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from textwrap import shorten

from sqlalchemy import Connection

from emberkeep.language.instructions import is_instruction
from emberkeep.learning.gate import SHORTEST, stands_open, without_echoes
from emberkeep.model.claim import Claim
from emberkeep.model.item import Item
from emberkeep.model.message import side_of
from emberkeep.model.moment import to_micros
from emberkeep.model.recall import Selection
from emberkeep.model.report import Audit, Fault
from emberkeep.model.sameness import normalise
from emberkeep.storage import claims, items, log

AT_ONCE = 500  # items per page
LONGEST_EXAMPLE = 200  # characters


@dataclass(frozen=True, slots=True)
class Examined:
    """A statement that still holds, its claim, and whether the log contains all of its quotes."""

    item: Item
    claim: Claim | None
    supported: bool


def examine(connection: Connection, selection: Selection, now: datetime) -> Iterator[Examined]:
    """Yield the statements that a selection sees, reading a page of items at a time."""
    after: tuple[int, str] | None = None
    while placed := items.page(connection, selection, now=to_micros(now), limit=AT_ONCE, after=after):
        ids = [one.id for one in placed]
        found = items.fetch(connection, selection.tenant, ids)
        claim_of = claims.of_items(connection, selection.tenant, ids)
        sources = [source for item in found.values() for source in item.sources]
        quotes = log.quoted(connection, selection.tenant, sources)
        for item in (found[item_id] for item_id in ids if found[item_id].record is None):
            yield Examined(item, claim_of.get(item.id), supported=all(source in quotes for source in item.sources))
        after = placed[-1].place


def audit(found: Sequence[Examined], said: Sequence[str], now: datetime, examples: int) -> Audit:
    """Return the rate and a few examples of each fault; `said` are the messages to check for instructions."""
    faults = {
        "junk": [one.item.text for one in found if is_junk(one.item)],
        "duplicate": _duplicates(found),
        "stale": [*_contradicted(found), *(one.item.text for one in found if _is_over(one.item, now))],
        "unsupported": [one.item.text for one in found if one.item.sources and not one.supported],
    }
    return Audit(
        examined=len(found),
        faults={name: _fault(texts, len(found), examples) for name, texts in faults.items()},
        quarantined=_fault([text for text in said if is_instruction(without_echoes(text))], len(said), examples),
    )


def is_junk(item: Item) -> bool:
    """Return whether a statement is too short, leaves its subject open, is no statement, or is not the user's."""
    text = item.text.strip()
    sides = {side_of(source.role) for source in item.sources}
    return (
        len(text) < SHORTEST
        or text.endswith("?")
        or stands_open(text)
        or is_instruction(text)
        or (bool(sides) and "user" not in sides)
    )


def _duplicates(found: Iterable[Examined]) -> list[str]:
    """Return the statements whose claim, or else whose normalised text, another statement already has."""
    groups: dict[object, list[Item]] = defaultdict(list)
    for one in found:
        said: object = normalise(one.item.text) if one.claim is None else (one.claim, one.item.kind)
        groups[one.item.user_id, one.item.agent_id, said].append(one.item)
    return [item.text for items in groups.values() for item in items[1:]]


def _contradicted(found: Iterable[Examined]) -> list[str]:
    """Return the statements with an old value of a relation that can have only one."""
    groups: dict[object, list[Examined]] = defaultdict(list)
    for one in found:
        if one.claim is not None and one.claim.single and not one.claim.negated:
            groups[one.item.user_id, one.claim.subject, one.claim.relation].append(one)
    old = []
    for group in groups.values():
        latest = max(group, key=lambda one: (one.item.valid_from, one.item.id))
        old += [one.item.text for one in group if one.claim != latest.claim]
    return old


def _is_over(item: Item, now: datetime) -> bool:
    """Return whether the statement is a plan whose day has passed."""
    when = item.metadata.get("when")
    return "plan" in item.tags and isinstance(when, str) and when < now.date().isoformat()


def _fault(texts: Sequence[str], of: int, examples: int) -> Fault:
    """Return the number of texts, their share of `of`, and the first of them, shortened."""
    return Fault(
        len(texts),
        round(len(texts) / of, 4) if of else 0.0,
        tuple(shorten(text, LONGEST_EXAMPLE, placeholder=" …") for text in texts[:examples]),
    )
