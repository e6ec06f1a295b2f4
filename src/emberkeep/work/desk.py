"""The desk: what all kinds of records share. Transactions, checked values, and the items that records are found by.

A record is a row in its own table; its text is stored again as an item, so that one search covers everything.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

from sqlalchemy import Boolean, Column, ColumnElement, Connection

from emberkeep.capture.redact import redact, redact_value
from emberkeep.errors import Conflict, InvalidInput, ModelUnavailable, NotFound, StoreError
from emberkeep.flows.searching import Asking, Searcher
from emberkeep.learning.embedding import Progress, silent
from emberkeep.lifecycle.filing import tell
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.ids import new_id
from emberkeep.model.item import Draft, Item, Receipt
from emberkeep.model.kinds import Kind
from emberkeep.model.many import Listed
from emberkeep.model.recall import PLANS, Hit, Plan, Where, Within, select
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.model.work import Found
from emberkeep.recall.fusion import unsqueezed
from emberkeep.storage import erasure, items, records, shelves
from emberkeep.storage.records import Noun
from emberkeep.storage.shelves import State
from emberkeep.storage.vectors import Unembedded
from emberkeep.wiring import Parts

EMBED_AT_ONCE = 128  # items, between two reports of progress
MORE = 3  # times as many items as records are searched: some items of a kind belong to no record
MAX_ID_CHARS = 200  # of a record, so that an item can name it
OF_RECORDS = replace(PLANS["balanced"], echo_loss=0.0)  # records with equal words are still separate cases


class Owner(Protocol):
    """Anything with an owner: a scope, or a record."""

    @property
    def user_id(self) -> str | None:
        """The user it belongs to."""
        ...

    @property
    def agent_id(self) -> str | None:
        """The agent it belongs to."""
        ...

    @property
    def session_id(self) -> str | None:
        """The session it belongs to."""
        ...


class Owned(Owner, Protocol):
    """A record: it has an id and an owner."""

    @property
    def id(self) -> str:
        """The record's id."""
        ...


T = TypeVar("T")
R = TypeVar("R", bound=Owned)


class Desk:
    """Where records are written, found and removed."""

    def __init__(self, parts: Parts, searcher: Searcher) -> None:
        self.parts = parts
        self.tenant = parts.config.tenant
        self._searcher = searcher

    # What a caller passes.

    def now(self) -> datetime:
        """The current time by the memory's clock."""
        return self.parts.clock.now()

    def identity(self, given: str | None, name: str = "id") -> str:
        """The id that a caller chose, checked, or a new one."""
        chosen = checks.scope_id(given, name=name)
        if chosen is not None and len(chosen) > MAX_ID_CHARS:
            raise InvalidInput(f"{name} has {len(chosen)} characters, the limit is {MAX_ID_CHARS}")
        return chosen or new_id(self.now())

    def scope(self, user_id: str | None, agent_id: str | None, session_id: str | None) -> Scope:
        """The checked scope of a new record."""
        return Scope.to_write(self.tenant, user_id, agent_id, session_id)

    def text(self, value: object, name: str) -> str:
        """A checked text that is not blank, without secrets if they are to be redacted."""
        return self.clean(checks.text(value, name=name, max_chars=self.parts.config.max_text_chars))

    def words(self, value: object, name: str) -> str:
        """A checked text that may be empty, without secrets if they are to be redacted."""
        return "" if checks.is_blank(checks.storable(value, name=name)) else self.text(value, name)

    def metadata(self, value: Mapping[str, Any] | None) -> dict[str, Any]:
        """A checked JSON object, without secrets if they are to be redacted."""
        clean: dict[str, Any] = self.plain(checks.metadata(value))
        return clean

    def plain(self, value: object) -> Any:
        """Any value in a form that JSON can hold, without secrets if they are to be redacted."""
        found = checks.plain_json(value)
        return redact_value(found)[0] if self.parts.config.redact else found

    def checked(self, **given: tuple[object, Callable[[Any], Any]]) -> dict[str, Any]:
        """The fields that a caller passed (those that are not `None`), each through its check."""
        return {name: check(value) for name, (value, check) in given.items() if value is not None}

    def clean(self, text: str) -> str:
        """The text without secrets, if they are to be redacted."""
        return redact(text)[0] if self.parts.config.redact else text

    # Reading and writing.

    def get(self, noun: Noun[R], record_id: str) -> R:
        """One record; raises `NotFound` if there is none."""
        with self.parts.database.read() as connection:
            return self.existing(connection, noun, record_id)

    def existing(self, connection: Connection, noun: Noun[R], record_id: str) -> R:
        """One record, read in an open transaction; raises `NotFound` if there is none."""
        found = records.get(connection, noun, self.tenant, checks.storable(record_id, name=f"{noun.name} id"))
        if found is None:
            raise NotFound(f"no {noun.name} {record_id!r}")
        return found

    def own(self, connection: Connection, noun: Noun[R], record_id: str | None, user_id: str | None) -> R | None:
        """The record that a new record of this user should belong to, if any.

        Raises `NotFound` for another user's record, as for one that does not exist.
        """
        if record_id is None:
            return None
        found = records.get(connection, noun, self.tenant, record_id)
        if found is None or found.user_id != user_id:
            raise NotFound(f"no {noun.name} {record_id!r} for this user: save the {noun.name} first, for the same user")
        return found

    def held(self, connection: Connection, noun: Noun[R], record_id: str) -> R:
        """One record, with its shelf locked so that nobody else can change it before the transaction ends."""
        self.hold(connection, Scope(self.tenant, self.existing(connection, noun, record_id).user_id))
        return self.existing(connection, noun, record_id)

    def saved(self, connection: Connection, noun: Noun[R], record: R, kept: Callable[[R], R]) -> R:
        """Insert a record, or replace the one with its id by `kept(former)`.

        Raises `Conflict` if the former record belongs to another user.
        """
        self.hold(connection, Scope(self.tenant, record.user_id))
        former = records.get(connection, noun, self.tenant, record.id)
        if former is None:
            records.put(connection, noun, self.tenant, record)
            return record
        self.check_owner(noun, former, record.user_id)
        return self.replaced(connection, noun, kept(former))

    def check_owner(self, noun: Noun[R], former: R, user_id: str | None) -> None:
        """Raise `Conflict` if a record belongs to another user."""
        if former.user_id != user_id:
            raise Conflict(f"this {noun.name} id is taken by another user: choose another one")

    def replaced(self, connection: Connection, noun: Noun[R], record: R) -> R:
        """Replace the record with the same id."""
        records.replace(connection, noun, self.tenant, record)
        return record

    def listed(
        self,
        noun: Noun[R],
        where: Mapping[str, Any],
        limit: int,
        *,
        by: Sequence[Column[Any]] = (),
        cursor: str | None = None,
    ) -> Listed[R]:
        """A page of records, in descending order of the columns `by`, then of the time of the last change."""
        checks.scope_id(where.get("user_id"), name="user_id")
        for name, value in where.items():
            if value is None or isinstance(value, tuple | ColumnElement):
                continue
            if isinstance(noun.table.c[name].type, Boolean):
                checks.flag(value, name)
            else:
                checks.storable(value, name=name)
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        with self.parts.database.read() as connection:
            return records.listed(connection, noun, self.tenant, where, limit, by=by, cursor=cursor)

    def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a write transaction."""
        return self.parts.database.write(job)

    def write_told(self, job: Callable[[Connection], tuple[T, Sequence[Kept]]], progress: Progress = silent) -> T:
        """Run a job that also writes items, then embed these items, as `embed` does."""
        result, kept = self.write(job)
        self.embed(kept, progress)
        return result

    def embed(self, kept: Sequence[Kept], progress: Progress = silent) -> None:
        """Embed the items that were written; if the model or the store is down, that is left for later."""
        wanting = [Unembedded(one.item.id, one.revision, one.item.spoken) for one in kept if one.revision is not None]
        for start in range(0, len(wanting), EMBED_AT_ONCE):
            batch = wanting[start : start + EMBED_AT_ONCE]
            try:
                self.parts.embedding.items(self.tenant, batch)
            except (ModelUnavailable, StoreError):
                return  # the items stay flagged: `learn()` catches up, and until then words find them
            progress(len(batch))

    def hold(self, connection: Connection, scope: Scope) -> None:
        """Lock this user's shelf: nobody else writes to it before the transaction ends."""
        shelves.claim(connection, self.tenant, scope.shelf, 1)

    # The items that records are found by.

    def draft(
        self, record: str, kind: Kind, text: str, owner: Owner, *, at: datetime, about: Mapping[str, Any]
    ) -> Draft:
        """The draft of the item that a record is found by; its text is cut to `max_text_chars`."""
        scope = Scope(self.tenant, owner.user_id, owner.agent_id, owner.session_id)
        most = self.parts.config.max_text_chars
        return Draft(scope, kind, text[:most], at, metadata=about, told=True, record=record)

    def told(self, connection: Connection, draft: Draft) -> list[Kept]:
        """Create the item of a record, or bring the existing one up to date."""
        return tell(connection, draft, self.parts.thermal, self.now())

    def delete(
        self, noun: Noun[Any], record_id: str, also: Callable[[Connection], dict[str, int]] | None = None
    ) -> Receipt:
        """Remove a record with its items; `also` removes what else belongs to it and returns rows by table."""

        def job(connection: Connection) -> tuple[Receipt, list[State]]:
            record = self.held(connection, noun, record_id)
            shelf = record.user_id or ""
            rows, _ = self.erased(connection, f"{noun.name}:{record_id}", shelf)
            rows = added(rows, also(connection) if also else {})
            rows[noun.table.name] = records.remove(connection, noun, self.tenant, record_id)
            return Receipt(rows), shelves.states(connection, self.tenant, [shelf])

        return self.after_erasing(self.write(job))

    def erased(self, connection: Connection, record: str, shelf: str) -> tuple[dict[str, int], list[str]]:
        """Remove the items of a record; returns rows by table, and the shelf they were on, if there were any."""
        ids = items.of_record(connection, self.tenant, record, shelf)
        rows = erasure.erase_filed(connection, self.tenant, shelf, ids) if ids else {}
        return rows, [shelf] if ids else []

    def after_erasing(self, erased: tuple[Receipt, list[State]]) -> Receipt:
        """Wipe removed text from the indexes in memory and from the database's files; returns the receipt."""
        receipt, states = erased
        self.parts.residents.forget(self.tenant, states, whole=False)
        self.parts.database.wipe()
        return receipt

    # Finding.

    def hits(
        self, query: str, kinds: tuple[Kind, ...], limit: int, within: Within, plan: Plan = OF_RECORDS
    ) -> Sequence[Hit]:
        """The hits of a search over some kinds of items."""
        if "kinds" in within:
            raise InvalidInput(
                f"kinds is not for this search, which looks for {' and '.join(kinds)} only: leave it out"
            )
        given: Where = {"user_id": EVERYONE, **within, "kinds": kinds}
        selection = select(self.tenant, given)
        asking = Asking(self.text(query, "query"), selection.as_of or self.now(), selection, plan)
        return self._searcher.search(asking, min(limit, checks.MAX_SEARCH_LIMIT))

    def find(
        self,
        kinds: tuple[Kind, ...],
        nouns: Sequence[Noun[Any]],
        query: str,
        limit: int,
        within: Within,
        *,
        more: int = MORE,
        plan: Plan = OF_RECORDS,
    ) -> list[Found[Any]]:
        """Search records by their items, best first, each record once; `more * limit` items are searched."""
        limit = checks.limit(limit, most=checks.MAX_SEARCH_LIMIT)
        hits = self.hits(query, kinds, more * limit, within, plan)
        known = self.records_of(hits, nouns)
        best: dict[str, Hit] = {}
        for hit in hits:
            if hit.item.record in known:
                best.setdefault(hit.item.record, hit)  # of a record's several items, the best hit
        first = next(iter(best.values()), None)
        return [
            Found(known[name], relevance(hit, first or hit), hit.similarity) for name, hit in list(best.items())[:limit]
        ]

    def records_of(self, hits: Sequence[Hit], nouns: Iterable[Noun[Any]]) -> dict[str, Any]:
        """The records behind hits, by the name that their items have for them, such as "task:ID"."""
        names = {hit.item.record for hit in hits if hit.item.record is not None}
        wanted = list(nouns)

        def job(connection: Connection) -> dict[str, Any]:
            found: dict[str, Any] = {}
            for noun in wanted:
                lead = f"{noun.name}:"
                ids = [name.removeprefix(lead) for name in names if name.startswith(lead)]
                rows = records.fetch(connection, noun, self.tenant, ids)
                found |= {f"{lead}{record_id}": record for record_id, record in rows.items()}
            return found

        return self.parts.database.look(job)


def relevance(hit: Hit, best: Hit) -> float:
    """The odds of a hit relative to the best hit, whose relevance is 1: scores are squeezed log-odds."""
    return math.exp(min(0.0, unsqueezed(hit.score) - unsqueezed(best.score)))


def added(rows: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    """The sums of two counts of rows by table."""
    return {name: rows.get(name, 0) + more.get(name, 0) for name in {**rows, **more}}


def as_text(value: object) -> str:
    """Any value, such as the output of a tool, as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "replace")
    plain = checks.plain_json(value)
    return "" if plain is None else plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def refuse_record(item: Item) -> None:
    """Raise `InvalidInput` for the item of a record, which is only changed or removed with its record."""
    if item.record is not None:
        noun, _, record_id = item.record.partition(":")
        name = item.metadata.get("key", record_id)
        raise InvalidInput(f"this memory stands for {noun} {name!r}: change or delete that instead")
