"""`EmberkeepStore`: LangGraph's long-term store over a memory.

An entry is a memory of the kind knowledge: searched by words and by meaning, on its user's shelf, with a history.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Literal

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from emberkeep.clock import Clock, SystemClock
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.integrations.langgraph.entry import (
    MAX_LABELS,
    ROOT,
    WHOLE,
    Entry,
    Namespace,
    address,
    is_entry,
    plain,
    tag_of,
)
from emberkeep.integrations.langgraph.filters import InvalidFilter, is_under, matches
from emberkeep.memory import Memory
from emberkeep.model import checks
from emberkeep.model.item import Item
from emberkeep.model.kinds import Kind
from emberkeep.model.recall import Plan
from emberkeep.model.scope import EVERYONE

PAGE = 500  # entries per page where it is not known how many will be needed
MORE = 5  # with a filter, so many times the wanted hits are fetched, as the filter may reject some
_KIND: Kind = "knowledge"


class EmberkeepStore(BaseStore):
    """A LangGraph store in an open memory, local or on a server; whoever opened the memory has to close it.

    `fields` are the paths of the parts of values that are searched. `user_at` is the position of the user's id in
    namespaces: with 1, an entry under ("memories", "alex") belongs to Alex. An entry whose namespace names no user
    belongs to `user_id`, or to nobody. A search of a prefix that is too short to name a user sees everyone's entries.
    """

    __slots__ = ("_clock", "_fields", "_memory", "_plan", "_user_at", "_user_id")

    def __init__(
        self,
        memory: Memory,
        *,
        fields: Sequence[str] = (WHOLE,),
        user_at: int | None = None,
        user_id: str | None = None,
        plan: str | Plan = "balanced",
        clock: Clock | None = None,
    ) -> None:
        if not isinstance(memory, Memory):
            raise InvalidInput(f"the store needs what emberkeep.open gives, not {type(memory).__name__}")
        if user_at is not None and user_at < 0:
            raise InvalidInput(f"user_at is {user_at}: count the labels of a namespace from 0, at the front")
        self._memory = memory
        self._fields = list(fields)
        self._user_at, self._user_id = user_at, user_id
        self._plan = plan
        self._clock = clock or SystemClock()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run several operations: reads see the state before the batch, and of several puts to a key the last wins."""
        asked = list(ops)
        puts = {(op.namespace, op.key): self._checked(op) for op in asked if isinstance(op, PutOp)}
        found = [self._read(op) for op in asked]
        for op in puts.values():
            self._put(op)
        return found

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same in a thread, so that the event loop is not blocked."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                kept = self._kept(op.namespace, op.key)
                return Entry.of(kept[0]).as_item() if kept else None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case _:
                return None  # a put has no result

    def _put(self, op: PutOp) -> None:
        kept = self._kept(op.namespace, op.key)
        if op.value is None:
            superfluous = kept
        elif kept and self._replaced(kept[0], op):
            superfluous = kept[1:]
        else:
            self._remember(op)
            # Concurrent first puts of this key each made an entry: all of them keep the same one and delete the rest.
            superfluous = self._kept(op.namespace, op.key)[1:]
        for item in superfluous:
            with suppress(NotFound):  # another thread or process deleted it first
                self._memory.delete(item.id)

    def _replaced(self, former: Item, op: PutOp) -> bool:
        """Update the entry; False if another thread or process has deleted it since it was read."""
        entry = Entry(op.namespace, op.key, op.value or {}, Entry.of(former).created_at, self._clock.now())
        try:
            self._memory.update(former.id, **entry.told(self._paths(op)))
        except NotFound:
            return False
        return True

    def _remember(self, op: PutOp) -> None:
        now = self._clock.now()
        told = Entry(op.namespace, op.key, op.value or {}, now, now).told(self._paths(op))
        # A session of its own keeps it from being merged with another entry of the same text.
        session = f"{ROOT}:{address(op.namespace, op.key)}"
        self._memory.remember(**told, kind=_KIND, user_id=self._owner(op.namespace), session_id=session)

    def _kept(self, namespace: Namespace, key: str) -> list[Item]:
        """The entry of a key. Concurrent first puts may leave several for a moment: the one with the highest id counts.

        Ids never change, so all readers agree on it. It comes first in the list.
        """
        wanted = {ROOT: address(namespace, key)}
        found = self._memory.get_all(filters=wanted, kinds=[_KIND], user_id=self._owner(namespace))
        return sorted(found, key=lambda item: item.id, reverse=True)

    def _paths(self, op: PutOp) -> Sequence[str] | Literal[False]:
        return self._fields if op.index is None else op.index

    def _search(self, op: SearchOp) -> list[SearchItem]:
        if op.limit < 0 or op.offset < 0:
            raise InvalidFilter(f"limit is {op.limit} and offset {op.offset}: pass 0 or more")
        wanted = (one for one in self._ranked(op) if matches(one.value, op.filter or {}))
        return list(islice(wanted, op.offset, op.offset + op.limit))

    def _ranked(self, op: SearchOp) -> Iterator[SearchItem]:
        """The hits of the query, best first, then all other entries below the prefix, latest first."""
        size = PAGE if op.filter else min(2 * (op.offset + op.limit) + 1, PAGE)  # the listing contains the hits too
        seen: set[tuple[Namespace, str]] = set()
        for item, score in chain(self._hits(op), ((item, None) for item in self._listed(op.namespace_prefix, size))):
            found = Entry.of(item).as_found(score)
            if (found.namespace, found.key) not in seen:
                seen.add((found.namespace, found.key))
                yield found

    def _hits(self, op: SearchOp) -> Iterator[tuple[Item, float]]:
        if not op.query or not op.query.strip() or not op.limit:
            return
        enough = (op.offset + op.limit) * (MORE if op.filter else 1)
        for hit in self._memory.search(
            op.query,
            limit=min(enough, checks.MAX_SEARCH_LIMIT),
            plan=self._plan,
            kinds=[_KIND],
            tags=[tag_of(tuple(op.namespace_prefix))],
            filters={"indexed": True},
            user_id=self._seen_by(op.namespace_prefix),
        ):
            if is_entry(hit.item):
                yield hit.item, hit.score

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        fixed: Namespace = ()
        for condition in conditions:
            if condition.match_type == "prefix" and "*" not in condition.path:
                fixed = max(fixed, tuple(condition.path), key=len)
        found = {Entry.of(item).namespace for item in self._listed(fixed)}
        under = {one[: op.max_depth] for one in found if all(is_under(one, condition) for condition in conditions)}
        return sorted(under)[op.offset : op.offset + op.limit]

    def _listed(self, prefix: Sequence[str], size: int = PAGE) -> Iterator[Item]:
        """All entries below a prefix, the most recently created first, read in pages of `size`."""
        cursor: str | None = None
        while True:
            page = self._memory.get_all(
                limit=size,
                cursor=cursor,
                kinds=[_KIND],
                tags=[tag_of(tuple(prefix))],
                user_id=self._seen_by(prefix),
            )
            yield from filter(is_entry, page)
            cursor = page.next
            if cursor is None:
                return

    def _checked(self, op: PutOp) -> PutOp:
        """The operation with its value as it is stored; raises for an invalid one before any of a batch is written."""
        if op.ttl is not None:
            raise NotImplementedError("EmberkeepStore keeps entries until they are deleted: leave out ttl")
        if not op.namespace or any(not one or "." in one for one in op.namespace):
            raise InvalidNamespaceError(f"the namespace is {op.namespace!r}: pass labels without periods, at least one")
        if len(op.namespace) > MAX_LABELS:
            raise InvalidNamespaceError(f"the namespace has {len(op.namespace)} labels, the limit is {MAX_LABELS}")
        checks.owner_id(self._owner(op.namespace))
        return op if op.value is None else op._replace(value=plain(op.namespace, op.key, op.value))

    def _owner(self, namespace: Sequence[str]) -> str | None:
        """The id of the user that an entry belongs to."""
        if self._user_at is not None and self._user_at < len(namespace):
            return namespace[self._user_at]
        return self._user_id

    def _seen_by(self, prefix: Sequence[str]) -> str | None:
        """The owner of the entries below a prefix: everyone, if the prefix ends before the user's label."""
        if self._user_at is not None and self._user_at >= len(prefix):
            return EVERYONE
        return self._owner(prefix)
