"""`memory.operational`: what is going on right now, in a ring buffer that drops its oldest events.

It lives in this process. Only critical events are written to the store: when they grow old or many, by a thread that
lives as long as there are any to write, and at the latest when the memory is closed.
"""

import json
import logging
import math
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any

from emberkeep.clock import Clock
from emberkeep.config import Config
from emberkeep.errors import Closed, EmberkeepError, InvalidInput, NotFound, StoreError
from emberkeep.lifecycle.tally import Tally
from emberkeep.model import checks
from emberkeep.model.ids import new_id
from emberkeep.model.operational import SEVERITIES, ActiveTask, LiveEvent, Metric, Severity, Snapshot
from emberkeep.model.work import OPEN, Goal, Task
from emberkeep.storage import events, records
from emberkeep.storage.database import Database

MAX_CATEGORY_CHARS = 200
MAX_SOURCE_CHARS = 1_000
MAX_MESSAGE_CHARS = 20_000
MAX_DATA_CHARS = 65_536
MAX_NAMES = 10_000  # metrics, active tasks, categories that are remembered as valid
FEW = 32
LONGEST_NUMBER = 20
HISTORY = 100
RECENT_CRITICAL = 10
OPEN_RECORDS = 100
BATCH = 500
LOOK_EVERY_S = 1.0
LONGEST_PAUSE_S = 60.0
Clean = Callable[[Any], Any]
_logger = logging.getLogger(__name__)
_make = tuple.__new__
_CLOSED = "this memory is closed: open it again"
_PLAIN = frozenset((bool, int, float, type(None)))


class Operational:
    """Events, metrics and active tasks. Safe to use from many threads."""

    def __init__(self, database: Database, clock: Clock, config: Config, clean: Clean) -> None:
        self._database = database
        self._clock = clock
        self._now = clock.now
        self._tenant = config.tenant
        self._max_age = timedelta(seconds=config.operational_max_age_s)
        self._clean = clean
        self._lock = threading.Lock()
        self._flushing = threading.RLock()
        self._wake = threading.Event()
        self._writer: threading.Thread | None = None
        self._closed = False
        self._since = clock.now()
        self._pushed = 0
        self._events: deque[LiveEvent] = deque(maxlen=config.operational_events)
        self._tally = Tally()
        self._unkept: deque[tuple[int, LiveEvent]] = deque()  # critical events not yet in the store
        self._categories: set[str] = set()  # those known to be valid
        self._metrics: dict[str, tuple[datetime, deque[float]]] = {}
        self._tasks: dict[str, tuple[Any, datetime, datetime]] = {}

    # Events.

    def push_event(
        self,
        category: str,
        message: str = "",
        *,
        severity: Severity = "info",
        source: str = "",
        data: object = None,
        at: datetime | str | None = None,
    ) -> LiveEvent:
        """Record an event; `data` may be anything, and values that JSON cannot hold are kept as text."""
        # Half a million of these a second: usual arguments pass these cheap comparisons, others are checked closely.
        if not (
            type(category) is str
            and category in self._categories
            and severity in SEVERITIES
            and type(message) is str
            and len(message) <= MAX_MESSAGE_CHARS
            and message.isprintable()  # false for NUL and lone surrogates, among others
            and type(source) is str
            and len(source) <= MAX_SOURCE_CHARS
            and source.isprintable()
        ):
            message, source = self._checked(category, message, severity, source)
        if data is not None:
            data = _own(data)
        when = self._now() if at is None else checks.moment(at, name="at")
        if severity == "critical":
            return self._push_critical(LiveEvent(when or self._now(), category, severity, message, source, data))
        event: LiveEvent = _make(LiveEvent, (when, category, severity, message, source, data, None))
        with self._lock:
            if self._closed:
                raise Closed(_CLOSED)
            self._pushed += 1
            self._events.append(event)
        return event

    def get_recent(
        self, count: int = 10, category: str | None = None, severity: Severity | None = None
    ) -> list[LiveEvent]:
        """The latest events, latest first, of all categories and severities or of one."""
        count = checks.limit(count, most=max(checks.MAX_PAGE_LIMIT, self._events.maxlen or 0), name="count")
        if severity is not None:
            _check_severity(severity)
        if category is not None:
            checks.storable(category, name="category")
        with self._lock:
            if category is None and severity is None:
                return list(islice(reversed(self._events), count))
            held = list(self._events)
        return list(islice(_matching(reversed(held), category, severity), count))

    def kept(
        self, limit: int = 100, *, category: str | None = None, since: datetime | str | None = None
    ) -> list[LiveEvent]:
        """Critical events that were written to the store, by this process or another one, latest first."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        began = checks.moment(since, name="since")
        if category is not None:
            checks.storable(category, name="category")
        with self._database.read() as connection:
            return events.listed(connection, self._tenant, limit, category=category, since=began)

    # Metrics and tasks.

    def update_metric(self, key: str, value: float) -> None:
        """Set the current value of a metric."""
        number = _finite(value, key)
        now = self._now()
        with self._lock:
            if type(key) is not str:
                key = str.__str__(_name(key, "key"))  # for a member of a string enumeration, its value
            found = self._metrics.get(key)
            history = self._new_metric(key) if found is None else found[1]
            history.append(number)
            self._metrics[key] = now, history

    def get_metric(self, key: str) -> Metric:
        """The latest value of a metric, with its last hundred values."""
        name = _name(key, "key")
        with self._lock:
            found = self._metrics.get(name)
            if found is None:
                raise NotFound(f"no metric {key!r}: update_metric sets one")
            return _metric(name, *found)

    def set_active_task(self, id: str, state: object) -> ActiveTask:  # noqa: A002 - as in the other verbs
        """Set the state of an active task; `state` may be a word or any value."""
        name = _name(id, "id")
        _check_size(state, "state")
        now = self._now()
        with self._lock:
            if name not in self._tasks and len(self._tasks) >= MAX_NAMES:
                raise InvalidInput(f"there are {MAX_NAMES:,} active tasks already: end those that are over")
            since = self._tasks[name][1] if name in self._tasks else now
            self._tasks[name] = state, since, now
        return ActiveTask(name, state, "", None, since, now)

    def end_active_task(self, id: str) -> bool:  # noqa: A002 - as in the other verbs
        """Remove a task from the active ones; returns whether it was among them."""
        with self._lock:
            return self._tasks.pop(_name(id, "id"), None) is not None

    def active_tasks(self) -> list[ActiveTask]:
        """The active tasks, in the order in which they were begun: those set here, and open ones of `memory.tasks`."""
        return _joined(self._tasks_set(), self._open()[0])

    def get_system_snapshot(self, *, stored: bool = True) -> Snapshot:
        """A snapshot of all that is going on; open tasks and goals are left out if not `stored`, or if unreadable."""
        tasks: list[Task] = []
        goals: list[Goal] = []
        degraded: tuple[str, ...] = ()
        try:
            if checks.flag(stored, "stored"):
                tasks, goals = self._open()
        except StoreError as error:
            degraded = (f"open tasks and goals: left out, {error}",)
        now = self._now()
        with self._lock:
            held, pushed, unkept = len(self._events), self._pushed, len(self._unkept)
            by_category, by_severity = self._tally.count(self._events, pushed)
            grave = min(by_severity.get("critical", 0), RECENT_CRITICAL)  # 0 skips the search through the buffer
            critical = tuple(islice(_matching(reversed(self._events), None, "critical"), grave))
            metrics = {key: _metric(key, *found) for key, found in self._metrics.items()}
        return Snapshot(
            at=now,
            since=self._since,
            pushed=pushed,
            held=held,
            by_category=by_category,
            by_severity=by_severity,
            metrics=metrics,
            active_tasks=tuple(_joined(self._tasks_set(), tasks)),
            active_goals=tuple(goals),
            critical=critical,
            unkept=unkept,
            degraded=degraded,
        )

    # Storing critical events.

    def flush(self) -> int:
        """Write the critical events that are in memory only to the store; returns how many.

        If the store cannot be written to, they stay in memory for the next time.
        """
        written = 0
        with self._flushing:  # one flush at a time, so that the events removed are those that were written
            while batch := self._waiting(BATCH):
                found = [self._storable(event) for _, event in batch]
                self._database.write(partial(events.put, tenant=self._tenant, found=found))
                with self._lock:
                    for _ in batch:
                        self._unkept.popleft()
                written += len(batch)
        return written

    def clear(self) -> None:
        """Clear all events, metrics and active tasks; critical events that are in the store stay there."""
        with self._flushing, self._lock:
            for held in (self._events, self._unkept, self._metrics, self._tasks, self._categories):
                held.clear()
            self._since, self._pushed, self._tally = self._now(), 0, Tally()

    def count_unkept(self) -> int:
        """How many critical events are in memory only."""
        return len(self._unkept)

    def close(self) -> None:
        """Write the critical events and accept no more; if the store cannot be written to, stay open and raise."""
        with self._lock:
            if self._closed:
                return
            self._closed = True  # first, or callers that go on pushing could keep the flush from ending
        try:
            self.flush()
        except StoreError as error:
            self._closed = False
            raise type(error)(f"{len(self._unkept)} critical events are not kept yet: {error}") from error
        self._wake.set()
        writer = self._writer
        if writer is not None and writer is not threading.current_thread():
            writer.join()

    def reopen(self) -> None:
        """Accept events again, after the memory could not be closed."""
        self._closed = False

    def _push_critical(self, event: LiveEvent) -> LiveEvent:
        event = event._replace(id=new_id(event.at), data=_writable(event.data))
        with self._lock:
            if self._closed:
                raise Closed(_CLOSED)
            self._pushed += 1
            self._events.append(event)
            self._unkept.append((self._pushed, event))
            if len(self._unkept) % BATCH == 0:
                self._wake.set()
            if self._writer is None:
                self._writer = threading.Thread(target=self._write_on, name="emberkeep-events", daemon=True)
                self._writer.start()
        return event

    def _write_on(self) -> None:
        """The writer thread: flush whenever that is due, until no critical events are left or it is closed."""
        pause = LOOK_EVERY_S
        while True:
            self._wake.wait(pause)
            self._wake.clear()
            pause = LOOK_EVERY_S
            try:
                if not self._closed and self._is_due():
                    self.flush()
            except Closed:
                return
            except EmberkeepError as error:
                pause = LONGEST_PAUSE_S
                _logger.warning("%d critical events wait in memory: %s", len(self._unkept), error)
            with self._lock:
                if self._closed or not self._unkept:
                    self._writer = None
                    return

    def _is_due(self) -> bool:
        """Whether an unwritten critical event has left the buffer, is old or in the future, or there are many."""
        now = self._now()
        with self._lock:
            if len(self._unkept) >= BATCH:
                return True
            pushed_out = self._pushed - (self._events.maxlen or 0)
            return any(
                number <= pushed_out or not now - self._max_age < event.at <= now for number, event in self._unkept
            )

    def _waiting(self, most: int) -> list[tuple[int, LiveEvent]]:
        with self._lock:
            return list(islice(self._unkept, most))

    def _storable(self, event: LiveEvent) -> LiveEvent:
        words = {name: checks.plain_json(getattr(event, name)) for name in ("category", "message", "source")}
        return event._replace(**{name: self._clean(value) for name, value in {**words, "data": event.data}.items()})

    # What a caller passes.

    def _checked(self, category: object, message: object, severity: object, source: object) -> tuple[str, str]:
        """Check the arguments closely; returns message and source without NUL and lone surrogates."""
        name = _name(category, "category")
        for what, value, most in (("message", message, MAX_MESSAGE_CHARS), ("source", source, MAX_SOURCE_CHARS)):
            if not isinstance(value, str):
                raise InvalidInput(f"{what} must be a string, not {type(value).__name__}")
            if len(value) > most:
                raise InvalidInput(f"{what} has {len(value):,} characters, the limit is {most:,}: shorten it")
        _check_severity(severity)
        with self._lock:
            if len(self._categories) < MAX_NAMES:
                self._categories.add(name)
        return checks.plain_json(message), checks.plain_json(source)

    def _new_metric(self, key: str) -> deque[float]:
        _name(key, "key")
        if len(self._metrics) >= MAX_NAMES:
            raise InvalidInput(f"there are {MAX_NAMES:,} metrics already: use fewer names")
        return deque(maxlen=HISTORY)

    # The parts of a snapshot.

    def _tasks_set(self) -> dict[str, tuple[Any, datetime, datetime]]:
        with self._lock:
            return dict(self._tasks)

    def _open(self) -> tuple[list[Task], list[Goal]]:
        with self._database.read() as connection:
            return (
                records.listed(connection, records.TASKS, self._tenant, {"status": OPEN}, OPEN_RECORDS),
                records.listed(connection, records.GOALS, self._tenant, {"status": OPEN}, OPEN_RECORDS),
            )


def _matching(found: Iterable[LiveEvent], category: str | None, severity: str | None) -> Iterable[LiveEvent]:
    return (
        event
        for event in found
        if (category is None or event.category == category) and (severity is None or event.severity == severity)
    )


def _metric(key: str, at: datetime, history: Iterable[float]) -> Metric:
    values = tuple(history)
    return Metric(key, values[-1], at, values)


def _joined(here: Mapping[str, tuple[Any, datetime, datetime]], stored: Iterable[Task]) -> list[ActiveTask]:
    """The tasks that were set here and the open ones in the store, each once, in the order of their start."""
    found = {name: ActiveTask(name, state, "", None, since, at) for name, (state, since, at) in here.items()}
    for task in stored:
        known = found.get(task.id)
        state, updated_at = (task.status, task.updated_at) if known is None else (known.state, known.updated_at)
        since = task.started_at or task.created_at
        found[task.id] = ActiveTask(task.id, state, task.description, task.status, since, updated_at)
    return sorted(found.values(), key=lambda task: (task.since, task.id))


def _name(value: object, what: str) -> str:
    name = checks.scope_id(value, name=what)
    if name is None:
        raise InvalidInput(f"{what} is missing: pass a name")
    if len(name) > MAX_CATEGORY_CHARS:
        raise InvalidInput(f"{what} has {len(name)} characters, the limit is {MAX_CATEGORY_CHARS}")
    return name


def _finite(value: object, key: object) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise InvalidInput(f"the value of {key!r} is {value!r}: pass a finite number")


def _check_severity(value: object) -> None:
    if value not in SEVERITIES:
        raise InvalidInput(f"unknown severity {value!r}: use one of {', '.join(SEVERITIES)}")


def _own(data: object) -> object:
    """The data, with a mapping copied so that the caller cannot add to it; raises `InvalidInput` if it is too large."""
    if type(data) is dict and _is_small(data):
        return data.copy()
    _check_size(data, "data")
    return dict(data) if isinstance(data, Mapping) else data


def _writable(data: object) -> Any:
    """The data in a form that the store can hold; raises `InvalidInput` if it is too large."""
    plain = checks.plain_json(data)
    try:
        size = len(json.dumps(plain, ensure_ascii=False))
    except ValueError as error:  # such as a number of thousands of digits
        raise InvalidInput(f"data cannot be written down: {error}") from None
    if size > 2 * MAX_DATA_CHARS:  # twice, because objects are longer as text than `_size` estimates
        raise InvalidInput(f"data takes {size:,} characters, the limit is {MAX_DATA_CHARS:,}: keep it elsewhere")
    return plain


def _is_small(data: dict[Any, Any]) -> bool:
    """Whether the data is certainly small: a few plain values, as most are."""
    if len(data) > FEW:
        return False
    total = 0
    for key, value in data.items():
        total += len(key) if type(key) is str else MAX_DATA_CHARS
        if type(value) is str:
            total += len(value)
        elif type(value) not in _PLAIN:
            return False
    return total <= MAX_DATA_CHARS - FEW * LONGEST_NUMBER


def _check_size(value: object, name: str) -> None:
    if _size(value, MAX_DATA_CHARS, 0) > MAX_DATA_CHARS:
        raise InvalidInput(f"{name} is larger than {MAX_DATA_CHARS:,} characters: keep it elsewhere and push its name")


def _size(value: object, most: int, depth: int) -> int:
    """An estimate of the characters that a value takes as JSON; counting may stop above `most`."""
    if isinstance(value, str | bytes | bytearray):
        return len(value)
    if depth > checks.MAX_DEPTH or not isinstance(value, list | tuple | set | frozenset | Mapping):
        return LONGEST_NUMBER
    total = 2
    for part in value:
        total += _size(part, most, depth + 1)
        total += _size(value[part], most, depth + 1) if isinstance(value, Mapping) else 0
        if total > most:
            break
    return total
