"""The invariants of the tables, checked by reading the rows directly instead of through the code that wrote them."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Table, select, text

from emberkeep.language import terms
from emberkeep.model.item import spoken
from emberkeep.model.sameness import content_hash
from emberkeep.storage import schema, shelves, spaces, vectors

_OF_ITEMS = (schema.attributes, schema.sources, schema.claims, schema.mentions, schema.links, schema.vectors)
HOTTEST = 100.0
_OF_RECORDS = {"task": schema.tasks, "execution": schema.executions}


def wrongs(connection: Connection) -> list[str]:
    """The violated invariants, such as half-written or dangling rows; empty if all is well."""
    found: list[str] = []
    if connection.dialect.name == "sqlite":
        said = connection.execute(text("PRAGMA integrity_check")).scalars().all()
        found += [] if said == ["ok"] else [f"SQLite says: {line}" for line in said]
        found += [f"SQLite: a reference of {row[0]} leads nowhere" for row in _pragma(connection, "foreign_key_check")]
    for look in (_rows_of_items, _items, _vectors, _log, _revisions, _work, _deliveries):
        found += look(connection)
    return found


def _pragma(connection: Connection, name: str) -> Iterable[Any]:
    return connection.execute(text(f"PRAGMA {name}")).all()


def _all(connection: Connection, table: Table) -> list[Any]:
    return list(connection.execute(select(table)))


def _rows_of_items(connection: Connection) -> Iterator[str]:
    items = _ids(connection)
    for table in _OF_ITEMS:
        for row in connection.execute(select(table.c.tenant, table.c.item_id).distinct()):
            if (row.tenant, row.item_id) not in items:
                yield f"{table.name}: a row of item {row.item_id}, which is not there"
    for row in _all(connection, schema.links):
        if (row.tenant, row.other_id) not in items:
            yield f"links: {row.item_id} leads to {row.other_id}, which is not there"
    for row in _all(connection, schema.history):
        if (row.tenant, row.item_id) not in items and row.action not in {"added", "deleted"}:
            yield f"history: {row.action} of item {row.item_id}, which is not there"
        if row.version_id and (row.tenant, row.version_id) not in items:
            yield f"history: the version {row.version_id} of {row.item_id} is not there"


def _items(connection: Connection) -> Iterator[str]:
    known = _ids(connection)
    kept: dict[tuple[str, str], set[bytes]] = {}
    for row in _all(connection, schema.attributes):
        kept.setdefault((row.tenant, row.item_id), set()).add(row.attribute)
    others = {(row.tenant, row.item_id) for row in _all(connection, schema.sources) if row.role != "user"}
    for row in _all(connection, schema.items):
        by = row.record or row.speaker  # without either, the hash holds the role, which is not in this row
        if row.content_hash != content_hash(row.text, by) and (by or (row.tenant, row.id) not in others):
            yield f"items: {row.id} would not be known again by its text"
        if not 0.0 <= row.temperature <= HOTTEST:
            yield f"items: {row.id} has a temperature of {row.temperature}"
        if row.terms != terms.pack(spoken(row.speaker, row.text, row.gloss or "")).tobytes():
            yield f"items: the text index of {row.id} holds other words than its text"
        if kept.get((row.tenant, row.id), set()) != {_digest(one) for one in [*row.tags, *_plain(row.metadata)]}:
            yield f"items: the tags and metadata of {row.id} are not those that it is filtered by"
        if row.version_of is not None and (row.tenant, row.version_of) not in known:
            yield f"items: {row.id} is a version of {row.version_of}, which is not there"
        if row.superseded_by is not None and row.version_of is None and (row.tenant, row.superseded_by) not in known:
            yield f"items: {row.id} was superseded by {row.superseded_by}, which is not there"


def _plain(metadata: dict[str, Any]) -> Iterator[list[Any]]:
    return ([key, value] for key, value in metadata.items() if not isinstance(value, dict | list))


def _digest(attribute: object) -> bytes:
    return hashlib.sha256(json.dumps(attribute, ensure_ascii=False).encode()).digest()[:16]


def _vectors(connection: Connection) -> Iterator[str]:
    items = {(row.tenant, row.id): row for row in _all(connection, schema.items)}
    numbers = {(row.tenant, row.user_id): row.number for row in _all(connection, schema.shelves)}
    space = spaces.active_space(connection)
    embedded = set()
    for row in _all(connection, schema.vectors):
        item = items.get((row.tenant, row.item_id))
        if item is None:
            continue  # reported by `_rows_of_items`
        if row.embedded_hash != vectors.embedded_hash(spoken(item.speaker, item.text, item.gloss or "")):
            yield f"vectors: that of {item.id} is of another text"
        number = numbers.get((row.tenant, item.user_id))
        if number is None or row.shelf != (shelves.cold_number(number) if item.cold else number):
            yield f"vectors: that of {item.id} is on another shelf"
        if space is not None and row.space == space.id:
            embedded.add((row.tenant, row.item_id))
            if len(row.embedding) != space.dimension:
                yield f"vectors: that of {item.id} has {len(row.embedding)} numbers of {space.dimension}"
    for key, item in items.items():
        if bool(item.unembedded) is (key in embedded):
            yield f"items: {item.id} is {'' if item.unembedded else 'not '}said to lack a vector, and that is wrong"


def _log(connection: Connection) -> Iterator[str]:
    interactions = _all(connection, schema.interactions)
    held = {
        (row.tenant, row.id, position): row.episodes
        for row in interactions
        for position, message in enumerate(row.messages)
        if message is not None and message["content"]
    }
    episodes = {(row.tenant, row.id) for row in _all(connection, schema.items) if row.kind == "episode"}
    sourced = set()
    for row in _all(connection, schema.sources):
        place = (row.tenant, row.interaction_id, row.position)
        if place not in held:
            yield f"sources: {row.item_id} came from {row.interaction_id}:{row.position}, which the log does not hold"
        if (row.tenant, row.item_id) in episodes:
            sourced.add(place)
    for place, has_episodes in held.items():
        if has_episodes and place not in sourced:
            yield f"interactions: {place[1]}:{place[2]} has no episode"


def _revisions(connection: Connection) -> Iterator[str]:
    rows = _all(connection, schema.shelves)
    last = {(row.tenant, row.user_id): row.revision for row in rows}
    owner = {row.number: (row.tenant, row.user_id) for row in rows}
    owner |= {shelves.cold_number(number): whose for number, whose in owner.items()}
    taken = [
        ((row.tenant, row.user_id), row.revision)
        for table in (schema.items, schema.tombstones)
        for row in connection.execute(select(table.c.tenant, table.c.user_id, table.c.revision))
    ]
    several = select(
        *schema.vectors.c["shelf", "item_id", "revision"]
    ).distinct()  # vectors of two spaces may share a revision
    taken += [(owner[row.shelf], row.revision) for row in connection.execute(several) if row.shelf in owner]
    for (shelf, revision), times in Counter(taken).items():
        if times > 1:
            yield f"shelves: revision {revision} of {shelf[1]!r} was taken {times} times"
        if revision > last.get(shelf, -1):
            yield f"shelves: revision {revision} of {shelf[1]!r} is beyond the last, {last.get(shelf)}"


def _work(connection: Connection) -> Iterator[str]:
    tasks = {(row.tenant, row.id) for row in connection.execute(select(*schema.tasks.c["tenant", "id"]))}
    numbers: dict[tuple[str, str], list[int]] = {}
    for row in connection.execute(select(*schema.steps.c["tenant", "task_id", "number"])):
        numbers.setdefault((row.tenant, row.task_id), []).append(row.number)
    for task, found in numbers.items():
        if task not in tasks:
            yield f"steps: of task {task[1]}, which is not there"
        if sorted(found) != list(range(1, len(found) + 1)):
            yield f"steps: of task {task[1]} there are {sorted(found)}"
    records = {
        (row.tenant, f"{noun}:{row.id}")
        for noun, table in _OF_RECORDS.items()
        for row in connection.execute(select(*table.c["tenant", "id"]))
    }
    for row in connection.execute(select(*schema.items.c["tenant", "id", "record"])):
        if row.record and row.record.partition(":")[0] in _OF_RECORDS and (row.tenant, row.record) not in records:
            yield f"items: {row.id} is what {row.record} is found by, which is not there"


def _deliveries(connection: Connection) -> Iterator[str]:
    told = {(row.tenant, row.id) for row in connection.execute(select(*schema.outbox.c["tenant", "id"]))}
    for row in connection.execute(select(*schema.deliveries.c["tenant", "event_id"])):
        if (row.tenant, row.event_id) not in told:
            yield f"deliveries: event {row.event_id} is owed, and not there"


def _ids(connection: Connection) -> set[tuple[str, str]]:
    return {(row.tenant, row.id) for row in connection.execute(select(*schema.items.c["tenant", "id"]))}
