"""Mem0's `Memory`: change the import and keep the code. Mem0's settings name the store and the models to ask.

    from emberkeep.adapters.mem0 import Memory

With Qdrant, Chroma or FAISS the memory is a file in the folder of their path; with pgvector it is in that database. A
collection is a tenant. Without the URL of a server nothing leaves the machine: the bundled embedder and the rules are
used. A `run_id` is the session of the messages; what is learned belongs to the user, with the run in its metadata. Both
forms of scope are accepted: `user_id=` and `filters={"user_id": …}`.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL

import emberkeep
from emberkeep.clock import SystemClock
from emberkeep.config import Config
from emberkeep.errors import ConfigError, InvalidInput, NotFound
from emberkeep.model.checks import MAX_PAGE_LIMIT, MAX_SEARCH_LIMIT
from emberkeep.model.item import Change, Item
from emberkeep.model.kinds import LEARNED
from emberkeep.model.scope import EVERYONE
from emberkeep.providers.base import Embedder, Learner
from emberkeep.wiring import make_embedder, make_learner

_SCOPES: Mapping[str, str] = {"user_id": "user_id", "agent_id": "agent_id", "run_id": "session_id"}
_IN_FOLDERS = ("qdrant", "chroma", "faiss")
_URLS = ("openai_base_url", "base_url", "vllm_base_url", "lmstudio_base_url", "ollama_base_url")
_EVENTS = {"added": "ADD", "deleted": "DELETE", "retracted": "DELETE", "superseded": "DELETE"}


class Memory:
    """A memory with Mem0's verbs and results. `memory` is the open Emberkeep memory."""

    def __init__(self, config: object = None, *, memory: emberkeep.Memory | None = None) -> None:
        self.memory = memory or _opened(_as_mapping(config))

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> "Memory":
        """The memory that Mem0's settings describe."""
        return cls(config_dict)

    def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timestamp: datetime | str | float | None = None,
        infer: bool = True,
        **given: Any,
    ) -> dict[str, Any]:
        """Learn from messages; with `infer=False` each is kept as a memory of its own."""
        _check(given, "add", passed_over=("memory_type", "prompt"))
        scope = _scope({"user_id": user_id, "agent_id": agent_id, "run_id": run_id}, "add")
        began = datetime.now(UTC)
        occurred = _moment(timestamp)
        about = {**(metadata or {}), **({} if run_id is None else {"run_id": run_id})}
        if infer:
            added = self.memory.add(messages, metadata=metadata, occurred_at=occurred, **scope)
            for item in added.learned:  # a learned item belongs to the user, so its run is noted in the metadata
                if about and item.recorded_at >= began:
                    self.memory.update(item.id, metadata={**item.metadata, **about})
            return {"results": [_event(item, began) for item in added.learned]}
        kept = [
            self.memory.remember(text, metadata={**about, "role": role}, occurred_at=occurred, **scope)
            for role, text in _texts(messages)
        ]
        return {
            "results": [_event(item, began) | {"role": item.metadata["role"]} for one in kept for item in one.items]
        }

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        limit: int | None = None,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = None,
        reference_date: datetime | str | float | None = None,
        **ids: Any,
    ) -> dict[str, Any]:
        """The relevant memories, best first. `threshold` is a minimum for the cosine similarity to the query."""
        _check(ids, "search", passed_over=(*_SCOPES, "rerank", "explain", "show_expired"))
        scope, rest = _narrowed(filters, ids, "search")
        wanted = min(top_k or limit or 20, MAX_SEARCH_LIMIT)
        at = _moment(reference_date)
        hits = self.memory.search(query, limit=wanted, kinds=LEARNED, filters=rest, asked_at=at, **scope)
        near = [hit for hit in hits if threshold is None or (hit.similarity or 0.0) >= threshold]
        return {"results": [_result(hit.item) | {"score": hit.score} for hit in near]}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory, or None."""
        try:
            return _result(self.memory.get(memory_id))
        except (NotFound, InvalidInput):
            return None

    def get_all(
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int | None = None,
        limit: int | None = None,
        **ids: Any,
    ) -> dict[str, Any]:
        """Memories, latest first."""
        _check(ids, "get_all", passed_over=(*_SCOPES, "show_expired"))
        scope, rest = _narrowed(filters, ids, "get_all")
        wanted = min(top_k or limit or 100, MAX_PAGE_LIMIT)
        page = self.memory.get_all(limit=wanted, kinds=LEARNED, filters=rest, **scope)
        return {"results": [_result(item) for item in page]}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        data: str | None = None,
        **given: Any,
    ) -> dict[str, str]:
        """Change what a memory says, and add to its metadata."""
        _check(given, "update")
        more = None if metadata is None else {**self.memory.get(memory_id).metadata, **metadata}
        self.memory.update(memory_id, data if text is None else text, metadata=more)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Remove a memory for good."""
        self.memory.delete(memory_id)
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Remove everything of a user, agent or run."""
        ids = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        self.memory.delete_all(**_scope(ids, "delete_all"))
        if run_id is not None:
            scope, filters = _narrowed(None, ids, "delete_all")
            while page := self.memory.get_all(limit=MAX_PAGE_LIMIT, kinds=LEARNED, filters=filters, **scope):
                for item in page:
                    with suppress(NotFound):  # deleted together with another item, or by another process
                        self.memory.delete(item.id)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first."""
        return [_entry(memory_id, number, change) for number, change in enumerate(self.memory.history(memory_id))]

    def reset(self) -> None:
        """Remove everything."""
        self.memory.delete_all(user_id=EVERYONE)

    def close(self) -> None:
        """Close the database."""
        self.memory.close()


class AsyncMemory:
    """The same interface for asyncio. Each call runs in a thread."""

    def __init__(self, config: object = None, *, memory: emberkeep.Memory | None = None) -> None:
        self._sync = Memory(config, memory=memory)
        self.memory = self._sync.memory

    @classmethod
    async def from_config(cls, config_dict: Mapping[str, Any]) -> "AsyncMemory":
        """The memory that Mem0's settings describe."""
        return await asyncio.to_thread(cls, config_dict)

    async def add(self, messages: Any, **given: Any) -> dict[str, Any]:
        """Learn from messages."""
        return await asyncio.to_thread(self._sync.add, messages, **given)

    async def search(self, query: str, **given: Any) -> dict[str, Any]:
        """The relevant memories, best first."""
        return await asyncio.to_thread(self._sync.search, query, **given)

    async def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory, or None."""
        return await asyncio.to_thread(self._sync.get, memory_id)

    async def get_all(self, **given: Any) -> dict[str, Any]:
        """Memories, latest first."""
        return await asyncio.to_thread(self._sync.get_all, **given)

    async def update(self, memory_id: str, *args: Any, **given: Any) -> dict[str, str]:
        """Change what a memory says."""
        return await asyncio.to_thread(self._sync.update, memory_id, *args, **given)

    async def delete(self, memory_id: str) -> dict[str, str]:
        """Remove a memory for good."""
        return await asyncio.to_thread(self._sync.delete, memory_id)

    async def delete_all(self, *args: Any, **given: Any) -> dict[str, str]:
        """Remove everything of a user, agent or run."""
        return await asyncio.to_thread(self._sync.delete_all, *args, **given)

    async def history(self, memory_id: str) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first."""
        return await asyncio.to_thread(self._sync.history, memory_id)

    async def reset(self) -> None:
        """Remove everything."""
        await asyncio.to_thread(self._sync.reset)

    async def close(self) -> None:
        """Close the database."""
        await asyncio.to_thread(self._sync.close)


def _as_mapping(config: object) -> Mapping[str, Any]:
    if config is None:
        return {}
    if isinstance(config, Mapping):
        return config
    dump = getattr(config, "model_dump", None)  # Mem0's own `MemoryConfig`
    if callable(dump):
        dumped: Mapping[str, Any] = dump()
        return dumped
    raise ConfigError(f"a configuration is a dict as Mem0 takes it, not {type(config).__name__}")


def _opened(config: Mapping[str, Any]) -> emberkeep.Memory:
    store = _part(config, "vector_store")
    return emberkeep.open(
        _database(config.get("vector_store"), store),
        embedder=_embedder(config),
        learner=_learner(config),
        tenant=store.get("collection_name"),
    )


def _part(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = config.get(name) or {}
    inner = part.get("config") if isinstance(part, Mapping) else None
    if not isinstance(part, Mapping) or not isinstance(inner or {}, Mapping):
        raise ConfigError(f'{name} has to be {{"provider": …, "config": {{…}}}}, as Mem0 takes it')
    return inner or {}


def _database(chosen: Any, store: Mapping[str, Any]) -> str | None:
    provider = "qdrant" if not chosen else chosen.get("provider", "qdrant")
    if provider == "pgvector":
        if store.get("connection_string"):
            return str(store["connection_string"])
        url = URL.create(
            "postgresql",
            store.get("user"),
            store.get("password"),
            store.get("host", "localhost"),
            _port(store.get("port") or 5432),
            store.get("dbname", "postgres"),
        )
        return url.render_as_string(hide_password=False)
    if provider not in _IN_FOLDERS:
        known = ", ".join((*_IN_FOLDERS, "pgvector"))
        raise ConfigError(f"there is no place for a {provider} store here: use one of {known}, or leave it out")
    if store.get("host") or store.get("url"):
        raise ConfigError(f"Emberkeep does not talk to a {provider} server: give a path, or use pgvector")
    path = store.get("path") or store.get("db_path")
    return str(Path(path).expanduser() / "emberkeep.db") if path else None


def _port(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise ConfigError(f"the port of the vector_store is {value!r}: pass a number, such as 5432") from None


def _learner(config: Mapping[str, Any]) -> Learner | None:
    """The learner: the model on the server that the settings name; None, for the default, if they name no server."""
    llm = _part(config, "llm")
    if (url := _url(llm)) is None:
        return None
    settings = Config().changed(
        learner="llm",
        llm_url=url,
        llm_model=llm.get("model") or "gpt-4o-mini",
        llm_max_tokens=llm.get("max_tokens"),
    )
    return make_learner(settings, SystemClock(), api_key=llm.get("api_key"))


def _embedder(config: Mapping[str, Any]) -> Embedder | None:
    embedder = _part(config, "embedder")
    if (url := _url(embedder)) is None:
        return None
    settings = Config().changed(
        embedder=f"openai:{embedder.get('model') or 'text-embedding-3-small'}",
        embedder_url=url,
        embedder_dimension=embedder.get("embedding_dims"),
    )
    return make_embedder(settings, api_key=embedder.get("api_key"))


def _url(part: Mapping[str, Any]) -> str | None:
    return next((str(part[name]) for name in _URLS if part.get(name)), None)


def _check(given: Mapping[str, Any], verb: str, passed_over: Sequence[str] = ()) -> None:
    """Refuse arguments that would silently have no effect: mistyped names, and what Emberkeep does not support."""
    if given.get("expiration_date") is not None:
        raise InvalidInput(
            "expiration_date: nothing expires here. Leave it out, and delete the memory when its time comes"
        )
    if unknown := given.keys() - {*passed_over, "expiration_date"}:
        raise InvalidInput(f"{verb} knows no {min(unknown)!r}: correct its name, or leave it out")


def _scope(ids: Mapping[str, Any], verb: str) -> dict[str, Any]:
    named = {_SCOPES[name]: value for name, value in ids.items() if value is not None}
    if not named:
        raise InvalidInput(f"{verb} needs a user_id, agent_id or run_id")
    return named


def _narrowed(filters: Mapping[str, Any] | None, ids: Mapping[str, Any], verb: str) -> tuple[dict[str, Any], Any]:
    """Split filters and ids into the scope to search and the metadata to filter by."""
    asked = {**(filters or {}), **{name: one for name, one in ids.items() if name in _SCOPES}}
    scope = _scope({name: asked.pop(name) for name in list(asked) if name in _SCOPES}, verb)
    if (run_id := scope.pop("session_id", None)) is not None:
        asked["run_id"] = run_id
    if "user_id" not in scope:
        scope["user_id"] = EVERYONE  # an agent or a run may have served anyone
    return scope, asked or None


def _moment(timestamp: datetime | str | float | None) -> datetime | None:
    """Parse a time as Mem0 takes it: seconds since 1970, or an ISO 8601 date, in UTC if it has no zone."""
    try:
        if isinstance(timestamp, int | float):
            return datetime.fromtimestamp(timestamp, UTC)
        found = datetime.fromisoformat(timestamp) if isinstance(timestamp, str) else timestamp
    except (ValueError, OverflowError, OSError):
        raise InvalidInput(f"timestamp is {timestamp!r}: pass seconds since 1970, or a date in ISO 8601") from None
    return found.replace(tzinfo=found.tzinfo or UTC) if found else None


def _texts(messages: Any) -> Iterator[tuple[str, str]]:
    given = [messages] if isinstance(messages, str | Mapping) else messages
    if not isinstance(given, Iterable):
        raise InvalidInput("messages are a text, a dict with role and content, or a list of these")
    for message in given:
        role, text = (
            ("user", message) if isinstance(message, str) else (message.get("role", "user"), message.get("content"))
        )
        if isinstance(text, list):  # parts, some of which may be images
            text = "\n".join(part["text"] for part in text if isinstance(part, Mapping) and part.get("text"))
        if role != "system" and text:
            yield role, text


def _event(item: Item, began: datetime) -> dict[str, Any]:
    event = "ADD" if item.recorded_at >= began else "UPDATE"
    return {"id": item.id, "memory": item.text, "event": event}


def _result(item: Item) -> dict[str, Any]:
    about = dict(item.metadata)
    known = {"user_id": item.user_id, "agent_id": item.agent_id, "run_id": about.pop("run_id", item.session_id)}
    revised = item.valid_from != item.occurred_at  # `valid_from` is when it got its present text
    changed = item.valid_from if revised else item.heated_at if item.access_count else None
    return {
        "id": item.id,
        "memory": item.text,
        "hash": hashlib.md5(item.text.encode(), usedforsecurity=False).hexdigest(),
        "metadata": {**about, "kind": item.kind},
        "created_at": item.recorded_at.isoformat(),
        "updated_at": changed.isoformat() if changed else None,
        **{name: value for name, value in known.items() if value is not None},
    }


def _entry(memory_id: str, number: int, change: Change) -> dict[str, Any]:
    return {
        "id": f"{memory_id}:{number}",
        "memory_id": memory_id,
        "old_memory": change.previous_text,
        "new_memory": change.text,
        "event": _EVENTS.get(change.action, "UPDATE"),
        "created_at": change.at.isoformat(),
        "updated_at": change.at.isoformat(),
        "is_deleted": change.action == "deleted",
    }
