"""The log of a server or worker: lines for people at a terminal, JSON for programs.

Neither holds any text of a memory. An error is logged with its type and where it was raised; its message is left out
where it may quote a text, unless `log_texts` is set.
"""

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal

from emberkeep import errors
from emberkeep.service.statuses import status_of

Format = Literal["json", "text"]
# The messages of these errors are about the machinery and tell the operator what to do, so they are always logged.
_TELLING = (
    errors.ConfigError,
    errors.StoreUnavailable,
    errors.StoreBusy,
    errors.StoreFull,
    errors.StoreOutdated,
    errors.EmbedderMismatch,
    errors.Closed,
    OSError,
)


def set_up(wanted: Format | None, *, texts: bool) -> None:
    """Write this process's log to standard error, by default as text at a terminal and as JSON elsewhere."""
    as_json = wanted == "json" or (wanted is None and not sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(texts=texts) if as_json else TextLines(texts=texts))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("emberkeep").setLevel(logging.INFO)


class _Lines(logging.Formatter):
    """The part that both formats share: which texts may be logged."""

    def __init__(self, *, texts: bool) -> None:
        super().__init__()
        self._texts = texts

    def said(self, record: logging.LogRecord) -> str:
        """The message; an error among its arguments is reduced to its type if its own message may quote a text."""
        if self._texts or not record.args:
            return record.getMessage()
        args = record.args
        if isinstance(args, Mapping):
            return record.msg % {name: self._named(one) for name, one in args.items()}
        return str(record.msg) % tuple(map(self._named, args))

    def error(self, record: logging.LogRecord) -> dict[str, Any]:
        """The fields of the error that a record carries: type, message and stack; empty without an error."""
        if not record.exc_info or record.exc_info[1] is None:
            return {}
        error, trace = record.exc_info[1], record.exc_info[2]
        return {"error": type(error).__name__, "said": str(self._named(error)), "at": _frames(trace)}

    def _named(self, value: object) -> object:
        if self._texts or not isinstance(value, BaseException) or isinstance(value, _TELLING):
            return value
        return f"{type(value).__name__} ({status_of(value).code}; log_texts shows what it says)"


class JsonLines(_Lines):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        line = {
            "time": _time(record).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.said(record),
            **getattr(record, "fields", {}),
            **self.error(record),
        }
        return json.dumps({key: value for key, value in line.items() if value is not None}, default=str)


class TextLines(_Lines):
    """One line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, and below it the stack of an error."""
        fields = {key: value for key, value in getattr(record, "fields", {}).items() if value is not None}
        error = self.error(record)
        frames = error.pop("at", [])
        details = " ".join(f"{key}={value}" for key, value in {**fields, **error}.items())
        line = f"{_time(record):%H:%M:%S} {record.levelname.lower()} {self.said(record)} {details}".rstrip()
        return "\n".join([line, *(f"    {frame}" for frame in frames)])


def _time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def _frames(trace: TracebackType | None) -> list[str]:
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
