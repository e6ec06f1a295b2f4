"""Repairing: finds derived data that disagrees with the log or the texts, and makes it again. Keeps verbatim text."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np
from sqlalchemy import Connection

from emberkeep.capture.episodes import episodes
from emberkeep.errors import EmberkeepError, ModelUnavailable
from emberkeep.flows.keeping import STATEMENTS, Keeper
from emberkeep.learning.embedding import Progress
from emberkeep.lifecycle.keep import keep
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Draft, Item
from emberkeep.model.report import Damage, RepairReport
from emberkeep.model.scope import Scope
from emberkeep.patterns.standing import rated
from emberkeep.storage import log as interactions
from emberkeep.storage import patterns, records, shelves
from emberkeep.storage.mending import leases, log, orphans, shelving, statements, texts
from emberkeep.storage.mending import vectors as embedded
from emberkeep.storage.search import ShelfKey
from emberkeep.storage.vectors import Embedded
from emberkeep.wiring import Parts

EXAMPLES = 5
CLOSE = 0.98  # least cosine of a stored vector with one newly made of its text
Ids = Sequence[str]
Find = Callable[[Connection, str], Iterable[str]]
Mend = Callable[[Connection, str, Ids], None]
_RESTORE = "restore a backup to another database (emberkeep restore), and keep this one: what is there can be exported"
_STAYS = f"nothing that was said or done is removed; to have back what they belong to, {_RESTORE}"


class Repairing:
    """One run over a store."""

    def __init__(self, parts: Parts, *, dry_run: bool, thorough: bool, progress: Progress) -> None:
        self._parts = parts
        self._dry_run = dry_run
        self._thorough = thorough
        self._progress = progress

    def run(self, tenants: Sequence[str], *, whole: bool) -> RepairReport:
        """Check each tenant; for the `whole` store, also the database itself before and the large indexes after."""
        found = list(self._database()) if whole else []
        for tenant in tenants:
            found += self._tenant(tenant)
            self._progress(1)
        if whole:
            found += self._indexes(tenants)
        return RepairReport(all(one.repaired for one in found), tuple(found), dry_run=self._dry_run)

    def _database(self) -> Iterator[Damage]:
        database = self._parts.database
        faults = database.faults()
        if not faults:
            return
        if not self._dry_run:
            with suppress(EmberkeepError):  # the check after it would report the same fault
                database.reindex()
        left = faults if self._dry_run else database.faults()
        shown = tuple((left or faults)[:EXAMPLES])
        yield Damage("database", None, len(faults), shown, not left, _RESTORE if left and not self._dry_run else None)

    def _tenant(self, tenant: str) -> Iterator[Damage]:
        mine = _Tenant(self._parts.of_tenant(tenant), dry_run=self._dry_run)
        yield from mine.rows()
        yield from mine.vectors(self._progress, thorough=self._thorough)

    def _indexes(self, tenants: Sequence[str]) -> Iterator[Damage]:
        database = self._parts.database.of_everyone()
        with database.read() as connection:
            keys = [key for tenant in tenants for key in _keys(connection, tenant)]
        useless = database.useless_indexes(keys)
        for name in () if self._dry_run else useless:
            database.drop_index(name)
        for tenant in () if self._dry_run else tenants:
            self._parts.residents.build_large(tenant)  # also a missing one, which is no damage: it may be due just now
        if useless:
            shown = tuple(f"{name}: {why}" for name, why in useless.items())[:EXAMPLES]
            yield Damage("indexes", None, len(useless), shown, not self._dry_run)


class _Tenant:
    """The checks of one tenant."""

    def __init__(self, parts: Parts, *, dry_run: bool) -> None:
        self._parts = parts
        self._tenant = parts.config.tenant
        self._dry_run = dry_run

    def rows(self) -> Iterator[Damage]:
        """Check rows against each other; the checks that later ones rely on come first."""
        now, lease_s = self._parts.clock.now(), self._parts.config.lease_s
        yield from self._orphans()
        yield from self._look("shelves", shelving.find, shelving.mend)
        yield from self._look("forgotten", log.forgotten, log.remember)
        yield from self._look("leases", partial(leases.find, now=now, lease_s=lease_s), leases.mend)
        yield from self._look("deliveries", partial(leases.find_late, now=now), partial(leases.mend_late, now=now))
        yield from self._look("episodes", _unheard, self._hear)
        yield from self._look("texts", texts.find, texts.mend)
        yield from self._look("claims", self._unclaimed, self._claim)
        yield from self._look("patterns", patterns.miscounted, _count)
        yield from self._look("sources", log.unsupported, None)

    def vectors(self, progress: Progress, *, thorough: bool) -> Iterator[Damage]:
        """Check vectors, and let the embedder make the missing and wrong ones again."""
        embedding = self._parts.embedding
        found = list(self._look("vectors", embedded.find, embedded.mend))
        reason = None
        try:
            if thorough:
                found += self._look("vectors", self._strange, embedded.drop)
            if not self._dry_run:
                embedding.catch_up(embedding.space(), self._tenant, progress)
        except ModelUnavailable as error:
            reason = f"{error}; they are found by their words, and get a vector when the embedder is back"
        for one in found:
            yield one if reason is None else replace(one, repaired=False, advice=reason)

    def _look(self, what: str, find: Find, mend: Mend | None) -> Iterator[Damage]:
        with self._parts.database.read() as connection:
            found = list(find(connection, self._tenant))
        if not found:
            return
        repaired = mend is not None and not self._dry_run
        if mend is not None and repaired:
            self._parts.database.write(lambda connection: mend(connection, self._tenant, found))
        shown = tuple(one or "(no user)" for one in found[:EXAMPLES])
        yield Damage(what, self._tenant, len(found), shown, repaired, _STAYS if mend is None else None)

    def _orphans(self) -> Iterator[Damage]:
        with self._parts.database.read() as connection:
            found = orphans.find(connection, self._tenant)
        if found and not self._dry_run:
            self._parts.database.write(lambda connection: orphans.mend(connection, self._tenant, found))
        for name, count in found.items():
            derived = name in orphans.DERIVED
            repaired = derived and not self._dry_run
            yield Damage(f"orphaned {name}", self._tenant, count, (), repaired, None if derived else _STAYS)

    def _hear(self, connection: Connection, tenant: str, ids: Ids) -> None:
        """Make the episodes that messages of these interactions lack."""
        logged = [one for one in (interactions.get(connection, tenant, one) for one in ids) if one is not None]
        for interaction in sorted(logged, key=lambda one: one.scope.shelf):  # shelves are locked in one order
            for _, places in log.places(connection, tenant, [interaction]):
                if missing := list(_missing(interaction, places)):
                    keep(connection, missing, self._parts.thermal, interaction.recorded_at)

    def _unclaimed(self, connection: Connection, tenant: str) -> Ids:
        return [item.id for item, _ in self._claimable(connection, tenant)]

    def _claim(self, connection: Connection, tenant: str, ids: Ids) -> None:
        for item, draft in list(self._claimable(connection, tenant, ids)):
            statements.put(connection, tenant, item, draft.claim, draft.entities)

    def _claimable(self, connection: Connection, tenant: str, only: Ids | None = None) -> Iterator[tuple[Item, Draft]]:
        """The statements whose claim or entities are not stored, each with a draft that has them."""
        keeper = Keeper(self._parts)
        names: dict[str, str | None] = {}
        for item, is_claimed, is_mentioning in statements.of(connection, tenant, STATEMENTS, only):
            user = item.user_id or ""
            if user not in names:
                names[user] = keeper.user_name(tenant, user)
            scope = Scope(tenant, item.user_id, item.agent_id, item.session_id)
            draft = keeper.claimed(Draft(scope, item.kind, item.text, item.valid_from), names[user])
            if (draft.claim is not None and not is_claimed) or (any(draft.entities) and not is_mentioning):
                yield item, draft

    def _strange(self, connection: Connection, tenant: str) -> Ids:
        """Ids of items whose vector is not what the embedder makes of their text."""
        found = []
        for ids, said, stored in embedded.texts(connection, tenant):
            made = self._parts.embedding.anew(said)
            found += [one for one, old, new in zip(ids, stored, made, strict=True) if not _alike(old, new)]
        return found


def _alike(old: Embedded, new: Embedded) -> bool:
    """Whether both could belong to one text; word vectors that were never made are no damage."""
    lengths = float(np.linalg.norm(old.vector) * np.linalg.norm(new.vector))
    cosine = float(np.dot(old.vector, new.vector)) / max(lengths, 1e-12)
    return cosine >= CLOSE and (old.words is None or len(old.words) == len(new.words or b""))


def _unheard(connection: Connection, tenant: str) -> Ids:
    found = log.derived(connection, tenant)
    return [interaction.id for interaction, places in found if any(_missing(interaction, places))]


def _count(connection: Connection, tenant: str, ids: Ids) -> None:
    """Set the counts of patterns to the votes that were given."""
    found = records.fetch(connection, records.PATTERNS, tenant, ids)
    for pattern_id, (helpful, unhelpful) in patterns.miscounted(connection, tenant).items():
        if pattern_id in found:
            counted = rated(replace(found[pattern_id], helpful=helpful, unhelpful=unhelpful))
            records.replace(connection, records.PATTERNS, tenant, counted)


def _missing(interaction: Interaction, places: set[int]) -> Iterator[Draft]:
    """The episodes that messages of an interaction should have and lack."""
    return (draft for draft in episodes(interaction) if draft.source and draft.source.position not in places)


def _keys(connection: Connection, tenant: str) -> Iterator[ShelfKey]:
    for state in shelves.states(connection, tenant, None):
        if state.space is not None:
            for number in (state.number, shelves.cold_number(state.number)):
                yield ShelfKey(tenant, number, state.space.id, state.space.dimension)
