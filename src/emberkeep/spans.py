"""Spans: which part of a call took how long, for whoever traces. Where nobody does it costs nothing.

Who does is said once for a process, by an entry point. A span has a name from this program, and never a text.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

_NOTHING = nullcontext()


class Tracer(Protocol):
    """Who writes down spans."""

    def span(self, name: str) -> AbstractContextManager[None]:
        """A span within the one that is open."""
        ...

    def headers(self) -> Mapping[str, str]:
        """What tells another service which span called it."""
        ...


class _Present:
    tracer: Tracer | None = None


def trace_with(tracer: Tracer | None) -> None:
    """Have a tracer write down the spans of this process; `None` ends that."""
    _Present.tracer = tracer


def span(name: str) -> AbstractContextManager[None]:
    """What happens inside is one part of a call."""
    tracer = _Present.tracer
    return _NOTHING if tracer is None else tracer.span(name)


def headers() -> Mapping[str, str]:
    """What to send along when another service is called."""
    tracer = _Present.tracer
    return {} if tracer is None else tracer.headers()
