"""The shelf indexes that this process holds, brought up to date with the store before each use.

Whoever wrote, this process or another one, the way is the same: read the rows whose revision is higher than the last
one seen. Nothing is pushed, so nothing can be missed.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, Select, and_, bindparam, select

from emberkeep.errors import EmbedderMismatch, StoreError
from emberkeep.storage import shelves
from emberkeep.storage.array_file import Arrays
from emberkeep.storage.batches import batches
from emberkeep.storage.database import Database
from emberkeep.storage.schema import claims, items, sources, tombstones, vectors
from emberkeep.storage.search import LargeShelf, Rows, ShelfKey
from emberkeep.storage.shelf_columns import Document
from emberkeep.storage.shelf_index import ShelfIndex
from emberkeep.storage.shelves import State

_logger = logging.getLogger(__name__)
CHUNK = 10_000
CLOSE_WITHIN_S = 10.0  # a database's own building of an index cannot be broken off
LATEST = 20  # items by which an index is known to be of this store
SAVE_AFTER = 0.02  # the share of vectors that may be missing in a saved index before it is saved again

# Made once, as they are run after every write: `since` is the revision from which on an index lacks something.
_of_user = (items.c.tenant == bindparam("owner"), items.c.user_id == bindparam("user"))
_documents = (
    select(
        items.c.id,
        items.c.kind,
        items.c.agent_id,
        items.c.session_id,
        items.c.occurred_at,
        items.c.valid_from,
        items.c.valid_to,
        items.c.stale_from,
        items.c.about_from,
        items.c.about_to,
        items.c.utc_offset,
        items.c.traits,
        items.c.speaker,
        items.c.version_of,
        claims.c.subject,
        items.c.terms,
        items.c.cold,
    )
    .outerjoin(claims, and_(claims.c.tenant == items.c.tenant, claims.c.item_id == items.c.id))
    .where(*_of_user, items.c.revision > bindparam("since"))
    .order_by(items.c.id)  # so that those of a conversation come in their order
)
_cold_documents = _documents.where(items.c.cold)
_warm_documents = _documents.where(items.c.cold.is_not(True))
# Not joined with the items, of which all is known by then: where PostgreSQL takes a large tenant for a small one, it
# compares each with each.
_places = select(sources.c.item_id, sources.c.interaction_id, sources.c.position)
_of_items = _places.where(
    sources.c.tenant == bindparam("owner"), sources.c.item_id.in_(bindparam("ids", expanding=True))
)
_of_interactions = _places.where(
    sources.c.tenant == bindparam("owner"), sources.c.interaction_id.in_(bindparam("ids", expanding=True))
)
_gone = select(tombstones.c.item_id).where(
    tombstones.c.tenant == bindparam("owner"),
    tombstones.c.user_id == bindparam("user"),
    tombstones.c.revision > bindparam("since"),
)
_new_vectors = (
    vectors.c.tenant == bindparam("owner"),
    vectors.c.space == bindparam("space_id"),
    vectors.c.shelf == bindparam("shelf_number"),
    vectors.c.revision > bindparam("since"),
)
_vector_names = select(vectors.c.item_id, vectors.c.revision).where(*_new_vectors)
_vectors_from = select(vectors.c.revision, vectors.c.embedding).where(
    *_new_vectors, vectors.c.revision >= bindparam("least")
)


@dataclass(slots=True)
class Resident:
    """The index of a shelf, or of what is cold on it, how far it has read, and the lock that guards both."""

    key: ShelfKey
    user_id: str
    epoch: int
    index: ShelfIndex
    is_cold: bool = False
    cold: "Resident | None" = None  # of what is cold on this shelf; made when it is asked for
    revision: int = 0
    unsaved: int = 0  # vectors
    unkept: int = 0  # rows
    has_lost: bool = False  # whether something was here that is gone, of which names are left
    building: threading.Thread | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)

    def beside(self) -> "Resident":
        """The index of what is cold on this shelf."""
        if self.cold is None:
            index = ShelfIndex(self.key.dimension, self.user_id)
            self.cold = Resident(_cold(self.key), self.user_id, self.epoch, index, is_cold=True, lock=self.lock)
        return self.cold

    def memory(self) -> int:
        """About how many bytes it takes."""
        return self.index.memory() + (self.cold.memory() if self.cold else 0)


class Residents:
    """Shelf indexes, the least recently used of which give way when they take more memory than they may."""

    def __init__(self, database: Database, *, large_from: int, max_bytes: int) -> None:
        self._database = database
        self._large_from = large_from
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._shelves: OrderedDict[tuple[str, str], Resident] = OrderedDict()
        self._stop = threading.Event()

    @contextmanager
    def up_to_date(
        self, connection: Connection, tenant: str, states: Sequence[State], *, with_cold: bool = False
    ) -> Iterator[list[ShelfIndex]]:
        """The indexes of these shelves as the connection sees them, held still while they are used."""
        with ExitStack() as held:
            found = []
            for state in states:
                resident = self._resident(tenant, state)
                held.enter_context(resident.lock)
                for one in (resident, resident.beside()) if with_cold else (resident,):
                    self._catch_up(connection, tenant, state, one)
                    if len(one.index) or not one.is_cold:
                        found.append(one.index)
            self._make_room()
            yield found

    def forget(self, tenant: str, states: Sequence[State], *, whole: bool) -> None:
        """After a deletion: remove what is kept of these shelves outside the database's tables.

        Where only some items went, an index inside the database has dropped them by itself.
        """
        for state in states:
            if whole:
                with self._lock:
                    self._shelves.pop((tenant, state.user_id), None)
            key = _key(tenant, state)
            for large in map(self._database.large_shelf, (key, _cold(key)) if state.space is not None else ()):
                if large.needs_vectors or whole:
                    self._discard(large)

    def build_large(self, tenant: str) -> int:
        """Build and save the indexes that large shelves lack; returns how many were built."""
        with self._database.of_tenant(tenant).read() as connection:
            states = [state for state in shelves.states(connection, tenant, None) if state.revision >= self._large_from]
        return sum(self._build_one(tenant, state.user_id) for state in states)

    def close(self) -> None:
        """Stop building, and save what has grown."""
        self._stop.set()
        with self._lock:
            residents, self._shelves = list(self._shelves.values()), OrderedDict()
        for resident in [one for hot in residents for one in (hot, hot.cold) if one is not None]:
            if resident.building is not None:
                resident.building.join(CLOSE_WITHIN_S)
            with resident.lock:
                self._save(resident, tidy=False)

    def _build_one(self, tenant: str, user_id: str) -> int:
        built, residents = self._build_and_save(tenant, user_id)
        if any(resident.has_lost for resident in residents):  # read anew, it can be kept whole
            with self._lock:
                self._shelves.pop((tenant, user_id), None)
            self._build_and_save(tenant, user_id)
        return built

    def _build_and_save(self, tenant: str, user_id: str) -> tuple[int, list[Resident]]:
        built = 0
        with self._database.of_tenant(tenant).read() as connection:
            states = shelves.states(connection, tenant, [user_id])
            with self.up_to_date(connection, tenant, states):
                residents = [self._resident(tenant, state) for state in states]
        for resident in residents:  # no snapshot is held any more: PostgreSQL would wait for it before it builds
            if resident.building is not None:
                resident.building.join()
                if resident.index.large is not None:  # else it could not be built, and is not tried at every search
                    resident.building = None
                    built += 1
            with resident.lock:
                self._save(resident, tidy=True)
        return built, [resident for resident in residents if _is_kept_here(resident)]

    def _resident(self, tenant: str, state: State) -> Resident:
        key = _key(tenant, state)
        with self._lock:
            resident = self._shelves.get((tenant, state.user_id))
            if resident is None or resident.epoch != state.epoch or resident.key != key:
                resident = Resident(key, state.user_id, state.epoch, ShelfIndex(key.dimension, state.user_id))
                self._shelves[tenant, state.user_id] = resident
            self._shelves.move_to_end((tenant, state.user_id))
            return resident

    def _catch_up(self, connection: Connection, tenant: str, state: State, resident: Resident) -> None:
        user_id, revision = state.user_id, state.revision
        if revision <= resident.revision:
            return
        if resident.revision == 0 and revision > self._large_from:
            self._take_up(connection, state, resident)
        since, index = resident.revision, resident.index
        asked = {"owner": tenant, "user": user_id, "since": since}
        at_first = _cold_documents if resident.is_cold else _warm_documents
        learned: list[str] = []
        for rows in connection.execute(_documents if since else at_first, asked).partitions(CHUNK):
            for row in rows:
                if bool(row[-1]) is not resident.is_cold:  # it has gone over to the other index
                    _drop(resident, row[0])
            documents = [Document._make(row[:-1]) for row in rows if bool(row[-1]) is resident.is_cold]
            index.put(documents)
            learned += [document.item_id for document in documents if document.kind != "episode"]
            resident.unkept += len(rows)
        index.put_origins(_origins(connection, tenant, index, learned))
        for item_id in connection.execute(_gone, asked).scalars():
            _drop(resident, item_id)
        self._read_vectors(connection, resident, since)
        resident.revision = revision
        if index.large is None and len(index) > self._large_from and resident.building is None:
            self._start_building(resident)

    def _take_up(self, connection: Connection, state: State, resident: Resident) -> None:
        """Begin with what a process before this one left of the shelf's index."""
        large = self._database.large_shelf(resident.key)
        if not large.needs_vectors:
            if large.load():
                resident.index.large = large
            return
        kept = large.kept()
        if kept is None or not _is_of(kept, state, resident.key.tenant, connection) or not large.load():
            return
        resident.index.large = large
        index = ShelfIndex.of(resident.key.dimension, resident.user_id, kept) if "names" in kept else None
        if index is not None and not len(large.missing(index.keys())):
            index.large = large
            resident.index, resident.revision = index, int(kept["revision"][0])

    def _read_vectors(self, connection: Connection, resident: Resident, since: int) -> None:
        key, index = resident.key, resident.index
        asked = {"owner": key.tenant, "space_id": key.space, "shelf_number": key.shelf, "since": since}
        rows = connection.execute(_vector_names, asked).all()
        if not rows:
            return
        keys = np.array([row[1] for row in rows], dtype=np.int64)
        here = index.put_keys([row[0] for row in rows], keys)
        wanted = set((keys[here] if index.large is None else index.large.missing(keys[here])).tolist())
        if not wanted:
            return
        if index.large is not None:
            resident.unsaved += len(wanted)
        for part in connection.execute(_vectors_from, {**asked, "least": min(wanted)}).partitions(CHUNK):
            kept = [row for row in part if row[0] in wanted]
            if kept:
                matrix = np.stack([row[1] for row in kept]).astype(np.float32)
                if matrix.shape[1] != key.dimension:
                    raise EmbedderMismatch(
                        f"the store holds vectors of {matrix.shape[1]} numbers in a space of {key.dimension}: "
                        "run `emberkeep rebuild`"
                    )
                index.put_vectors(np.array([row[0] for row in kept], dtype=np.int64), matrix)

    def _start_building(self, resident: Resident) -> None:
        keys, matrix = resident.index.exact_vectors()
        large = self._database.large_shelf(resident.key)
        resident.building = threading.Thread(
            target=self._build, args=(resident, large, keys, matrix), name="emberkeep-index", daemon=True
        )
        resident.building.start()

    def _build(self, resident: Resident, large: LargeShelf, keys: Rows, matrix: np.ndarray) -> None:
        try:
            with self._database.translated():
                if not large.build(keys, matrix, self._stop):
                    return
        except StoreError as error:
            _logger.warning("searching shelf %d exactly, its index could not be built: %s", resident.key.shelf, error)
            return
        with resident.lock:
            resident.index.use(large)
            resident.unsaved = len(keys)

    def _save(self, resident: Resident, *, tidy: bool) -> None:
        large, enough = resident.index.large, SAVE_AFTER * len(resident.index)
        if large is None or not _is_kept_here(resident) or max(resident.unsaved, resident.unkept) <= enough:
            return
        try:
            if resident.unsaved > enough:
                if not large.save(resident.index.keys(), tidy=tidy):
                    return
                resident.unsaved = 0
            large.keep(_as_kept(resident))
            resident.unkept = 0
        except OSError as error:  # a cache: the next process builds it again
            _logger.warning("the index of shelf %d could not be saved: %s", resident.key.shelf, error)
            return
        with self._database.of_tenant(resident.key.tenant).read() as connection:
            if self._has_lost_some(connection, resident):
                large.discard()

    def _discard(self, large: LargeShelf) -> None:
        try:
            with self._database.translated():
                large.discard()
        except StoreError as error:  # what it indexed is gone already
            _logger.warning("an index of deleted vectors is left for later: %s", error)

    def _has_lost_some(self, connection: Connection, resident: Resident) -> bool:
        """Whether something was deleted that the index still holds: who did it may have looked for the file before."""
        key = resident.key
        for state in shelves.states(connection, key.tenant, [resident.user_id]):
            now = _key(key.tenant, state)
            if state.epoch == resident.epoch and key in {now, _cold(now)}:
                since = select(tombstones.c.revision).where(
                    tombstones.c.tenant == key.tenant,
                    tombstones.c.user_id == resident.user_id,
                    tombstones.c.revision > resident.revision,
                )
                return connection.execute(since.limit(1)).first() is not None
        return True

    def memory(self) -> int:
        """About how many bytes the indexes take."""
        with self._lock:
            return sum(resident.memory() for resident in self._shelves.values())

    def _make_room(self) -> None:
        """Let go of what was not used for longest; an index that took long to build is saved first."""
        gone: list[Resident] = []
        with self._lock:
            total = sum(resident.memory() for resident in self._shelves.values())
            while total > self._max_bytes and len(self._shelves) > 1:
                _, oldest = self._shelves.popitem(last=False)
                total -= oldest.memory()
                gone += [oldest] if oldest.cold is None else [oldest, oldest.cold]
        for resident in gone:
            if resident.lock.acquire(blocking=False):  # whoever uses it just now holds other locks, as this thread does
                try:
                    self._save(resident, tidy=False)
                finally:
                    resident.lock.release()


def _key(tenant: str, state: State) -> ShelfKey:
    if state.space is None:  # nothing has a vector yet
        return ShelfKey(tenant, state.number, 0, 1)
    return ShelfKey(tenant, state.number, state.space.id, state.space.dimension)


def _cold(key: ShelfKey) -> ShelfKey:
    """Of what is cold on the same shelf."""
    return replace(key, shelf=shelves.cold_number(key.shelf))


def _drop(resident: Resident, item_id: str) -> None:
    if resident.index.remove(item_id):
        resident.has_lost = True
        if resident.index.large is not None:
            resident.unsaved = len(resident.index)  # if it was deleted, whoever did that removed the file too


def _is_kept_here(resident: Resident) -> bool:
    """Whether it has files of its own."""
    return resident.index.large is not None and resident.index.large.needs_vectors


def _as_kept(resident: Resident) -> dict[str, NDArray[Any]]:
    """An index as arrays, with that by which it is known to be of its store.

    Of one that has lost something only that: there may be names in it of what was deleted.
    """
    index = resident.index
    latest = [index.ids[row] for row in np.flatnonzero(index.column("live"))[-LATEST:].tolist()]
    return {
        "epoch": np.array([resident.epoch]),
        "revision": np.array([resident.revision]),
        "latest": np.array(latest, np.str_),
        **({} if resident.has_lost else index.arrays()),
    }


def _is_of(kept: Arrays, state: State, tenant: str, connection: Connection) -> bool:
    """Whether an index was kept of this very shelf, and not of a time that was undone since by an older copy of it."""
    if kept["epoch"][0] != state.epoch or kept["revision"][0] > state.revision:
        return False
    latest = kept["latest"].tolist()
    held = select(items.c.id).where(items.c.tenant == tenant, items.c.id.in_(latest))
    return len(connection.execute(held).all()) == len(latest)


def _origins(
    connection: Connection, tenant: str, index: ShelfIndex, learned: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Statements, each with the messages it was learned from, those that were said first first."""
    places = sorted(
        (told, position, item_id) for item_id, told, position in _found(connection, _of_items, tenant, learned)
    )
    interactions = list(dict.fromkeys(told for told, _, _ in places))
    messages = {
        (told, position): item_id
        for item_id, told, position in _found(connection, _of_interactions, tenant, interactions)
        if index.is_message(item_id)
    }
    for told, position, item_id in places:
        if (told, position) in messages:
            yield item_id, messages[told, position]


def _found(
    connection: Connection, places: Select[str, str, int], tenant: str, ids: Sequence[str]
) -> Iterator[Row[str, str, int]]:
    for some in batches(ids):
        yield from connection.execute(places, {"owner": tenant, "ids": some})
