"""Deleting for good: removing the rows of every table that hold something of an item or of a scope."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, delete, insert, or_, select, update

from emberkeep.model.events import Deleted, Erased
from emberkeep.model.item import Item, Source
from emberkeep.model.moment import to_micros
from emberkeep.model.recall import Selection
from emberkeep.storage import idempotency, shelves
from emberkeep.storage.batches import batches
from emberkeep.storage.outbox import tell
from emberkeep.storage.schema import (
    api_keys,
    attributes,
    audit,
    cached_patterns,
    claims,
    config_changes,
    contexts,
    decisions,
    documents,
    entries,
    events,
    executions,
    forgotten,
    generation_changes,
    goals,
    history,
    incidents,
    interactions,
    items,
    links,
    mentions,
    outbox,
    patterns,
    procedures,
    sources,
    spend,
    steps,
    tasks,
    tombstones,
    vectors,
)

_OF_ITEMS = (
    attributes,
    sources,
    claims,
    mentions,
    vectors,
    history,
    generation_changes,
)  # tables with rows that belong to an item
_OF_USERS = (spend, forgotten, generation_changes)  # tables with rows that belong to a user, whether or not to an item
_RECORDS = (
    goals, tasks, executions, patterns, decisions, cached_patterns, procedures, incidents, config_changes, documents,
)  # fmt: skip


def erase_item(connection: Connection, tenant: str, item: Item, now: datetime) -> tuple[dict[str, int], int]:
    """Remove one item with its former versions, and messages in the log that say the same words.

    If it is an episode, items that were learned from nothing else are removed too. Returns row counts by table, and the
    shelf's revision under which to record the deletion.
    """
    gone = _with_versions(connection, tenant, [item.id])
    if item.kind == "episode":
        gone += _with_versions(connection, tenant, _learned_only_from(connection, tenant, item))
    else:
        _forget(connection, tenant, item, now)
    said = {
        item.text,
        *connection.execute(select(items.c.text).where(items.c.tenant == tenant, items.c.id.in_(gone))).scalars(),
    }
    claim = shelves.claim(connection, tenant, item.user_id or "", len(gone))
    rows = dict.fromkeys((table.name for table in (*_OF_ITEMS, links, items)), 0)
    _erase_rows(connection, tenant, gone, rows)
    if item.kind == "episode":
        rows["sources"] += sum(_unsource(connection, tenant, source) for source in item.sources)
        places = {(source.interaction_id, source.position) for source in item.sources}
        rows["generation_changes"] += _forget_lost(
            connection, tenant, [item.user_id or ""], lambda row: (row["interaction_id"], row["position"]) in places
        )
    blanked = [_blank(connection, tenant, source, said) for source in item.sources]
    if any(blanked):
        rows["interactions"] = sum(blanked)
    if answers := idempotency.blank(connection, tenant, [item.user_id or ""]):
        rows["idempotency"] = answers
    _bury(connection, tenant, item.user_id or "", gone, claim.first)
    tell(connection, tenant, item.user_id, "memory.deleted", Deleted(id=item.id, kind=item.kind, ids=gone))
    return rows, claim.first


def erase_filed(connection: Connection, tenant: str, user_id: str, ids: list[str]) -> dict[str, int]:
    """Remove the items by which a user's record is found, with their former versions; returns row counts by table.

    They came from no message, so nothing of them is in the log, and no rebuild can bring them back.
    """
    gone = [item_id for some in batches(ids) for item_id in _with_versions(connection, tenant, some)]
    claim = shelves.claim(connection, tenant, user_id, len(gone))
    rows = dict.fromkeys((table.name for table in (*_OF_ITEMS, links, items)), 0)
    for some in batches(gone):
        _erase_rows(connection, tenant, some, rows)
    _bury(connection, tenant, user_id, gone, claim.first)
    idempotency.blank(connection, tenant, [user_id])
    return rows


def erase_scope(connection: Connection, scope: Selection) -> dict[str, int]:
    """Remove all that a scope holds, including the log; returns row counts by table."""
    users = sorted(
        {state.user_id for state in shelves.states(connection, scope.tenant, scope.shelves)}
        | _logged(connection, scope)
        | _recorded(connection, scope)
    )
    for user_id in users:  # in order, so that two erasures cannot deadlock
        shelves.claim(connection, scope.tenant, user_id, 1)
    rows = Counter(dict.fromkeys((table.name for table in _asked_of(scope)), 0))
    for some in batches(users):
        _erase_items(connection, scope, some, rows)
        _erase_records(connection, scope, some, rows)
        if _is_whole(scope):
            _erase_shelves(connection, scope.tenant, some, rows)
    if not _is_whole(scope):
        idempotency.blank(connection, scope.tenant, scope.shelves)
        for user_id in users:
            shelves.start_epoch(connection, scope.tenant, user_id)
    _erase_around(connection, scope, rows)
    told = Erased(
        agent_id=scope.agent_id,
        session_id=scope.session_id,
        everyone=scope.shelves is None,
        rows=rows.total(),
    )
    for owner in ("",) if scope.shelves is None else scope.shelves:
        tell(connection, scope.tenant, owner, "memory.erased", told)
    return dict(rows)


def _asked_of(scope: Selection) -> tuple[Table, ...]:
    """The tables that the receipt names even if they held no rows."""
    whole = (history, *_OF_USERS, outbox) if _is_whole(scope) else ()
    named = (entries,) if scope.session_id is None else ()
    return (*_OF_ITEMS, links, items, interactions, steps, *_RECORDS, contexts, *named, *whole)


def _is_whole(scope: Selection) -> bool:
    """Whether the scope covers the whole memory of its users."""
    return scope.agent_id is None and scope.session_id is None


def _erase_items(connection: Connection, scope: Selection, users: Sequence[str], rows: Counter[str]) -> None:
    """Remove what these users said within the scope, and all that was learned from that alone."""
    said = select(interactions.c.id).where(*_inside(interactions, scope, users))
    inside = connection.execute(select(items.c.id).where(*_inside(items, scope, users))).scalars()
    ids = [*inside, *connection.execute(_learned_within(scope.tenant, users, said)).scalars()]
    if not _is_whole(scope):  # patterns quote what is erased; they are learned again from what is left
        ids += connection.execute(_of_patterns(scope.tenant, users)).scalars()
    for some in batches(ids):
        _erase_rows(connection, scope.tenant, some, rows)
    rows["sources"] += _remove(
        connection, sources, (sources.c.tenant == scope.tenant, sources.c.interaction_id.in_(said))
    )
    gone = set(connection.execute(said).scalars())
    rows["generation_changes"] += _forget_lost(
        connection, scope.tenant, users, lambda row: row["interaction_id"] in gone
    )
    rows["interactions"] += _remove(connection, interactions, _inside(interactions, scope, users))


def _erase_shelves(connection: Connection, tenant: str, users: Sequence[str], rows: Counter[str]) -> None:
    """Remove the shelves of these users, rows that belong to no item, and traces of items that were deleted before."""
    for table in (history, *_OF_USERS, tombstones):
        rows[table.name] += _remove(connection, table, (table.c.tenant == tenant, table.c.user_id.in_(users)))
    rows["shelves"] += sum(shelves.remove(connection, tenant, user_id) for user_id in users)


def _erase_around(connection: Connection, scope: Selection, rows: Counter[str]) -> None:
    """Remove contexts, and if whole users are erased, their events, keys and answers to requests.

    A user may have these and nothing else, so this does not go by the users found in other tables.
    """
    asked_for = () if scope.shelves is None else (contexts.c.user_id.in_(scope.shelves),)
    rows["contexts"] += _remove(connection, contexts, (*_within(contexts, scope), *asked_for))
    if not _is_whole(scope):
        return
    theirs = () if scope.shelves is None else (outbox.c.user_id.in_(scope.shelves),)
    rows["outbox"] += _remove(connection, outbox, (outbox.c.tenant == scope.tenant, *theirs))
    if scope.shelves is None:
        rows["events"] += _remove(connection, events, (events.c.tenant == scope.tenant,))
    rows.update(_erase_access(connection, scope))


def _logged(connection: Connection, scope: Selection) -> set[str]:
    """Users that are in the log; until something is derived from what they said, they have no shelf."""
    query = select(interactions.c.user_id).where(interactions.c.tenant == scope.tenant).distinct()
    if scope.shelves is not None:
        query = query.where(interactions.c.user_id.in_(scope.shelves))
    return set(connection.execute(query).scalars())


def _recorded(connection: Connection, scope: Selection) -> set[str]:
    """Users that have records or named values; those without an item that finds them need no shelf."""
    found: set[str] = set()
    for table in (*_RECORDS, entries):
        query = select(table.c.user_id).where(table.c.tenant == scope.tenant).distinct()
        if scope.shelves is not None:
            query = query.where(table.c.user_id.in_(scope.shelves))
        found |= {user_id or "" for user_id in connection.execute(query).scalars()}
    return found


def _of_patterns(tenant: str, users: Sequence[str]) -> Select[tuple[str]]:
    """Ids of the items by which these users' learned patterns are found."""
    named = items.c.record.startswith("pattern:", autoescape=True)
    return select(items.c.id).where(items.c.tenant == tenant, items.c.user_id.in_(users), named)


def _erase_records(connection: Connection, scope: Selection, users: Sequence[str], rows: Counter[str]) -> None:
    """Remove goals, tasks and other records, and named values."""
    theirs = select(tasks.c.id).where(*_inside(tasks, scope, users))
    rows["steps"] += _remove(connection, steps, (steps.c.tenant == scope.tenant, steps.c.task_id.in_(theirs)))
    for table in _RECORDS:
        whose = replace(scope, agent_id=None, session_id=None) if table is patterns else scope  # see `_erase_items`
        rows[table.name] += _remove(connection, table, _inside(table, whose, users))
    if scope.session_id is None:
        rows["entries"] += _remove(connection, entries, _inside(entries, scope, users))


def _erase_access(connection: Connection, scope: Selection) -> dict[str, int]:
    """Remove the keys that open only these users' memory, and audit entries and answers to requests about them.

    Keys and audit entries of no single user stay, whoever is erased: a tenant that begins anew still has its keys.
    """
    rows = {}
    for table in (api_keys, audit):
        mine = table.c.user_id != "" if scope.shelves is None else table.c.user_id.in_([u for u in scope.shelves if u])
        rows[table.name] = _remove(connection, table, (table.c.tenant == scope.tenant, mine))
    return {**rows, "idempotency": idempotency.erase(connection, scope.tenant, scope.shelves)}


def _erase_rows(connection: Connection, tenant: str, ids: Sequence[str], rows: dict[str, int]) -> None:
    """Remove items with all rows that belong to them, and add the number of rows to `rows`."""
    for table in _OF_ITEMS:
        rows[table.name] += _remove(connection, table, (table.c.tenant == tenant, table.c.item_id.in_(ids)))
    rows["links"] += _unlink(connection, tenant, ids)
    rows["items"] += _remove(connection, items, (items.c.tenant == tenant, items.c.id.in_(ids)))


def _bury(connection: Connection, tenant: str, user_id: str, ids: list[str], revision: int) -> None:
    """Write tombstones, from which the indexes of other processes learn what to drop."""
    connection.execute(
        insert(tombstones),
        [
            {"tenant": tenant, "user_id": user_id, "revision": revision + place, "item_id": item_id}
            for place, item_id in enumerate(ids)
        ],
    )


def forget_tombstones(connection: Connection, tenant: str, *, over: int) -> int:
    """Drop the tombstones of shelves that have more than `over`, and have their indexes read anew; returns how many."""
    dropped = 0
    for user_id in [state.user_id for state in shelves.states(connection, tenant, None)]:
        where = (tombstones.c.tenant == tenant, tombstones.c.user_id == user_id)
        stones = connection.execute(select(tombstones.c.revision).where(*where).limit(over + 1)).all()
        if len(stones) > over:
            shelves.claim(connection, tenant, user_id, 1)
            dropped += _remove(connection, tombstones, where)
            shelves.start_epoch(connection, tenant, user_id)
    return dropped


def _inside(table: Table, scope: Selection, users: Sequence[str]) -> tuple[ColumnElement[bool], ...]:
    return (*_within(table, scope), table.c.user_id.in_(users))


def _within(table: Table, scope: Selection) -> tuple[ColumnElement[bool], ...]:
    where = [table.c.tenant == scope.tenant]
    if scope.agent_id is not None:
        where.append(table.c.agent_id == scope.agent_id)
    if scope.session_id is not None:
        where.append(table.c.session_id == scope.session_id)
    return tuple(where)


def _with_versions(connection: Connection, tenant: str, ids: Sequence[str]) -> list[str]:
    versions = select(items.c.id).where(items.c.tenant == tenant, items.c.version_of.in_(ids))
    return [*ids, *connection.execute(versions).scalars()]


def _learned_only_from(connection: Connection, tenant: str, episode: Item) -> list[str]:
    """Ids of items that were learned from the messages of an episode and from nothing else."""
    messages = [(source.interaction_id, source.position) for source in episode.sources]
    told = [interaction_id for interaction_id, _ in messages]
    query = select(sources.c.item_id).where(sources.c.tenant == tenant, sources.c.interaction_id.in_(told)).distinct()
    near = [item_id for item_id in connection.execute(query).scalars() if item_id != episode.id]
    learned = select(items.c.id).where(
        items.c.tenant == tenant, items.c.id.in_(near), items.c.kind != "episode", items.c.version_of.is_(None)
    )
    alone = []
    for item_id in connection.execute(learned).scalars():
        of_item = (sources.c.tenant == tenant, sources.c.item_id == item_id)
        rows = connection.execute(select(sources.c.interaction_id, sources.c.position).where(*of_item))
        if {(row[0], row[1]) for row in rows} <= set(messages):
            alone.append(item_id)
    return alone


def _learned_within(tenant: str, users: Sequence[str], said: Select[tuple[str]]) -> Select[tuple[str]]:
    """Ids of items learned from these interactions and from no others, whatever agent or session they belong to."""
    of_item = and_(sources.c.tenant == items.c.tenant, sources.c.item_id == items.c.id)
    here = select(sources.c.item_id).where(of_item, sources.c.interaction_id.in_(said)).exists()
    elsewhere = select(sources.c.item_id).where(of_item, sources.c.interaction_id.not_in(said)).exists()
    return select(items.c.id).where(
        items.c.tenant == tenant, items.c.user_id.in_(users), items.c.kind != "episode", here, ~elsewhere
    )


def _forget(connection: Connection, tenant: str, item: Item, now: datetime) -> None:
    """Remember not to learn this item or its former texts again from what was said so far; only hashes are kept."""
    user_id = item.user_id or ""
    mine = or_(items.c.id == item.id, items.c.version_of == item.id)
    digests = set(connection.execute(select(items.c.content_hash).where(items.c.tenant == tenant, mine)).scalars())
    key = (forgotten.c.tenant == tenant, forgotten.c.user_id == user_id, forgotten.c.content_hash.in_(digests))
    connection.execute(delete(forgotten).where(*key))
    shared = {"tenant": tenant, "user_id": user_id, "at": to_micros(now)}
    connection.execute(insert(forgotten), [{**shared, "content_hash": digest} for digest in digests])


def _forget_lost(
    connection: Connection, tenant: str, users: Sequence[str], came_from: Callable[[Mapping[str, Any]], bool]
) -> int:
    """Drop items that undoing a rebuild would bring back, if they came from erased messages; returns how many."""
    mine = (generation_changes.c.tenant == tenant, generation_changes.c.user_id.in_(users))
    lost = select(generation_changes.c.item_id, generation_changes.c.before).where(
        *mine, generation_changes.c.change == "lost"
    )
    ids = [row[0] for row in connection.execute(lost) if any(came_from(source) for source in row[1]["sources"])]
    return sum(
        _remove(connection, generation_changes, (*mine, generation_changes.c.item_id.in_(some)))
        for some in batches(ids)
    )


def _unlink(connection: Connection, tenant: str, ids: Sequence[str]) -> int:
    return sum(
        _remove(connection, links, (links.c.tenant == tenant, column.in_(ids)))
        for column in (links.c.item_id, links.c.other_id)
    )


def _unsource(connection: Connection, tenant: str, source: Source) -> int:
    """Remove a message, with its quote, from the sources of items that were learned from other messages as well."""
    place = (sources.c.interaction_id == source.interaction_id, sources.c.position == source.position)
    return _remove(connection, sources, (sources.c.tenant == tenant, *place))


def _remove(connection: Connection, table: Table, where: tuple[ColumnElement[bool], ...]) -> int:
    return connection.execute(delete(table).where(*where)).rowcount


def _blank(connection: Connection, tenant: str, source: Source, said: set[str]) -> bool:
    """Take a message out of the log if it says the same as the item; one that the item was only learned from stays."""
    where = (interactions.c.tenant == tenant, interactions.c.id == source.interaction_id)
    messages = connection.execute(select(interactions.c.messages).where(*where)).scalar()
    if messages is None:
        return False
    message = messages[source.position]
    if message is None or _loosely(message["content"]) not in map(_loosely, said):
        return False
    messages[source.position] = None  # keeps the positions of the others
    if any(message is not None for message in messages):
        # The details go too: the prompt and the tool calls may hold the same words.
        connection.execute(update(interactions).where(*where).values(messages=messages, details=None))
    else:
        connection.execute(delete(interactions).where(*where))
    return True


def _loosely(text: str) -> str:
    # An item stands for every message in these words, regardless of case, spacing and closing punctuation.
    return " ".join(text.casefold().split()).rstrip(".!… ")
