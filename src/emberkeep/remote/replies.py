"""The answer of a server, as a result or as the error that the verb would raise in process."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emberkeep.errors import Closed, EmberkeepError, StoreBusy, StoreUnavailable, UnderWay
from emberkeep.service.calls import result_of
from emberkeep.service.statuses import STATUSES
from emberkeep.service.verbs import Verb

_EXCERPT = 100  # characters that an error quotes of an answer that is not ours
_SUCCESS = range(200, 300)
_GATEWAY = frozenset({502, 503, 504})  # sent by a proxy when it cannot reach the server behind it
# The code and message for a path or method that a server does not know.
_UNROUTED = frozenset({("not_found", "Not Found"), ("method_not_allowed", "Method Not Allowed")})
_CLASSES = {status.code: kind for kind, status in STATUSES.items()}
_PASSING = (StoreBusy, StoreUnavailable, Closed)  # may be over a moment later


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and how long it asks to wait before the next attempt."""

    status: int
    media_type: str
    body: bytes
    retry_after_s: float | None = None

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.status in _SUCCESS


def result(verb: Verb, reply: Reply, server: str) -> Any:
    """Return what the verb returned; raise `EmberkeepError` if the answer cannot be read."""
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
    """Return the error that the verb ended with on the server."""
    described = (_document(reply) or {}).get("error")
    if not isinstance(described, dict) or not isinstance(described.get("code"), str):
        return _not_ours(reply, server)
    code, message = described["code"], str(described.get("message", ""))
    if (code, message) in _UNROUTED:
        return EmberkeepError(
            f"{server} does not know {verb.name}: it runs an older version of Emberkeep, or the URL leads elsewhere"
        )
    error = _CLASSES.get(code, EmberkeepError)(message)
    if hasattr(error, "retry_after_s") and reply.retry_after_s is not None:
        error.retry_after_s = reply.retry_after_s
    return error


def may_pass(error: EmberkeepError, *, again: bool) -> bool:
    """Whether the same request may succeed a moment later.

    A write that was sent `again` is refused while its first attempt is still under way.
    """
    passing = isinstance(error, _PASSING) or hasattr(error, "retry_after_s")
    return passing or (again and isinstance(error, UnderWay))


def _document(reply: Reply) -> Mapping[str, Any] | None:
    """The JSON object in an answer; None if it holds none."""
    try:
        found = json.loads(reply.body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _not_ours(reply: Reply, server: str) -> EmberkeepError:
    """The error for an answer that Emberkeep did not send."""
    excerpt = " ".join(reply.body[: 4 * _EXCERPT].decode("utf-8", "replace").split())[:_EXCERPT]
    what = f"HTTP {reply.status}, {reply.media_type or 'no media type'}: {excerpt or 'nothing'}"
    if reply.status in _GATEWAY:
        return StoreUnavailable(f"there is no Emberkeep behind {server} now ({what}): start it, or try again later")
    return EmberkeepError(f"what answers at {server} is not Emberkeep ({what}): check the URL")
