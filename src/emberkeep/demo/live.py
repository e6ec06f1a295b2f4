"""The demo's live state: it is held in the RAM of a process, so each process that serves the demo fills it anew."""

from datetime import timedelta

from emberkeep.clock import SystemClock
from emberkeep.memory import Memory
from emberkeep.model.operational import Severity

EVENTS: tuple[tuple[int, str, Severity, str, str], ...] = (
    (58, "deploy", "info", "gateway", "Version 214 is on the canary"),
    (53, "deploy", "info", "gateway", "Version 214 is on all nodes"),
    (47, "home", "info", "hall", "Tom came home"),
    (41, "checkout", "warning", "checkout", "Three payments were tried twice"),
    (40, "checkout", "info", "checkout", "All three went through"),
    (33, "home", "info", "kitchen", "The lights are at 55 percent"),
    (26, "search", "warning", "search", "A query of fourteen words took 2.1 s"),
    (19, "database", "info", "stock", "The nightly dump is 9.4 GB"),
    (12, "home", "info", "garden", "It begins to rain"),
    (7, "search", "error", "search", "No facet called thickness"),
    (3, "deploy", "info", "search", "Branch facet-thickness is built"),
)  # in order: minutes ago, category, severity, source, message
METRICS = {
    "checkout.median_ms": (3_900, 3_950, 2_400, 1_300, 980, 910, 900),
    "db.connections": (14, 18, 20, 20, 22, 26, 24),
    "search.p95_ms": (620, 640, 700, 900, 1_400, 2_100, 1_900),
    "home.temperature": (18.5, 19.0, 19.5, 20.0, 20.0, 20.5, 20.5),
}


def go_live(memory: Memory) -> None:
    """Fill the live state with events of the last hour, up to now, with metrics and an active task."""
    now = SystemClock().now()
    for minutes, category, severity, source, message in EVENTS:
        happened = now - timedelta(minutes=minutes)
        memory.operational.push_event(category, message, severity=severity, source=source, at=happened)
    for key, values in METRICS.items():
        for value in values:
            memory.operational.update_metric(key, value)
    memory.operational.set_active_task("facet", "reading how facets are made")
