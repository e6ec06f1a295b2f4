"""What all verbs of a memory share: its parts and namespaces, closing, and turning arguments into a search request."""

from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

from emberkeep.access.audit import AuditLog
from emberkeep.access.idempotency import Idempotency
from emberkeep.access.keys import Keys
from emberkeep.capture.log import Capture
from emberkeep.capture.redact import redact_value
from emberkeep.clock import Deadline
from emberkeep.config import Config
from emberkeep.events.feed import Events
from emberkeep.flows.assembling import Assembler
from emberkeep.flows.backlog import Backlog
from emberkeep.flows.keeping import Keeper
from emberkeep.flows.migrating import Migration
from emberkeep.flows.searching import Asking, Searcher
from emberkeep.learning.embedding import Embedding
from emberkeep.lifecycle.operational import Operational
from emberkeep.model import checks
from emberkeep.model.recall import Plan, Where, plan_named, select
from emberkeep.storage.database import Database
from emberkeep.vitals import Vitals
from emberkeep.wiring import Parts
from emberkeep.work.configs import Configs
from emberkeep.work.decisions import Decisions
from emberkeep.work.desk import Desk
from emberkeep.work.drawers import Agents, Persona, Preferences
from emberkeep.work.experience import Experience
from emberkeep.work.goals import Goals
from emberkeep.work.incidents import Incidents
from emberkeep.work.knowledge import Knowledge
from emberkeep.work.patterns import Patterns
from emberkeep.work.procedures import Procedures
from emberkeep.work.tasks import Tasks

T = TypeVar("T")
When = datetime | str


class Facade:
    """An open memory without verbs; its subclasses add these."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tenant = parts.config.tenant
        self._keeper = Keeper(parts)
        self._backlog = Backlog(parts, self._keeper)
        self._searcher = Searcher(parts)
        self._assembler = Assembler(parts, self._searcher)
        self.capture = Capture(parts.database, parts.clock, parts.config)
        self._migration = Migration(parts, self._backlog)
        self.operational = parts.operationals.of(self._tenant, partial(_operational, parts))
        self.events = Events(
            parts.database,
            parts.clock,
            parts.config,
            bus=parts.bus,
            announcer=parts.announcer,
            relay=parts.relay,
        )
        desk = Desk(parts, self._searcher)
        self.goals = Goals(desk)
        self.decisions = Decisions(desk)
        self.preferences = Preferences(desk)
        self.persona = Persona(desk)
        self.agents = Agents(desk)
        self.patterns = Patterns(desk)
        self.tasks = Tasks(desk, self.patterns)
        self.experience = Experience(desk, self.patterns)
        self.procedures = Procedures(desk)
        self.incidents = Incidents(desk)
        self.configs = Configs(desk)
        self.knowledge = Knowledge(desk)
        self.keys = Keys(parts.database, parts.clock, self._tenant)
        self.audit_log = AuditLog(parts.database, parts.clock, self._tenant)
        self.idempotency = Idempotency(parts.database, parts.clock)
        self._desk = desk

    def of_tenant(self, tenant: str) -> Self:
        """The memory of another tenant, in the same database, with the same models, indexes and threads.

        It costs next to nothing. All memories of one tenant share its live state (`memory.operational`). Closing this
        memory closes nothing else; closing the memory that was opened closes this one, too.
        """
        return type(self)(self._parts.of_tenant(tenant))

    def close(self) -> None:
        """Write critical events to the store and close the database; later calls raise `Closed`.

        A memory that `of_tenant` gave closes nothing that others use.

        If critical events cannot be written now, this raises and leaves the memory open, so that it can be tried
        again. The end of a `with` block closes the memory in any case.
        """
        self._keep_critical()
        self._parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._keep_critical()
        finally:
            self._parts.close()

    @property
    def config(self) -> Config:
        """The settings that the memory was opened with."""
        return self._parts.config

    @property
    def embedding(self) -> Embedding:
        """The part that makes the memory's vectors."""
        return self._parts.embedding

    @property
    def database(self) -> Database:
        """The memory's database, for the processes that serve it."""
        return self._parts.database

    @property
    def vitals(self) -> Vitals:
        """The health of the memory's store and of this process, for monitoring."""
        return Vitals(self._parts)

    def _asking(
        self,
        query: str,
        plan: str | Plan,
        deadline_ms: float | None,
        asked_at: When | None,
        where: Where,
        *,
        name: str = "query",
    ) -> Asking:
        selection, now = select(self._tenant, where), self._parts.clock.now()
        deadline = None
        if deadline_ms is not None:
            deadline = Deadline.after(checks.positive(deadline_ms, name="deadline_ms") / 1000)
        return Asking(
            text=checks.text(query, name=name, max_chars=self._parts.config.max_text_chars),
            at=checks.moment(asked_at, name="asked_at", local=True) or self._parts.config.here(selection.as_of or now),
            selection=selection,
            plan=plan_named(plan),
            deadline=deadline,
            dated=asked_at is not None or selection.as_of is not None,
        )

    def _then(self, occurred_at: When | None, now: datetime) -> datetime:
        """When something happened, at its own UTC offset; if no time is given, now in `time_zone`."""
        return checks.moment(occurred_at, name="occurred_at", local=True) or self._parts.config.here(now)

    def _clean(self, value: T) -> T:
        """The value, without secrets if the settings ask for redaction."""
        return _cleaned(self._parts.config, value)

    def _keep_critical(self) -> None:
        if self._parts.owned:
            self._parts.operationals.close()
        else:
            self.operational.flush()


def _operational(parts: Parts) -> Operational:
    # It outlives the tenants' views that ask for it, so it must not refer to any of them.
    database = parts.database if parts.owned else parts.database.of_tenant(parts.config.tenant)
    return Operational(database, parts.clock, parts.config, partial(_cleaned, parts.config))


def _cleaned(config: Config, value: T) -> T:
    if not config.redact:
        return value
    clean: T = redact_value(value)[0]
    return clean
