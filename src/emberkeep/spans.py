"""Tracing spans: which part of a call took how long. Without a tracer they cost nothing.

An entry point sets the tracer, once per process. The name of a span is a constant, and never holds a memory's text.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

_NOTHING = nullcontext()


class Tracer(Protocol):
    """Records spans."""

    def span(self, name: str) -> AbstractContextManager[None]:
        """A span inside the one that is open."""
        ...

    def headers(self) -> Mapping[str, str]:
        """The headers that tell another service which span called it."""
        ...


class _Present:
    tracer: Tracer | None = None


def trace_with(tracer: Tracer | None) -> None:
    """Let a tracer record the spans of this process; `None` ends that."""
    _Present.tracer = tracer


def span(name: str) -> AbstractContextManager[None]:
    """A context manager around one part of a call."""
    tracer = _Present.tracer
    return _NOTHING if tracer is None else tracer.span(name)


def headers() -> Mapping[str, str]:
    """The headers to send when another service is called; empty without a tracer."""
    tracer = _Present.tracer
    return {} if tracer is None else tracer.headers()
