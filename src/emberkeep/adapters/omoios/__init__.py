"""OmoiOS's memory: task executions, similar tasks, learned patterns, and the events about them.

Change the imports and keep the code. Differences from OmoiOS: a session stands for an open Emberkeep memory, and a
write is durable when the call returns, so `commit` does nothing and nothing can be rolled back; a pattern with too few
samples is `None`, as in OmoiOS, and the log says how many there were. A database made by Emberkeep's service or library
is used with the vectors it has, and they can open one made here. A session can be queried for tasks, executions and
patterns as in OmoiOS (`models.py`), but rows cannot be added to it: `MemoryService` stores them.
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
