"""Emberkeep: memory for AI agents.

    import emberkeep

    with emberkeep.open("agent.db") as memory:
        memory.add("I moved to Lisbon in May.", user_id="alex")
        print(memory.search("where does Alex live?", user_id="alex")[0].text)

`__all__` is the whole public API. Each name is imported on first use: importing the package loads no database and no
model.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emberkeep.access.principal import Principal as Principal
    from emberkeep.aio import AsyncMemory as AsyncMemory
    from emberkeep.capture.log import Session as Session
    from emberkeep.config import Config as Config
    from emberkeep.errors import AccessDenied as AccessDenied
    from emberkeep.errors import ChangedMeanwhile as ChangedMeanwhile
    from emberkeep.errors import Closed as Closed
    from emberkeep.errors import ConfigError as ConfigError
    from emberkeep.errors import Conflict as Conflict
    from emberkeep.errors import EmbedderMismatch as EmbedderMismatch
    from emberkeep.errors import EmberkeepError as EmberkeepError
    from emberkeep.errors import InvalidInput as InvalidInput
    from emberkeep.errors import ModelUnavailable as ModelUnavailable
    from emberkeep.errors import NotFound as NotFound
    from emberkeep.errors import Overloaded as Overloaded
    from emberkeep.errors import StoreBusy as StoreBusy
    from emberkeep.errors import StoreError as StoreError
    from emberkeep.errors import StoreFull as StoreFull
    from emberkeep.errors import StoreOutdated as StoreOutdated
    from emberkeep.errors import StoreUnavailable as StoreUnavailable
    from emberkeep.errors import TimedOut as TimedOut
    from emberkeep.errors import TooLarge as TooLarge
    from emberkeep.errors import TooManyRequests as TooManyRequests
    from emberkeep.errors import Unauthenticated as Unauthenticated
    from emberkeep.errors import UnderWay as UnderWay
    from emberkeep.errors import UnusableReply as UnusableReply
    from emberkeep.events.watching import Watch as Watch
    from emberkeep.flows.worker import Worker as Worker
    from emberkeep.memory import Memory as Memory
    from emberkeep.model.access import ApiKey as ApiKey
    from emberkeep.model.access import AuditEntry as AuditEntry
    from emberkeep.model.access import NewKey as NewKey
    from emberkeep.model.collection import ConfigChange as ConfigChange
    from emberkeep.model.collection import Document as Document
    from emberkeep.model.collection import Imported as Imported
    from emberkeep.model.collection import Incident as Incident
    from emberkeep.model.collection import Passage as Passage
    from emberkeep.model.collection import Procedure as Procedure
    from emberkeep.model.collection import SearchResult as SearchResult
    from emberkeep.model.context import Candidate as Candidate
    from emberkeep.model.context import Chunk as Chunk
    from emberkeep.model.context import Considered as Considered
    from emberkeep.model.context import Context as Context
    from emberkeep.model.context import ContextRecord as ContextRecord
    from emberkeep.model.context import Shares as Shares
    from emberkeep.model.events import Delivered as Delivered
    from emberkeep.model.events import Event as Event
    from emberkeep.model.events import Undeliverable as Undeliverable
    from emberkeep.model.events import Webhook as Webhook
    from emberkeep.model.experience import Caution as Caution
    from emberkeep.model.experience import Cluster as Cluster
    from emberkeep.model.experience import Execution as Execution
    from emberkeep.model.experience import PatternVersion as PatternVersion
    from emberkeep.model.experience import Question as Question
    from emberkeep.model.experience import Rating as Rating
    from emberkeep.model.experience import SimilarTask as SimilarTask
    from emberkeep.model.experience import TaskContext as TaskContext
    from emberkeep.model.experience import TaskPattern as TaskPattern
    from emberkeep.model.finding import Exchange as Exchange
    from emberkeep.model.finding import Finding as Finding
    from emberkeep.model.finding import Lesson as Lesson
    from emberkeep.model.finding import Spent as Spent
    from emberkeep.model.interaction import Details as Details
    from emberkeep.model.interaction import Interaction as Interaction
    from emberkeep.model.interaction import InteractionRecord as InteractionRecord
    from emberkeep.model.item import Added as Added
    from emberkeep.model.item import Change as Change
    from emberkeep.model.item import Item as Item
    from emberkeep.model.item import Page as Page
    from emberkeep.model.item import Receipt as Receipt
    from emberkeep.model.item import Source as Source
    from emberkeep.model.many import Listed as Listed
    from emberkeep.model.message import Message as Message
    from emberkeep.model.operational import ActiveTask as ActiveTask
    from emberkeep.model.operational import LiveEvent as LiveEvent
    from emberkeep.model.operational import Metric as Metric
    from emberkeep.model.operational import Snapshot as Snapshot
    from emberkeep.model.overview import Caps as Caps
    from emberkeep.model.overview import Linked as Linked
    from emberkeep.model.overview import Overview as Overview
    from emberkeep.model.overview import UserSummary as UserSummary
    from emberkeep.model.recall import Evidence as Evidence
    from emberkeep.model.recall import Hit as Hit
    from emberkeep.model.recall import Hits as Hits
    from emberkeep.model.recall import Plan as Plan
    from emberkeep.model.recall import SessionHit as SessionHit
    from emberkeep.model.recall import Sessions as Sessions
    from emberkeep.model.recall import Why as Why
    from emberkeep.model.report import Audit as Audit
    from emberkeep.model.report import CacheUse as CacheUse
    from emberkeep.model.report import Damage as Damage
    from emberkeep.model.report import Difference as Difference
    from emberkeep.model.report import Fault as Fault
    from emberkeep.model.report import LearnReport as LearnReport
    from emberkeep.model.report import Precomputed as Precomputed
    from emberkeep.model.report import RebuildReport as RebuildReport
    from emberkeep.model.report import RepairReport as RepairReport
    from emberkeep.model.report import SeedReport as SeedReport
    from emberkeep.model.report import Spending as Spending
    from emberkeep.model.report import Stats as Stats
    from emberkeep.model.report import UpkeepReport as UpkeepReport
    from emberkeep.model.report import Waiting as Waiting
    from emberkeep.model.scope import Scope as Scope
    from emberkeep.model.work import AgentState as AgentState
    from emberkeep.model.work import CachedPattern as CachedPattern
    from emberkeep.model.work import Decision as Decision
    from emberkeep.model.work import Entry as Entry
    from emberkeep.model.work import Found as Found
    from emberkeep.model.work import Goal as Goal
    from emberkeep.model.work import Step as Step
    from emberkeep.model.work import Task as Task
    from emberkeep.opening import open as open  # noqa: A004 - the contract's name
    from emberkeep.opening import open_async as open_async
    from emberkeep.providers.base import Embedder as Embedder
    from emberkeep.providers.base import Learner as Learner
    from emberkeep.providers.base import Reranker as Reranker

__version__ = "0.1.0"

# The public names, by the module that defines them.
_HOMES = {
    "access.principal": ("Principal",),
    "aio": ("AsyncMemory",),
    "capture.log": ("Session",),
    "config": ("Config",),
    "errors": (
        "AccessDenied",
        "ChangedMeanwhile",
        "Closed",
        "ConfigError",
        "Conflict",
        "EmbedderMismatch",
        "EmberkeepError",
        "InvalidInput",
        "ModelUnavailable",
        "NotFound",
        "Overloaded",
        "StoreBusy",
        "StoreError",
        "StoreFull",
        "StoreOutdated",
        "StoreUnavailable",
        "TimedOut",
        "TooLarge",
        "TooManyRequests",
        "Unauthenticated",
        "UnderWay",
        "UnusableReply",
    ),
    "events.watching": ("Watch",),
    "memory": ("Memory",),
    "model.access": (
        "ApiKey",
        "AuditEntry",
        "NewKey",
    ),
    "model.collection": (
        "ConfigChange",
        "Document",
        "Imported",
        "Incident",
        "Passage",
        "Procedure",
        "SearchResult",
    ),
    "model.context": (
        "Candidate",
        "Chunk",
        "Considered",
        "Context",
        "ContextRecord",
        "Shares",
    ),
    "model.events": (
        "Delivered",
        "Event",
        "Undeliverable",
        "Webhook",
    ),
    "model.experience": (
        "Caution",
        "Cluster",
        "Execution",
        "PatternVersion",
        "Question",
        "Rating",
        "SimilarTask",
        "TaskContext",
        "TaskPattern",
    ),
    "model.finding": (
        "Exchange",
        "Finding",
        "Lesson",
        "Spent",
    ),
    "model.interaction": (
        "Details",
        "Interaction",
        "InteractionRecord",
    ),
    "model.item": (
        "Added",
        "Change",
        "Item",
        "Page",
        "Receipt",
        "Source",
    ),
    "model.many": ("Listed",),
    "model.message": ("Message",),
    "model.operational": (
        "ActiveTask",
        "LiveEvent",
        "Metric",
        "Snapshot",
    ),
    "model.overview": (
        "Caps",
        "Linked",
        "Overview",
        "UserSummary",
    ),
    "model.recall": (
        "Evidence",
        "Hit",
        "Hits",
        "Plan",
        "SessionHit",
        "Sessions",
        "Why",
    ),
    "model.report": (
        "Audit",
        "CacheUse",
        "Damage",
        "Difference",
        "Fault",
        "LearnReport",
        "Precomputed",
        "RebuildReport",
        "RepairReport",
        "SeedReport",
        "Spending",
        "Stats",
        "UpkeepReport",
        "Waiting",
    ),
    "model.scope": ("Scope",),
    "model.work": (
        "AgentState",
        "CachedPattern",
        "Decision",
        "Entry",
        "Found",
        "Goal",
        "Step",
        "Task",
    ),
    "opening": (
        "open",
        "open_async",
    ),
    "providers.base": (
        "Embedder",
        "Learner",
        "Reranker",
    ),
    "flows.worker": ("Worker",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 - a list of strings, read from the table above


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
