"""Reading memories from the folder of Mem0's local Qdrant; one on a server is not supported."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from emberkeep.errors import ConfigError, Conflict, InvalidInput
from emberkeep.model import checks
from emberkeep.transfer.parcels import Parcel, Told, marked, when, words
from emberkeep.transfer.reading import placed

PAGE = 500
# Keys of the payload that are internal to Mem0, or that become a field of the parcel rather than metadata.
_OWN = frozenset("data hash created_at updated_at user_id agent_id run_id text_lemmatized attributed_to".split())


def read_points(path: Path) -> Iterator[Parcel]:
    """The memories of every collection in a folder of Qdrant, which is only read."""
    try:
        from qdrant_client import QdrantClient  # noqa: PLC0415 - comes with the extra `mem0`
    except ImportError:
        raise ConfigError("a folder of Qdrant takes qdrant-client: pip install 'emberkeep[mem0]'") from None
    if not (path / "meta.json").is_file():
        raise InvalidInput(
            f"{path}: there is no meta.json in it: pass the `path` of Mem0's vector_store, or a JSON file"
        )
    try:
        client = QdrantClient(path=str(path))
    except RuntimeError as error:  # another process has it open
        raise Conflict(f"{path}: {error}") from None
    try:
        for collection in client.get_collections().collections:
            offset: Any = None
            while True:
                points, offset = client.scroll(collection.name, limit=PAGE, offset=offset, with_payload=True)
                for point in points:
                    with placed(f"{path}: {collection.name}: point {point.id}"):
                        told = _told(point.payload or {}, str(point.id))
                    if told is not None:
                        yield told
                if offset is None:
                    break
    finally:
        client.close()


def _told(payload: Mapping[str, Any], id_: str) -> Told | None:
    text = words(payload.get("data"), "data")
    if not text or "linked_memory_ids" in payload:  # another program's point, or one of Mem0's internal entities
        return None
    more = {name: one for name, one in payload.items() if name not in _OWN and one is not None}
    return Told(
        text,
        occurred_at=when(payload.get("created_at")),
        user_id=checks.owner_id(payload.get("user_id") or None),
        agent_id=checks.scope_id(payload.get("agent_id") or None, name="agent_id"),
        session_id=checks.scope_id(payload.get("run_id") or None, name="run_id"),
        metadata=marked(more, "mem0", id_),
    )
