"""Spans recorded with OpenTelemetry, and the W3C headers that link them from service to service.

A span names its route or part, how it ended, and the type of an error: never an error's message, which may quote a
memory, and never the path, the query or the id of a memory.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from emberkeep import __version__
from emberkeep.entrypoints.tracing import Seen

_SERVER_ERROR = 500


class OpenTelemetry:
    """Records a span for each request and for each part of its work; work outside a request leaves no trace."""

    def __init__(self, processor: SpanProcessor) -> None:
        named = {"service.name": os.environ.get("OTEL_SERVICE_NAME", "emberkeep"), "service.version": __version__}
        self._provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("emberkeep", __version__)
        self._w3c = TraceContextTextMapPropagator()

    @classmethod
    def over_http(cls, url: str) -> "OpenTelemetry":
        """A tracer that sends to the collector at a base URL, by default where `OTEL_EXPORTER_OTLP_*` say."""
        endpoint = f"{url.rstrip('/')}/v1/traces" if url else None
        return cls(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))

    @contextmanager
    def request(self, headers: Mapping[str, str], seen: Seen) -> Iterator[Mapping[str, str]]:
        """Open a span for a request, within the caller's if the headers name one; yield the headers for its answer."""
        within = self._w3c.extract(headers, Context())
        with self._open("request", SpanKind.SERVER, within) as span:
            try:
                yield self.headers()
            finally:
                span.update_name(f"{seen.method} {seen.route}")
                span.set_attributes(
                    {
                        "http.request.method": seen.method,
                        "http.route": seen.route,
                        "http.response.status_code": seen.status,
                        "emberkeep.request_id": seen.id,
                    }
                )
                if seen.status >= _SERVER_ERROR:
                    span.set_status(StatusCode.ERROR)

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Open a span within that of a request; outside a request nothing is recorded."""
        if not get_current_span().is_recording():
            yield
            return
        with self._open(name, SpanKind.INTERNAL, None):
            yield

    def headers(self) -> Mapping[str, str]:
        """The headers that tell another service which span called it."""
        carrier: dict[str, str] = {}
        self._w3c.inject(carrier)
        return carrier

    def close(self) -> None:
        """Send the spans that are not sent yet."""
        self._provider.shutdown()

    @contextmanager
    def _open(self, name: str, kind: SpanKind, within: Context | None) -> Iterator[Span]:
        with self._tracer.start_as_current_span(
            name, within, kind, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield span
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(StatusCode.ERROR)
                raise
