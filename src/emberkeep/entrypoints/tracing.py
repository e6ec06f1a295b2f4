"""Whether anyone is sent traces, and who writes them down."""

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
    """What a trace tells of a request; most of it is known at its end."""

    @property
    def id(self) -> str:
        """The id that its answer has."""
        ...

    @property
    def method(self) -> str:
        """Its method."""
        ...

    @property
    def route(self) -> str:
        """Its route, as it is declared."""
        ...

    @property
    def status(self) -> int:
        """How it was answered."""
        ...


class RequestTracer(Tracer, Protocol):
    """Who writes down requests, and what happens inside them."""

    def request(self, headers: Mapping[str, str], seen: Seen) -> AbstractContextManager[Mapping[str, str]]:
        """A span for a request, within the caller's if its headers name one; gives what its answer says of it."""
        ...

    def close(self) -> None:
        """Send what is not sent yet."""
        ...


@contextmanager
def traces(config: Config) -> Iterator[RequestTracer | None]:
    """Trace this process for the length of a block, if the settings or the usual variables say where to."""
    if not config.traces_url and not any(os.environ.get(name) for name in ENDPOINTS):
        yield None
        return
    try:  # a part of it comes with FastAPI, so that its name alone says nothing
        from emberkeep.entrypoints.telemetry import OpenTelemetry
    except ImportError:
        raise ConfigError("traces need OpenTelemetry: pip install 'emberkeep[telemetry]'") from None

    with tracing(OpenTelemetry.over_http(config.traces_url)) as tracer:
        yield tracer


@contextmanager
def tracing(tracer: RequestTracer) -> Iterator[RequestTracer]:
    """Have a tracer write down the spans of this process for the length of a block."""
    trace_with(tracer)
    try:
        yield tracer
    finally:
        trace_with(None)
        tracer.close()
