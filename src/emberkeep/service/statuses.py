"""The exit code, HTTP status, short code and gRPC code of each error, in one table."""

from collections.abc import Mapping
from typing import NamedTuple

from emberkeep import errors


class Status(NamedTuple):
    """How an error is reported: as exit code, HTTP status, short code for programs, and gRPC code."""

    exit_code: int
    http: int
    code: str
    grpc: str  # the name of a gRPC status code


FAILURE = 1
WRONG_USAGE = 2

STATUSES: Mapping[type[errors.EmberkeepError], Status] = {
    errors.EmberkeepError: Status(FAILURE, 500, "failed", "INTERNAL"),
    errors.InvalidInput: Status(WRONG_USAGE, 422, "invalid_input", "INVALID_ARGUMENT"),
    errors.NotFound: Status(FAILURE, 404, "not_found", "NOT_FOUND"),
    errors.Conflict: Status(FAILURE, 409, "conflict", "FAILED_PRECONDITION"),
    errors.ChangedMeanwhile: Status(FAILURE, 412, "changed_meanwhile", "ABORTED"),
    errors.UnderWay: Status(FAILURE, 409, "under_way", "FAILED_PRECONDITION"),
    errors.AccessDenied: Status(FAILURE, 403, "forbidden", "PERMISSION_DENIED"),
    errors.Unauthenticated: Status(FAILURE, 401, "unauthenticated", "UNAUTHENTICATED"),
    errors.TooManyRequests: Status(FAILURE, 429, "too_many_requests", "RESOURCE_EXHAUSTED"),
    errors.TooLarge: Status(FAILURE, 413, "too_large", "RESOURCE_EXHAUSTED"),
    errors.Overloaded: Status(FAILURE, 503, "overloaded", "UNAVAILABLE"),
    errors.TimedOut: Status(FAILURE, 504, "timed_out", "DEADLINE_EXCEEDED"),
    errors.ConfigError: Status(WRONG_USAGE, 500, "config_error", "INTERNAL"),
    errors.StoreError: Status(FAILURE, 500, "store_error", "INTERNAL"),
    errors.StoreUnavailable: Status(FAILURE, 503, "store_unavailable", "UNAVAILABLE"),
    errors.StoreBusy: Status(FAILURE, 503, "store_busy", "UNAVAILABLE"),
    errors.StoreFull: Status(FAILURE, 507, "store_full", "RESOURCE_EXHAUSTED"),
    errors.StoreOutdated: Status(FAILURE, 503, "store_outdated", "FAILED_PRECONDITION"),
    errors.EmbedderMismatch: Status(FAILURE, 503, "embedder_mismatch", "FAILED_PRECONDITION"),
    errors.ModelUnavailable: Status(FAILURE, 503, "model_unavailable", "UNAVAILABLE"),
    errors.UnusableReply: Status(FAILURE, 502, "unusable_reply", "INTERNAL"),
    errors.Closed: Status(FAILURE, 503, "closed", "UNAVAILABLE"),
}
INTERNAL = Status(FAILURE, 500, "internal", "INTERNAL")


def status_of(error: BaseException) -> Status:
    """Return the row of the most specific class that has one; any other error is a bug, and `INTERNAL`."""
    rows = (STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    return next(rows, INTERNAL)


def error_document(code: str, message: str) -> dict[str, dict[str, str]]:
    """Return an error in the one JSON shape of errors, safe to encode whatever the message quotes."""
    return {"error": {"code": code, "message": message.encode("utf-8", "backslashreplace").decode()}}
