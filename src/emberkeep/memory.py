"""`Memory`: the verbs, each a short script over the stages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self, Unpack

import numpy as np
from sqlalchemy import Connection

from emberkeep.capture.episodes import episodes
from emberkeep.clock import Deadline
from emberkeep.context.render import FOOT, HEAD, render_hit
from emberkeep.context.selection import select_within_budget
from emberkeep.errors import InvalidInput, ModelUnavailable, NotFound
from emberkeep.learning.embedding import Progress, silent
from emberkeep.lifecycle.keep import Kept, keep
from emberkeep.lifecycle.revise import revise
from emberkeep.lifecycle.sameness import could_paraphrase
from emberkeep.model import checks
from emberkeep.model.context import Context
from emberkeep.model.ids import new_id
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Added, Change, Draft, Item, Page, Receipt, cursor_after, parse_cursor
from emberkeep.model.kinds import Kind
from emberkeep.model.message import Message, parse_messages
from emberkeep.model.moment import to_micros
from emberkeep.model.recall import Hits, Plan, Selection, Where, plan_named, select
from emberkeep.model.report import LearnReport, RebuildReport, Stats, UpkeepReport
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.providers.base import Vectors
from emberkeep.recall.channels import Question, gather, nearest_items
from emberkeep.recall.pipeline import rank
from emberkeep.storage import counts, erasure, history, items, log, shelves, spaces, vectors
from emberkeep.storage.shelves import State
from emberkeep.storage.spaces import Space
from emberkeep.storage.terms import query_terms
from emberkeep.storage.vectors import Unembedded
from emberkeep.wiring import Parts

CONTEXT_CANDIDATES = 100
MAX_TOMBSTONES = 1_000
DERIVE_AT_ONCE = 100
When = datetime | str
Messages = str | Mapping[str, Any] | Message | Sequence[str | Mapping[str, Any] | Message]


class Memory:
    """An open memory. Safe to use from many threads; close it, or use it in a `with` block."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tenant = parts.config.tenant

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
        """Keep what was said, word for word; each message becomes an episode that can be found.

        It is on disk before any model is called. A model that fails delays only the vectors: the episodes are found
        by their words meanwhile, and `learn()` catches up. With `learn="later"` it is only written down, as fast as
        the disk can, and becomes findable with the next `learn()`.
        """
        if learn not in (True, False, "later"):
            raise InvalidInput(f'learn is {learn!r}: pass True, False or "later"')
        now = self._parts.clock.now()
        interaction = Interaction(
            id=new_id(now),
            scope=Scope.to_write(self._tenant, user_id, agent_id, session_id),
            messages=parse_messages(messages, max_chars=self._parts.config.max_text_chars),
            occurred_at=checks.moment(occurred_at, name="occurred_at") or now,
            recorded_at=now,
            tags=checks.tags(tags),
            metadata=checks.metadata(metadata),
        )
        if learn == "later":
            self._parts.database.write(lambda connection: log.append(connection, interaction, waiting=True))
            return _added([], (), interaction.id)
        kept = self._parts.database.write(lambda connection: self._capture(connection, interaction, now))
        return _added(kept, self._embed(kept), interaction.id)

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
            text=checks.text(text, max_chars=self._parts.config.max_text_chars),
            occurred_at=checks.moment(occurred_at, name="occurred_at") or now,
            tags=checks.tags(tags),
            metadata=checks.metadata(metadata),
            sacred=bool(sacred),
        )
        vector, space, reasons = self._vector_of(draft.spoken)
        # An episode is evidence: it stays as it was said, also beside one that says nearly the same.
        former = None if vector is None or draft.kind == "episode" else self._paraphrase_of(draft, vector)
        kept = self._parts.database.write(
            lambda connection: self._keep_told(connection, draft, former, vector, space, now)
        )
        return _added(kept, reasons, None)

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
            changes["text"] = checks.text(text, max_chars=self._parts.config.max_text_chars)
        if kind is not None:
            changes["kind"] = checks.kind(kind)
        if tags is not None:
            changes["tags"] = checks.tags(tags)
        if metadata is not None:
            changes["metadata"] = checks.metadata(metadata)
        if sacred is not None:
            changes["sacred"] = bool(sacred)
        if not changes:
            raise InvalidInput("nothing to update: pass a text, kind, tags, metadata or sacred")
        now = self._parts.clock.now()

        def job(connection: Connection) -> tuple[Item, int]:
            item = self._held(connection, id)
            if changes.get("sacred", item.sacred) != item.sacred:  # from now on it cools, or no longer does
                warmth = self._parts.thermal.cooled(item, now).temperature
                return revise(connection, self._tenant, item, {**changes, "temperature": warmth, "heated_at": now}, now)
            return revise(connection, self._tenant, item, changes, now)

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
            if item.superseded_by is not None:
                raise InvalidInput(f"{id!r} is a former version of {item.superseded_by!r}: delete that one")
            rows, number = erasure.erase_item(connection, self._tenant, item)
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

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        plan: str | Plan = "balanced",
        deadline_ms: float | None = None,
        touch: bool = False,
        **where: Unpack[Where],
    ) -> Hits:
        """Find what is relevant, best first, among what `where` leaves. `touch=True` warms what was found.

        When a model is down or the deadline passes, the answer says in `degraded` what was left out.
        """
        selection = select(self._tenant, where)
        text = checks.text(query, name="query", max_chars=self._parts.config.max_text_chars)
        limit = checks.limit(limit, most=checks.MAX_SEARCH_LIMIT)
        deadline = None
        if deadline_ms is not None:
            deadline = Deadline.after(checks.positive(deadline_ms, name="deadline_ms") / 1000)
        recipe = plan_named(plan)
        recipe = replace(recipe, candidates=max(recipe.candidates, limit))
        hits = self._recall(text, selection, recipe, limit, deadline)
        if touch and hits:
            self._touch([hit.item for hit in hits])
        return hits

    def context(
        self,
        task: str,
        *,
        max_tokens: int = 4_000,
        plan: str | Plan = "balanced",
        **where: Unpack[Where],
    ) -> Context:
        """What is relevant to a task, as text of at most `max_tokens` for a model's prompt."""
        count = self._parts.count_tokens
        budget = checks.limit(max_tokens, most=1_000_000, name="max_tokens") - count(HEAD) - count(FOOT)
        if budget <= 0:
            raise InvalidInput(f"max_tokens is {max_tokens}: at least {count(HEAD) + count(FOOT) + 1} are needed")
        hits = self.search(task, limit=CONTEXT_CANDIDATES, plan=plan, **where)
        chunks, dropped = select_within_budget(hits, budget, count=count, render=render_hit)
        text = HEAD + "".join(chunk.text for chunk in chunks) + FOOT if chunks else ""
        return Context(text, chunks, count(text), dropped, hits.degraded)

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

    def learn(self, *, progress: Progress = silent) -> LearnReport:
        """Work off what waits: make items of what was added for later, and give items without a vector theirs.

        Raises `ModelUnavailable` if the model is down; what was learned until then stays.
        """
        derived = 0
        while taken := self._parts.database.write(self._derive_waiting):
            derived += taken
        embedded = self._parts.embedding.catch_up(self._parts.embedding.space(), self._tenant, progress)
        with self._parts.database.read() as connection:
            waiting = log.count_waiting(connection, self._tenant)
            return LearnReport(derived, embedded, waiting + vectors.count_unembedded(connection, self._tenant))

    def upkeep(self, *, progress: Progress = silent) -> UpkeepReport:
        """Catch up with learning, build the indexes that large shelves lack, and tidy the database."""
        embedded = self.learn(progress=progress).embedded
        dropped = self._parts.database.write(
            lambda connection: erasure.forget_tombstones(connection, self._tenant, over=MAX_TOMBSTONES)
        )
        built = self._parts.residents.build_large(self._tenant)
        self._parts.database.maintain()
        return UpkeepReport(embedded, built, dropped)

    def rebuild(self, *, progress: Progress = silent) -> RebuildReport:
        """Embed everything again with the present embedder, for all tenants; searches go on meanwhile."""
        embedded, dropped = self._parts.embedding.renew(progress)
        with self._parts.database.read() as connection:
            everyone = {tenant: shelves.states(connection, tenant, None) for tenant in shelves.tenants(connection)}
        for old in dropped:
            for tenant, states in everyone.items():
                self._parts.residents.forget(tenant, [state._replace(space=old) for state in states], whole=True)
        space = self._parts.embedding.space()
        return RebuildReport(space.embedder, space.dimension, embedded)

    def stats(self) -> Stats:
        """What this tenant's memory holds."""
        with self._parts.database.read() as connection:
            space = spaces.active_space(connection)
            by_kind = counts.items_by_kind(connection, self._tenant)
            return Stats(
                database=self._parts.database.url,
                tenant=self._tenant,
                embedder=space.embedder if space else None,
                dimension=space.dimension if space else None,
                items=sum(by_kind.values()),
                items_by_kind=by_kind,
                interactions=counts.interactions_of(connection, self._tenant),
                users=counts.users_of(connection, self._tenant),
                waiting=log.count_waiting(connection, self._tenant)
                + vectors.count_unembedded(connection, self._tenant),
            )

    def close(self) -> None:
        """Let go of the database; more calls raise `Closed`."""
        self._parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # The steps that several verbs share.

    def _recall(self, text: str, selection: Selection, plan: Plan, limit: int, deadline: Deadline | None) -> Hits:
        vector, degraded = self._question_vector(text, plan, deadline)
        with self._parts.database.read() as connection:
            states = self._states(connection, selection)
            if vector is not None and states and states[0].space:
                self._parts.embedding.check_length(len(vector), states[0].space)
            only = items.with_attributes(connection, selection)
            now = self._parts.clock.now()
            with self._parts.residents.up_to_date(connection, self._tenant, states) as indexes:
                candidates = gather(
                    indexes,
                    Question(vector if any(state.space for state in states) else None, query_terms(text)),
                    plan,
                    lambda index: index.allowed(selection, to_micros(now), only),
                )
            hits = rank(candidates, plan, limit, lambda ids: self._cooled(connection, ids, now))
        return Hits(hits, degraded)

    def _question_vector(
        self, text: str, plan: Plan, deadline: Deadline | None
    ) -> tuple[Vectors | None, tuple[str, ...]]:
        if "dense" not in plan.channels:
            return None, ()
        if deadline is not None and deadline.passed:
            return None, ("dense: left out, the deadline had passed",)
        try:
            return self._parts.embedding.query(text, deadline), ()
        except ModelUnavailable as error:
            return None, (f"dense: left out, {error}",)

    def _states(self, connection: Connection, selection: Selection) -> list[State]:
        states = shelves.states(connection, self._tenant, selection.shelves)
        for state in states[:1]:  # they are all in one space
            self._parts.embedding.check(state.space)
        return states

    def _cooled(self, connection: Connection, ids: Sequence[str], now: datetime) -> dict[str, Item]:
        found = items.fetch(connection, self._tenant, ids)
        return {item_id: self._parts.thermal.cooled(item, now) for item_id, item in found.items()}

    def _capture(self, connection: Connection, interaction: Interaction, now: datetime) -> list[Kept]:
        log.append(connection, interaction, waiting=False)
        return keep(connection, episodes(interaction), self._parts.thermal, now)

    def _derive_waiting(self, connection: Connection) -> int:
        taken = log.take_waiting(connection, self._tenant, DERIVE_AT_ONCE)
        for interaction in sorted(taken, key=lambda one: one.scope.shelf):  # shelves are locked in one order
            keep(connection, episodes(interaction), self._parts.thermal, interaction.recorded_at)
        return len(taken)

    def _touch(self, found: Sequence[Item]) -> None:
        now = self._parts.clock.now()

        def job(connection: Connection) -> None:
            shelves.hold(connection, self._tenant, {item.user_id or "" for item in found})
            present = items.fetch(connection, self._tenant, [item.id for item in found])
            warmed = [self._parts.thermal.reheated(item, now) for item in present.values()]
            items.reheat(connection, self._tenant, warmed)

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

    def _vector_of(self, text: str) -> tuple[Vectors | None, Space | None, tuple[str, ...]]:
        try:
            space = self._parts.embedding.space()
            return self._parts.embedding.texts(self._tenant, space, [text])[0], space, ()
        except ModelUnavailable as error:
            return None, None, (str(error),)

    def _paraphrase_of(self, draft: Draft, vector: Vectors) -> Item | None:
        """The item of the same kind and scope that says the same in slightly other words."""
        scope = draft.scope
        selection = Selection(
            self._tenant, scope.user_id, agent_id=scope.agent_id, session_id=scope.session_id, kinds=(draft.kind,)
        )
        now = self._parts.clock.now()
        with self._parts.database.read() as connection:
            states = self._states(connection, selection)
            with self._parts.residents.up_to_date(connection, self._tenant, states) as indexes:
                near = nearest_items(indexes, vector, lambda index: index.allowed(selection, to_micros(now), None))
            close = [item_id for item_id, cosine in near if cosine >= self._parts.config.paraphrase_similarity]
            found = items.fetch(connection, self._tenant, close)
        for item_id in close:
            item = found.get(item_id)
            if (
                item is not None
                and (item.agent_id, item.session_id) == (scope.agent_id, scope.session_id)
                and could_paraphrase(item.text, draft.text)
            ):
                return item
        return None

    def _keep_told(  # noqa: PLR0917 - what `remember` has found out so far
        self,
        connection: Connection,
        draft: Draft,
        former: Item | None,
        vector: Vectors | None,
        space: Space | None,
        now: datetime,
    ) -> list[Kept]:
        if former is not None:
            shelves.hold(connection, self._tenant, [draft.scope.shelf])
            present = items.fetch(connection, self._tenant, [former.id]).get(former.id)
            if present is not None and present.text == former.text:  # else it was changed or deleted meanwhile
                draft = replace(draft, text=former.text, speaker=former.speaker)
        kept = keep(connection, [draft], self._parts.thermal, now)
        if vector is not None and space is not None and kept[0].revision is not None:
            told = Unembedded(kept[0].item.id, kept[0].revision, draft.spoken)
            vectors.put(connection, self._tenant, space, [told], vector[np.newaxis])
        return kept


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
