"""OmoiOS's memory: task executions, similar tasks, learned patterns, and the events about them.

Change the imports and keep the code. What is other than there: a session stands for an open Emberkeep memory, and what
is stored is durable when the call returns, so `commit` has nothing left to do and nothing can be rolled back; a pattern
that has too few samples is `None`, as there, and the log says how many there were. A database that Emberkeep's service
or library made is taken with the vectors that it has, and they take one that was made here. A session is queried for
tasks, executions and patterns as there (`models.py`), but takes no rows: those are stored by `MemoryService`.
"""

from emberkeep.adapters.omoios.database import DatabaseService, Session
from emberkeep.adapters.omoios.embedding import DIMENSIONS, EmbeddingProvider, EmbeddingService
from emberkeep.adapters.omoios.event_bus import EventBusService, Handler
from emberkeep.adapters.omoios.models import LearnedPattern, Task, TaskMemory, TaskPattern
from emberkeep.adapters.omoios.service import MemoryService
from emberkeep.model.experience import SimilarTask

__all__ = [
    "DIMENSIONS",
    "DatabaseService",
    "EmbeddingProvider",
    "EmbeddingService",
    "EventBusService",
    "Handler",
    "LearnedPattern",
    "MemoryService",
    "Session",
    "SimilarTask",
    "Task",
    "TaskMemory",
    "TaskPattern",
]
