"""`Memory`: the verbs, each a short script over the stages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Literal, Self, TypeVar, Unpack, overload

from sqlalchemy import Connection

from emberkeep.assembling import Assembler, Wanted, settings_of, wanted_again
from emberkeep.backlog import Backlog, Outcome
from emberkeep.capture.episodes import episodes
from emberkeep.capture.log import Capture
from emberkeep.capture.redact import redact_messages, redact_value
from emberkeep.capture.seeding import Seed, drafted, parse_seeds
from emberkeep.clock import Deadline
from emberkeep.context.state import live_state, open_work
from emberkeep.errors import InvalidInput, ModelUnavailable, NotFound, StoreError
from emberkeep.events.feed import Events
from emberkeep.keeping import STATEMENTS, Keeper
from emberkeep.learning.audit import audit, examine
from emberkeep.learning.embedding import Progress, silent
from emberkeep.lifecycle.keep import Kept, keep
from emberkeep.lifecycle.operational import Operational
from emberkeep.lifecycle.revise import revise
from emberkeep.lifecycle.settle import Settled, reopen
from emberkeep.migrating import Migration
from emberkeep.model import checks
from emberkeep.model.collection import SearchResult
from emberkeep.model.context import (
    Candidate,
    Context,
    ContextRecord,
    Format,
    Shares,
    Tier,
    format_named,
    tiers_named,
)
from emberkeep.model.ids import new_id
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Added, Change, Draft, Item, Page, Receipt, cursor_after, parse_cursor
from emberkeep.model.kinds import Kind
from emberkeep.model.message import Message, parse_messages
from emberkeep.model.moment import to_micros
from emberkeep.model.recall import Hits, Plan, Selection, Sessions, Where, plan_named, select
from emberkeep.model.report import (
    Audit,
    Difference,
    LearnReport,
    Precomputed,
    RebuildReport,
    SeedReport,
    Spending,
    Stats,
    UpkeepReport,
    Waiting,
)
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.model.work import Goal, Task
from emberkeep.rebuilding import Rebuilding
from emberkeep.recall.pipeline import by_session
from emberkeep.searching import Asking, Searcher
from emberkeep.storage import (
    claims,
    cold,
    contexts,
    counts,
    erasure,
    history,
    items,
    ledger,
    log,
    outbox,
    shelves,
    spaces,
    vectors,
)
from emberkeep.storage.log import Lease, Taken
from emberkeep.storage.shelves import State
from emberkeep.storage.vectors import Unembedded
from emberkeep.wiring import Parts
from emberkeep.work.collections import search_collections
from emberkeep.work.configs import Configs
from emberkeep.work.decisions import Decisions
from emberkeep.work.desk import Desk, refuse_record
from emberkeep.work.drawers import Agents, Persona, Preferences
from emberkeep.work.experience import Experience
from emberkeep.work.goals import Goals
from emberkeep.work.incidents import Incidents
from emberkeep.work.knowledge import Knowledge
from emberkeep.work.patterns import Patterns
from emberkeep.work.procedures import Procedures
from emberkeep.work.tasks import Tasks
from emberkeep.worker import Report, Worker, quiet

MAX_CONTEXT_TOKENS = 1_000_000
HITS_A_SESSION = 10  # to look at for each session that is wanted
MAX_TOMBSTONES = 1_000
T = TypeVar("T")
Work = TypeVar("Work", Goal, Task)
When = datetime | str
Messages = str | Mapping[str, Any] | Message | Sequence[str | Mapping[str, Any] | Message]


class Memory:
    """An open memory. Safe to use from many threads; close it, or use it in a `with` block."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tenant = parts.config.tenant
        self._keeper = Keeper(parts)
        self._backlog = Backlog(parts, self._keeper)
        self._searcher = Searcher(parts)
        self._assembler = Assembler(parts, self._searcher)
        self.capture = Capture(parts.database, parts.clock, parts.config)
        self._migration = Migration(parts, self._backlog)
        self.operational = Operational(parts.database, parts.clock, parts.config, self._clean)
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
        self.tasks = Tasks(desk)
        self.decisions = Decisions(desk)
        self.preferences = Preferences(desk)
        self.persona = Persona(desk)
        self.agents = Agents(desk)
        self.patterns = Patterns(desk)
        self.experience = Experience(desk, self.patterns)
        self.procedures = Procedures(desk)
        self.incidents = Incidents(desk)
        self.configs = Configs(desk)
        self.knowledge = Knowledge(desk)
        self._desk = desk

    # Keeping.

    def add(
        self,
        messages: Messages,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        occurred_at: When | None = None,
        metadata: Mapping[str, Any] | None = None,
        tags: Iterable[str] | None = None,
        learn: bool | Literal["later"] = True,
    ) -> Added:
        """Keep what was said, word for word, and learn from it.

        Each message becomes an episode that can be found, and what matters in it a fact, preference or decision. It is
        on disk before any model is called. A model that fails delays learning and vectors: the episodes are found by
        their words meanwhile, and `learn()` catches up. With `learn="later"` it is only written down, as fast as the
        disk can, and becomes findable with the next `learn()`; with `learn=False` nothing is learned from it.
        """
        if learn not in (True, False, "later"):
            raise InvalidInput(f'learn is {learn!r}: pass True, False or "later"')
        now = self._parts.clock.now()
        said = parse_messages(messages, max_chars=self._parts.config.max_text_chars)
        said, redacted = redact_messages(said) if self._parts.config.redact else (said, ())
        interaction = Interaction(
            id=new_id(now),
            scope=Scope.to_write(self._tenant, user_id, agent_id, session_id),
            messages=said,
            occurred_at=checks.moment(occurred_at, name="occurred_at") or now,
            recorded_at=now,
            tags=checks.tags(tags),
            metadata=self._clean(checks.metadata(metadata)),
        )
        if not self._parts.config.capture:
            return self._learn_only(interaction, learn=learn)
        if learn == "later":
            self._parts.database.write(lambda c: log.append(c, interaction, episodes=False, waiting=True))
            return Added(0, 0, 0, 0, (), interaction.id, redacted=redacted)
        lease = self._backlog.lease() if learn and self._parts.learner else None
        kept = self._parts.database.write(lambda c: self._capture(c, interaction, lease, now, never=not learn))
        added = _added(kept, self._embed(kept), interaction.id)
        if lease is not None:
            added = _with_outcome(
                added, self._backlog.learn_from(Taken(interaction, has_episodes=True, attempts=0), lease)
            )
        return replace(added, redacted=redacted)

    def remember(
        self,
        text: str,
        *,
        kind: Kind = "fact",
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        occurred_at: When | None = None,
        metadata: Mapping[str, Any] | None = None,
        tags: Iterable[str] | None = None,
        sacred: bool = False,
    ) -> Added:
        """Keep one thing that the caller knows. Told again, even in slightly other words, it warms instead."""
        now = self._parts.clock.now()
        draft = Draft(
            scope=Scope.to_write(self._tenant, user_id, agent_id, session_id),
            kind=checks.kind(kind),
            text=self._clean(checks.text(text, max_chars=self._parts.config.max_text_chars)),
            occurred_at=checks.moment(occurred_at, name="occurred_at") or now,
            tags=checks.tags(tags),
            metadata=self._clean(checks.metadata(metadata)),
            sacred=checks.flag(sacred, "sacred"),
            told=True,
        )
        draft = self._keeper.claimed(draft, self._keeper.user_name(self._tenant, draft.scope.shelf))
        weighed = self._keeper.weigh([draft])
        settled = self._parts.database.write(lambda connection: self._keeper.settle(connection, weighed, now))
        return _told(settled, weighed.reasons)

    def seed(
        self,
        text: str,
        *,
        kind: Kind = "fact",
        user_id: str | None = None,
        agent_id: str | None = None,
        tags: Iterable[str] | None = None,
        sacred: bool = False,
        form: Literal["lines", "jsonl"] | None = None,
        progress: Progress = silent,
    ) -> SeedReport:
        """Tell many things at once: plain or Markdown lines, dated or not, or JSONL with a `text` in each object.

        What was told before is left as it is, so seeding a file again changes nothing.
        """
        shared = Seed(
            "", 0, None, checks.kind(kind), user_id, agent_id, checks.tags(tags), sacred=checks.flag(sacred, "sacred")
        )
        seeds = parse_seeds(
            self._clean(checks.storable(text, name="text")), form, max_chars=self._parts.config.max_text_chars
        )
        now = self._parts.clock.now()
        drafts: dict[str, list[Draft]] = {}
        for one in seeds:
            draft = drafted(one, shared, self._tenant, now)
            drafts.setdefault(draft.scope.shelf, []).append(draft)
        new = sum(self._keeper.seed(mine, now, progress) for mine in drafts.values())
        return SeedReport(len(seeds), new, len(seeds) - new)

    def update(
        self,
        id: str,  # noqa: A002 - the contract's name
        text: str | None = None,
        *,
        kind: Kind | None = None,
        tags: Iterable[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        sacred: bool | None = None,
    ) -> Item:
        """Change a memory. Its former text stays in its history, and is what `as_of=` an earlier time shows."""
        changes: dict[str, Any] = {}
        if text is not None:
            changes["text"] = self._clean(checks.text(text, max_chars=self._parts.config.max_text_chars))
        if kind is not None:
            changes["kind"] = checks.kind(kind)
        if tags is not None:
            changes["tags"] = checks.tags(tags)
        if metadata is not None:
            changes["metadata"] = self._clean(checks.metadata(metadata))
        if sacred is not None:
            changes["sacred"] = checks.flag(sacred, "sacred")
        if not changes:
            raise InvalidInput("nothing to update: pass a text, kind, tags, metadata or sacred")
        now = self._parts.clock.now()
        name = self._keeper.user_name(self._tenant, self.get(id).user_id or "")

        def job(connection: Connection) -> tuple[Item, int]:
            item = self._held(connection, id)
            refuse_record(item)
            heat: dict[str, Any] = {}
            if changes.get("sacred", item.sacred) != item.sacred:  # from now on it cools, or no longer does
                heat = {"temperature": self._parts.thermal.warmth(item, now), "heated_at": now}
            said = self._keeper.claimed(_as_draft(self._tenant, replace(item, **changes)), name)
            changed, number = revise(connection, self._tenant, item, {**changes, **heat, "gloss": said.gloss}, now)
            claims.put(connection, self._tenant, changed, said.claim, said.entities)
            return changed, number

        item, revision = self._parts.database.write(job)
        if text is not None:
            self._embed([Kept(item, revision)])
        return self._parts.thermal.cooled(item, now)

    # Forgetting.

    def delete(self, id: str) -> Receipt:  # noqa: A002 - the contract's name
        """Remove a memory for good, with its history; an episode's words leave the log too."""
        now = self._parts.clock.now()

        def job(connection: Connection) -> tuple[Receipt, list[State]]:
            item = self._held(connection, id)
            current = items.is_version(connection, self._tenant, item.id)
            if current is not None:
                raise InvalidInput(f"{id!r} is a former version of {current!r}: delete that one")
            refuse_record(item)
            reopen(connection, self._tenant, item, now)
            rows, number = erasure.erase_item(connection, self._tenant, item, now)
            history.remains(connection, self._tenant, item, number=number, now=now)
            return Receipt(rows), shelves.states(connection, self._tenant, [item.user_id or ""])

        receipt, states = self._parts.database.write(job)
        self._parts.residents.forget(self._tenant, states, whole=False)
        self._parts.database.wipe()
        return receipt

    def delete_all(
        self, *, user_id: str | None = None, agent_id: str | None = None, session_id: str | None = None
    ) -> Receipt:
        """Remove all that a user, agent or session left, the verbatim log included.

        Without a user it is that agent's or session's for everyone; `user_id="*"` alone removes everything.
        """
        if user_id is None and agent_id is None and session_id is None:
            raise InvalidInput('delete_all needs a user_id, agent_id or session_id; user_id="*" removes everything')
        owner = EVERYONE if user_id is None else user_id  # an agent or session may have served anyone
        scope = select(self._tenant, {"user_id": owner, "agent_id": agent_id, "session_id": session_id})

        def job(connection: Connection) -> tuple[Receipt, list[State]]:
            states = shelves.states(connection, self._tenant, scope.shelves)
            return Receipt(erasure.erase_scope(connection, scope)), states

        receipt, states = self._parts.database.write(job)
        self._parts.residents.forget(self._tenant, states, whole=True)
        self._parts.database.wipe()
        return receipt

    # Finding.

    @overload
    def search(
        self,
        query: str,
        *,
        limit: int = ...,
        plan: str | Plan = ...,
        deadline_ms: float | None = ...,
        touch: bool = ...,
        asked_at: When | None = ...,
        group: None = ...,
        include_cold: bool = ...,
        **where: Unpack[Where],
    ) -> Hits: ...
    @overload
    def search(
        self,
        query: str,
        *,
        limit: int = ...,
        plan: str | Plan = ...,
        deadline_ms: float | None = ...,
        touch: bool = ...,
        asked_at: When | None = ...,
        group: Literal["session"],
        include_cold: bool = ...,
        **where: Unpack[Where],
    ) -> Sessions: ...
    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        plan: str | Plan = "balanced",
        deadline_ms: float | None = None,
        touch: bool = False,
        asked_at: When | None = None,
        group: Literal["session"] | None = None,
        include_cold: bool = False,
        **where: Unpack[Where],
    ) -> Hits | Sessions:
        """Find what is relevant, best first, among what `where` leaves. `touch=True` warms what was found.

        "Last May" in the query is the one before `asked_at`, which is now unless it is said. `group="session"` gives
        sessions instead, each with the messages that were found in it. `include_cold=True` also looks through what has
        grown cold. When a model is down or the deadline passes, the answer says in `degraded` what was left out.
        """
        if group not in (None, "session"):
            raise InvalidInput(f'group is {group!r}: pass "session", or leave it out')
        limit = checks.limit(limit, most=checks.MAX_SEARCH_LIMIT)
        if group is not None and where.get("kinds") is None:
            where["kinds"] = ("episode",)  # what was learned speaks for the messages it came from
        asking = self._asking(query, plan, deadline_ms, asked_at, where)
        if checks.flag(include_cold, "include_cold"):
            asking = replace(asking, selection=replace(asking.selection, include_cold=True))
        wanted = limit if group is None else min(HITS_A_SESSION * limit, checks.MAX_SEARCH_LIMIT)
        hits = self._searcher.search(asking, wanted)
        if checks.flag(touch, "touch") and hits:
            self._touch([hit.item for hit in hits[:limit]])
        return hits if group is None else Sessions(by_session(hits, limit), hits.degraded)

    def semantic_search(
        self,
        query: str,
        collections: Iterable[str] | None = None,
        n_results: int = 5,
        **where: Unpack[Where],
    ) -> list[SearchResult]:
        """Search collections in one ranking, best first: decisions, incidents and procedures, unless others are named.

        There are knowledge and configs too. Everyone's are searched; `where` narrows that, as it does for `search`.
        """
        return search_collections(self._desk, query, collections, n_results, where)

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
        selection = select(self._tenant, where)
        deadline = None
        if deadline_ms is not None:
            deadline = Deadline.after(checks.positive(deadline_ms, name="deadline_ms") / 1000)
        return Asking(
            text=checks.text(query, name=name, max_chars=self._parts.config.max_text_chars),
            at=checks.moment(asked_at, name="asked_at") or selection.as_of or self._parts.clock.now(),
            selection=selection,
            plan=plan_named(plan),
            deadline=deadline,
        )

    def context(
        self,
        task: str,
        *,
        max_tokens: int = 4_000,
        tiers: Iterable[Tier] | None = None,
        format: Format = "markdown",  # noqa: A002 - what callers look for
        plan: str | Plan = "balanced",
        shares: Shares | None = None,
        deadline_ms: float | None = None,
        asked_at: When | None = None,
        record: bool = True,
        **where: Unpack[Where],
    ) -> Context:
        """What is relevant to a task, of at most `max_tokens`, ready for a model's prompt.

        `tiers` picks among live state, work, experience and knowledge; `format` is "markdown", "xml", "json" or
        "messages"; `shares` says how the budget is divided. It is written down which memories were chosen and which
        dropped, unless `record=False`: `context_feedback` tells whether it helped, `replay_context` assembles it again.
        """
        wanted = Wanted(
            asking=self._asking(task, plan, deadline_ms, asked_at, where, name="task"),
            max_tokens=checks.limit(max_tokens, most=MAX_CONTEXT_TOKENS, name="max_tokens"),
            tiers=tiers_named(tiers),
            format=format_named(format),
            shares=Shares() if shares is None else shares,
        )
        wanted.shares.check()
        keep_it = checks.flag(record, "record")
        context = self._assembler.assemble(wanted, more=self._state_candidates(wanted))
        return self._recorded(context, wanted) if keep_it else context

    def context_feedback(self, id: str, helpful: bool, *, note: str | None = None) -> None:  # noqa: A002, FBT001
        """Say whether a context helped, and what was missing or wrong; said again, it counts anew."""
        known = checks.storable(id, name="id")
        good = checks.flag(helpful, "helpful")
        most = self._parts.config.max_text_chars
        said = None if note is None else self._clean(checks.text(note, name="note", max_chars=most))
        now = self._parts.clock.now()
        if not self._parts.database.write(
            lambda c: contexts.rate(c, self._tenant, known, helpful=good, note=said, at=now)
        ):
            raise NotFound(f"no context {id!r}")

    def context_record(self, id: str) -> ContextRecord:  # noqa: A002 - as in the other verbs
        """What was written down of a context: the task, what was chosen and dropped and why, and whether it helped."""
        with self._parts.database.read() as connection:
            found = contexts.get(connection, self._tenant, checks.storable(id, name="id"))
        if found is None:
            raise NotFound(f"no context {id!r}")
        return found

    def contexts(self, *, limit: int = 20, user_id: str | None = EVERYONE) -> list[ContextRecord]:
        """The latest contexts, latest first: everyone's, or those assembled for one user."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        owner = checks.scope_id(user_id, name="user_id")
        with self._parts.database.read() as connection:
            return contexts.latest(connection, self._tenant, owner, limit)

    def replay_context(self, id: str, *, as_of: When | None = None) -> Context:  # noqa: A002 - as in the other verbs
        """Assemble a context again with what was known then, or at another time. Live state is not kept, so not in it.

        What was deleted since is missing. Nothing is written down.
        """
        moment = checks.moment(as_of, name="as_of")
        wanted = wanted_again(self.context_record(id), self._tenant, moment)
        context = self._assembler.assemble(wanted)
        if "operational" not in wanted.tiers:
            return context
        return replace(context, degraded=(*context.degraded, "operational: left out, past state is not kept"))

    def get(self, id: str) -> Item:  # noqa: A002 - the contract's name
        """One memory by its id."""
        with self._parts.database.read() as connection:
            item = self._existing(connection, id)
        return self._parts.thermal.cooled(item, self._parts.clock.now())

    def get_all(self, *, limit: int = 100, cursor: str | None = None, **where: Unpack[Where]) -> Page:
        """A page of memories, latest first; pass the page's `next` as `cursor` for the one after."""
        selection = select(self._tenant, where)
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        after = None if cursor is None else parse_cursor(cursor)
        now = self._parts.clock.now()
        with self._parts.database.read() as connection:
            ids = items.page(connection, selection, now=to_micros(now), limit=limit + 1, after=after)
            found = items.fetch(connection, self._tenant, ids[:limit])
        listed = tuple(self._parts.thermal.cooled(found[item_id], now) for item_id in ids[:limit])
        return Page(listed, cursor_after(listed[-1]) if len(ids) > limit else None)

    def history(self, id: str) -> list[Change]:  # noqa: A002 - the contract's name
        """What happened to a memory, oldest first. Of a deleted one only that it was there."""
        with self._parts.database.read() as connection:
            item = items.fetch(connection, self._tenant, [checks.storable(id, name="id")]).get(id)
            changes = history.read(connection, self._tenant, id, item)
        if not changes:
            raise NotFound(f"no memory {id!r}")
        return changes

    # Looking after it.

    def learn(self, *, retry_failed: bool = False, patient: bool = False, progress: Progress = silent) -> LearnReport:
        """Work off the backlog: episodes and facts of what was added, and vectors for what lacks one.

        With `retry_failed` also what was set aside after failing too often. A `patient` run leaves alone what failed a
        moment ago, as a worker does. Raises `ModelUnavailable` if the embedder is down; what was learned stays.
        """
        if retry_failed:
            self._parts.database.write(lambda connection: log.retry_failed(connection, self._tenant))
        worked = self._backlog.work(self._tenant, progress, patient=patient)
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
        """What has not been learned from yet, with the reason where an attempt failed; failed ones first."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        with self._parts.database.read() as connection:
            return log.backlog(connection, self._tenant, limit)

    def spending(self, *, limit: int = 100) -> list[Spending]:
        """What language models were asked for, by day, user and model, the latest day first."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        with self._parts.database.read() as connection:
            return ledger.entries(connection, self._tenant, limit)

    def upkeep(
        self, *, dry_run: bool = False, archive_before: When | None = None, progress: Progress = silent
    ) -> UpkeepReport:
        """Move what is due from tier to tier, catch up with learning, build large indexes, and tidy the database.

        Work that was finished before `archive_before`, or as long ago as the settings say, goes to long-term memory.
        With `dry_run` it only says what it would move, and what waits.
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
        forgotten = self._parts.clock.now() - timedelta(days=self._parts.config.context_days)
        self._parts.database.write(lambda connection: contexts.forget(connection, self._tenant, before=forgotten))
        built = self._parts.residents.build_large(self._tenant)
        self._parts.database.maintain()
        return UpkeepReport(
            embedded=learned.embedded,
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

    def rebuild(self, *, dry_run: bool = False, progress: Progress = silent) -> RebuildReport:
        """Derive everything again: vectors with the present embedder, for all tenants, and facts with the learner.

        Searches go on meanwhile, and see the new when it is all there. The report says how what was learned differs;
        with `dry_run` it only says so. `undo_rebuild` goes back.
        """
        embedded = 0 if dry_run else self._embed_anew(progress)
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

    def audit(self, *, user_id: str | None = EVERYONE, examples: int = 3) -> Audit:
        """How much of what was learned is junk, said twice, outdated or without support, with examples."""
        selection = select(self._tenant, {"user_id": user_id, "kinds": STATEMENTS})
        examples = checks.limit(examples, most=checks.MAX_PAGE_LIMIT, name="examples")
        now = self._parts.clock.now()
        with self._parts.database.read() as connection:
            found = list(examine(connection, selection, now))
            said = list(log.texts(connection, selection))
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
            )

    def precompute(self, texts: Iterable[str], *, queries: bool = False, progress: Progress = silent) -> Precomputed:
        """Make the vectors of texts, or of `queries`, ahead, for all processes that share an embedding cache."""
        if isinstance(texts, str):
            raise InvalidInput("texts are several: pass a list of them")
        most = self._parts.config.max_text_chars
        wanted = list(dict.fromkeys(checks.text(one, max_chars=most) for one in texts))
        known, made = self._parts.embedding.precompute(wanted, progress, queries=checks.flag(queries, "queries"))
        return Precomputed(len(wanted), known, made)

    def worker(self, *, every_s: float = 2.0, report: Report = quiet) -> Worker:
        """A worker that learns in the background, for all tenants of this database: `start()` it, and `stop()` it."""
        every = checks.positive(every_s, name="every_s")
        return Worker(self._parts, every_s=every, report=report, flush=self.operational.flush)

    def close(self) -> None:
        """Write down what is critical and let go of the database; more calls raise `Closed`.

        If critical events cannot be written now, this says why and leaves the memory open, so that it can be tried
        again. At the end of a `with` block there is no again: it is closed in any case.
        """
        self.operational.close()
        self._parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.operational.close()
        finally:
            self._parts.close()

    # The steps that several verbs share.

    def _upkeep_due(self, before: datetime | None) -> UpkeepReport:
        due = self._migration.due(self._tenant, before)
        with self._parts.database.read() as connection:
            backlog = log.count_backlog(connection, self._tenant)
            waiting = backlog["waiting"] + vectors.count_unembedded(connection, self._tenant)
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

    def _state_candidates(self, wanted: Wanted) -> Sequence[Candidate]:
        """What a context may hold beside memories: live state, and the goals and tasks that are open.

        They are of now and of no kind, so where only some memories are asked for they stay out.
        """
        seen = wanted.asking.selection
        if seen.as_of or seen.kinds or seen.tags or seen.filters or seen.since or seen.until:
            return ()
        found: list[Candidate] = []
        if "operational" in wanted.tiers:
            found += live_state(self.operational.get_system_snapshot())
        if "working" in wanted.tiers:
            for user in [EVERYONE] if seen.shelves is None else [shelf or None for shelf in seen.shelves]:
                goals, tasks = self.goals.active(user_id=user), self.tasks.active(user_id=user)
                found += open_work(_of(seen, goals), _of(seen, tasks))
        return found

    def _recorded(self, context: Context, wanted: Wanted) -> Context:
        """The context with the id of its record. One that cannot be written down is handed out all the same."""
        now, selection = self._parts.clock.now(), wanted.asking.selection
        made = ContextRecord(
            id=new_id(now),
            at=now,
            task=self._clean(wanted.asking.text),
            user_id=selection.user_id,
            agent_id=selection.agent_id,
            session_id=selection.session_id,
            max_tokens=context.budget,
            total_tokens=context.total_tokens,
            settings=settings_of(wanted),
            entries=context.entries,
            degraded=context.degraded,
        )
        try:
            self._parts.database.write(lambda connection: contexts.put(connection, self._tenant, made))
        except StoreError as error:
            return replace(context, degraded=(*context.degraded, f"record: left out, {error}"))
        return replace(context, id=made.id)

    def _embed_anew(self, progress: Progress) -> int:
        embedded, dropped = self._parts.embedding.renew(progress)
        with self._parts.database.read() as connection:
            everyone = {tenant: shelves.states(connection, tenant, None) for tenant in shelves.tenants(connection)}
        for old in dropped:
            for tenant, states in everyone.items():
                self._parts.residents.forget(tenant, [state._replace(space=old) for state in states], whole=True)
        return embedded

    def _capture(
        self, connection: Connection, interaction: Interaction, lease: Lease | None, now: datetime, *, never: bool
    ) -> list[Kept]:
        waiting = lease is not None
        log.append(connection, interaction, episodes=True, waiting=waiting, lease=lease, never=never)
        made = episodes(interaction)
        return keep(connection, made, self._parts.thermal, now) if made else []

    def _learn_only(self, interaction: Interaction, *, learn: bool | Literal["later"]) -> Added:
        """Learn from what was said without keeping it; there is no second chance, so a failure is the caller's."""
        learner = self._parts.learner
        if learn is not True or learner is None:
            raise InvalidInput("capture is off, so nothing of this would be kept: pass learn=True and set a learner")
        if over := self._backlog.over_the_cap(interaction.scope):
            raise ModelUnavailable(over.reason)
        exchange = self._backlog.exchange(interaction)
        lesson = learner.learn(exchange)
        drafts = self._backlog.drafts(exchange, lesson, {})
        weighed, judging = self._keeper.judged(self._keeper.weigh([_without_quote(draft) for draft in drafts]))
        now = self._parts.clock.now()

        def job(connection: Connection) -> list[Settled]:
            self._backlog.book(connection, interaction.scope, lesson.spent + judging)
            return self._keeper.settle(connection, weighed, now)

        return _told(self._parts.database.write(job), weighed.reasons)

    def _clean(self, value: T) -> T:
        """The value without secrets, if they are to be cut out."""
        if not self._parts.config.redact:
            return value
        clean: T = redact_value(value)[0]
        return clean

    def _touch(self, found: Sequence[Item]) -> None:
        now = self._parts.clock.now()

        def job(connection: Connection) -> None:
            shelves.hold(connection, self._tenant, {item.user_id or "" for item in found})
            present = items.fetch(connection, self._tenant, [item.id for item in found])
            warmed = [self._parts.thermal.reheated(item, now) for item in present.values()]
            items.reheat(connection, self._tenant, warmed)
            for shelf in sorted({item.user_id or "" for item in warmed}):
                cold.thaw(
                    connection, self._tenant, shelf, [item.id for item in warmed if (item.user_id or "") == shelf]
                )

        self._parts.database.write(job)

    def _existing(self, connection: Connection, item_id: str) -> Item:
        item = items.fetch(connection, self._tenant, [checks.storable(item_id, name="id")]).get(item_id)
        if item is None:
            raise NotFound(f"no memory {item_id!r}")
        return item

    def _held(self, connection: Connection, item_id: str) -> Item:
        """An item that nobody else can change before this transaction ends."""
        shelf = items.owner(connection, self._tenant, checks.storable(item_id, name="id"))
        if shelf is not None:
            shelves.hold(connection, self._tenant, [shelf])
        return self._existing(connection, item_id)

    def _embed(self, kept: Sequence[Kept]) -> tuple[str, ...]:
        wanting = [Unembedded(one.item.id, one.revision, one.item.spoken) for one in kept if one.revision is not None]
        if not wanting:
            return ()
        try:
            self._parts.embedding.items(self._tenant, self._parts.embedding.space(), wanting)
        except ModelUnavailable as error:
            return (str(error),)
        return ()


def _of(selection: Selection, some: Iterable[Work]) -> list[Work]:
    """Those of the agent and session that are asked for, if they are."""
    return [
        one
        for one in some
        if selection.agent_id in {None, one.agent_id} and selection.session_id in {None, one.session_id}
    ]


def _added(kept: Sequence[Kept], reasons: tuple[str, ...], interaction_id: str | None) -> Added:
    new = [one for one in kept if one.is_new]
    return Added(
        extracted=len(kept),
        new=len(new),
        updated=len(kept) - len(new),
        errors=len(new) if reasons else 0,
        items=tuple({one.item.id: one.item for one in kept}.values()),
        interaction_id=interaction_id,
        reasons=reasons,
    )


def _told(settled: Sequence[Settled], reasons: tuple[str, ...]) -> Added:
    return _with_outcome(_added([], reasons, None), Outcome(tuple(settled)))


def _with_outcome(added: Added, outcome: Outcome) -> Added:
    """What was added together with what was learned from it."""
    items_of = {item.id: item for item in (*added.items, *(one.item for one in outcome.settled))}
    new = sum(one.action == "added" for one in outcome.settled)
    return replace(
        added,
        extracted=added.extracted + len(outcome.settled),
        new=added.new + new,
        updated=added.updated + len(outcome.settled) - new,
        errors=added.errors + (new if added.reasons and not added.errors else 0) + int(outcome.reason is not None),
        items=tuple(items_of.values()),
        reasons=added.reasons if outcome.reason is None else (*added.reasons, outcome.reason),
    )


def _without_quote(draft: Draft) -> Draft:
    """What is learned while nothing is captured: it cannot be looked up, nor derived again."""
    return draft if draft.source is None else replace(draft, source=replace(draft.source, quote=None), told=True)


def _as_draft(tenant: str, item: Item) -> Draft:
    scope = Scope(tenant, item.user_id, item.agent_id, item.session_id)
    return Draft(scope, item.kind, item.text, item.occurred_at)
