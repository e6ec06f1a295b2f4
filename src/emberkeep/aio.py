"""`AsyncMemory`: the verbs of `Memory`, awaited. Each is one hop to a thread, however many queries it runs."""

import asyncio
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Literal, Self, TypeVar, Unpack, overload

from emberkeep.aio_namespaces import AsyncNamespaces
from emberkeep.errors import Closed
from emberkeep.facade import When
from emberkeep.flows.worker import Report, Worker, quiet
from emberkeep.learning.embedding import Progress, silent
from emberkeep.memory import Memory, Messages
from emberkeep.model.collection import SearchResult
from emberkeep.model.context import Context, ContextRecord, Format, Shares, Tier
from emberkeep.model.item import Added, Change, Item, Page, Receipt
from emberkeep.model.kinds import Kind
from emberkeep.model.overview import Linked, Overview, UserSummary
from emberkeep.model.recall import Hits, Plan, Sessions, Where
from emberkeep.model.report import (
    Audit,
    Difference,
    LearnReport,
    Precomputed,
    RebuildReport,
    RepairReport,
    SeedReport,
    Spending,
    Stats,
    UpkeepReport,
    Waiting,
)
from emberkeep.model.scope import EVERYONE

T = TypeVar("T")
THREADS = 16
CLOSE_WITHIN_S = 10.0


class AsyncMemory(AsyncNamespaces):
    """A memory for asyncio, for use in `async with`, or awaited and later closed. `Memory` says what the verbs do."""

    def __init__(self, opener: Callable[[], Memory], threads: ThreadPoolExecutor | None = None) -> None:
        super().__init__(self._call)
        self._opener = opener
        self._memory: Memory | None = None
        self._owns_threads = threads is None
        self._running: set[Future[Any]] = set()
        self._threads = threads or ThreadPoolExecutor(THREADS, thread_name_prefix="emberkeep")

    def __await__(self) -> Generator[Any, None, Self]:
        return self.__aenter__().__await__()

    async def __aenter__(self) -> Self:
        opening = asyncio.get_running_loop().run_in_executor(self._threads, self._opener)
        try:
            self._memory = await asyncio.shield(opening)
        except asyncio.CancelledError:  # the thread goes on opening: close what it opens
            opening.add_done_callback(_close_if_opened)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def of_tenant(self, tenant: str) -> Self:
        """The memory of another tenant, in the same database, with the same models, indexes and threads."""
        opened = await self._call(lambda memory: memory.of_tenant(tenant))
        return await type(self)(lambda: opened, self._threads).__aenter__()

    async def add(
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
        """Keep what was said, word for word, and learn from it."""
        return await self._call(
            lambda memory: memory.add(
                messages,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
                occurred_at=occurred_at,
                metadata=metadata,
                tags=tags,
                learn=learn,
            )
        )

    async def remember(
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
        """Keep one thing that the caller knows."""
        return await self._call(
            lambda memory: memory.remember(
                text,
                kind=kind,
                user_id=user_id,
                agent_id=agent_id,
                session_id=session_id,
                occurred_at=occurred_at,
                metadata=metadata,
                tags=tags,
                sacred=sacred,
            )
        )

    async def seed(
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
        """Tell many things at once: plain or Markdown lines, dated or not, or JSONL."""
        return await self._call(
            lambda memory: memory.seed(
                text,
                kind=kind,
                user_id=user_id,
                agent_id=agent_id,
                tags=tags,
                sacred=sacred,
                form=form,
                progress=progress,
            )
        )

    async def update(
        self,
        id: str,  # noqa: A002 - the contract's name
        text: str | None = None,
        *,
        kind: Kind | None = None,
        tags: Iterable[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        sacred: bool | None = None,
    ) -> Item:
        """Change a memory."""
        return await self._call(
            lambda memory: memory.update(id, text, kind=kind, tags=tags, metadata=metadata, sacred=sacred)
        )

    async def delete(self, id: str) -> Receipt:  # noqa: A002 - the contract's name
        """Remove a memory for good, with its history; an episode's words leave the log too."""
        return await self._call(lambda memory: memory.delete(id))

    async def delete_all(
        self, *, user_id: str | None = None, agent_id: str | None = None, session_id: str | None = None
    ) -> Receipt:
        """Remove everything of a user, agent or session, the verbatim log included."""
        return await self._call(
            lambda memory: memory.delete_all(user_id=user_id, agent_id=agent_id, session_id=session_id)
        )

    @overload
    async def search(
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
    async def search(
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
    async def search(
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
        """Find relevant memories, best first, among those that `where` selects (see `Where`)."""
        grouped: Any = group  # each overload takes one type only
        found: Hits | Sessions = await self._call(
            lambda memory: memory.search(
                query,
                limit=limit,
                plan=plan,
                deadline_ms=deadline_ms,
                touch=touch,
                asked_at=asked_at,
                group=grouped,
                include_cold=include_cold,
                **where,
            )
        )
        return found

    async def semantic_search(
        self,
        query: str,
        collections: Iterable[str] | None = None,
        n_results: int = 5,
        **where: Unpack[Where],
    ) -> list[SearchResult]:
        """Search collections, most similar first."""
        return await self._call(lambda memory: memory.semantic_search(query, collections, n_results, **where))

    async def context(
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
        include_cold: bool = False,
        record: bool = True,
        **where: Unpack[Where],
    ) -> Context:
        """Assemble what is relevant to a task, in at most `max_tokens`, ready for a model's prompt."""
        return await self._call(
            lambda memory: memory.context(
                task,
                max_tokens=max_tokens,
                tiers=tiers,
                format=format,
                plan=plan,
                shares=shares,
                deadline_ms=deadline_ms,
                asked_at=asked_at,
                include_cold=include_cold,
                record=record,
                **where,
            )
        )

    async def context_feedback(self, id: str, helpful: bool, *, note: str | None = None) -> None:  # noqa: A002, FBT001
        """Say whether a context helped."""
        await self._call(lambda memory: memory.context_feedback(id, helpful, note=note))

    async def context_record(self, id: str) -> ContextRecord:  # noqa: A002 - as in the other verbs
        """The record of a context."""
        return await self._call(lambda memory: memory.context_record(id))

    async def contexts(self, *, limit: int = 20, user_id: str | None = EVERYONE) -> list[ContextRecord]:
        """The latest contexts, latest first."""
        return await self._call(lambda memory: memory.contexts(limit=limit, user_id=user_id))

    async def replay_context(self, id: str, *, as_of: When | None = None) -> Context:  # noqa: A002 - as in the others
        """Assemble a context again with what was known then, or at another time."""
        return await self._call(lambda memory: memory.replay_context(id, as_of=as_of))

    async def get(self, id: str) -> Item:  # noqa: A002 - the contract's name
        """One memory by its id."""
        return await self._call(lambda memory: memory.get(id))

    async def get_all(self, *, limit: int = 100, cursor: str | None = None, **where: Unpack[Where]) -> Page:
        """A page of memories, latest first; pass the page's `next` as `cursor` to get the next page."""
        return await self._call(lambda memory: memory.get_all(limit=limit, cursor=cursor, **where))

    async def history(self, id: str) -> list[Change]:  # noqa: A002 - the contract's name
        """The changes of a memory, oldest first."""
        return await self._call(lambda memory: memory.history(id))

    async def links(self, id: str, *, limit: int = 20) -> list[Linked]:  # noqa: A002 - the contract's name
        """The memories that a memory is linked to, closest first."""
        return await self._call(lambda memory: memory.links(id, limit=limit))

    async def learned_from(self, interaction_id: str) -> list[Item]:
        """The memories made of an interaction: its episodes, in order, then what was learned from it."""
        return await self._call(lambda memory: memory.learned_from(interaction_id))

    async def learn(
        self, *, retry_failed: bool = False, patient: bool = False, progress: Progress = silent
    ) -> LearnReport:
        """Work off the backlog: make episodes and facts of what was added, and the vectors that are missing."""
        return await self._call(
            lambda memory: memory.learn(retry_failed=retry_failed, patient=patient, progress=progress)
        )

    async def backlog(self, *, limit: int = 100) -> list[Waiting]:
        """The interactions not learned from yet, with the reason if an attempt failed; failed ones first."""
        return await self._call(lambda memory: memory.backlog(limit=limit))

    async def spending(self, *, limit: int = 100) -> list[Spending]:
        """The tokens and calls that learning took, by day, user and model, latest day first."""
        return await self._call(lambda memory: memory.spending(limit=limit))

    async def upkeep(
        self, *, dry_run: bool = False, archive_before: When | None = None, progress: Progress = silent
    ) -> UpkeepReport:
        """Move what is due between tiers, catch up with learning, build large indexes, and tidy the database."""
        return await self._call(
            lambda memory: memory.upkeep(dry_run=dry_run, archive_before=archive_before, progress=progress)
        )

    async def tidy(self, *, rewrite: bool = False) -> None:
        """Give freed space back and bring the database's statistics up to date, and nothing else; `upkeep` does too."""
        await self._call(lambda memory: memory.tidy(rewrite=rewrite))

    async def rebuild(self, *, dry_run: bool = False, progress: Progress = silent) -> RebuildReport:
        """Derive everything again: vectors with the current embedder, for all tenants, and facts with the learner."""
        return await self._call(lambda memory: memory.rebuild(dry_run=dry_run, progress=progress))

    async def repair(
        self, *, dry_run: bool = False, thorough: bool = False, progress: Progress = silent
    ) -> RepairReport:
        """Find derived data that disagrees with the log or texts, and make it again; nothing verbatim is removed."""
        return await self._call(lambda memory: memory.repair(dry_run=dry_run, thorough=thorough, progress=progress))

    async def undo_rebuild(self, *, progress: Progress = silent) -> Difference:
        """Go back to what was learned before the last `rebuild`; what was learned since then stays."""
        return await self._call(lambda memory: memory.undo_rebuild(progress=progress))

    async def audit(self, *, user_id: str | None = EVERYONE, examples: int = 3) -> Audit:
        """How many of the learned statements are junk, duplicate, outdated or unsupported, with examples."""
        return await self._call(lambda memory: memory.audit(user_id=user_id, examples=examples))

    async def stats(self) -> Stats:
        """What this tenant's memory holds."""
        return await self._call(lambda memory: memory.stats())

    async def overview(self) -> Overview:
        """The state of the memory: what the tiers hold, what is due to move, how warm it is, and what was spent."""
        return await self._call(lambda memory: memory.overview())

    async def users(self, *, limit: int = 100) -> list[UserSummary]:
        """The users who have memories or interactions, the most recent first."""
        return await self._call(lambda memory: memory.users(limit=limit))

    async def precompute(
        self, texts: Iterable[str], *, queries: bool = False, progress: Progress = silent
    ) -> Precomputed:
        """Make the vectors of texts, or of `queries`, in advance, for all processes that share an embedding cache."""
        return await self._call(lambda memory: memory.precompute(texts, queries=queries, progress=progress))

    async def worker(self, *, every_s: float = 2.0, report: Report = quiet) -> Worker:
        """A worker that learns in a thread of its own, for all tenants: `start()` it; `stop()` waits until it ends."""
        return await self._call(lambda memory: memory.worker(every_s=every_s, report=report))

    async def close(self) -> None:
        """Close the database after waiting up to 10 s for calls still running; later calls raise `Closed`."""
        memory, self._memory = self._memory, None
        try:
            if unfinished := set(self._running):
                await asyncio.get_running_loop().run_in_executor(None, partial(wait, unfinished, CLOSE_WITHIN_S))
        finally:  # also if this call is cancelled
            if memory is not None:
                with suppress(Closed):  # closed already, with the memory that `of_tenant` was called on
                    await self._in_thread(partial(memory.__exit__, None, None, None))
            if self._owns_threads:
                self._threads.shutdown(wait=False)

    async def _call(self, work: Callable[[Memory], T]) -> T:
        if self._memory is None:
            raise Closed("this memory is not open: use it inside its `async with` block, or `await` it first")
        return await self._in_thread(partial(work, self._memory))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        try:
            working = self._threads.submit(work)
        except RuntimeError as error:  # the threads belong to the memory that `of_tenant` was called on
            raise Closed("this memory is closed: so is the one that it was asked of") from error
        self._running.add(working)
        working.add_done_callback(self._running.discard)
        return await asyncio.wrap_future(working)


def _close_if_opened(opening: "asyncio.Future[Memory]") -> None:
    if opening.exception() is None:
        opening.result().close()
