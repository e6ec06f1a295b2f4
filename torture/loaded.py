"""Imported by the fork server, so that the processes it forks have everything loaded and start in milliseconds.

The code below runs on import, because a fork server can only be told to import modules. It must leave no thread behind.
"""

import emberkeep
from emberkeep.entrypoints.http.app import create_app
from emberkeep.storage import postgres
from emberkeep.testing import WordEmbedder
from torture import reader, serving, writer

__all__ = ["postgres", "reader", "serving", "writer"]

with emberkeep.open(":memory:", embedder=WordEmbedder()) as _memory:
    _memory.add(["I like tea.", "Noted."], user_id="ann")
    _memory.tasks.finish(_memory.tasks.start("a task", user_id="ann").id, success=True)
    _memory.search("tea", user_id="ann")
    _memory.upkeep()
    create_app(_memory)
