"""The verbs of looking after a memory: learning from the backlog, upkeep, rebuilding, repairing, and its state."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from emberkeep.access.idempotency import KEPT
from emberkeep.errors import InvalidInput
from emberkeep.facade import Facade, When
from emberkeep.flows.keeping import STATEMENTS
from emberkeep.flows.rebuilding import Rebuilding
from emberkeep.flows.repairing import Repairing
from emberkeep.flows.worker import Report, Worker, quiet
from emberkeep.learning.audit import audit, examine
from emberkeep.learning.embedding import Progress, silent
from emberkeep.model import checks
from emberkeep.model.recall import select
from emberkeep.model.report import (
    Audit,
    Difference,
    LearnReport,
    Precomputed,
    RebuildReport,
    RepairReport,
    Spending,
    Stats,
    UpkeepReport,
    Waiting,
)
from emberkeep.model.scope import EVERYONE
from emberkeep.storage import (
    contexts,
    counts,
    erasure,
    idempotency,
    keys,
    ledger,
    log,
    outbox,
    shelves,
    spaces,
    vectors,
)
from emberkeep.storage.mending.pages import tenants

MAX_TOMBSTONES = 1_000


class Care(Facade):
    """Looks after a memory."""

    def learn(self, *, retry_failed: bool = False, patient: bool = False, progress: Progress = silent) -> LearnReport:
        """Work off the backlog: make episodes and facts of what was added, and the vectors that are missing.

        `retry_failed` also tries what was set aside after failing too often. A `patient` run skips what failed recently
        and is not due yet, as a worker does. Raises `ModelUnavailable` if the embedder is down; what was learned stays.
        """
        waits = checks.flag(patient, "patient")
        if checks.flag(retry_failed, "retry_failed"):
            self._parts.database.write(lambda connection: log.retry_failed(connection, self._tenant))
        worked = self._backlog.work(self._tenant, progress, patient=waits)
        embedded = self._parts.embedding.catch_up(self._parts.embedding.space(), self._tenant, progress)
        with self._parts.database.read() as connection:
            backlog = log.count_backlog(connection, self._tenant)
            unembedded = vectors.count_unembedded(connection, self._tenant)
        return LearnReport(
            derived=worked.derived,
            learned=worked.learned,
            new=worked.new,
            updated=worked.updated,
            embedded=embedded,
            waiting=backlog["waiting"] + unembedded,
            failed=backlog["failed"],
            reasons=worked.reasons,
        )

    def backlog(self, *, limit: int = 100) -> list[Waiting]:
        """The interactions not learned from yet, with the reason if an attempt failed; failed ones first."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        with self._parts.database.read() as connection:
            return log.backlog(connection, self._tenant, limit)

    def spending(self, *, limit: int = 100) -> list[Spending]:
        """The tokens and calls that learning took, by day, user and model, latest day first."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        with self._parts.database.read() as connection:
            return ledger.entries(connection, self._tenant, limit)

    def upkeep(
        self, *, dry_run: bool = False, archive_before: When | None = None, progress: Progress = silent
    ) -> UpkeepReport:
        """Move what is due between tiers, catch up with learning, build large indexes, and tidy the database.

        Work that was finished before `archive_before` goes to long-term memory; by default that is as long ago as
        `archive_after_days` says. With `dry_run` nothing is changed: the report says what would be moved, and what
        waits.
        """
        before = checks.moment(archive_before, name="archive_before")
        if checks.flag(dry_run, "dry_run"):
            return self._upkeep_due(before)
        flushed = self.operational.flush()
        moved = self._migration.run(self._tenant, before=before, progress=progress)
        learned = self.learn(progress=progress)
        dropped = self._parts.database.write(
            lambda connection: erasure.forget_tombstones(connection, self._tenant, over=MAX_TOMBSTONES)
        )
        now = self._parts.clock.now()
        self._parts.database.write(lambda connection: idempotency.forget(connection, self._tenant, before=now - KEPT))
        forgotten = now - timedelta(days=self._parts.config.context_days)
        self._parts.database.write(lambda connection: contexts.forget(connection, self._tenant, before=forgotten))
        built = self._parts.residents.build_large(self._tenant)
        self._parts.database.maintain()
        # Last, because after an upgrade it may take hours.
        embedding = self._parts.embedding
        with_words = embedding.catch_up_words(embedding.space(), self._tenant, progress)
        return UpkeepReport(
            embedded=learned.embedded + with_words,
            indexes_built=built,
            traces_dropped=dropped,
            learned=learned.learned,
            waiting=learned.waiting,
            failed=learned.failed,
            reasons=learned.reasons,
            flushed=flushed,
            archived=moved.archived,
            demoted=moved.demoted,
        )

    def tidy(self, *, rewrite: bool = False) -> None:
        """Give freed space back and bring the database's statistics up to date, and nothing else; `upkeep` does too.

        With `rewrite` every table is written anew, so that no deleted data is left in the database's files. On
        PostgreSQL each table is locked meanwhile, and needs as much free space again.
        """
        self._parts.database.maintain(rewrite=checks.flag(rewrite, "rewrite"))

    def rebuild(self, *, dry_run: bool = False, progress: Progress = silent) -> RebuildReport:
        """Derive everything again: vectors with the current embedder, for all tenants, and facts with the learner.

        Searches go on meanwhile, and see the new facts and vectors once they are complete. The report says how the
        facts differ; with `dry_run` nothing is changed. `undo_rebuild` restores the former facts. Called on a memory
        that `of_tenant` gave, or over a service by the admin of one tenant, it derives that tenant's facts only,
        because all tenants share the vectors.
        """
        only_said = checks.flag(dry_run, "dry_run") or not self._parts.owned
        embedded = 0 if only_said else self._embed_anew(progress)
        learned = None
        if self._parts.learner is not None:
            learned = Rebuilding(self._parts, self._tenant).run(progress, dry_run=dry_run)
        embedding = self._parts.embedding
        if not dry_run:
            embedding.catch_up(embedding.space(), self._tenant, progress)
        return RebuildReport(embedding.embedder.name, embedding.embedder.dimension, embedded, learned)

    def undo_rebuild(self, *, progress: Progress = silent) -> Difference:
        """Go back to what was learned before the last `rebuild`; what was learned since then stays."""
        undone = Rebuilding(self._parts, self._tenant).undo()
        self._parts.embedding.catch_up(self._parts.embedding.space(), self._tenant, progress)
        return undone

    def repair(self, *, dry_run: bool = False, thorough: bool = False, progress: Progress = silent) -> RepairReport:
        """Find derived data that disagrees with the log or texts, and make it again; nothing verbatim is removed.

        With `dry_run` nothing is changed: the report says what was found. A `thorough` run also makes every vector
        again, and compares. It covers all tenants and the database itself; on a memory that `of_tenant` gave, only that
        tenant's rows.
        """
        run = Repairing(
            self._parts,
            dry_run=checks.flag(dry_run, "dry_run"),
            thorough=checks.flag(thorough, "thorough"),
            progress=progress,
        )
        if not self._parts.owned:
            return run.run([self._tenant], whole=False)
        with self._parts.database.of_everyone().read() as connection:
            everyone = tenants(connection)
        return run.run(everyone, whole=True)

    def audit(self, *, user_id: str | None = EVERYONE, examples: int = 3) -> Audit:
        """How many of the learned statements are junk, duplicate, outdated or unsupported, with examples."""
        selection = select(self._tenant, {"user_id": user_id, "kinds": STATEMENTS})
        examples = checks.limit(examples, most=checks.MAX_PAGE_LIMIT, name="examples")
        now = self._parts.clock.now()
        found, said = self._parts.database.look(
            lambda c: (list(examine(c, selection, now)), list(log.texts(c, selection)))
        )
        return audit(found, said, now, examples)

    def stats(self) -> Stats:
        """What this tenant's memory holds."""
        with self._parts.database.read() as connection:
            space = spaces.active_space(connection)
            by_kind = counts.items_by_kind(connection, self._tenant)
            backlog = log.count_backlog(connection, self._tenant)
            owed = outbox.count(connection, self._tenant)
            return Stats(
                database=self._parts.database.url,
                tenant=self._tenant,
                embedder=space.embedder if space else None,
                dimension=space.dimension if space else None,
                items=sum(by_kind.values()),
                items_by_kind=by_kind,
                interactions=counts.interactions_of(connection, self._tenant),
                users=counts.users_of(connection, self._tenant),
                waiting=backlog["waiting"] + vectors.count_unembedded(connection, self._tenant),
                failed=backlog["failed"],
                learner=self._parts.learner.name if self._parts.learner else None,
                events_waiting=owed["waiting"],
                events_failed=owed["failed"],
                embedding_caches=self._parts.embedding.use(),
                keys=keys.count(connection, self._tenant, self._parts.clock.now()),
            )

    def precompute(self, texts: Iterable[str], *, queries: bool = False, progress: Progress = silent) -> Precomputed:
        """Make the vectors of texts, or of `queries`, in advance, for all processes that share an embedding cache."""
        if isinstance(texts, str | bytes | Mapping) or not isinstance(texts, Iterable):
            raise InvalidInput("texts are several: pass a list of them")
        most = self._parts.config.max_text_chars
        wanted = list(dict.fromkeys(checks.text(one, max_chars=most) for one in texts))
        known, made = self._parts.embedding.precompute(wanted, progress, queries=checks.flag(queries, "queries"))
        return Precomputed(len(wanted), known, made)

    def worker(self, *, every_s: float = 2.0, report: Report = quiet) -> Worker:
        """A worker that learns in the background, for all tenants of this database: `start()` it, and `stop()` it."""
        every = checks.positive(every_s, name="every_s")
        return Worker(self._parts, every_s=every, report=report, flush=self._parts.operationals.flush)

    def _upkeep_due(self, before: datetime | None) -> UpkeepReport:
        due = self._migration.due(self._tenant, before)
        with self._parts.database.read() as connection:
            backlog = log.count_backlog(connection, self._tenant)
            waiting = backlog["waiting"] + vectors.count_unembedded(connection, self._tenant)
        waiting += self._parts.embedding.count_wordless(self._tenant)
        return UpkeepReport(
            embedded=0,
            indexes_built=0,
            traces_dropped=0,
            waiting=waiting,
            failed=backlog["failed"],
            flushed=self.operational.count_unkept(),
            archived=due.archived,
            demoted=due.demoted,
            dry_run=True,
        )

    def _embed_anew(self, progress: Progress) -> int:
        embedded, dropped = self._parts.embedding.renew(progress)
        with self._parts.database.of_everyone().read() as connection:
            everyone = {tenant: shelves.states(connection, tenant, None) for tenant in shelves.tenants(connection)}
        for old in dropped:
            for tenant, states in everyone.items():
                self._parts.residents.forget(tenant, [state._replace(space=old) for state in states], whole=True)
        return embedded
