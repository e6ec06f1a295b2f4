"""What a call that fails is answered: the code of the one table, and its short name in the trailing metadata."""

import logging
from typing import Any, NoReturn

import grpc

from emberkeep.errors import EmberkeepError, Overloaded, TooManyRequests
from emberkeep.service.statuses import status_of

ERROR = "emberkeep-error"
RETRY_AFTER = "retry-after"
MAX_CHARS = 1_000  # of a message: it travels in a header, and too long a header would hide the error
_logger = logging.getLogger(__name__)
Context = grpc.aio.ServicerContext[Any, Any]


async def refuse(context: Context, error: Exception) -> NoReturn:
    """End a call with an error; a bug of ours shows nothing of itself but is logged."""
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
