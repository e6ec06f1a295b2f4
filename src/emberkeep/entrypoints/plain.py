"""Our values as JSON-ready dicts, the same for `--json` and HTTP. Users see items as "memories"; times are ISO 8601."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from functools import singledispatch
from typing import Any

from emberkeep.model.context import Chunk
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Added, Change, Page, Receipt
from emberkeep.model.recall import Hit, Hits, SessionHit, Sessions
from emberkeep.model.report import Stats


@dataclass(frozen=True, slots=True)
class History:
    """What happened to a memory, as one document."""

    changes: list[Change]


@singledispatch
def plain(value: object) -> Any:
    """A value as JSON has it: dataclasses become objects, field by field."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


@plain.register
def _moment(value: datetime) -> str:
    return value.isoformat().replace("+00:00", "Z")


@plain.register
def _digest(value: bytes) -> str:
    return value.hex()


@plain.register
def _hit(value: Hit) -> dict[str, Any]:
    scores = {"score": value.score, "similarity": value.similarity, "why": plain(value.why)}
    return {**plain(value.item), **scores}


@plain.register
def _hits(value: Hits) -> dict[str, Any]:
    return {"memories": plain(value.hits), "degraded": plain(value.degraded)}


@plain.register
def _session(value: SessionHit) -> dict[str, Any]:
    return {"session_id": value.session_id, "score": value.score, "memories": plain(value.hits)}


@plain.register
def _sessions(value: Sessions) -> dict[str, Any]:
    return {"sessions": plain(value.sessions), "degraded": plain(value.degraded)}


@plain.register
def _page(value: Page) -> dict[str, Any]:
    return {"memories": plain(value.items), "next": value.next}


@plain.register
def _added(value: Added) -> dict[str, Any]:
    return {
        "extracted": value.extracted,
        "new": value.new,
        "updated": value.updated,
        "errors": value.errors,
        "reasons": plain(value.reasons),
        "interaction_id": value.interaction_id,
        "redacted": plain(value.redacted),
        "memories": plain(value.items),
    }


@plain.register
def _interaction(value: Interaction) -> dict[str, Any]:
    rest = {field.name: plain(getattr(value, field.name)) for field in fields(value) if field.name != "scope"}
    return {**rest, "user_id": value.user_id, "agent_id": value.agent_id, "session_id": value.session_id}


@plain.register
def _chunk(value: Chunk) -> dict[str, Any]:
    return {
        "key": value.key,
        "source": value.source,
        "kind": value.kind,
        "text": value.text,
        "content": value.content,
        "tokens": value.tokens,
        "relevance": value.relevance,
        "trust": value.trust,
        "trimmed": value.trimmed,
        "memory": plain(value.hit),
    }


@plain.register
def _receipt(value: Receipt) -> dict[str, Any]:
    return {"rows": plain(value.rows), "total": value.total}


@plain.register
def _stats(value: Stats) -> dict[str, Any]:
    return {field.name.replace("items", "memories"): plain(getattr(value, field.name)) for field in fields(value)}
