"""The answer to a failed call: the gRPC code from `service.statuses`, and the short code in the trailing metadata."""

import logging
from typing import Any, NoReturn

import grpc

from emberkeep.errors import EmberkeepError, Overloaded, TooManyRequests
from emberkeep.service.statuses import status_of

ERROR = "emberkeep-error"
RETRY_AFTER = "retry-after"
MAX_CHARS = 1_000  # of a message: it is sent in a header, and a header that is too long would hide the error
_logger = logging.getLogger(__name__)
Context = grpc.aio.ServicerContext[Any, Any]


async def refuse(context: Context, error: Exception) -> NoReturn:
    """End a call with an error; an unexpected exception is logged, and its message is not sent."""
    status = status_of(error)
    message = str(error)
    if not isinstance(error, EmberkeepError):
        _logger.error("a call failed", exc_info=error)
        message = "something went wrong; the server's log says what"
    trailing = [(ERROR, status.code)]
    if isinstance(error, TooManyRequests | Overloaded):
        trailing.append((RETRY_AFTER, f"{error.retry_after_s:g}"))
    await context.abort(grpc.StatusCode[status.grpc], _safe(message), tuple(trailing))


def _safe(message: str) -> str:
    text = message if len(message) <= MAX_CHARS else f"{message[:MAX_CHARS]}…"
    return text.encode("utf-8", "backslashreplace").decode()
