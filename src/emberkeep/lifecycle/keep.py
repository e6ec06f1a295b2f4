"""Keeping drafts: a new one becomes an item, one that repeats an item warms it."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from emberkeep.language.periods import periods
from emberkeep.lifecycle.temperature import Thermal
from emberkeep.model import checks
from emberkeep.model.events import Added
from emberkeep.model.ids import new_id
from emberkeep.model.item import Draft, Item, Source
from emberkeep.model.sameness import draft_hash, item_hash
from emberkeep.storage import cold, history, items, shelves
from emberkeep.storage.outbox import tell


@dataclass(frozen=True, slots=True)
class Kept:
    """The result of keeping a draft: the item it became or warmed, and the item's revision if it is new."""

    item: Item
    revision: int | None

    @property
    def is_new(self) -> bool:
        """Whether the draft became an item of its own."""
        return self.revision is not None


@dataclass(frozen=True, slots=True)
class Ready:
    """A draft that is ready to be filed: the item it becomes, and its row except for the revision."""

    item: Item
    draft: Draft
    row: Mapping[str, Any]


def keep(connection: Connection, drafts: Sequence[Draft], thermal: Thermal, now: datetime) -> list[Kept]:
    """Keep drafts of one tenant and user, in order; a draft that repeats a known item reheats it."""
    scope = drafts[0].scope
    claim = shelves.claim(connection, scope.tenant, scope.shelf, len(drafts))
    hashes = [draft_hash(draft) for draft in drafts]
    known = items.find_same(connection, scope.tenant, scope.shelf, list(dict.fromkeys(hashes)))
    kept: list[Kept] = []
    new_rows: list[dict[str, Any]] = []
    new_sources: list[Sequence[Source]] = []
    again: dict[str, Item] = {}
    told: set[str] = set()
    more_sources: dict[str, list[Source]] = defaultdict(list)
    for offset, (draft, digest) in enumerate(zip(drafts, hashes, strict=True)):
        identity = (draft.scope.agent_id or "", draft.scope.session_id or "", draft.kind, digest)
        number = claim.first + offset
        same = known.setdefault(identity, [])
        place = next((place for place, one in enumerate(same) if _tells_of_one_time(one, draft)), None)
        if place is None:
            item = _new(draft, thermal, now)
            new_rows.append(items.row_of(scope.tenant, item, content_hash=digest, revision=number, told=draft.told))
            new_sources.append(draft.sources)
            kept.append(Kept(item, number))
            same.append(item)
            _tell(connection, scope.tenant, item)
        else:
            former = same[place]
            item = same[place] = told_again(former, draft, thermal, now)
            again[item.id] = item
            told |= {item.id} if draft.told else set()
            more_sources[item.id] += _new_sources(former, draft)
            kept.append(Kept(item, None))
    items.insert_items(connection, scope.tenant, new_rows, new_sources)
    for offset, one in enumerate(kept):
        if not one.is_new:
            history.record(connection, scope.tenant, one.item, "reheated", number=claim.first + offset, at=now)
    for item in again.values():
        warm(connection, scope.tenant, item, more_sources[item.id], told=item.id in told)
    return [replace(one, item=again.get(one.item.id, one.item)) for one in kept]


def made_ready(drafts: Sequence[Draft], thermal: Thermal, now: datetime) -> list[Ready]:
    """Prepare the items of one record, rows and index terms included: most of the work, outside the transaction."""
    made = [(draft, _new(draft, thermal, now)) for draft in drafts]
    return [
        Ready(item, draft, items.row_of(draft.scope.tenant, item, content_hash=item_hash(item), revision=0, told=True))
        for draft, item in made
    ]


def file(connection: Connection, ready: Sequence[Ready]) -> list[Kept]:
    """Insert the prepared items of one record, always as new items, even beside others that say the same."""
    if not ready:
        return []
    scope = ready[0].draft.scope
    first = shelves.claim(connection, scope.tenant, scope.shelf, len(ready)).first
    rows = [{**one.row, "revision": first + place} for place, one in enumerate(ready)]
    items.insert_items(connection, scope.tenant, rows, [one.draft.sources for one in ready])
    for one in ready:
        _tell(connection, scope.tenant, one.item)
    return [Kept(one.item, first + place) for place, one in enumerate(ready)]


def warm(
    connection: Connection, tenant: str, item: Item, more_sources: Sequence[Source] = (), *, told: bool = False
) -> None:
    """Store an item that was told again: its temperature, tags and metadata, and its new sources."""
    cold.thaw(connection, tenant, item.user_id or "", [item.id])
    values = {**items.heat_of(item), "tags": list(item.tags), "metadata": dict(item.metadata)}
    values |= {"told": True} if told else {}
    items.change(connection, tenant, item.id, values)
    items.replace_attributes(connection, tenant, item)
    items.put_sources(connection, tenant, [(item.id, source) for source in more_sources])


def _tells_of_one_time(item: Item, draft: Draft) -> bool:
    """Whether equal words refer to the same time: "I ran a marathon today" does not, a year later."""
    if item.occurred_at == draft.occurred_at:
        return True
    return periods(item.text, item.said_at) == periods(draft.text, draft.said_at)


def _tell(connection: Connection, tenant: str, item: Item) -> None:
    told = Added(id=item.id, kind=item.kind, agent_id=item.agent_id, session_id=item.session_id, record=item.record)
    tell(connection, tenant, item.user_id, "memory.added", told)


def _new(draft: Draft, thermal: Thermal, now: datetime) -> Item:
    return Item(
        id=new_id(now),
        text=draft.text,
        kind=draft.kind,
        user_id=draft.scope.user_id,
        agent_id=draft.scope.agent_id,
        session_id=draft.scope.session_id,
        speaker=draft.speaker,
        tags=draft.tags,
        metadata=draft.metadata,
        occurred_at=draft.occurred_at,
        recorded_at=now,
        valid_from=draft.occurred_at,
        valid_to=None,
        superseded_by=None,
        temperature=thermal.initial,
        heated_at=now,
        access_count=0,
        last_access=None,
        sacred=draft.sacred,
        gloss=draft.gloss,
        sources=draft.sources,
        record=draft.record,
        utc_offset=draft.utc_offset,
    )


def told_again(former: Item, draft: Draft, thermal: Thermal, now: datetime) -> Item:
    """The item after a draft repeated it: warmer, with the draft's tags, metadata and sources added."""
    warmer = thermal.reheated(former, now)
    return replace(
        warmer,
        sacred=former.sacred or draft.sacred,
        tags=tuple(dict.fromkeys((*former.tags, *draft.tags)))[: checks.MAX_TAGS],
        metadata=_merged(former.metadata, draft.metadata),
        sources=(*former.sources, *_new_sources(former, draft)),
    )


def _new_sources(item: Item, draft: Draft) -> list[Source]:
    known = {(one.interaction_id, one.position) for one in item.sources}
    return [one for one in draft.sources if (one.interaction_id, one.position) not in known]


def _merged(former: Mapping[str, Any], more: Mapping[str, Any]) -> Mapping[str, Any]:
    """Both merged, `more` winning where they differ; only `former` if both together exceed the limit."""
    both = {**former, **more}
    return both if len(json.dumps(both, ensure_ascii=False)) <= checks.MAX_METADATA_CHARS else former
