"""What a server answered, as a result or as the error that the verb would have raised here."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emberkeep.errors import Closed, EmberkeepError, StoreBusy, StoreUnavailable, UnderWay
from emberkeep.service.calls import result_of
from emberkeep.service.statuses import STATUSES
from emberkeep.service.verbs import Verb

_EXCERPT = 100
_SUCCESS = range(200, 300)
_GATEWAY = frozenset({502, 503, 504})  # what a proxy says when the server behind it is not there
_UNROUTED = frozenset({("not_found", "Not Found"), ("method_not_allowed", "Method Not Allowed")})
_CLASSES = {status.code: kind for kind, status in STATUSES.items()}
_PASSING = (StoreBusy, StoreUnavailable, Closed)  # what may be over a moment later


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, and how long it asks to wait."""

    status: int
    media_type: str
    body: bytes
    retry_after_s: float | None = None

    @property
    def ok(self) -> bool:
        """Whether the verb was done."""
        return self.status in _SUCCESS


def result(verb: Verb, reply: Reply, server: str) -> Any:
    """What the verb gave back."""
    document = _document(reply)
    if document is None:
        raise _not_ours(reply, server)
    try:
        return result_of(verb, document)
    except (EmberkeepError, KeyError, TypeError):
        raise EmberkeepError(
            f"the answer of {server} to {verb.name} cannot be read: it runs another version of Emberkeep, "
            "use the same one on both sides"
        ) from None


def problem(verb: Verb, reply: Reply, server: str) -> EmberkeepError:
    """The error that the verb ended with there."""
    said = (_document(reply) or {}).get("error")
    if not isinstance(said, dict) or not isinstance(said.get("code"), str):
        return _not_ours(reply, server)
    code, message = said["code"], str(said.get("message", ""))
    if (code, message) in _UNROUTED:
        return EmberkeepError(
            f"{server} does not know {verb.name}: it runs an older version of Emberkeep, or the URL leads elsewhere"
        )
    error = _CLASSES.get(code, EmberkeepError)(message)
    if hasattr(error, "retry_after_s") and reply.retry_after_s is not None:
        error.retry_after_s = reply.retry_after_s
    return error


def may_pass(error: EmberkeepError, *, again: bool) -> bool:
    """Whether the same request may be answered a moment later.

    A write that was sent `again` meets its first attempt while that is still under way, and is refused meanwhile.
    """
    passing = isinstance(error, _PASSING) or hasattr(error, "retry_after_s")
    return passing or (again and isinstance(error, UnderWay))


def _document(reply: Reply) -> Mapping[str, Any] | None:
    try:
        found = json.loads(reply.body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _not_ours(reply: Reply, server: str) -> EmberkeepError:
    said = " ".join(reply.body[: 4 * _EXCERPT].decode("utf-8", "replace").split())[:_EXCERPT]
    what = f"HTTP {reply.status}, {reply.media_type or 'no media type'}: {said or 'nothing'}"
    if reply.status in _GATEWAY:
        return StoreUnavailable(f"there is no Emberkeep behind {server} now ({what}): start it, or try again later")
    return EmberkeepError(f"what answers at {server} is not Emberkeep ({what}): check the URL")
