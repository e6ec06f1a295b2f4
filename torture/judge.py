"""The judge: opens the store after the faults, and compares it with the ledger."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Literal

import numpy as np
from sqlalchemy import Connection, Table, select

import emberkeep
from emberkeep.config import Config
from emberkeep.model.recall import Plan
from emberkeep.storage import schema, shelves
from emberkeep.wiring import open_database
from torture import consistency, ledger
from torture.expected import Expected, Kept, Work, expected
from torture.writer import LEASE_S, PASSING, Place, rare_word

Fault = Literal["lost", "invented", "half", "disagreement"]
SEARCHES = 40
_WORDS_ONLY = Plan("by its rare word", channels=("lexical",))
_VECTORS_ONLY = Plan("by its vector", channels=("dense",), exact=True)


@dataclass(slots=True)
class Verdict:
    """The number of acknowledged deeds, how many of them were found, and all faults."""

    acknowledged: int = 0
    found: int = 0
    faults: list[tuple[Fault, str]] = field(default_factory=list)

    def count(self, fault: Fault) -> int:
        """The number of faults of one sort."""
        return sum(one == fault for one, _ in self.faults)

    @property
    def is_clean(self) -> bool:
        """Whether there are no faults."""
        return not self.faults

    def __add__(self, other: "Verdict") -> "Verdict":
        return Verdict(
            self.acknowledged + other.acknowledged,
            self.found + other.found,
            [*self.faults, *other.faults],
        )


class _Ahead:
    """A clock that is ahead, so that the leases of killed processes have expired."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=LEASE_S + 1)


class Store:
    """The rows of a store, read directly from its tables."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, table: Table) -> list[Any]:
        """All rows of a table."""
        return list(self._connection.execute(select(table)))

    @cached_property
    def items(self) -> dict[str, Any]:
        """Items by their id, without former versions."""
        return {row.id: row for row in self.rows(schema.items) if row.version_of is None}

    @cached_property
    def versions(self) -> Counter[str]:
        """The number of former versions of each item."""
        return Counter(row.version_of for row in self.rows(schema.items) if row.version_of is not None)

    @cached_property
    def texts(self) -> Counter[str]:
        """The texts of the current items, each with its count."""
        return Counter(row.text for row in self.items.values())

    @cached_property
    def interactions(self) -> dict[str, Any]:
        """The interactions of the log, by id."""
        return {row.id: row for row in self.rows(schema.interactions)}

    @cached_property
    def changes(self) -> dict[str, Counter[str]]:
        """The actions in the history of each item, each with its count."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self.rows(schema.history):
            found[row.item_id][row.action] += 1
        return found

    @cached_property
    def told(self) -> dict[str, list[Any]]:
        """The events in the outbox, by type."""
        found: dict[str, list[Any]] = defaultdict(list)
        for row in self.rows(schema.outbox):
            found[row.type].append(row)
        return found

    def told_of(self, type_: str, name: str = "id") -> Counter[str]:
        """The number of events of a type for each id, taken from the field `name` of their payload."""
        return Counter(row.payload[name] for row in self.told[type_])


def judge(place: Place, *, seed: str = "") -> Verdict:
    """Compare the store with the ledger, after learning the backlog; the tables' invariants are also checked before."""
    account = ledger.read(place.ledger)
    wanted = expected(account.deeds)
    verdict = Verdict(wanted.acknowledged)
    verdict.faults += [("disagreement", complaint) for complaint in account.complaints]
    verdict.faults += _consistency(place, "as it was left")
    with place.open_at(_Ahead()) as memory:
        memory.learn(retry_failed=True)
        if (waiting := memory.stats().waiting) > 0:
            verdict.faults.append(("disagreement", f"{waiting} still wait to be learned or embedded"))
        with memory._parts.database.of_everyone().read() as connection:
            store = Store(connection)
            for check in (_items, _wholes, _log, _invented, _tasks, _preferences, _events):
                verdict.faults += check(store, wanted)
            verdict.faults += _indexes(connection, memory, store)
        verdict.found = verdict.acknowledged - verdict.count("lost")
        sample = _some(store, wanted, random.Random(seed))
        verdict.faults += _searches(memory, sample)
    verdict.faults += _consistency(place, "after learning")
    return verdict


def _consistency(place: Place, when: str) -> list[tuple[Fault, str]]:
    database = open_database(Config(db=place.target))
    try:
        with database.of_everyone().read() as connection:
            return [("half", f"{when}: {wrong}") for wrong in consistency.wrongs(connection)]
    finally:
        database.close()


Found = Iterator[tuple[Fault, str]]


def _items(store: Store, wanted: Expected) -> Found:
    for item_id, kept in wanted.items.items():
        row = store.items.get(item_id)
        if row is None:
            if not kept.maybe_gone:
                yield "lost", f"{item_id} ({', '.join(kept.texts)}) is not there"
            continue
        if row.text not in kept.texts:
            yield "lost", f"{item_id} says {row.text!r} and not {' or '.join(kept.texts)!r}"
        yield from _history(store, item_id, kept)
    for item_id in wanted.gone & store.items.keys():
        yield "lost", f"{item_id} was deleted, and is there"
    for ids in wanted.sessions:
        here = [item_id in store.items for item_id in ids]
        if any(here) and not all(here):
            yield "half", f"{sum(here)} of {len(here)} items of a session are left"


def _history(store: Store, item_id: str, kept: Kept) -> Found:
    changes = store.changes[item_id]["updated"]
    if changes not in {kept.changes, kept.changes + kept.maybe_changed}:
        yield "lost", f"{item_id} was changed {kept.changes} times, its history has {changes}"
    if store.versions[item_id] != changes:
        yield "half", f"{item_id} was changed {changes} times and has {store.versions[item_id]} former versions"


def _wholes(store: Store, wanted: Expected) -> Found:
    for whole in wanted.wholes:
        here = [text in store.texts for text in whole.texts]
        if whole.must and not all(here):
            yield "lost", f"{whole.deed.verb} of {whole.texts}: {sum(here)} of {len(here)} are there"
        elif any(here) and not all(here):
            yield "half", f"{whole.deed.verb} of {whole.texts}: {sum(here)} of {len(here)} are there"


def _log(store: Store, wanted: Expected) -> Found:
    for interaction_id, ids in wanted.interactions.items():
        untouched = all(item_id in wanted.items and not wanted.items[item_id].maybe_gone for item_id in ids)
        if untouched and interaction_id not in store.interactions:
            yield "lost", f"interaction {interaction_id} is not in the log"
    for row in store.interactions.values():
        if row.backlog is not None:
            yield "lost", f"interaction {row.id} was never learned from: {row.backlog}, {row.reason}"


def _invented(store: Store, wanted: Expected) -> Found:
    for deed in wanted.refused:
        for text in deed.texts:
            if text in store.texts:
                yield "invented", f"{deed.verb} of {text!r} was refused ({deed.error}), and it is there"
    words = {rare_word(text) for text in wanted.texts}
    for row in store.items.values():
        learned = row.kind != "episode" and row.record is None and rare_word(row.text) in words
        if row.record is None and row.text not in wanted.texts and not learned:
            yield "invented", f"{row.kind} {row.id} says {row.text!r}, which nobody wrote"
    for text, times in store.texts.items():
        if times > 1 and text in wanted.texts:
            yield "invented", f"{text!r} is there {times} times"


def _tasks(store: Store, wanted: Expected) -> Found:
    tasks = {row.id: row for row in store.rows(schema.tasks)}
    steps: dict[str, list[str]] = defaultdict(list)
    for row in store.rows(schema.steps):
        steps[row.task_id].append(row.output)
    for task_id, work in wanted.tasks.items():
        row = tasks.get(task_id)
        if row is None:
            if work.must:
                yield "lost", f"task {task_id} is not there"
            continue
        yield from _task(row, work, steps[task_id])
        found_by = [one for one in store.items.values() if one.metadata.get("task_id") == task_id]
        if not found_by:
            yield "half", f"task {task_id} is there, and found by nothing"
    for task_id in tasks.keys() - wanted.tasks.keys():
        yield "invented", f"task {task_id} was begun by nobody"


def _task(row: Any, work: Work, steps: list[str]) -> Found:
    if missing := set(work.steps) - set(steps):
        yield "lost", f"steps of task {row.id} are not there: {missing}"
    if more := set(steps) - {*work.steps, *work.perhaps}:
        yield "invented", f"steps of task {row.id} that nobody took: {more}"
    if work.ending is not None and (row.status, row.summary) != ("succeeded", work.ending):
        yield "lost", f"task {row.id} is {row.status}, and was finished"
    if work.ending is None and row.status != "running" and row.summary != work.maybe_ended:
        yield "invented", f"task {row.id} is {row.status}, and nobody finished it"


def _preferences(store: Store, wanted: Expected) -> Found:
    kept = {(row.user_id, row.key): row.value for row in store.rows(schema.entries) if row.drawer == "preference"}
    for key, values in wanted.preferences.items():
        if kept.get(key, "") not in values:
            yield "lost", f"preference {key} is {kept.get(key)!r} and not {values}"


# Events: neither lost nor invented.


def _events(store: Store, wanted: Expected) -> Found:
    yield from _events_of_items(store, wanted)
    captured = store.told_of("memory.captured", "interaction_id")
    for interaction_id in store.interactions:
        if captured[interaction_id] != 1:
            yield "disagreement", f"interaction {interaction_id} was told {captured[interaction_id]} times"
    for interaction_id in wanted.interactions:
        if captured[interaction_id] != 1:
            yield "lost", f"the event of interaction {interaction_id} was told {captured[interaction_id]} times"
    for what, told, table in (
        ("task", Counter(row.payload["id"] for row in store.told["work.added"]), schema.tasks),
        ("execution", store.told_of("memory.stored", "memory_id"), schema.executions),
    ):
        for record_id in {row.id for row in store.rows(table)} | told.keys():
            if told[record_id] != 1:
                yield "disagreement", f"{what} {record_id} was told {told[record_id]} times"


def _events_of_items(store: Store, wanted: Expected) -> Found:
    added, deleted = store.told_of("memory.added"), store.told_of("memory.deleted")
    with_others = {one for row in store.told["memory.deleted"] for one in row.payload["ids"]}
    passing = {row.payload["id"] for row in store.told["memory.added"] if row.user_id == PASSING}
    erased = with_others | (passing if store.told["memory.erased"] else set())
    records = {row.payload["id"] for row in store.told["memory.added"] if row.payload["record"]}
    for item_id in store.items.keys() | added.keys():
        if added[item_id] != 1:
            yield "disagreement", f"item {item_id} was told {added[item_id]} times"
        if item_id not in store.items and item_id not in erased | records:
            yield "disagreement", f"item {item_id} was told, and is neither there nor deleted"
    changed = store.told_of("memory.updated")
    for item_id in wanted.items.keys() & store.items.keys():
        if changed[item_id] != store.changes[item_id]["updated"]:
            yield "disagreement", f"{changed[item_id]} changes of item {item_id} were told"
    for item_id in wanted.gone:
        if deleted[item_id] != 1 and item_id not in passing:
            yield "lost", f"the deletion of {item_id} was told {deleted[item_id]} times"
    for item_id in deleted.keys() & store.items.keys():
        yield "disagreement", f"item {item_id} was told to be deleted, and is there"


# The indexes that searches use.


def _indexes(connection: Connection, memory: emberkeep.Memory, store: Store) -> Found:
    """Compare the search indexes, built anew or read from the file beside the store, with the tables."""
    tenant = memory._parts.config.tenant
    states = shelves.states(connection, tenant, None)
    vectors: dict[int, set[int]] = defaultdict(set)
    for row in store.rows(schema.vectors):
        vectors[row.shelf].add(row.revision)
    items = store.rows(schema.items)
    with memory._parts.residents.up_to_date(connection, tenant, states) as indexes:
        for state, index in zip(states, indexes, strict=True):
            ids = {row.id for row in items if row.user_id == state.user_id and not row.cold}
            if index.row_of.keys() != ids:
                odd = index.row_of.keys() ^ ids
                yield "disagreement", f"the text index of {state.user_id!r} and its rows differ by {odd}"
            keys = index.keys()
            if set(keys.tolist()) != vectors[state.number]:
                yield "disagreement", f"the vectors of {state.user_id!r} are not those that its index has"
            if index.large is not None and len(missing := index.large.missing(np.sort(keys))):
                yield "disagreement", f"the graph of {state.user_id!r} lacks {len(missing)} vectors"


def _some(store: Store, wanted: Expected, chance: random.Random) -> list[Any]:
    """Rows to search for: the latest, which a kill is most likely to have affected, and a random sample."""
    certain = [store.items[one] for one, kept in wanted.items.items() if one in store.items and _says(store, one, kept)]
    latest = certain[-SEARCHES // 2 :]
    return latest + chance.sample(certain, min(len(certain), SEARCHES // 2))


def _says(store: Store, item_id: str, kept: Kept) -> bool:
    return store.items[item_id].text in kept.texts


def _searches(memory: emberkeep.Memory, some: Iterable[Any]) -> Found:
    for row in some:
        for plan, query in ((_WORDS_ONLY, rare_word(row.text)), (_VECTORS_ONLY, row.text)):
            # Restricted to its kind: otherwise a statement learned from a message could stand in for it.
            hits = memory.search(query, plan=plan, user_id=row.user_id, kinds=[row.kind], limit=5, include_cold=True)
            if row.id not in {hit.id for hit in hits}:
                yield "disagreement", f"{row.kind} {row.id} ({row.text!r}) is not found {plan.name}"
