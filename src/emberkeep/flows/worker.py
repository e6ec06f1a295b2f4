"""The worker: works off the backlog of every tenant in the background, and delivers events, until told to stop.

Now and then it moves what is due between tiers, and makes the word vectors that an older version left out; a little at
a time, so that learning never waits long for that.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator

from emberkeep.access.idempotency import KEPT
from emberkeep.clock import Deadline
from emberkeep.errors import Closed, EmberkeepError, ModelUnavailable, UnusableReply
from emberkeep.flows.backlog import Backlog, Worked, pause_after
from emberkeep.flows.keeping import Keeper
from emberkeep.flows.migrating import Migration
from emberkeep.learning.embedding import silent
from emberkeep.storage import archive, idempotency, log
from emberkeep.wiring import Parts

_logger = logging.getLogger(__name__)
MOVE_FOR_S = 5.0  # longest turn of moving between tiers
WORDS_FOR_S = 1.0  # longest turn of making word vectors
WORDS_AT_ONCE = 16  # texts in a batch; the time is checked between batches
RELAY_EVERY_S = 1.0
LONGEST_PAUSE_S = 60.0  # within this time a model that is back is noticed
Report = Callable[[str, Worked], None]


def _nothing() -> int:
    return 0


def quiet(_tenant: str, _worked: Worked) -> None:
    """A report callback that does nothing."""


class Worker:
    """Learns from what waits, looks again after a while, and waits longer while a model is down."""

    def __init__(
        self, parts: Parts, *, every_s: float = 2.0, report: Report = quiet, flush: Callable[[], int] = _nothing
    ) -> None:
        self._parts = parts
        self._everyone = parts.database.of_everyone()
        self._flush = flush
        self._move_at = self._words_at = 0.0
        self._words: Iterator[int] | None = None
        self._every_s = every_s
        self._report = report
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Work in a thread of its own."""
        self._stop.clear()
        self._thread = threading.Thread(target=self.run, name="emberkeep-worker", daemon=True)
        self._thread.start()

    def stop(self, within_s: float = 10.0) -> None:
        """Stop after the current exchange; waits for that, but no longer than `within_s`."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(within_s)

    def run(self) -> None:
        """Work until told to stop."""
        failures = 0
        # A model that takes its time, or is down, must not hold up events.
        args = (self._stop, min(self._every_s, RELAY_EVERY_S))
        telling = threading.Thread(target=self._parts.relay.run, args=args, name="emberkeep-relay", daemon=True)
        telling.start()
        while not self._stop.is_set():
            failures = 0 if self._learned() else failures + 1
            pause = self._every_s if not failures else max(self._every_s, min(pause_after(failures), LONGEST_PAUSE_S))
            self._stop.wait(pause)
        telling.join()

    def once(self) -> bool:
        """Work off what is due now, and deliver events; returns whether all went well."""
        learned = self._learned()
        return self._parts.relay.once() and learned

    def _learned(self) -> bool:
        try:
            with self._everyone.read() as connection:
                tenants = log.tenants_waiting(connection, self._parts.clock.now())
            well = True
            for tenant in tenants:
                if self._stop.is_set():
                    return True
                well = self._learned_of(tenant) and well
            well = self._embedded() and well
            self._move()
            self._add_words()
        except Closed:
            self._stop.set()
            return True
        except EmberkeepError as error:
            _logger.warning("the worker goes on later: %s", error)
            return False
        except Exception:
            _logger.exception("the worker goes on later")
            return False
        return well

    def _learned_of(self, tenant: str) -> bool:
        """Work off one tenant's backlog; a failure does not hold up other tenants. Returns whether it went well."""
        try:
            worked = self._backlog(tenant)[1].work(tenant, silent, patient=True, stop=self._stop)
        except Closed:
            raise
        except Exception:
            _logger.exception("what tenant %s said is learned from later", tenant)
            return False
        self._report(tenant, worked)
        return not worked.model_is_down

    def _embedded(self) -> bool:
        """Make the vectors that are missing; an embedder that is down holds up nothing else."""
        try:
            self._parts.embedding.catch_up(self._parts.embedding.space(), None, silent)
        except ModelUnavailable as error:
            _logger.warning("vectors are made later: %s", error)
            return False
        return True

    def _add_words(self) -> None:
        """Make some of the word vectors that an older version left out; once all are made, look again much later."""
        deadline = time.monotonic() + WORDS_FOR_S
        while self._words_at <= time.monotonic() < deadline and not self._stop.is_set():
            self._words = self._words or self._words_left_out()
            try:
                pause = None if next(self._words, None) is not None else self._parts.config.upkeep_every_s
            except ModelUnavailable as error:
                _logger.warning("vectors of words are made later: %s", error)
                pause = LONGEST_PAUSE_S
            if pause is not None:
                self._words, self._words_at = None, time.monotonic() + pause

    def _words_left_out(self) -> Iterator[int]:
        """Make missing word vectors, batch by batch; a failure for one tenant does not hold up the others."""
        space = self._parts.embedding.space()
        with self._everyone.read() as connection:
            tenants = archive.tenants(connection)
        for tenant in tenants:
            try:
                yield from self._parts.of_tenant(tenant).embedding.words_by_and_by(space, tenant, WORDS_AT_ONCE)
            except UnusableReply as error:
                _logger.warning("vectors of words of tenant %s are made later: %s", tenant, error)
            except (Closed, ModelUnavailable):
                raise
            except Exception:
                _logger.exception("vectors of words of tenant %s are made later", tenant)
            yield 0

    def _move(self) -> None:
        """Move what is due, for a few seconds; what is left is moved the next time."""
        if time.monotonic() < self._move_at:
            return
        self._flush()
        before = self._parts.clock.now() - KEPT
        self._everyone.write(lambda connection: idempotency.forget(connection, None, before=before))
        with self._everyone.read() as connection:
            tenants = archive.tenants(connection)
        deadline = Deadline.after(MOVE_FOR_S)
        more = [self._moved(tenant, deadline) for tenant in tenants]
        if not any(more):
            self._move_at = time.monotonic() + self._parts.config.upkeep_every_s

    def _moved(self, tenant: str, deadline: Deadline) -> bool:
        """Move what is due of one tenant; returns whether there is more."""
        try:
            return Migration(*self._backlog(tenant)).run(tenant, stop=self._stop, deadline=deadline).more
        except Closed:
            raise
        except Exception:
            _logger.exception("what is due of tenant %s is moved later", tenant)
            return False

    def _backlog(self, tenant: str) -> tuple[Parts, Backlog]:
        """A tenant's view of the parts, and its backlog; both see that tenant's rows only."""
        parts = self._parts.of_tenant(tenant)
        return parts, Backlog(parts, Keeper(parts))
