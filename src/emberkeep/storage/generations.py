"""Generations of what was learned: replacing one by another, and undoing that.

A generation is kept as the difference that it made. Items that it lost are taken out of the tables, as if deleted, and
recorded whole. So reading knows nothing of generations, and undoing one writes those rows back.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, select, update

from emberkeep.language.terms import pack
from emberkeep.model.item import spoken
from emberkeep.model.kinds import Kind
from emberkeep.model.moment import to_micros
from emberkeep.storage import cold, shelves
from emberkeep.storage.batches import batches
from emberkeep.storage.claims import stems
from emberkeep.storage.items import find_same
from emberkeep.storage.log import NEVER
from emberkeep.storage.schema import (
    attributes,
    claims,
    forgotten,
    generation_changes,
    generations,
    history,
    interactions,
    items,
    links,
    mentions,
    sources,
    tombstones,
    vectors,
)
from emberkeep.storage.schema import shelves as shelves_table

_OF_ITEM = (attributes, sources, claims, mentions, history)  # tables whose rows are removed and restored with an item
Rows = dict[str, list[dict[str, Any]]]
Unwanted = dict[tuple[str, bytes], int]
What = Literal["added", "lost", "changed"]
_version, _current = items.alias("version"), items.alias("current")
_corrected = (
    select(_version.c.user_id, _version.c.content_hash, _version.c.valid_to)
    .join(_current, and_(_current.c.tenant == _version.c.tenant, _current.c.id == _version.c.version_of))
    .where(_version.c.tenant == bindparam("owner"), _current.c.told)
)
_corrected_by_user = _corrected.where(_version.c.user_id == bindparam("user"))
_deleted = select(forgotten.c.user_id, forgotten.c.content_hash, forgotten.c.at).where(
    forgotten.c.tenant == bindparam("owner")
)
_deleted_by_user = _deleted.where(forgotten.c.user_id == bindparam("user"))


class Learned(NamedTuple):
    """The columns of a learned item that generations compare."""

    id: str
    user_id: str
    agent_id: str
    kind: str
    text: str
    content_hash: bytes
    valid_from: int
    valid_to: int | None
    superseded_by: str | None


class Step(NamedTuple):
    """One change of a generation: an item that was added or lost, or whose period of validity changed."""

    what: What
    item: Learned


def learned(connection: Connection, tenant: str, kinds: Sequence[Kind], *, told: bool) -> list[Learned]:
    """Items that were learned from the log, or if `told` those that a caller told or changed, in the order of time."""
    query = (
        select(*(items.c[name] for name in Learned._fields))
        .where(
            items.c.tenant == tenant,
            items.c.kind.in_(kinds),
            items.c.version_of.is_(None),
            items.c.record.is_(None),  # an item that stands for a record is neither learned nor told
            items.c.told if told else items.c.told.is_not(True),
        )
        .order_by(items.c.valid_from, items.c.id)
    )
    return [Learned(*row) for row in connection.execute(query)]


def unwanted(connection: Connection, tenant: str, user_id: str | None = None) -> Unwanted:
    """Statements that were deleted or corrected, by user and content hash, each with the time of that in microseconds.

    Messages from before that time must not bring the statement back.
    """
    queries = (_corrected, _deleted) if user_id is None else (_corrected_by_user, _deleted_by_user)
    asked = {"owner": tenant} if user_id is None else {"owner": tenant, "user": user_id}
    return {(row[0], row[1]): row[2] for query in queries for row in connection.execute(query, asked)}


def fingerprint(connection: Connection, tenant: str) -> tuple[object, ...]:
    """The state that a replay of the log relies on: it changes if anything is told, corrected, deleted or erased."""
    told = select(items.c.id, items.c.content_hash, items.c.kind).where(
        items.c.tenant == tenant, items.c.told, items.c.record.is_(None)
    )
    kept = select(shelves_table.c.number, shelves_table.c.epoch).where(shelves_table.c.tenant == tenant)
    gone = (
        select(tombstones.c.user_id, func.max(tombstones.c.revision), func.count())
        .where(tombstones.c.tenant == tenant)
        .group_by(tombstones.c.user_id)
    )
    return tuple(frozenset(tuple(row) for row in connection.execute(query)) for query in (told, kept, gone))


def learned_among(connection: Connection, tenant: str, ids: Sequence[str]) -> list[str]:
    """Ids of those of these interactions that have been learned from."""
    done: list[str] = []
    for some in batches(ids):
        query = select(interactions.c.id).where(
            interactions.c.tenant == tenant,
            interactions.c.id.in_(some),
            interactions.c.learned_by.is_not(None),
            interactions.c.learned_by != NEVER,
        )
        done += connection.execute(query).scalars()
    return done


def last_learned(connection: Connection, tenant: str) -> str:
    """The id of the latest interaction that was learned from; "" when there is none."""
    query = select(func.max(interactions.c.id)).where(
        interactions.c.tenant == tenant, interactions.c.learned_by.is_not(None), interactions.c.learned_by != NEVER
    )
    return connection.execute(query).scalar() or ""


def rows_of(connection: Connection, tenant: str, ids: Sequence[str]) -> Rows:
    """All rows that make up these items, by table, except their vectors."""
    found: Rows = {table.name: [] for table in (items, *_OF_ITEM, links)}
    for some in batches(ids):
        for table in (items, *_OF_ITEM, links):
            column = table.c.id if table is items else table.c.item_id
            query = select(table).where(table.c.tenant == tenant, column.in_(some))
            found[table.name] += [dict(row) for row in connection.execute(query).mappings()]
    return found


def start(connection: Connection, tenant: str, learner: str, now: datetime) -> int:
    """Begin a generation and return its number; of the generations before it nothing else is kept."""
    number: int = connection.execute(
        select(func.coalesce(func.max(generations.c.number), 0)).where(generations.c.tenant == tenant)
    ).scalar_one()
    for table in (generations, generation_changes):
        connection.execute(delete(table).where(table.c.tenant == tenant))
    row = {"tenant": tenant, "number": number + 1, "learner": learner, "at": to_micros(now), "undone": False}
    connection.execute(insert(generations), row)
    return number + 1


def put(connection: Connection, tenant: str, number: int, rows: Rows) -> None:
    """Add the items of a new generation; links to items that do not exist are left out."""
    _write(connection, tenant, rows)
    _note(connection, tenant, number, "added", [(row, None) for row in rows["items"]])


def take(connection: Connection, tenant: str, number: int, ids: Sequence[str]) -> None:
    """Remove items that the new generation lacks, with their versions, and record their rows."""
    gone = [*ids]
    for some in batches(ids):
        versions = select(items.c.id).where(items.c.tenant == tenant, items.c.version_of.in_(some))
        gone += connection.execute(versions).scalars()
    rows = rows_of(connection, tenant, gone)
    of_item: dict[str, Rows] = {row["id"]: {name: [] for name in rows} for row in rows["items"]}
    for name, found in rows.items():
        for one in found:
            of_item[one["id" if name == items.name else "item_id"]][name].append(one)
    _note(connection, tenant, number, "lost", [(row, of_item[row["id"]]) for row in rows["items"]])
    _remove(connection, tenant, [(row["id"], row["user_id"]) for row in rows["items"]])


def shift(connection: Connection, tenant: str, number: int, old: Learned, new: Learned) -> None:
    """Change the period in which an item holds, and record the one before."""
    before = {"valid_from": old.valid_from, "valid_to": old.valid_to, "superseded_by": old.superseded_by}
    row = {"id": old.id, "user_id": old.user_id}
    after = {"valid_from": new.valid_from, "valid_to": new.valid_to, "superseded_by": new.superseded_by}
    _note(connection, tenant, number, "changed", [(row, {"items": [before], "after": [after]})])
    _change(connection, tenant, old.id, old.user_id, after)


def undo(connection: Connection, tenant: str) -> dict[What, int] | None:
    """Go back to what was learned before the last generation; returns the number of changes by kind.

    `None` if there is no generation to undo.
    """
    number = connection.execute(
        select(func.max(generations.c.number)).where(generations.c.tenant == tenant, generations.c.undone.is_(False))
    ).scalar()
    if number is None:
        return None
    query = select(generation_changes).where(
        generation_changes.c.tenant == tenant, generation_changes.c.number == number
    )
    changes = connection.execute(query).all()
    counts: dict[What, int] = {"added": 0, "lost": 0, "changed": 0}
    for change in changes:
        counts[change.change] += 1
    # What a caller has corrected since then is kept, and so is a period of validity that has changed since then.
    added = [(change.item_id, change.user_id) for change in changes if change.change == "added"]
    theirs = _present(connection, tenant, [item_id for item_id, _ in added], told=True)
    _remove(connection, tenant, [pair for pair in added if pair[0] not in theirs])
    lost = _untold(connection, tenant, [_thawed(change.before) for change in changes if change.change == "lost"])
    together: Rows = {table.name: [] for table in (items, *_OF_ITEM, links)}
    for rows in lost:
        for name, some in rows.items():
            together[name] += some
    _write(connection, tenant, together)
    for change in changes:
        if change.change == "changed" and _stands(connection, tenant, change.item_id, change.before["after"][0]):
            _change(connection, tenant, change.item_id, change.user_id, change.before["items"][0])
    connection.execute(delete(generation_changes).where(generation_changes.c.tenant == tenant))
    connection.execute(update(generations).where(generations.c.tenant == tenant).values(undone=True))
    return counts


def _untold(connection: Connection, tenant: str, lost: Sequence[Rows]) -> list[Rows]:
    """The lost items, without those that hold and that a caller has told again since then: these exist already."""
    by_user: dict[str, list[Rows]] = {}
    for rows in lost:
        by_user.setdefault(rows["items"][0]["user_id"], []).append(rows)
    found = []
    for user_id, some in by_user.items():
        told = find_same(connection, tenant, user_id, [rows["items"][0]["content_hash"] for rows in some])
        found += [rows for rows in some if rows["items"][0]["valid_to"] is not None or _identity(rows) not in told]
    return found


def _identity(rows: Rows) -> tuple[Any, ...]:
    return tuple(rows["items"][0][name] for name in ("agent_id", "session_id", "kind", "content_hash"))


def _present(connection: Connection, tenant: str, ids: Sequence[str], *, told: bool = False) -> set[str]:
    """Those of these ids that belong to existing items, or with `told` to items that a caller told."""
    found: set[str] = set()
    for some in batches(ids):
        query = select(items.c.id).where(items.c.tenant == tenant, items.c.id.in_(some))
        found |= set(connection.execute(query.where(items.c.told) if told else query).scalars())
    return found


def _write(connection: Connection, tenant: str, rows: Rows) -> None:
    by_user: dict[str, list[dict[str, Any]]] = {}
    for row in rows["items"]:
        by_user.setdefault(row["user_id"], []).append(row)
    for user_id, some in sorted(by_user.items()):
        claim = shelves.claim(connection, tenant, user_id, len(some))
        fresh = [
            {**row, "terms": _terms(row), "revision": claim.first + n, "unembedded": True, "cold": None}
            for n, row in enumerate(some)
        ]
        connection.execute(insert(items), fresh)
        # A process that has not read an item's tombstone yet must not read it after the item has come back.
        back = and_(tombstones.c.tenant == tenant, tombstones.c.user_id == user_id)
        for ids in batches([row["id"] for row in some]):
            connection.execute(delete(tombstones).where(back, tombstones.c.item_id.in_(ids)))
    rows = {**rows, "claims": [{**row, "stems": stems(row["value"])} for row in rows["claims"]]}
    for table in _OF_ITEM:
        if rows[table.name]:
            connection.execute(insert(table), rows[table.name])
    there = _present(connection, tenant, [row["other_id"] for row in rows["links"]])
    whole = [row for row in rows["links"] if row["other_id"] in there]
    if whole:
        connection.execute(insert(links), whole)


def _terms(row: Mapping[str, Any]) -> bytes:
    """The terms of an item for the text index, computed anew: an older version may have stored other ones."""
    return pack(spoken(row["speaker"], row["text"], row["gloss"] or "")).tobytes()


def _remove(connection: Connection, tenant: str, gone: Sequence[tuple[str, str]]) -> None:
    ids = [item_id for item_id, _ in gone]
    for some in batches(ids):
        for table in (*_OF_ITEM, links, vectors):
            connection.execute(delete(table).where(table.c.tenant == tenant, table.c.item_id.in_(some)))
        connection.execute(delete(links).where(links.c.tenant == tenant, links.c.other_id.in_(some)))
        connection.execute(delete(items).where(items.c.tenant == tenant, items.c.version_of.in_(some)))
        connection.execute(delete(items).where(items.c.tenant == tenant, items.c.id.in_(some)))
    by_user: dict[str, list[str]] = {}
    for item_id, user_id in gone:
        by_user.setdefault(user_id, []).append(item_id)
    for user_id, mine in sorted(by_user.items()):
        claim = shelves.claim(connection, tenant, user_id, len(mine))
        stones = [
            {"tenant": tenant, "user_id": user_id, "revision": claim.first + n, "item_id": item_id}
            for n, item_id in enumerate(mine)
        ]
        connection.execute(insert(tombstones), stones)


def _change(connection: Connection, tenant: str, item_id: str, user_id: str, values: Mapping[str, Any]) -> None:
    claim = shelves.claim(connection, tenant, user_id, 1)
    connection.execute(
        update(items).where(items.c.tenant == tenant, items.c.id == item_id).values(**values, revision=claim.first)
    )
    cold.thaw(connection, tenant, user_id, [item_id])


def _stands(connection: Connection, tenant: str, item_id: str, wanted: Mapping[str, Any]) -> bool:
    """Whether an item still has the period of validity that was set."""
    query = select(*(items.c[name] for name in wanted)).where(items.c.tenant == tenant, items.c.id == item_id)
    row = connection.execute(query).one_or_none()
    return row is not None and dict(row._mapping) == dict(wanted)  # noqa: SLF001 - SQLAlchemy's name for it


def _note(
    connection: Connection, tenant: str, number: int, what: What, noted: Sequence[tuple[Mapping[str, Any], Any]]
) -> None:
    rows = [
        {
            "tenant": tenant,
            "number": number,
            "item_id": row["id"],
            "user_id": row["user_id"],
            "change": what,
            "before": None if before is None else _frozen(before),
        }
        for row, before in noted
    ]
    if rows:
        connection.execute(insert(generation_changes), rows)


def _frozen(rows: Mapping[str, list[dict[str, Any]]]) -> Any:
    return {
        name: [
            {key: {"hex": value.hex()} if isinstance(value, bytes) else value for key, value in row.items()}
            for row in some
        ]
        for name, some in rows.items()
    }


def _thawed(rows: Mapping[str, list[dict[str, Any]]]) -> Rows:
    return {
        name: [
            {key: bytes.fromhex(value["hex"]) if key in _BYTES else value for key, value in row.items()} for row in some
        ]
        for name, some in rows.items()
    }


_BYTES = frozenset(
    column.name for table in (items, *_OF_ITEM, links) for column in table.c if str(column.type) in {"BLOB", "BYTEA"}
)
