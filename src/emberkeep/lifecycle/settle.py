"""Settling a new statement against what is known: adding, warming, refining, ending and linking items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from emberkeep.language.terms import term_of, words
from emberkeep.lifecycle.keep import keep, told_again, warm
from emberkeep.lifecycle.reconcile import Known, Near, Verdict, decide
from emberkeep.lifecycle.revise import revise
from emberkeep.lifecycle.temperature import Thermal
from emberkeep.model.finding import Relation
from emberkeep.model.item import Action, Draft, Item
from emberkeep.model.moment import to_micros
from emberkeep.model.overview import LinkRelation
from emberkeep.storage import claims, cold, history, items, links, shelves

SIMILAR_FROM = 0.5  # the least cosine of two statements that are linked as similar
MAX_SIMILAR = 3
MAX_DOUBTS = 5  # neighbours of a statement that a judge is asked about
MAX_SAME_ENTITY = 5
ENTITY_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled draft: its item, the action taken, the items that ended, and whether the item needs a new vector."""

    item: Item
    action: Action
    ended: tuple[Item, ...] = ()
    wants_vector: bool = False


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An item whose vector is close to a draft's, and a judge's opinion of their relation."""

    item_id: str
    cosine: float
    relation: Relation = "other"


def settle(
    connection: Connection,
    draft: Draft,
    neighbours: Sequence[Neighbour],
    thermal: Thermal,
    now: datetime,
    *,
    same_from: float,
    warming: bool = True,
) -> Settled:
    """Keep one draft, and apply its consequences to known items.

    The caller holds the shelf's lock, so that what is read here stays true until the commit. Without `warming`, an item
    that already says the same is left as it is.
    """
    near = _near(connection, draft.scope.tenant, neighbours)
    verdict = decide(draft, _known(connection, draft), _statements(near), _stems, same_from=same_from)
    if verdict.action == "add":
        return _add(connection, draft, verdict, near, thermal, now)
    if verdict.action == "refine":
        return _refine(connection, draft, _target(verdict), thermal, now)
    if not warming:
        return Settled(_target(verdict), "reheated")
    return _reheat(connection, draft, verdict, thermal, now)


def in_doubt(connection: Connection, draft: Draft, neighbours: Sequence[Neighbour], *, same_from: float) -> list[Item]:
    """The items near a draft whose relation to it the rules cannot tell: they would simply add the draft."""
    near = _statements(_near(connection, draft.scope.tenant, neighbours))
    if not decide(draft, _known(connection, draft), near, _stems, same_from=same_from).is_plain:
        return []
    close = [one.item for one in near if one.cosine >= SIMILAR_FROM and one.item.valid_to is None]
    return close[:MAX_DOUBTS]


def end(
    connection: Connection, tenant: str, item: Item, *, at: datetime, by: Item | None, action: Action, now: datetime
) -> Item:
    """End an item at the time `at`: it leaves present answers and stays for the past; returns the ended item."""
    ended = replace(item, valid_to=max(at, item.valid_from), superseded_by=None if by is None else by.id)
    claim = shelves.claim(connection, tenant, item.user_id or "", 1)
    until = None if ended.valid_to is None else to_micros(ended.valid_to)
    values = {"valid_to": until, "superseded_by": ended.superseded_by, "revision": claim.first}
    items.change(connection, tenant, item.id, values)
    history.record(connection, tenant, ended, action, number=claim.first, at=now)
    freshen(connection, tenant, ended)
    return ended


def reopen(connection: Connection, tenant: str, item: Item, now: datetime) -> None:
    """Before `item` is deleted, let the items that it ended hold again, until whatever ended `item` itself."""
    for former in items.fetch(connection, tenant, items.ended_by(connection, tenant, item.id)).values():
        claim = shelves.claim(connection, tenant, former.user_id or "", 1)
        until = None if item.valid_to is None else to_micros(item.valid_to)
        values = {"valid_to": until, "superseded_by": item.superseded_by, "revision": claim.first}
        items.change(connection, tenant, former.id, values)
        cold.thaw(connection, tenant, former.user_id or "", [former.id])
        history.record(connection, tenant, former, "restored", number=claim.first, at=now)
        freshen(connection, tenant, former)


def freshen(connection: Connection, tenant: str, item: Item) -> None:
    """Update the episodes of the messages that an item came from: stale from when nothing learned from them holds."""
    for source in item.sources:
        found = items.together(connection, tenant, source)
        ends = [valid_to for _, kind, valid_to in found if kind != "episode"]
        stale = max((end for end in ends if end is not None), default=None) if None not in ends else None
        for item_id in [item_id for item_id, kind, _ in found if kind == "episode"]:
            claim = shelves.claim(connection, tenant, item.user_id or "", 1)
            items.change(connection, tenant, item_id, {"stale_from": stale, "revision": claim.first})


def _add(  # noqa: PLR0917 - the same as `settle`, and what was decided
    connection: Connection, draft: Draft, verdict: Verdict, near: Sequence[Near], thermal: Thermal, now: datetime
) -> Settled:
    tenant = draft.scope.tenant
    kept = keep(connection, [draft], thermal, now)[0]
    if not kept.is_new:
        return Settled(kept.item, "reheated")
    item = kept.item
    claims.put(connection, tenant, item, draft.claim, draft.entities)
    ended = tuple(
        end(
            connection,
            tenant,
            former,
            at=draft.occurred_at,
            by=item,
            action="retracted" if verdict.retracts else "superseded",
            now=now,
        )
        for former in verdict.ends
    )
    if verdict.ended_by is not None:
        later = verdict.ended_by
        item = end(connection, tenant, item, at=later.valid_from, by=later, action="superseded", now=now)
    _link(connection, item, draft, near, ended)
    return Settled(item, "added", ended, wants_vector=True)


def _refine(connection: Connection, draft: Draft, item: Item, thermal: Thermal, now: datetime) -> Settled:
    tenant = draft.scope.tenant
    warmer = told_again(item, draft, thermal, now)
    more = [source for source in warmer.sources if source not in item.sources]
    warm(connection, tenant, warmer, more, told=draft.told)
    said = {"text": draft.text, "gloss": draft.gloss}
    changed, _ = revise(connection, tenant, warmer, said, now, since=draft.occurred_at, action="refined")
    claims.replace(connection, tenant, changed, draft.claim, draft.entities)
    return Settled(changed, "refined", wants_vector=changed.spoken != item.spoken)


def _reheat(connection: Connection, draft: Draft, verdict: Verdict, thermal: Thermal, now: datetime) -> Settled:
    tenant, former = draft.scope.tenant, _target(verdict)
    warmer = told_again(former, draft, thermal, now)
    claim = shelves.claim(connection, tenant, former.user_id or "", 1)
    if verdict.begins is not None:
        warmer = replace(warmer, valid_from=verdict.begins)
        items.change(connection, tenant, former.id, {"valid_from": to_micros(verdict.begins), "revision": claim.first})
    history.record(connection, tenant, warmer, "reheated", number=claim.first, at=now)
    more = [source for source in warmer.sources if source not in former.sources]
    warm(connection, tenant, warmer, more, told=draft.told)
    return Settled(warmer, "reheated")


def _link(connection: Connection, item: Item, draft: Draft, near: Sequence[Near], ended: Sequence[Item]) -> None:
    tenant = draft.scope.tenant
    found: dict[tuple[str, LinkRelation], float] = {(former.id, "supersedes"): 1.0 for former in ended}
    close = [one for one in near if one.cosine >= SIMILAR_FROM and one.item.valid_to is None]
    found |= {(one.item.id, "similar"): round(one.cosine, 4) for one in close[:MAX_SIMILAR]}
    others = claims.mentioning(connection, tenant, item, draft.entities, MAX_SAME_ENTITY)
    found |= {(other, "entity"): ENTITY_WEIGHT for other in others}
    links.put(connection, tenant, item, [(other, relation, weight) for (other, relation), weight in found.items()])


def _known(connection: Connection, draft: Draft) -> list[Known]:
    if draft.claim is None:
        return []
    return [Known(*pair) for pair in claims.about(connection, draft.scope.tenant, draft.scope.shelf, draft.claim)]


def _near(connection: Connection, tenant: str, neighbours: Sequence[Neighbour]) -> list[Near]:
    ids = [one.item_id for one in neighbours]
    found = items.fetch(connection, tenant, ids)
    said = claims.of_items(connection, tenant, ids)
    return [
        Near(found[one.item_id], one.cosine, said.get(one.item_id), one.relation)
        for one in neighbours
        if one.item_id in found
    ]


def _statements(near: Sequence[Near]) -> list[Near]:
    """The items that may be warmed, refined or ended; the item of a record changes only with its record."""
    return [one for one in near if one.item.record is None]


def _target(verdict: Verdict) -> Item:
    if verdict.item is None:  # only verdicts with an item come here
        raise AssertionError(verdict)
    return verdict.item


def _stems(text: str) -> frozenset[int]:
    return frozenset(map(term_of, words(text))) or frozenset(map(term_of, text.split()))
