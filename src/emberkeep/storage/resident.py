"""The shelf indexes that this process holds, brought up to date with the store before each use.

Changes by this process and by others are read in the same way: as the rows whose revision is higher than the last one
seen. Nothing is pushed, so nothing can be missed.
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
CHUNK = 10_000  # rows to read at once
CLOSE_WITHIN_S = 10.0  # how long to wait for an index being built, as building inside a database cannot be interrupted
LATEST = 20  # items by which a saved index is recognised as one of this store
SAVE_AFTER = 0.02  # the share of vectors, or of rows, that a saved index may lack before it is saved again

# Built once, as they are run after every write: `since` is the last revision that an index has read.
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
    .order_by(items.c.id)  # so that the messages of a conversation come in order
)
_cold_documents = _documents.where(items.c.cold)
_warm_documents = _documents.where(items.c.cold.is_not(True))
# Not joined with the items, whose ids are known by then: where PostgreSQL takes a large tenant for a small one, it
# would compare every row with every other.
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
    """The index of a shelf, or of its cold items, the last revision that it has read, and the lock that guards both."""

    key: ShelfKey
    user_id: str
    epoch: int
    index: ShelfIndex
    is_cold: bool = False
    cold: "Resident | None" = None  # the index of this shelf's cold items, made when it is first needed
    revision: int = 0
    unsaved: int = 0  # vectors that the files lack
    unkept: int = 0  # rows that the files lack
    has_lost: bool = False  # whether items were removed, whose ids and names are still in the index
    building: threading.Thread | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)

    def beside(self) -> "Resident":
        """Return the index of this shelf's cold items."""
        if self.cold is None:
            index = ShelfIndex(self.key.dimension, self.user_id)
            self.cold = Resident(_cold(self.key), self.user_id, self.epoch, index, is_cold=True, lock=self.lock)
        return self.cold

    def memory(self) -> int:
        """Return about how many bytes it takes."""
        return self.index.memory() + (self.cold.memory() if self.cold else 0)


class Residents:
    """Shelf indexes, of which the least recently used are dropped when all together take more than `max_bytes`."""

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
        """Yield the indexes of these shelves as the connection sees them, locked during the block."""
        with ExitStack() as locks:
            found = []
            for state in states:
                resident = self._resident(tenant, state)
                locks.enter_context(resident.lock)
                for part in (resident, resident.beside()) if with_cold else (resident,):
                    self._catch_up(connection, tenant, state, part)
                    if len(part.index) or not part.is_cold:
                        found.append(part.index)
            self._make_room()
            yield found

    def forget(self, tenant: str, states: Sequence[State], *, whole: bool) -> None:
        """After a deletion on these shelves, discard what is stored of their indexes outside the tables.

        Unless the `whole` of an index is of no use, one inside the database stays: it drops deleted items by itself.
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
        """Stop building, and save the indexes that have grown."""
        self._stop.set()
        with self._lock:
            residents, self._shelves = list(self._shelves.values()), OrderedDict()
        for resident in [part for warm in residents for part in (warm, warm.cold) if part is not None]:
            if resident.building is not None:
                resident.building.join(CLOSE_WITHIN_S)
            with resident.lock:
                self._save(resident, tidy=False)

    def _build_one(self, tenant: str, user_id: str) -> int:
        """Build and save the index of one shelf, if it lacks one; returns how many were built."""
        built, residents = self._build_and_save(tenant, user_id)
        if any(resident.has_lost for resident in residents):  # read anew, it can be saved with all its columns
            with self._lock:
                self._shelves.pop((tenant, user_id), None)
            self._build_and_save(tenant, user_id)
        return built

    def _build_and_save(self, tenant: str, user_id: str) -> tuple[int, list[Resident]]:
        """Build what is due and save what has grown; returns how many were built, and the indexes that have files."""
        built = 0
        with self._database.of_tenant(tenant).read() as connection:
            states = shelves.states(connection, tenant, [user_id])
            with self.up_to_date(connection, tenant, states):
                residents = [self._resident(tenant, state) for state in states]
        for resident in residents:  # after the read: building in PostgreSQL waits for snapshots that are held
            if resident.building is not None:
                resident.building.join()
                if resident.index.large is not None:  # after a failure `building` stays: searches do not try again
                    resident.building = None
                    built += 1
            with resident.lock:
                self._save(resident, tidy=True)
        return built, [resident for resident in residents if _is_kept_here(resident)]

    def _resident(self, tenant: str, state: State) -> Resident:
        """Return the index of a shelf; an empty one if none is held, or one of another epoch or space."""
        key = _key(tenant, state)
        with self._lock:
            resident = self._shelves.get((tenant, state.user_id))
            if resident is None or resident.epoch != state.epoch or resident.key != key:
                resident = Resident(key, state.user_id, state.epoch, ShelfIndex(key.dimension, state.user_id))
                self._shelves[tenant, state.user_id] = resident
            self._shelves.move_to_end((tenant, state.user_id))
            return resident

    def _catch_up(self, connection: Connection, tenant: str, state: State, resident: Resident) -> None:
        """Read what has changed on the shelf since the last revision that the index has read."""
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
                if bool(row[-1]) is not resident.is_cold:  # the item has moved to the other index
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
        """Begin with as much of the shelf's index as an earlier process saved."""
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
        """Read the keys of all vectors since a revision, and those vectors that the index does not hold."""
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
        """Build the approximate index of a shelf in a thread of its own."""
        keys, matrix = resident.index.exact_vectors()
        large = self._database.large_shelf(resident.key)
        resident.building = threading.Thread(
            target=self._build, args=(resident, large, keys, matrix), name="emberkeep-index", daemon=True
        )
        resident.building.start()

    def _build(self, resident: Resident, large: LargeShelf, keys: Rows, matrix: np.ndarray) -> None:
        """Build the approximate index of a shelf, and search it from then on."""
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
        """Write an index to its files, if these lack more than a small share of it."""
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
        except OSError as error:  # the files are a cache: the next process builds the index again
            _logger.warning("the index of shelf %d could not be saved: %s", resident.key.shelf, error)
            return
        with self._database.of_tenant(resident.key.tenant).read() as connection:
            if self._has_lost_some(connection, resident):
                large.discard()

    def _discard(self, large: LargeShelf) -> None:
        """Discard an approximate index; a failure is logged."""
        try:
            with self._database.translated():
                large.discard()
        except StoreError as error:  # the vectors themselves are deleted already
            _logger.warning("an index of deleted vectors is left for later: %s", error)

    def _has_lost_some(self, connection: Connection, resident: Resident) -> bool:
        """Return whether the index holds deleted items: who deleted them may have looked for files before we saved."""
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
        """Return about how many bytes the indexes take."""
        with self._lock:
            return sum(resident.memory() for resident in self._shelves.values())

    def _make_room(self) -> None:
        """Drop the least recently used indexes until the rest fits; one that took long to build is saved first."""
        dropped: list[Resident] = []
        with self._lock:
            total = sum(resident.memory() for resident in self._shelves.values())
            while total > self._max_bytes and len(self._shelves) > 1:
                _, oldest = self._shelves.popitem(last=False)
                total -= oldest.memory()
                dropped += [oldest] if oldest.cold is None else [oldest, oldest.cold]
        for resident in dropped:
            if resident.lock.acquire(blocking=False):  # never wait: its user may be waiting for a lock of this thread
                try:
                    self._save(resident, tidy=False)
                finally:
                    resident.lock.release()


def _key(tenant: str, state: State) -> ShelfKey:
    """Return the key of a shelf's vectors in the space in use."""
    if state.space is None:  # nothing has a vector yet
        return ShelfKey(tenant, state.number, 0, 1)
    return ShelfKey(tenant, state.number, state.space.id, state.space.dimension)


def _cold(key: ShelfKey) -> ShelfKey:
    """Return the key of the cold vectors of the same shelf."""
    return replace(key, shelf=shelves.cold_number(key.shelf))


def _drop(resident: Resident, item_id: str) -> None:
    """Remove an item from an index, whose files are then out of date."""
    if resident.index.remove(item_id):
        resident.has_lost = True
        if resident.index.large is not None:
            resident.unsaved = len(resident.index)  # if it was deleted, whoever did that discarded the files


def _is_kept_here(resident: Resident) -> bool:
    """Return whether an index has files, beside the database's own."""
    return resident.index.large is not None and resident.index.large.needs_vectors


def _as_kept(resident: Resident) -> dict[str, NDArray[Any]]:
    """Return an index as arrays, with what `_is_of` checks to recognise the store that it belongs to.

    If it has lost items, only the latter: the arrays may still hold ids and names of deleted items.
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
    """Return whether a saved index is of this very shelf, and holds nothing that restoring an older copy has undone."""
    if kept["epoch"][0] != state.epoch or kept["revision"][0] > state.revision:
        return False
    latest = kept["latest"].tolist()
    held = select(items.c.id).where(items.c.tenant == tenant, items.c.id.in_(latest))
    return len(connection.execute(held).all()) == len(latest)


def _origins(
    connection: Connection, tenant: str, index: ShelfIndex, learned: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield pairs of a statement and a message that it was learned from, in the order of the messages."""
    places = sorted(
        (told, position, item_id) for item_id, told, position in _sources(connection, _of_items, tenant, learned)
    )
    interactions = list(dict.fromkeys(told for told, _, _ in places))
    messages = {
        (told, position): item_id
        for item_id, told, position in _sources(connection, _of_interactions, tenant, interactions)
        if index.is_message(item_id)
    }
    for told, position, item_id in places:
        if (told, position) in messages:
            yield item_id, messages[told, position]


def _sources(
    connection: Connection, query: Select[str, str, int], tenant: str, ids: Sequence[str]
) -> Iterator[Row[str, str, int]]:
    """Yield item, interaction and position of the sources that a query finds for these ids."""
    for batch in batches(ids):
        yield from connection.execute(query, {"owner": tenant, "ids": batch})
