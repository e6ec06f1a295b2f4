"""The metrics for Prometheus: requests, what the store holds and what waits in it, and the state of this process.

Label values are words of this program: verbs, routes as they are declared, statuses, kinds. They are never an id or a
text, and a tenant only if `metrics_by_tenant` says so. With several server processes, each keeps its counts in files
of a shared folder, and the process that is asked adds them up.
"""

import os
import time
from collections import Counter as Counts
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from emberkeep import __version__
from emberkeep.access.principal import Principal
from emberkeep.entrypoints.http.visits import Visiting
from emberkeep.errors import AccessDenied, EmberkeepError
from emberkeep.flows.backlog import Worked
from emberkeep.memory import Memory
from emberkeep.model.report import Holding

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # set before prometheus_client is imported
STORE_EVERY_S = 15.0  # counting reads every row
PROCESS_EVERY_S = 1.0
_REFUSALS = {413: "too_large", 429: "rate_limited", 503: "unavailable", 504: "timed_out"}
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_OF_A_ROUTE = ("verb", "method", "route")


class Metrics:
    """The metrics of one server process."""

    def __init__(self, memory: Memory) -> None:
        self._vitals = memory.vitals
        self._registry = own = CollectorRegistry()
        self._store = _StoreNumbers(memory)
        self._seen: dict[tuple[str, ...], int] = {}
        self._look_at = 0.0
        self._requests = Counter(
            "emberkeep_http_requests", "Requests that were answered", (*_OF_A_ROUTE, "status"), registry=own
        )
        self._seconds = Histogram(
            "emberkeep_http_request_seconds", "How long they took", _OF_A_ROUTE, buckets=_SECONDS, registry=own
        )
        self._refused = Counter(
            "emberkeep_http_refused", "Requests that were turned away, by reason", ("reason",), registry=own
        )
        self.in_flight = Gauge(
            "emberkeep_http_in_flight", "Requests under way", multiprocess_mode="livesum", registry=own
        )
        self._index = Gauge(
            "emberkeep_index_bytes", "Memory that search indexes take", multiprocess_mode="livesum", registry=own
        )
        self._cached = Counter(
            "emberkeep_embedding_cache", "Vectors that were looked up in a cache", ("cache", "result"), registry=own
        )
        self._looks = Counter(
            "emberkeep_looks", "Searches and lists by who was asked, if there is a replica", ("where",), registry=own
        )
        self._worked = Counter(
            "emberkeep_worker_done", "What the worker beside the server did", ("what",), registry=own
        )
        self._batches = Counter(
            "emberkeep_worker_batches",
            "Looks that the worker took at a backlog",
            ("outcome",),
            registry=own,
        )
        for reason in _REFUSALS.values():
            self._refused.labels(reason)  # present from the start, so that its rate is defined

    def count(self, *, verb: str, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests.labels(verb, method, route, str(status)).inc()
        self._seconds.labels(verb, method, route).observe(seconds)
        if status in _REFUSALS:
            self._refused.labels(_REFUSALS[status]).inc()
        if time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + PROCESS_EVERY_S
            self._look()

    def worked(self, _tenant: str, worked: Worked) -> None:
        """Count a look of the worker at a tenant's backlog, and what it did."""
        self._batches.labels("model_down" if worked.model_is_down else "done").inc()
        for what in ("derived", "learned", "new", "updated"):
            self._worked.labels(what).inc(getattr(worked, what))

    def page(self, accept: str) -> tuple[bytes, str]:
        """All metrics as text, and its content type."""
        self._look()
        registry = CollectorRegistry()
        if folder := os.environ.get(SHARED_FOLDER):
            MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        else:
            registry.register(self._registry)
            ProcessCollector(registry=registry)
        registry.register(self._store)
        encode, content_type = choose_encoder(accept)
        return encode(registry), content_type

    def _look(self) -> None:
        self._index.set(self._vitals.index_bytes())
        for cache, use in self._vitals.caches().items():
            for result, now in (("hit", use.hits), ("miss", use.misses)):
                self._cached.labels(cache, result).inc(self._more(now, cache, result))
        for where, now in self._vitals.looks().items():
            self._looks.labels(where).inc(self._more(now, "looks", where))

    def _more(self, now: int, *name: str) -> int:
        """By how much a number has grown since the last look at it."""
        more = max(0, now - self._seen.get(name, 0))
        self._seen[name] = now
        return more


class _StoreNumbers(Collector):
    """What the store holds, counted on request, but at most every `STORE_EVERY_S` seconds."""

    def __init__(self, memory: Memory) -> None:
        self._vitals = memory.vitals
        self._by_tenant = memory.config.metrics_by_tenant
        self._counted: Mapping[str, Holding] = {}
        self._count_at = 0.0

    def collect(self) -> Iterator[Metric]:
        """All metric families of the store."""
        yield InfoMetricFamily("emberkeep", "What serves", {"version": __version__})
        up = GaugeMetricFamily("emberkeep_store_up", "Whether the database answers")
        try:
            holdings = self._holdings()
        except EmberkeepError:
            up.add_metric((), 0)
            yield up
            return
        up.add_metric((), 1)
        yield up
        yield from (self._counted_as(family, holdings) for family in _FAMILIES)
        longest = max(map(self._vitals.seconds_waiting, holdings.values()), default=0.0)
        yield GaugeMetricFamily(
            "emberkeep_backlog_oldest_seconds", "For how long the oldest of them has been waiting", longest
        )

    def _holdings(self) -> Mapping[str, Holding]:
        if time.monotonic() >= self._count_at:
            self._counted = self._vitals.holdings()
            self._count_at = time.monotonic() + STORE_EVERY_S
        return self._counted

    def _counted_as(self, family: "_Family", holdings: Mapping[str, Holding]) -> Metric:
        labels = [*([family.label] if family.label else []), *(["tenant"] if self._by_tenant else [])]
        gauge = GaugeMetricFamily(f"emberkeep_{family.name}", family.said, labels=labels)
        totals: Counts[tuple[str, ...]] = Counts() if labels else Counts({(): 0})
        for tenant, holding in holdings.items():
            for value, number in family.read(holding).items():
                totals[*([value] if family.label else []), *([tenant] if self._by_tenant else [])] += number
        for key, total in totals.items():
            gauge.add_metric(key, total)
        return gauge


@dataclass(frozen=True, slots=True)
class _Family:
    """A metric of the store: one number, or one for each value of a label."""

    name: str
    said: str
    label: str
    read: Callable[[Holding], Mapping[str, int]]


_FAMILIES = (
    _Family("memories", "Memories that hold at present", "kind", lambda one: one.memories),
    _Family("interactions", "Interactions in the log", "", lambda one: {"": one.interactions}),
    _Family("unembedded", "Memories that lack a vector", "", lambda one: {"": one.unembedded}),
    _Family(
        "backlog",
        "Interactions that are not learned from yet",
        "state",
        lambda one: {"waiting": one.waiting, "failed": one.failed},
    ),
    _Family(
        "events",
        "Events that are owed to a stream or a webhook",
        "state",
        lambda one: {"waiting": one.events_waiting, "failed": one.events_failed},
    ),
)


def metrics_route(metrics: Metrics, memory: Memory) -> APIRouter:
    """`/metrics`: for an admin of the tenant that is served, or for everyone if `metrics_open` says so."""
    router = APIRouter()

    @router.get("/metrics", include_in_schema=False)
    def page(visit: Visiting) -> Response:
        """The metrics, from a thread outside the pool for requests: they are needed most when that pool is busy."""
        if not memory.config.metrics_open:
            _refuse_others(visit.enter(counted=False).principal, memory.config.tenant)
        text, content_type = metrics.page(visit.request.headers.get("accept", ""))
        return Response(text, media_type=content_type)

    return router


def _refuse_others(principal: Principal, tenant: str) -> None:
    principal.require("admin")
    if principal.tenant != tenant:
        # The metrics are of all tenants together.
        raise AccessDenied("these numbers are for whoever runs the service: use an admin key of its own tenant")
