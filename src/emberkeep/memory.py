"""`Memory`: the verbs of keeping, forgetting and finding. Each is a short script that calls the stages in order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal, Unpack, overload

from sqlalchemy import Connection

from emberkeep.capture.episodes import episodes
from emberkeep.capture.redact import redact_messages
from emberkeep.capture.seeding import Seed, drafted, read_seeds
from emberkeep.care import Care
from emberkeep.contexts import Contexts
from emberkeep.errors import Closed, EmberkeepError, InvalidInput, ModelUnavailable, NotFound, StoreError
from emberkeep.facade import When
from emberkeep.flows.backlog import Outcome
from emberkeep.learning.embedding import Progress, silent
from emberkeep.lifecycle.keep import Kept, keep
from emberkeep.lifecycle.revise import revise
from emberkeep.lifecycle.settle import Settled, reopen
from emberkeep.model import checks
from emberkeep.model.collection import SearchResult
from emberkeep.model.finding import Spent
from emberkeep.model.ids import new_id
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Added, Change, Draft, Item, Page, Receipt, cursor_at, parse_cursor
from emberkeep.model.kinds import Kind
from emberkeep.model.message import Message, parse_messages
from emberkeep.model.moment import offset_of, to_micros
from emberkeep.model.recall import Hits, Plan, Sessions, Where, select
from emberkeep.model.report import (
    SeedReport,
)
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.overviews import Overviews
from emberkeep.recall.pipeline import by_session
from emberkeep.storage import (
    claims,
    cold,
    erasure,
    history,
    items,
    log,
    shelves,
)
from emberkeep.storage.log import Lease, Taken
from emberkeep.storage.shelves import State
from emberkeep.storage.vectors import Unembedded
from emberkeep.work.collections import search_collections
from emberkeep.work.desk import refuse_record

HITS_A_SESSION = 10  # hits to fetch for each session that is wanted
FEW_SESSIONS = 10  # a smaller limit fetches as many hits as this one, so that it returns the same sessions first
Messages = str | Mapping[str, Any] | Message | Sequence[str | Mapping[str, Any] | Message]


class Memory(Contexts, Care, Overviews):
    """An open memory. Safe to use from many threads; close it, or use it in a `with` block."""

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

        Each message becomes an episode that can be found, and what matters in it becomes a fact, preference or
        decision. The messages are on disk before any model is called. If a model fails, learning and vectors are
        delayed: the episodes are found by their words until `learn()` catches up. With `learn="later"` the messages
        are only written to the log, as fast as the disk can, and can be found after the next `learn()`; with
        `learn=False` nothing is learned from them.
        """
        if not isinstance(learn, bool) and learn != "later":
            raise InvalidInput(f'learn is {learn!r}: pass True, False or "later"')
        now = self._parts.clock.now()
        said = parse_messages(messages, max_chars=self._parts.config.max_text_chars)
        said, redacted = redact_messages(said) if self._parts.config.redact else (said, ())
        then = self._then(occurred_at, now)
        interaction = Interaction(
            id=new_id(now),
            scope=Scope.to_write(self._tenant, user_id, agent_id, session_id),
            messages=said,
            occurred_at=then.astimezone(UTC),
            recorded_at=now,
            tags=checks.tags(tags),
            metadata=self._clean(checks.metadata(metadata)),
            utc_offset=offset_of(then),
        )
        if not self._parts.config.capture:
            return self._learn_only(interaction, learn=learn)
        if learn == "later":
            self._parts.database.write(lambda c: log.append(c, interaction, episodes=False, waiting=True))
            return Added(0, 0, 0, 0, (), interaction.id, redacted=redacted)
        lease = self._backlog.lease() if learn and self._parts.learner else None
        kept = self._parts.database.write(lambda c: self._capture(c, interaction, lease, now, never=not learn))
        if lease is None:
            return replace(_added(kept, self._embed(kept), interaction.id), redacted=redacted)
        with self._given_back(lease):
            added = _added(kept, self._embed(kept), interaction.id)
            added = _with_outcome(added, self._learn_now(interaction, lease))
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
        """Keep one thing that the caller knows. Telling it again, even slightly reworded, warms that memory instead."""
        now = self._parts.clock.now()
        then = self._then(occurred_at, now)
        draft = Draft(
            scope=Scope.to_write(self._tenant, user_id, agent_id, session_id),
            kind=checks.kind(kind),
            text=self._clean(checks.text(text, max_chars=self._parts.config.max_text_chars)),
            occurred_at=then.astimezone(UTC),
            tags=checks.tags(tags),
            metadata=self._clean(checks.metadata(metadata)),
            sacred=checks.flag(sacred, "sacred"),
            told=True,
            as_it_came=occurred_at is None,
            utc_offset=offset_of(then),
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
        seeds = read_seeds(text, form, self._parts.config)
        now = self._parts.clock.now()
        wanted = list({source.exchange for one in seeds for source in one.sources})
        with self._parts.database.read() as connection:
            said = log.fetch(connection, self._tenant, wanted)
        drafts: dict[str, list[Draft]] = {}
        for one in seeds:
            draft = drafted(one, shared, self._tenant, self._parts.config.here(now), said)
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
        """Change a memory. The former text stays in its history, and a search with an earlier `as_of=` finds it.

        Former tags, metadata and kinds are not kept: the history only says that the memory was updated.
        """
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

        def job(connection: Connection) -> Kept:
            item = self._held(connection, id)
            refuse_record(item)
            if all(getattr(item, field) == value for field, value in changes.items()):
                return Kept(item, None)
            heat: dict[str, Any] = {}
            if changes.get("sacred", item.sacred) != item.sacred:  # from now on it cools, or no longer does
                warmth = self._parts.thermal.warmth(item, now)
                heat = {"temperature": warmth, "heated_at": max(now, item.heated_at)}
            draft = self._keeper.claimed(_as_draft(self._tenant, replace(item, **changes)), name)
            changed, number = revise(connection, self._tenant, item, {**changes, **heat, "gloss": draft.gloss}, now)
            claims.replace(connection, self._tenant, changed, draft.claim, draft.entities)
            return Kept(changed, number if changed.spoken != item.spoken else None)

        kept = self._parts.database.write(job)
        self._embed([kept])
        return self._parts.thermal.cooled(kept.item, now)

    # Forgetting.

    def delete(self, id: str) -> Receipt:  # noqa: A002 - the contract's name
        """Remove a memory for good, with its history; an episode's words leave the log too."""
        now = self._parts.clock.now()

        def job(connection: Connection) -> tuple[Receipt, list[State]]:
            item = self._held(connection, id)
            current = items.current_of(connection, self._tenant, item.id)
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
        """Remove everything of a user, agent or session, the verbatim log included.

        Without a `user_id`, what the agent or session kept is removed for all users; `user_id="*"` alone removes
        everything, including the live events and metrics of this process.
        """
        if user_id is None and agent_id is None and session_id is None:
            raise InvalidInput('delete_all needs a user_id, agent_id or session_id; user_id="*" removes everything')
        owner = EVERYONE if user_id is None else user_id  # an agent or session may have served any user
        scope = select(self._tenant, {"user_id": owner, "agent_id": agent_id, "session_id": session_id})

        def job(connection: Connection) -> tuple[Receipt, list[State]]:
            states = shelves.states(connection, self._tenant, scope.shelves)
            return Receipt(erasure.erase_scope(connection, scope)), states

        everything = user_id == EVERYONE and agent_id is None and session_id is None
        if everything:
            self.operational.flush()  # else events still waiting to be written would be stored after the deletion
        receipt, states = self._parts.database.write(job)
        if everything:
            self.operational.clear()
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
        """Find relevant memories, best first, among those that `where` selects. `touch=True` warms those found.

        "Last May" in the query is the one before `asked_at`, by default now. `group="session"` returns sessions
        instead, each with the messages that were found in it. `include_cold=True` also searches memories that have gone
        cold. When a model is down or the deadline passes, `degraded` in the answer says what was left out.
        """
        if group not in (None, "session"):
            raise InvalidInput(f'group is {group!r}: pass "session", or leave it out')
        limit = checks.limit(limit, most=checks.MAX_SEARCH_LIMIT)
        if group is not None and where.get("kinds") is None:
            where["kinds"] = ("episode",)  # statements still count as evidence for the messages they came from
        asking = self._asking(query, plan, deadline_ms, asked_at, where)
        if checks.flag(include_cold, "include_cold"):
            asking = replace(asking, selection=replace(asking.selection, include_cold=True))
        wanted = limit if group is None else min(HITS_A_SESSION * max(limit, FEW_SESSIONS), checks.MAX_SEARCH_LIMIT)
        hits = self._searcher.search(asking, wanted)
        sessions = None if group is None else by_session(hits, limit)
        if checks.flag(touch, "touch") and hits:
            found = hits if sessions is None else [hit for session in sessions for hit in session.hits]
            self._touch([hit.item for hit in found])
        return hits if sessions is None else Sessions(sessions, hits.degraded)

    def semantic_search(
        self,
        query: str,
        collections: Iterable[str] | None = None,
        n_results: int = 5,
        **where: Unpack[Where],
    ) -> list[SearchResult]:
        """Search collections, most similar first: decisions, incidents and procedures, unless others are named.

        The other collections are knowledge and configs. All users' records are searched; `where` narrows that, as it
        does for `search`.
        """
        return search_collections(self._desk, query, collections, n_results, where)

    def get(self, id: str) -> Item:  # noqa: A002 - the contract's name
        """One memory by its id."""
        with self._parts.database.read() as connection:
            item = self._existing(connection, id)
        return self._parts.thermal.cooled(item, self._parts.clock.now())

    def get_all(self, *, limit: int = 100, cursor: str | None = None, **where: Unpack[Where]) -> Page:
        """A page of memories, latest first; pass the page's `next` as `cursor` to get the next page."""
        selection = select(self._tenant, where)
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        after = None if cursor is None else parse_cursor(cursor)
        now = self._parts.clock.now()

        def job(connection: Connection) -> tuple[list[items.Placed], dict[str, Item]]:
            placed = items.page(connection, selection, now=to_micros(now), limit=limit + 1, after=after)
            return placed, items.fetch(connection, self._tenant, [one.id for one in placed[:limit]])

        placed, found = self._parts.database.look(job)
        listed = tuple(self._parts.thermal.cooled(found[one.id], now) for one in placed[:limit])
        return Page(listed, cursor_at(placed[limit - 1].place) if len(placed) > limit else None)

    def history(self, id: str) -> list[Change]:  # noqa: A002 - the contract's name
        """The changes of a memory, oldest first; of a deleted memory only that it was added and deleted."""
        with self._parts.database.read() as connection:
            item = items.fetch(connection, self._tenant, [checks.storable(id, name="id")]).get(id)
            changes = history.read(connection, self._tenant, id, item)
        if not changes:
            raise NotFound(f"no memory {id!r}")
        return changes

    # The steps that several verbs share.

    def _capture(
        self, connection: Connection, interaction: Interaction, lease: Lease | None, now: datetime, *, never: bool
    ) -> list[Kept]:
        waiting = lease is not None
        log.append(connection, interaction, episodes=True, waiting=waiting, lease=lease, never=never)
        made = episodes(interaction)
        return keep(connection, made, self._parts.thermal, now) if made else []

    def _learn_only(self, interaction: Interaction, *, learn: bool | Literal["later"]) -> Added:
        """Learn from messages without keeping them. They cannot be learned from later, so a failure is raised."""
        learner = self._parts.learner
        if learn is not True or learner is None:
            raise InvalidInput("capture is off, so nothing of this would be kept: pass learn=True and set a learner")
        if over := self._backlog.over_the_cap(interaction.scope):
            raise ModelUnavailable(over.reason)
        exchange = self._backlog.exchange(interaction)
        try:
            lesson = learner.learn(exchange)
        except ModelUnavailable as error:
            spent = Spent(error.tokens_in, error.tokens_out, error.calls)
            self._parts.database.write(lambda connection: self._backlog.book(connection, interaction.scope, spent))
            raise
        drafts = self._backlog.drafts(exchange, lesson, {})
        weighed, judging = self._keeper.judged(self._keeper.weigh([_without_quote(draft) for draft in drafts]))
        now = self._parts.clock.now()

        def job(connection: Connection) -> list[Settled]:
            self._backlog.book(connection, interaction.scope, lesson.spent + judging)
            return self._keeper.settle(connection, weighed, now)

        return _told(self._parts.database.write(job), weighed.reasons)

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
        """Return an item whose shelf is locked, so that nobody else can change it before this transaction ends."""
        shelf = items.owner(connection, self._tenant, checks.storable(item_id, name="id"))
        if shelf is not None:
            shelves.hold(connection, self._tenant, [shelf])
        return self._existing(connection, item_id)

    def _embed(self, kept: Sequence[Kept]) -> tuple[str, ...]:
        wanting = [Unembedded(one.item.id, one.revision, one.item.spoken) for one in kept if one.revision is not None]
        if not wanting:
            return ()
        try:
            self._parts.embedding.items(self._tenant, wanting)
        except ModelUnavailable as error:
            return (str(error),)
        except (StoreError, Closed) as error:
            return (_later(error),)
        return ()

    @contextmanager
    def _given_back(self, lease: Lease) -> Iterator[None]:
        """If the block fails, release the lease: the interaction can be taken at once, not only when it runs out."""
        try:
            yield
        except BaseException:
            with suppress(StoreError, Closed):
                self._parts.database.write(lambda c: log.release(c, self._tenant, lease.holder))
            raise

    def _learn_now(self, interaction: Interaction, lease: Lease) -> Outcome:
        """Learn from an interaction that is already kept; if the store fails meanwhile, it waits in the backlog."""
        try:
            return self._backlog.learn_from(Taken(interaction, has_episodes=True, attempts=0), lease)
        except (StoreError, Closed) as error:
            return Outcome(reason=_later(error))


def _later(error: EmberkeepError) -> str:
    """The reason to report for a failure after the messages were kept: raising would suggest that they were not."""
    return f"it is kept, and the rest is done later: {error}"


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
    """The result of adding messages, with the items learned from them counted in."""
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
    """The draft without its quote, marked as told: without a log it can be neither looked up nor derived again."""
    return draft if draft.source is None else replace(draft, source=replace(draft.source, quote=None), told=True)


def _as_draft(tenant: str, item: Item) -> Draft:
    scope = Scope(tenant, item.user_id, item.agent_id, item.session_id)
    return Draft(scope, item.kind, item.text, item.occurred_at, utc_offset=item.utc_offset)
