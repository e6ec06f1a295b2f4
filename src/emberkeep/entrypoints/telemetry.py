"""Spans written down with OpenTelemetry, and the W3C headers by which they go from service to service.

A span says which route or part it is, how it ended, and the kind of an error: never its message, which may quote a
memory, and no path, query or id of one.
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
    """Writes down requests, and what happens inside them; what nobody asked for leaves no trace."""

    def __init__(self, processor: SpanProcessor) -> None:
        named = {"service.name": os.environ.get("OTEL_SERVICE_NAME", "emberkeep"), "service.version": __version__}
        self._provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("emberkeep", __version__)
        self._w3c = TraceContextTextMapPropagator()

    @classmethod
    def over_http(cls, url: str) -> "OpenTelemetry":
        """One that sends to a collector: its base URL, or what the `OTEL_EXPORTER_OTLP_*` variables say."""
        endpoint = f"{url.rstrip('/')}/v1/traces" if url else None
        return cls(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))

    @contextmanager
    def request(self, headers: Mapping[str, str], seen: Seen) -> Iterator[Mapping[str, str]]:
        """A span for a request, within the caller's if its headers name one; gives what its answer says of it."""
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
        """A span within that of a request; outside of one it is not worth a trace of its own."""
        if not get_current_span().is_recording():
            yield
            return
        with self._open(name, SpanKind.INTERNAL, None):
            yield

    def headers(self) -> Mapping[str, str]:
        """What tells another service which span called it."""
        carrier: dict[str, str] = {}
        self._w3c.inject(carrier)
        return carrier

    def close(self) -> None:
        """Send what is not sent yet."""
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
