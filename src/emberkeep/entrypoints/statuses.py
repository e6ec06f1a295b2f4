"""What each error means outside: its exit code, its HTTP status and its short code. One table for all entry points."""

from collections.abc import Mapping
from typing import NamedTuple

from emberkeep import errors


class Status(NamedTuple):
    """How an error ends a command, answers a request, and is called by programs."""

    exit_code: int
    http: int
    code: str


FAILURE = 1
WRONG_USAGE = 2

STATUSES: Mapping[type[errors.EmberkeepError], Status] = {
    errors.EmberkeepError: Status(FAILURE, 500, "failed"),
    errors.InvalidInput: Status(WRONG_USAGE, 422, "invalid_input"),
    errors.NotFound: Status(FAILURE, 404, "not_found"),
    errors.Conflict: Status(FAILURE, 409, "conflict"),
    errors.ConfigError: Status(WRONG_USAGE, 500, "config_error"),
    errors.StoreError: Status(FAILURE, 500, "store_error"),
    errors.StoreUnavailable: Status(FAILURE, 503, "store_unavailable"),
    errors.StoreBusy: Status(FAILURE, 503, "store_busy"),
    errors.StoreFull: Status(FAILURE, 507, "store_full"),
    errors.StoreOutdated: Status(FAILURE, 503, "store_outdated"),
    errors.EmbedderMismatch: Status(FAILURE, 503, "embedder_mismatch"),
    errors.ModelUnavailable: Status(FAILURE, 503, "model_unavailable"),
    errors.UnusableReply: Status(FAILURE, 502, "unusable_reply"),
    errors.Closed: Status(FAILURE, 503, "closed"),
}
INTERNAL = Status(FAILURE, 500, "internal")


def status_of(error: BaseException) -> Status:
    """The row of the most specific class that has one; a bug of ours is `INTERNAL`."""
    rows = (STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    return next(rows, INTERNAL)


def error_document(code: str, message: str) -> dict[str, dict[str, str]]:
    """The one JSON shape of errors, safe to encode whatever the message quotes."""
    return {"error": {"code": code, "message": message.encode("utf-8", "backslashreplace").decode()}}
