"""Tracing of this process: what a tracer has to offer, and setting one up if there is a collector to send to."""

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from emberkeep.config import Config
from emberkeep.errors import ConfigError
from emberkeep.spans import Tracer, trace_with

# ruff: noqa: PLC0415 - OpenTelemetry comes with the extra `telemetry`

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


class Seen(Protocol):
    """The facts about a request that its span records; most are known only when the request ends."""

    @property
    def id(self) -> str:
        """The request's id, which its answer carries too."""
        ...

    @property
    def method(self) -> str:
        """The HTTP method."""
        ...

    @property
    def route(self) -> str:
        """The route as it is declared, without the ids in the path."""
        ...

    @property
    def status(self) -> int:
        """The HTTP status of the answer."""
        ...


class RequestTracer(Tracer, Protocol):
    """A tracer that also opens a span for each request."""

    def request(self, headers: Mapping[str, str], seen: Seen) -> AbstractContextManager[Mapping[str, str]]:
        """Open a span for a request, within the caller's if the headers name one; yield the headers for its answer."""
        ...

    def close(self) -> None:
        """Send the spans that are not sent yet."""
        ...


@contextmanager
def traces(config: Config) -> Iterator[RequestTracer | None]:
    """Trace this process for the length of a block, if the settings or the `ENDPOINTS` variables name a collector."""
    if not config.traces_url and not any(os.environ.get(name) for name in ENDPOINTS):
        yield None
        return
    try:  # a part of OpenTelemetry comes with FastAPI, so finding the package by name proves nothing
        from emberkeep.entrypoints.telemetry import OpenTelemetry
    except ImportError:
        raise ConfigError("traces need OpenTelemetry: pip install 'emberkeep[telemetry]'") from None

    with tracing(OpenTelemetry.over_http(config.traces_url)) as tracer:
        yield tracer


@contextmanager
def tracing(tracer: RequestTracer) -> Iterator[RequestTracer]:
    """Record the spans of this process with a tracer for the length of a block."""
    trace_with(tracer)
    try:
        yield tracer
    finally:
        trace_with(None)
        tracer.close()
