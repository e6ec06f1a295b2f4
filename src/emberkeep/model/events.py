"""Events: notifications of changes. They hold ids, names, counts and scores, never what was said."""

import difflib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, TypedDict

from emberkeep.errors import InvalidInput
from emberkeep.model import checks

SCHEMA_VERSION = 1
OWN = "app."  # the prefix of the types that an application publishes itself
_PATTERN = re.compile(r"[a-z0-9_.*-]{1,200}")
_OWN = re.compile(r"app(\.[a-z0-9_-]+)+")


@dataclass(frozen=True, slots=True)
class Event:
    """One change: its id, by which receivers recognise a duplicate, its type, and the payload of that type."""

    id: str
    type: str
    at: datetime
    tenant: str
    user_id: str | None
    payload: Mapping[str, Any]
    schema_version: int = SCHEMA_VERSION

    def to_json(self) -> str:
        """The event as it is sent."""
        return json.dumps(
            {
                "id": self.id,
                "type": self.type,
                "at": self.at.isoformat().replace("+00:00", "Z"),
                "tenant": self.tenant,
                "user_id": self.user_id,
                "payload": self.payload,
                "schema_version": self.schema_version,
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> "Event":
        """Parse an event that was sent; raises `InvalidInput` if the text is not one."""
        try:
            said = json.loads(text)
            at = datetime.fromisoformat(said["at"])
            return cls(
                str(said["id"]), str(said["type"]), at, str(said["tenant"]), said["user_id"], dict(said["payload"]),
                int(said["schema_version"]),
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"not an event: {type(error).__name__}: {error}") from None


@dataclass(frozen=True, slots=True)
class Webhook:
    """A URL that a tenant's events of some types are posted to. Its secret is shown once, to the caller who adds it."""

    id: str
    url: str
    types: tuple[str, ...]
    created_at: datetime
    secret: str = field(repr=False)

    def wants(self, type_: str) -> bool:
        """Whether it receives events of a type."""
        return any(_meant(one)(type_) for one in self.types)


@dataclass(frozen=True, slots=True)
class Delivered:
    """What a run of the relay did: how many events it sent, how many attempts failed, and why."""

    sent: int = 0
    failed: int = 0
    reasons: tuple[str, ...] = ()

    def __add__(self, other: "Delivered") -> "Delivered":
        reasons = tuple(dict.fromkeys((*self.reasons, *other.reasons)))
        return Delivered(self.sent + other.sent, self.failed + other.failed, reasons)


@dataclass(frozen=True, slots=True)
class Undeliverable:
    """An event that was given up for a sink, and why."""

    event: Event
    sink: str
    attempts: int
    reason: str | None


class Captured(TypedDict):
    """An exchange was written to the log."""

    interaction_id: str
    messages: int
    agent_id: str | None
    session_id: str | None


class Added(TypedDict):
    """A memory is new: an episode, a statement, or the item that a record is found by."""

    id: str
    kind: str
    agent_id: str | None
    session_id: str | None
    record: str | None


class Reheated(TypedDict):
    """A memory was told again, or found with `touch=True`, and is warmer."""

    id: str
    kind: str
    temperature: float


class Changed(TypedDict):
    """A memory was changed; if its text changed, the former text is kept as a version."""

    id: str
    kind: str
    version_id: str | None


class Refined(TypedDict):
    """A memory was told again in more detail."""

    id: str
    kind: str
    version_id: str | None


class Superseded(TypedDict):
    """A memory no longer holds: another took its place."""

    id: str
    kind: str
    by: str | None


class Retracted(TypedDict):
    """A memory no longer holds: it was denied."""

    id: str
    kind: str
    by: str | None


class Restored(TypedDict):
    """A memory holds again, because the one that had taken its place was deleted."""

    id: str
    kind: str


class Deleted(TypedDict):
    """A memory was removed for good, with its versions and what was learned from it alone; `ids` are all of these."""

    id: str
    kind: str
    ids: list[str]


class Erased(TypedDict):
    """All data of a user, agent or session was removed; `everyone` if that was not limited to one user."""

    agent_id: str | None
    session_id: str | None
    everyone: bool
    rows: int


class Learned(TypedDict):
    """An exchange was learned from: how many memories were added, and how many were told again or changed."""

    interaction_id: str
    learner: str | None
    added: int
    updated: int


class LearningFailed(TypedDict):
    """An exchange was set aside after failing too often."""

    interaction_id: str
    attempts: int


class Rebuilt(TypedDict):
    """Learned memories were derived again and replaced, or such a rebuild was undone."""

    learner: str
    added: int
    lost: int
    changed: int
    undone: bool


class Stored(TypedDict):
    """The outcome of a task was stored as an execution."""

    memory_id: str
    task_id: str
    task_type: str
    success: bool


class PatternLearned(TypedDict):
    """A pattern is new."""

    pattern_id: str
    pattern_type: str
    confidence: float
    support: int


class PatternUpdated(TypedDict):
    """A pattern has new evidence or feedback, or is retired."""

    pattern_id: str
    pattern_type: str
    confidence: float
    support: int
    version: int
    retired: bool


class PatternMatched(TypedDict):
    """A pattern matches a task that was asked about."""

    pattern_id: str
    pattern_type: str
    confidence: float


class ContextSuggested(TypedDict):
    """A caller asked for what is known before a task, and got it."""

    task_id: str | None
    similar_tasks: list[str]
    pattern_ids: list[str]
    recommendations: int


class Migrated(TypedDict):
    """A record of work, or a day's events, was archived in long-term memory as a summary."""

    record: str
    summary_id: str | None


class TaskFinished(TypedDict):
    """A task ended."""

    task_id: str
    success: bool
    execution_id: str
    steps: int


class RecordAdded(TypedDict):
    """A goal, task, decision, document or another record is new."""

    noun: str
    id: str


class RecordUpdated(TypedDict):
    """A goal, task, decision, document or another record changed."""

    noun: str
    id: str


class RecordDeleted(TypedDict):
    """A record of work, an execution or a pattern was removed."""

    noun: str
    id: str


class StateSet(TypedDict):
    """A preference, or a state of a persona or an agent, was set."""

    drawer: str
    key: str
    agent_id: str | None


class StateRemoved(TypedDict):
    """A preference, or a state of a persona or an agent, was removed."""

    drawer: str
    key: str
    agent_id: str | None


TYPES: Mapping[str, type] = {
    "memory.captured": Captured,
    "memory.added": Added,
    "memory.reheated": Reheated,
    "memory.refined": Refined,
    "memory.updated": Changed,
    "memory.superseded": Superseded,
    "memory.retracted": Retracted,
    "memory.restored": Restored,
    "memory.deleted": Deleted,
    "memory.erased": Erased,
    "memory.learned": Learned,
    "memory.learning.failed": LearningFailed,
    "memory.rebuilt": Rebuilt,
    "memory.stored": Stored,
    "memory.pattern.learned": PatternLearned,
    "memory.pattern.updated": PatternUpdated,
    "memory.pattern.matched": PatternMatched,
    "memory.context.suggested": ContextSuggested,
    "memory.migrated": Migrated,
    "task.finished": TaskFinished,
    "work.added": RecordAdded,
    "work.updated": RecordUpdated,
    "work.deleted": RecordDeleted,
    "state.set": StateSet,
    "state.removed": StateRemoved,
}


def matcher(pattern: object) -> Callable[[str], bool]:
    """A predicate for the event types that a pattern such as `memory.stored`, `memory.pattern.*` or `*` matches.

    Raises `InvalidInput` if the pattern matches no type.
    """
    if not isinstance(pattern, str) or not _PATTERN.fullmatch(pattern):
        raise InvalidInput(f"{pattern!r} is no type of event: pass one such as memory.stored, memory.pattern.* or *")
    if "*" not in pattern:
        if pattern not in TYPES and not _OWN.fullmatch(pattern):
            near = difflib.get_close_matches(pattern, TYPES, n=1)
            raise InvalidInput(f"there is no event {pattern!r}" + (f"; did you mean {near[0]}?" if near else ""))
        return pattern.__eq__
    # Not `re`: a pattern with many stars would backtrack for too long.
    means = _Wildcards(tuple(pattern.split("*")))
    if not pattern.startswith(OWN) and not any(map(means, TYPES)):
        raise InvalidInput(f"no event is meant by {pattern!r}: docs/reference/events.md lists them")
    return means


def own_type(name: object) -> str:
    """A checked event type for an event that the application publishes itself."""
    if not isinstance(name, str) or not _OWN.fullmatch(name):
        raise InvalidInput(f"{name!r} is no type of your own: pass one such as app.order.shipped")
    return name


def own_payload(payload: Mapping[str, Any] | None) -> dict[str, Any]:
    """The checked payload of such an event: a small JSON object."""
    return checks.metadata(payload)


@dataclass(frozen=True, slots=True)
class _Wildcards:
    parts: tuple[str, ...]

    def __call__(self, name: str) -> bool:
        first, *middle, last = self.parts
        if not name.startswith(first) or not name.endswith(last) or len(name) < len(first) + len(last):
            return False
        rest = name[len(first) : len(name) - len(last)]
        for part in middle:
            _, found, rest = rest.partition(part) if part else ("", "*", rest)
            if not found:
                return False
        return True


_meant = lru_cache(maxsize=256)(matcher)
