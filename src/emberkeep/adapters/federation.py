"""The federation's bridge: turns conversations into memories that warm and cool, separately for each user.

The functions are those of the federation's `mem0_config` and `mem0_bridge`. The store is Emberkeep's own: the one that
`EMBERKEEP_DB` names, or this user's file. A model is asked only if `VLLM_BASE_URL` is set; otherwise rules extract. If
`get_memory_instance` is replaced by a function of the caller's own, the bridge uses the Mem0 that it returns.
"""

import logging
import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import emberkeep
from emberkeep.errors import ConfigError, EmberkeepError
from emberkeep.model.item import Added
from emberkeep.model.kinds import LEARNED
from emberkeep.model.recall import Hit
from emberkeep.providers.mem0 import Mem0Learner, import_mem0

SHORTEST = 10  # characters; a shorter text from the caller's own Mem0 is not kept
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
    """A Mem0 instance with the settings of `get_mem0_config`; None if it is not installed or cannot start."""
    try:
        return import_mem0().from_config(get_mem0_config())
    except ConfigError:
        logger.exception("mem0 not installed. Run: pip install mem0ai")
    except Exception:
        logger.exception("Failed to initialize Mem0")
    return None


_ours = get_memory_instance


def extract_and_store(
    messages: Sequence[Mapping[str, Any]],
    user_id: str = "tribe",
    agent_id: str = "mem0_bridge",
    initial_temperature: float = 75.0,
) -> dict[str, Any]:
    """Keep a conversation and extract memories from it; returns how many were extracted, are new, or were warmed.

    The conversation is on disk before a model is asked. If the model fails, that counts as an error here; `emberkeep
    learn` tries again, with the learner that Emberkeep's own settings name. With the caller's own Mem0, the memories
    that it extracts are kept unchanged, and nothing else.
    """
    note = {"source": "mem0_extraction", "user_id": user_id, "agent_id": agent_id, "mem0_event": "ADD"}
    whose: dict[str, Any] = {"user_id": user_id, "agent_id": agent_id, "tags": ["mem0", "auto_extracted", user_id]}
    heat: dict[str, Any] = {"initial_temperature": initial_temperature, "reheat_by": _REHEAT_BY}
    if get_memory_instance is not _ours:
        mem0 = get_memory_instance()
        if mem0 is None:
            return {"error": "Mem0 not available"}
        found = _results(mem0.add(messages, user_id=user_id))
        with emberkeep.open(learner="none", **heat) as memory:
            return _stored(memory, found, whose, note)
    if not messages:
        return {"extracted": 0, "new": 0, "updated": 0, "errors": 0}
    with emberkeep.open(capture=True, **heat, **_extractor()) as memory:
        added = memory.add(list(messages), metadata=note, **whose)
    extracted, new = len(added.learned), added.new - _new_episodes(added)
    return {"extracted": extracted, "new": new, "updated": extracted - new, "errors": added.errors}


def search_user_memories(query: str, user_id: str = "tribe", limit: int = 5) -> list[dict[str, Any]]:
    """One user's memories that are relevant to a question, best first; none if they cannot be read."""
    if get_memory_instance is not _ours:
        return _searched(get_memory_instance(), query, user_id, limit)
    try:
        with emberkeep.open(learner="none") as memory:
            hits = memory.search(query, user_id=user_id, limit=limit, kinds=LEARNED)
    except EmberkeepError:
        logger.exception("Memory search failed")
        return []
    return [_result(hit) for hit in hits]


def _extractor() -> dict[str, Any]:
    """The learner, as arguments of `emberkeep.open`."""
    url = os.environ.get("VLLM_BASE_URL")
    if not url:
        return {"learner": "rules"}
    config = get_mem0_config()
    if find_spec("mem0") is None:
        return {"learner": "llm", "llm_url": url, "llm_model": config["llm"]["config"]["model"], "llm_key_env": ""}
    # Only servers that the environment names are contacted: Mem0 does without the others.
    for part, variable in (("embedder", "EMBEDDING_BASE_URL"), ("vector_store", "CHEROKEE_DB_HOST")):
        if not os.environ.get(variable):
            del config[part]
    return {"learner": Mem0Learner(config)}


def _new_episodes(added: Added) -> int:
    """How many episodes are new, because this conversation is their only source."""
    episodes = (item for item in added.items if item.kind == "episode")
    return sum({one.interaction_id for one in item.sources} == {added.interaction_id} for item in episodes)


def _results(answer: Any) -> list[Any]:
    """The results in Mem0's answer, read as the federation does."""
    return list(answer.get("results", [])) if isinstance(answer, dict) else []


def _stored(
    memory: emberkeep.Memory, found: Sequence[Mapping[str, Any]], whose: Mapping[str, Any], note: Mapping[str, Any]
) -> dict[str, int]:
    """Keep the results of the caller's own Mem0 unchanged, and count them."""
    counts = {"extracted": len(found), "new": 0, "updated": 0, "errors": 0}
    for one in found:
        text = one.get("memory", "")
        if not text or len(text) < SHORTEST:
            continue
        try:
            kept = memory.remember(text, metadata={**note, "mem0_event": one.get("event", "ADD")}, **whose)
        except EmberkeepError:
            logger.exception("Failed to store memory")
            counts["errors"] += 1
        else:
            counts["new"] += kept.new
            counts["updated"] += kept.updated
    return counts


def _searched(mem0: Any | None, query: str, user_id: str, limit: int) -> list[dict[str, Any]]:
    if mem0 is None:
        return []
    try:
        answer = mem0.search(query=query, user_id=user_id, limit=limit)
        return _results(answer) if isinstance(answer, dict) else answer
    except Exception:
        logger.exception("Mem0 search failed")
        return []


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
