"""The federation's bridge: what a conversation says becomes memories that warm and cool, each user's for themselves.

The functions are those of the federation's `mem0_config` and `mem0_bridge`. The archive is Emberkeep's own: what
`EMBERKEEP_DB` names, or this user's file. Only where `VLLM_BASE_URL` is set is a model asked; otherwise it is rules.
"""

import logging
import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import emberkeep
from emberkeep.errors import ConfigError, EmberkeepError
from emberkeep.model.kinds import LEARNED
from emberkeep.model.recall import Hit
from emberkeep.providers.mem0 import Mem0Learner, import_mem0

_REHEAT_BY = 5.0
logger = logging.getLogger(__name__)


def get_mem0_config() -> dict[str, Any]:
    """Mem0's settings for the federation's own machines."""
    password = os.environ.get("CHEROKEE_DB_PASS", os.environ.get("PGPASSWORD", ""))
    return {
        "llm": {
            "provider": "openai",
            "config": {
                "model": os.environ.get("VLLM_MODEL", "Qwen/Qwen2.5-72B-Instruct-AWQ"),
                "api_key": "not-needed",
                "openai_base_url": os.environ.get("VLLM_BASE_URL", "http://192.168.132.223:8000/v1"),
                "temperature": 0.3,
                "max_tokens": 500,
            },
        },
        "embedder": {
            "provider": "openai",
            "config": {
                "model": "bge-large-en-v1.5",
                "api_key": "not-needed",
                "openai_base_url": os.environ.get("EMBEDDING_BASE_URL", "http://192.168.132.224:8003"),
                "embedding_dims": 1024,
            },
        },
        "vector_store": {
            "provider": "pgvector",
            "config": {
                "host": os.environ.get("CHEROKEE_DB_HOST", "192.168.132.222"),
                "port": 5432,
                "user": os.environ.get("CHEROKEE_DB_USER", "claude"),
                "password": password,
                "dbname": os.environ.get("CHEROKEE_DB_NAME", "zammad_production"),
                "collection_name": "mem0_memories",
            },
        },
        "version": "v1.1",
    }


def get_memory_instance() -> Any | None:
    """A Mem0 of your own with those settings; nothing when it is not installed or cannot start."""
    try:
        return import_mem0().from_config(get_mem0_config())
    except ConfigError:
        logger.exception("mem0 not installed. Run: pip install mem0ai")
    except Exception:
        logger.exception("Failed to initialize Mem0")
    return None


def extract_and_store(
    messages: Sequence[Mapping[str, Any]],
    user_id: str = "tribe",
    agent_id: str = "mem0_bridge",
    initial_temperature: float = 75.0,
) -> dict[str, int]:
    """Keep a conversation, and what it says as memories: how many were extracted, are new, or are warmed again.

    The conversation is on disk before a model is asked. One that fails is an error here; `emberkeep learn` tries again,
    with the learner that Emberkeep's own settings name.
    """
    if not messages:
        return {"extracted": 0, "new": 0, "updated": 0, "errors": 0}
    note = {"source": "mem0_extraction", "user_id": user_id, "agent_id": agent_id, "mem0_event": "ADD"}
    heat: dict[str, Any] = {"initial_temperature": initial_temperature, "reheat_by": _REHEAT_BY}
    with emberkeep.open(capture=True, **heat, **_extractor()) as memory:
        added = memory.add(
            list(messages),
            user_id=user_id,
            agent_id=agent_id,
            metadata=note,
            tags=["mem0", "auto_extracted", user_id],
        )
        began = memory.capture.get(added.interaction_id or "").recorded_at
    new = sum(item.recorded_at >= began for item in added.learned)
    extracted = len(added.learned)
    return {"extracted": extracted, "new": new, "updated": extracted - new, "errors": added.errors}


def search_user_memories(query: str, user_id: str = "tribe", limit: int = 5) -> list[dict[str, Any]]:
    """One user's memories that have to do with a question, best first; none if they cannot be read."""
    try:
        with emberkeep.open(learner="none") as memory:
            hits = memory.search(query, user_id=user_id, limit=limit, kinds=LEARNED)
    except EmberkeepError:
        logger.exception("Memory search failed")
        return []
    return [_result(hit) for hit in hits]


def _extractor() -> dict[str, Any]:
    """Who extracts, as arguments of `emberkeep.open`."""
    url = os.environ.get("VLLM_BASE_URL")
    if not url:
        return {"learner": "rules"}
    config = get_mem0_config()
    if find_spec("mem0") is None:
        return {"learner": "llm", "llm_url": url, "llm_model": config["llm"]["config"]["model"], "llm_key_env": ""}
    # Only what was named is reached: Mem0 does without the others.
    for part, variable in (("embedder", "EMBEDDING_BASE_URL"), ("vector_store", "CHEROKEE_DB_HOST")):
        if not os.environ.get(variable):
            del config[part]
    return {"learner": Mem0Learner(config)}


def _result(hit: Hit) -> dict[str, Any]:
    item = hit.item
    return {
        "id": item.id,
        "memory": item.text,
        "score": hit.score,
        "user_id": item.user_id,
        "agent_id": item.agent_id,
        "metadata": dict(item.metadata),
        "tags": list(item.tags),
        "created_at": item.recorded_at.isoformat(),
        "temperature": item.temperature,
    }
