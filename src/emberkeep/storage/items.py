"""The SQL that writes, reads, changes and lists items."""

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Update, and_, bindparam, delete, func, insert, or_, select, tuple_, update

from emberkeep.language.periods import about
from emberkeep.language.terms import pack
from emberkeep.language.traits import traits_of
from emberkeep.model.events import Reheated
from emberkeep.model.item import Item, Source
from emberkeep.model.message import side_of
from emberkeep.model.moment import from_micros, micros_of_days, to_micros
from emberkeep.model.recall import Selection
from emberkeep.model.scope import Scope
from emberkeep.storage import driver, shelves
from emberkeep.storage.batches import batches
from emberkeep.storage.outbox import tell
from emberkeep.storage.schema import attributes, items, sources

EXACT_TO = 2**53  # a float can represent every integer up to this
LONGEST_CHAIN = 20
_UNREAD = frozenset(
    """
    tenant content_hash terms version_of revision unembedded told stale_from traits about_from about_to cold
    """.split()
)
_columns = [column for column in items.c if column.name not in _UNREAD]  # in the order in which `_item` unpacks them
_source_columns = [
    column.label(f"source_{column.name}") for column in sources.c if column.name not in {"tenant", "item_id"}
]
_by_id = (
    select(*_columns, *_source_columns)
    .select_from(items.outerjoin(sources, and_(sources.c.tenant == items.c.tenant, sources.c.item_id == items.c.id)))
    .where(items.c.tenant == bindparam("owner"))
)
# Built once, as most writes run them.
_insert, _insert_attributes, _insert_sources = insert(items), insert(attributes), insert(sources)
_one = (items.c.tenant == bindparam("owner"), items.c.id == bindparam("item"))
_same = (
    select(items.c.id, items.c.agent_id, items.c.session_id, items.c.kind, items.c.content_hash)
    .where(
        items.c.tenant == bindparam("owner"),
        items.c.user_id == bindparam("user"),
        items.c.content_hash.in_(bindparam("hashes", expanding=True)),
        items.c.valid_to.is_(None),
    )
    .order_by(items.c.id)
)
_version_of = select(items.c.version_of).where(*_one)
_of_record = select(items.c.id).where(
    items.c.tenant == bindparam("owner"),
    items.c.record == bindparam("of"),
    items.c.user_id == bindparam("user"),
    items.c.version_of.is_(None),
)
_now_of_record = _of_record.where(items.c.valid_to.is_(None))
_remove_attributes = delete(attributes).where(
    attributes.c.tenant == bindparam("owner"), attributes.c.item_id == bindparam("item")
)


def insert_items(
    connection: Connection, tenant: str, rows: Sequence[Mapping[str, Any]], said: Sequence[Sequence[Source]]
) -> None:
    """Write new rows, the attributes that filters look for, and the messages that each item came from."""
    if not rows:
        return
    connection.execute(_insert, list(rows))
    put_attributes(connection, tenant, rows)
    pairs = [(row["id"], source) for row, origins in zip(rows, said, strict=True) for source in origins]
    put_sources(connection, tenant, pairs)


def row_of(tenant: str, item: Item, *, content_hash: bytes, revision: int, told: bool = False) -> dict[str, Any]:
    """An item as a row."""
    return {
        "tenant": tenant,
        "id": item.id,
        "user_id": item.user_id or "",
        "agent_id": item.agent_id or "",
        "session_id": item.session_id or "",
        "kind": item.kind,
        "text": item.text,
        "speaker": item.speaker,
        "gloss": item.gloss or None,
        "content_hash": content_hash,
        "tags": list(item.tags),
        "metadata": dict(item.metadata),
        "occurred_at": to_micros(item.occurred_at),
        "recorded_at": to_micros(item.recorded_at),
        "valid_from": to_micros(item.valid_from),
        "valid_to": None if item.valid_to is None else to_micros(item.valid_to),
        "superseded_by": item.superseded_by,
        "version_of": None,
        "revision": revision,
        "unembedded": True,
        "told": told,
        "stale_from": None,
        "record": item.record,
        "utc_offset": item.utc_offset or None,
        "cold": None,
        **indexed(item),
        **heat_of(item),
    }


def indexed(item: Item) -> dict[str, Any]:
    """The columns that searches rank by, computed from the text."""
    by_machine = bool(item.sources) and side_of(item.sources[0].role) == "assistant"
    return {
        "terms": pack(item.spoken).tobytes(),
        "traits": traits_of(item.text, by_machine=by_machine).pack(),
        **about_columns(item.text, item.said_at),
    }


def about_columns(text: str, said_at: datetime) -> dict[str, int | None]:
    """The columns for the first period that a text tells of, if any, relative to the time it was said at."""
    told = about(text, said_at)
    start, end = (None, None) if told is None else micros_of_days(told.first, told.last)
    return {"about_from": start, "about_to": end}


def heat_of(item: Item) -> dict[str, Any]:
    """The columns that say how warm an item is."""
    return {
        "temperature": item.temperature,
        "heated_at": to_micros(item.heated_at),
        "access_count": item.access_count,
        "last_access": None if item.last_access is None else to_micros(item.last_access),
        "sacred": item.sacred,
    }


def put_attributes(connection: Connection, tenant: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write the attributes that filters look for."""
    found = [
        {"tenant": tenant, "item_id": row["id"], "user_id": row["user_id"], "attribute": attribute}
        for row in rows
        for attribute in attributes_of(row["tags"], row["metadata"])
    ]
    if found:
        connection.execute(_insert_attributes, found)


def attributes_of(tags: Iterable[str], metadata: Mapping[str, Any]) -> list[bytes]:
    """The attributes that filters look for: a hash of each tag, and of each metadata key with its plain value."""
    # JSON keeps 1 apart from "1" and true. Nested values cannot be filtered by, so they get no attribute.
    plain = [[key, _number(value)] for key, value in metadata.items() if not isinstance(value, dict | list)]
    named = [json.dumps(one, ensure_ascii=False) for one in [*tags, *plain]]
    return [hashlib.sha256(name.encode()).digest()[:16] for name in named]


def put_sources(connection: Connection, tenant: str, pairs: Sequence[tuple[str, Source]]) -> None:
    """Write which messages items came from."""
    rows = [
        {
            "tenant": tenant,
            "item_id": item_id,
            "interaction_id": source.interaction_id,
            "position": source.position,
            "message_id": source.message_id,
            "role": source.role,
            "name": source.name,
            "occurred_at": to_micros(source.occurred_at),
            "quote": source.quote,
        }
        for item_id, source in pairs
    ]
    if rows:
        connection.execute(_insert_sources, rows)


class Placed(NamedTuple):
    """An item on a page, and its place in the order: when it occurred, and the id of its current version."""

    id: str
    place: tuple[int, str]


def find_same(
    connection: Connection, tenant: str, user_id: str, hashes: Sequence[bytes]
) -> dict[tuple[Any, ...], list[Item]]:
    """The items that hold and have one of these content hashes, by agent, session, kind and content hash."""
    rows: list[Any] = []
    for some in batches(hashes):
        rows += connection.execute(_same, {"owner": tenant, "user": user_id, "hashes": some})
    whole = fetch(connection, tenant, [row.id for row in rows])
    found: dict[tuple[Any, ...], list[Item]] = defaultdict(list)
    for row in rows:
        found[tuple(row[1:])].append(whole[row.id])
    return found


def ever_kept(connection: Connection, tenant: str, user_id: str, hashes: Sequence[bytes]) -> set[tuple[Any, ...]]:
    """Agent, session, kind and content hash of items with one of these hashes, including former and ended ones."""
    found: set[tuple[Any, ...]] = set()
    for some in batches(hashes):
        query = select(items.c.agent_id, items.c.session_id, items.c.kind, items.c.content_hash).where(
            items.c.tenant == tenant,
            items.c.user_id == user_id,
            items.c.content_hash.in_(some),
        )
        found |= {tuple(row) for row in connection.execute(query)}
    return found


def fetch(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, Item]:
    """Items by id, with their sources; ids that are not this tenant's are left out."""
    by_item: dict[str, list[driver.Row]] = defaultdict(list)
    for start in range(0, len(ids), driver.MOST_LISTED):
        size, values = driver.listed(ids[start : start + driver.MOST_LISTED])
        for row in driver.rows(connection, _by_ids(size), {"owner": tenant, **values}):
            by_item[row[0]].append(row)
    return {item_id: _item(rows[0], _sources(rows)) for item_id, rows in by_item.items()}


def owner(connection: Connection, tenant: str, item_id: str) -> str | None:
    """The user whose shelf an item is on, "" for no user; `None` if there is no such item."""
    return connection.execute(select(items.c.user_id).where(items.c.tenant == tenant, items.c.id == item_id)).scalar()


def made_of(connection: Connection, tenant: str, interaction_id: str) -> list[str]:
    """Ids of the items that came from an interaction, former versions left out."""
    query = (
        select(items.c.id)
        .join(sources, (sources.c.tenant == items.c.tenant) & (sources.c.item_id == items.c.id))
        .where(sources.c.tenant == tenant, sources.c.interaction_id == interaction_id, items.c.version_of.is_(None))
        .distinct()
    )
    return list(connection.execute(query).scalars())


def page(
    connection: Connection, selection: Selection, *, now: int, limit: int, after: tuple[int, str] | None
) -> list[Placed]:
    """The items that a selection sees, latest first."""
    # An item that is changed while a caller pages through the past becomes a version, and has to keep its place.
    place = items.c.id if selection.as_of is None else func.coalesce(items.c.version_of, items.c.id)
    query = _seen(select(items.c.id, items.c.occurred_at, place.label("place")), selection, now)
    if after is not None:
        query = query.where(tuple_(items.c.occurred_at, place) < tuple_(*after))
    query = query.order_by(items.c.occurred_at.desc(), place.desc()).limit(limit)
    return [Placed(row.id, (row.occurred_at, row.place)) for row in connection.execute(query)]


def with_attributes(connection: Connection, selection: Selection) -> frozenset[str] | None:
    """Ids of items with all the tags and metadata that a selection asks for; `None` if it asks for none."""
    wanted = attributes_of(selection.tags, dict(selection.filters))
    if not wanted:
        return None
    query = select(attributes.c.item_id).where(attributes.c.tenant == selection.tenant)
    if selection.shelves is not None:
        query = query.where(attributes.c.user_id.in_(selection.shelves))
    found = [
        frozenset(connection.execute(query.where(attributes.c.attribute == attribute)).scalars())
        for attribute in wanted
    ]
    return frozenset.intersection(*found)


def change(connection: Connection, tenant: str, item_id: str, values: Mapping[str, Any]) -> None:
    """Set columns of one item."""
    new = {f"new_{name}": value for name, value in values.items()}
    connection.execute(_change(frozenset(values)), {"owner": tenant, "item": item_id, **new})


def replace_attributes(connection: Connection, tenant: str, item: Item) -> None:
    """Replace an item's attributes by those of its present tags and metadata."""
    connection.execute(_remove_attributes, {"owner": tenant, "item": item.id})
    row = {"id": item.id, "user_id": item.user_id or "", "tags": item.tags, "metadata": item.metadata}
    put_attributes(connection, tenant, [row])


def current_of(connection: Connection, tenant: str, item_id: str) -> str | None:
    """The id of the item that this one is a former version of, if it is one."""
    return connection.execute(_version_of, {"owner": tenant, "item": item_id}).scalar()


def of_record(connection: Connection, tenant: str, record: str, user_id: str, *, ended: bool = True) -> list[str]:
    """Ids of the items by which a user's record is found, and with `ended` also of those that no longer hold."""
    asked = {"owner": tenant, "of": record, "user": user_id}
    return list(connection.execute(_of_record if ended else _now_of_record, asked).scalars())


def metadata_of_record(connection: Connection, tenant: str, record: str, user_id: str) -> list[dict[str, Any]]:
    """The metadata of the items by which a user's record is found now."""
    mine = (items.c.tenant == tenant, items.c.record == record, items.c.user_id == user_id)
    query = select(items.c.metadata).where(*mine, items.c.version_of.is_(None), items.c.valid_to.is_(None))
    return list(connection.execute(query).scalars())


def hand_over(connection: Connection, tenant: str, item: Item, to: Scope) -> None:
    """Move an item and its former versions to another agent or session of the same user."""
    mine = or_(items.c.id == item.id, items.c.version_of == item.id)
    ids = list(connection.execute(select(items.c.id).where(items.c.tenant == tenant, mine)).scalars())
    first = shelves.claim(connection, tenant, to.shelf, len(ids)).first
    for revision, item_id in enumerate(ids, first):
        owner = {"agent_id": to.agent_id or "", "session_id": to.session_id or ""}
        change(connection, tenant, item_id, {**owner, "revision": revision})


def together(connection: Connection, tenant: str, source: Source) -> list[tuple[str, str, int | None]]:
    """Id, kind and end of validity of all items that came from one message, former versions left out."""
    query = (
        select(items.c.id, items.c.kind, items.c.valid_to)
        .join(sources, and_(sources.c.tenant == items.c.tenant, sources.c.item_id == items.c.id))
        .where(
            items.c.tenant == tenant,
            items.c.version_of.is_(None),
            sources.c.interaction_id == source.interaction_id,
            sources.c.position == source.position,
        )
    )
    return [(row.id, row.kind, row.valid_to) for row in connection.execute(query)]


def successors(connection: Connection, tenant: str, episodes: Sequence[str]) -> dict[str, tuple[str, str]]:
    """For each of these messages, the statement learned from it that was superseded last, and what is in its place now.

    Both are ids. Messages without a superseded statement are left out.
    """
    if not episodes:
        return {}
    said, learned = sources.alias("said"), sources.alias("learned")
    same = and_(
        learned.c.tenant == said.c.tenant,
        learned.c.interaction_id == said.c.interaction_id,
        learned.c.position == said.c.position,
    )
    query = (
        select(said.c.item_id, items.c.id, items.c.superseded_by)
        .join(learned, same)
        .join(items, and_(items.c.tenant == learned.c.tenant, items.c.id == learned.c.item_id))
        .where(
            said.c.tenant == tenant,
            said.c.item_id.in_(episodes),
            items.c.superseded_by.is_not(None),
            items.c.version_of.is_(None),
        )
        .order_by(items.c.valid_to)
    )
    found = {row[0]: (row[1], row[2]) for row in connection.execute(query)}
    for _ in range(LONGEST_CHAIN):  # the successor may have been superseded itself
        later = select(items.c.id, items.c.superseded_by).where(
            items.c.tenant == tenant,
            items.c.id.in_([now for _, now in found.values()]),
            items.c.superseded_by.is_not(None),
        )
        next_ones = {row[0]: row[1] for row in connection.execute(later)}
        if not next_ones:
            break
        found = {episode: (former, next_ones.get(now, now)) for episode, (former, now) in found.items()}
    return found


def ended_by(connection: Connection, tenant: str, item_id: str) -> list[str]:
    """Ids of the items that an item superseded."""
    query = select(items.c.id).where(
        items.c.tenant == tenant, items.c.superseded_by == item_id, items.c.version_of.is_(None)
    )
    return list(connection.execute(query).scalars())


def reheat(connection: Connection, tenant: str, warmed: Iterable[Item]) -> None:
    """Store the new temperatures of these items, and tell of them."""
    for item in warmed:
        change(connection, tenant, item.id, heat_of(item))
        told = Reheated(id=item.id, kind=item.kind, temperature=round(item.temperature, 2))
        tell(connection, tenant, item.user_id, "memory.reheated", told)


@lru_cache
def _change(names: frozenset[str]) -> Update:
    """The statement that sets these columns, cached: there are few such sets."""
    return (
        update(items).where(*_one).values({name: bindparam(f"new_{name}", type_=items.c[name].type) for name in names})
    )


@lru_cache
def _by_ids(size: int) -> Select[Any]:
    return _by_id.where(items.c.id.in_(driver.places(size)))


def _seen(query: Select[Any], selection: Selection, now: int) -> Select[Any]:
    moment = now if selection.as_of is None else to_micros(selection.as_of)
    query = query.where(items.c.tenant == selection.tenant, or_(items.c.valid_to.is_(None), items.c.valid_to > moment))
    if selection.shelves is not None:
        query = query.where(items.c.user_id.in_(selection.shelves))
    if selection.as_of is None:
        query = query.where(items.c.version_of.is_(None))
    else:
        query = query.where(items.c.valid_from <= moment)
    if selection.since is not None:
        query = query.where(items.c.occurred_at >= to_micros(selection.since))
    if selection.until is not None:
        query = query.where(items.c.occurred_at <= to_micros(selection.until))
    if selection.kinds:
        query = query.where(items.c.kind.in_(selection.kinds))
    if selection.agent_id is not None:
        query = query.where(items.c.agent_id == selection.agent_id)
    if selection.session_id is not None:
        query = query.where(items.c.session_id == selection.session_id)
    for attribute in attributes_of(selection.tags, dict(selection.filters)):
        # An uncorrelated subquery, so that SQLite starts from the few items that have the attribute.
        having = select(attributes.c.item_id).where(
            attributes.c.tenant == selection.tenant, attributes.c.attribute == attribute
        )
        if selection.shelves is not None:
            having = having.where(attributes.c.user_id.in_(selection.shelves))
        query = query.where(items.c.id.in_(having))
    return query


def _number(value: Any) -> Any:
    # 1.0 and 1 count as one number: PostgreSQL returns a large float as an integer. From 2**53 on, that integer need
    # not be the float's exact value, but is the one that its decimal form stands for: 10**30 for 1e30.
    if isinstance(value, int) and abs(value) > EXACT_TO and math.isfinite(near := _as_float(value)):
        return int(near) if int(Decimal(repr(near))) == value else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _item(row: Sequence[Any], origin: tuple[Source, ...]) -> Item:
    # By position: reading the columns by name would take most of the time that a search spends in this module.
    (
        item_id, user_id, agent_id, session_id, kind, said, speaker, gloss, tags, metadata,
        occurred_at, recorded_at, valid_from, valid_to, superseded_by,
        temperature, heated_at, access_count, last_access, sacred, record, utc_offset,
    ) = row[: len(_columns)]  # fmt: skip
    return Item(
        id=item_id,
        text=said,
        kind=kind,
        user_id=user_id or None,
        agent_id=agent_id or None,
        session_id=session_id or None,
        speaker=speaker,
        tags=tuple(tags),
        metadata=metadata,
        occurred_at=from_micros(occurred_at),
        recorded_at=from_micros(recorded_at),
        valid_from=from_micros(valid_from),
        valid_to=None if valid_to is None else from_micros(valid_to),
        superseded_by=superseded_by,
        temperature=temperature,
        heated_at=from_micros(heated_at),
        access_count=access_count,
        last_access=None if last_access is None else from_micros(last_access),
        sacred=sacred,
        gloss=gloss or "",
        sources=origin,
        record=record,
        utc_offset=utc_offset or 0,
    )


def _sources(rows: Sequence[Sequence[Any]]) -> tuple[Source, ...]:
    told = (row[len(_columns) :] for row in rows)
    found = [
        Source(interaction_id, position, message_id, role, name, from_micros(occurred_at), quote)
        for interaction_id, position, message_id, role, name, occurred_at, quote in told
        if interaction_id is not None
    ]
    return tuple(sorted(found, key=lambda source: (source.interaction_id, source.position)))
