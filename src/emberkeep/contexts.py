"""The verbs about contexts: assembling them for a model's prompt, and their records, ratings and replays."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar, Unpack

from emberkeep.context.state import live_state, open_work
from emberkeep.errors import NotFound, StoreError
from emberkeep.facade import Facade, When
from emberkeep.flows.assembling import Wanted, settings_of, wanted_again
from emberkeep.model import checks
from emberkeep.model.context import (
    Candidate,
    Context,
    ContextRecord,
    Format,
    Shares,
    Tier,
    format_named,
    shares_given,
    tiers_named,
)
from emberkeep.model.ids import new_id
from emberkeep.model.recall import Plan, Selection, Where
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import Goal, Task
from emberkeep.storage import contexts

MAX_CONTEXT_TOKENS = 1_000_000
Work = TypeVar("Work", Goal, Task)


class Contexts(Facade):
    """Assembles contexts, and keeps them on record."""

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
        include_cold: bool = False,
        record: bool = True,
        **where: Unpack[Where],
    ) -> Context:
        """Assemble what is relevant to a task, in at most `max_tokens`, ready for a model's prompt.

        `tiers` picks among live state, work, experience and knowledge; `format` is "markdown", "xml", "json" or
        "messages"; `shares` says how the budget is divided; `include_cold=True` also searches memories that have gone
        cold. Unless `record=False`, it is recorded which memories were chosen and which dropped; then
        `context_feedback` can say whether the context helped, and `replay_context` can assemble it again.
        """
        asking = self._asking(task, plan, deadline_ms, asked_at, where, name="task")
        cold = checks.flag(include_cold, "include_cold")
        wanted = Wanted(
            asking=replace(asking, selection=replace(asking.selection, include_cold=cold)),
            max_tokens=checks.limit(max_tokens, most=MAX_CONTEXT_TOKENS, name="max_tokens"),
            tiers=tiers_named(tiers),
            format=format_named(format),
            shares=shares_given(shares),
        )
        keep_it = checks.flag(record, "record")
        context = self._assembler.assemble(wanted, more=self._state_candidates(wanted))
        return self._recorded(context, wanted) if keep_it else context

    def context_feedback(self, id: str, helpful: bool, *, note: str | None = None) -> None:  # noqa: A002, FBT001
        """Say whether a context helped, and what was missing or wrong; a second rating replaces the first."""
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
        """The record of a context: the task, what was chosen and dropped and why, and whether it helped."""
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
        """Assemble a context again with what was known then, or at another time. Deleted memories are missing.

        Past live state and the past status of goals and tasks are not kept, so both are left out, as `degraded` says.
        Nothing is recorded.
        """
        moment = checks.moment(as_of, name="as_of")
        former = self.context_record(id)
        wanted = wanted_again(former, self._tenant, moment)
        context, missing = self._assembler.assemble(wanted), []
        if "operational" in wanted.tiers:
            missing.append("operational: left out, past state is not kept")
        if any(entry.key.startswith(("goal:", "task:")) for entry in former.entries):
            missing.append("working: open goals and tasks left out, how they stood then is not kept")
        return replace(context, degraded=(*context.degraded, *missing))

    def _state_candidates(self, wanted: Wanted) -> Sequence[Candidate]:
        """The candidates that are no memories: live state, and the goals and tasks that are open.

        They belong to the present and have no kind or tags, so a request that is narrowed by these leaves them out.
        """
        seen = wanted.asking.selection
        if seen.as_of or seen.kinds or seen.tags or seen.filters or seen.since or seen.until:
            return ()
        found: list[Candidate] = []
        if "operational" in wanted.tiers:
            found += map(self._redacted, live_state(self.operational.get_system_snapshot(stored=False)))
        if "working" in wanted.tiers:
            for user in [EVERYONE] if seen.shelves is None else [shelf or None for shelf in seen.shelves]:
                goals, tasks = self.goals.active(user_id=user), self.tasks.active(user_id=user)
                found += open_work(_of(seen, goals), _of(seen, tasks))
        return found

    def _redacted(self, live: Candidate) -> Candidate:
        """Cut secrets out of live state, which is not stored and so was not redacted on writing."""
        return replace(live, text=self._clean(live.text), speaker=self._clean(live.speaker))

    def _recorded(self, context: Context, wanted: Wanted) -> Context:
        """The context with the id of its record. If it cannot be recorded, `degraded` says so and it has no id."""
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
            self._parts.database.jot(lambda connection: contexts.put(connection, self._tenant, made))
        except StoreError as error:
            return replace(context, degraded=(*context.degraded, f"record: left out, {error}"))
        return replace(context, id=made.id)


def _of(selection: Selection, records: Iterable[Work]) -> list[Work]:
    """Return the goals or tasks of the agent and session that the selection names, or all if it names none."""
    return [
        one
        for one in records
        if selection.agent_id in {None, one.agent_id} and selection.session_id in {None, one.session_id}
    ]
