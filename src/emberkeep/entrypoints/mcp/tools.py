"""The tools: each calls one or two verbs of the facade, and returns the result as text and data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_types import ToolAnnotations

from emberkeep.entrypoints.mcp import arguments as takes
from emberkeep.entrypoints.mcp.caller import Caller
from emberkeep.errors import InvalidInput
from emberkeep.model.context import Candidate
from emberkeep.model.experience import SimilarTask
from emberkeep.model.item import Item
from emberkeep.model.work import Task
from emberkeep.service.answers import Answer, answered, cut, ended, memory_data, quotation, record_of, told
from emberkeep.service.shapes import plain

OF_AN_ID = 40  # tokens of the line that gives the id of a context
# The tool `context` only reads, though it records that a context was handed out: no memory changes.
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
REMOVES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its arguments, its function, and the hints that tell clients what it may change."""

    takes: type[takes.Arguments]
    run: Callable[[Caller, Any], Answer]
    hints: ToolAnnotations

    @property
    def description(self) -> str:
        """The description that models read."""
        return self.takes.__doc__ or ""


def add(caller: Caller, given: takes.Add) -> Answer:
    """Keep messages, and learn from them."""
    added = caller.memory.add(
        [one.model_dump(exclude_none=True) for one in given.messages],
        occurred_at=given.occurred_at,
        tags=given.tags,
        **caller.scope(given.user_id, given.agent_id, given.session_id),
    )
    summary = f"Kept {_count(len(given.messages), 'message')} word for word; learned {len(added.learned)}."
    counts = {name: getattr(added, name) for name in ("new", "updated", "errors")}
    return _with_memories(
        summary, added.learned, added.reasons, interaction_id=added.interaction_id, **counts, redacted=[*added.redacted]
    )


def search(caller: Caller, given: takes.Search) -> Answer:
    """Find memories, best first."""
    hits = caller.memory.search(
        given.query,
        limit=given.limit,
        kinds=given.kinds,
        since=given.since,
        until=given.until,
        as_of=given.as_of,
        user_id=caller.whose(given.user_id),
    )
    found = [{**memory_data(hit.item), "score": round(hit.score, 3)} for hit in hits]
    summary = f"Found {_count(len(hits), 'memory', 'memories')}." if hits else "Nothing was found."
    return answered(summary, [record_of(hit.item) for hit in hits], hits.degraded, memories=found)


def context(caller: Caller, given: takes.Context) -> Answer:
    """Return what is relevant to a task, as a rendered context with its id."""
    made = caller.memory.context(
        given.task, max_tokens=given.max_tokens, tiers=caller.tiers, user_id=caller.whose(given.user_id)
    )
    data: dict[str, Any] = {
        "context_id": made.id,
        "text": made.text,
        "total_tokens": made.total_tokens,
        "dropped": made.dropped,
    }
    if not made.text:
        summary = "Nothing is remembered that has to do with this."
        if made.dropped:
            summary = f"What is remembered about this does not fit into {given.max_tokens} tokens: ask for more."
        return answered(summary, degraded=made.degraded, **data)
    rest = answered(f"Context {made.id}; say with `feedback` whether it helped.", degraded=made.degraded, **data)
    if made.total_tokens + OF_AN_ID > given.max_tokens:  # then the id is in the data only
        return Answer(made.text, rest.data)
    return Answer(f"{made.text}\n{rest.text}", rest.data)


def remember(caller: Caller, given: takes.Remember) -> Answer:
    """Keep one thing."""
    added = caller.memory.remember(
        given.text,
        kind=given.kind,
        occurred_at=given.occurred_at,
        tags=given.tags,
        sacred=given.sacred,
        **caller.scope(given.user_id, given.agent_id, given.session_id),
    )
    summary = "Kept." if added.new else "Known already: it is warmer now."
    return _with_memories(summary, added.items, added.reasons, new=added.new, updated=added.updated)


def update(caller: Caller, given: takes.Update) -> Answer:
    """Change a memory."""
    caller.own("memory", given.id, caller.memory.get(given.id))
    item = caller.memory.update(given.id, given.text, kind=given.kind, tags=given.tags, sacred=given.sacred)
    return _with_memories("Changed.", [item])


def forget(caller: Caller, given: takes.Forget) -> Answer:
    """Remove a memory."""
    caller.own("memory", given.id, caller.memory.get(given.id))
    receipt = caller.memory.delete(given.id)
    return answered("Forgotten for good.", id=given.id, rows=plain(receipt.rows))


def task_start(caller: Caller, given: takes.TaskStart) -> Answer:
    """Begin a task, and return what is known of similar tasks."""
    scope = caller.scope(given.user_id, given.agent_id, given.session_id)
    known = caller.memory.experience.get_task_context(given.description, user_id=scope["user_id"])
    task = caller.memory.tasks.start(given.description, **scope)
    records = [_ending(one, task) for one in known.similar_tasks]
    records += [
        told("pattern", one.description, one.updated_at, f"pattern {one.id}") for one in known.matching_patterns
    ]
    records += [told("advice", one, task.created_at) for one in known.recommendations]
    patterns = [
        {"pattern_id": one.id, "text": quotation(one.description), "confidence": round(one.confidence_score, 2)}
        for one in known.matching_patterns
    ]
    return answered(
        f"Task {task.id} is running.",
        records,
        task_id=task.id,
        status=task.status,
        similar_tasks=[_ending_data(one) for one in known.similar_tasks],
        patterns=patterns,
        recommendations=quotation([*known.recommendations]),
    )


def task_step(caller: Caller, given: takes.TaskStep) -> Answer:
    """Record one tool call of a task."""
    caller.own("task", given.task_id, caller.memory.tasks.get(given.task_id))
    step = caller.memory.tasks.step(
        given.task_id,
        given.tool,
        parameters=given.parameters,
        output=given.output,
        success=given.success,
    )
    return answered(f"Step {step.number} is recorded.", number=step.number, cut=step.is_cut)


def task_finish(caller: Caller, given: takes.TaskFinish) -> Answer:
    """Record how a task ended."""
    caller.own("task", given.task_id, caller.memory.tasks.get(given.task_id))
    task = caller.memory.tasks.finish(given.task_id, success=given.success, summary=given.summary)
    return answered(f"The task has {task.status}.", task_id=task.id, status=task.status)


def warn(caller: Caller, given: takes.Warn) -> Answer:
    """Say whether something like this failed before, and what worked later."""
    caution = caller.memory.experience.warn(given.action, user_id=caller.whose(given.user_id))
    summary = f"Something like this failed {caution.failed} of {caution.total} times here."
    if not caution:
        known = f" in {_count(caution.total, 'task')} like it" if caution.total else ""
        summary = f"Nothing like this is known to have failed here{known}."
    endings = [*caution.failures, *caution.fixes]
    records = [told("failed task", ended(one), one.occurred_at) for one in caution.failures if one.occurred_at]
    records += [told("what worked later", ended(one), one.occurred_at) for one in caution.fixes if one.occurred_at]
    return answered(
        summary,
        records if endings else (),
        failed=caution.failed,
        total=caution.total,
        risk=round(caution.risk, 2),
        failures=[_ending_data(one) for one in caution.failures],
        fixes=[_ending_data(one) for one in caution.fixes],
    )


def feedback(caller: Caller, given: takes.Feedback) -> Answer:
    """Record whether a context or a pattern helped."""
    if (given.context_id is None) == (given.pattern_id is None):
        raise InvalidInput("pass either a context_id or a pattern_id")
    if given.context_id is not None:
        caller.own("context", given.context_id, caller.memory.context_record(given.context_id))
        caller.memory.context_feedback(given.context_id, given.helpful, note=given.note)
        return answered("Noted.", context_id=given.context_id, helpful=given.helpful)
    pattern_id = given.pattern_id or ""
    caller.own("pattern", pattern_id, caller.memory.patterns.get(pattern_id))
    rated = caller.memory.patterns.feedback(pattern_id, helpful=given.helpful, note=given.note)
    confidence = round(rated.confidence_score, 2)
    return answered("Noted.", pattern_id=pattern_id, helpful=given.helpful, confidence=confidence)


def stats(caller: Caller, _given: takes.Stats) -> Answer:
    """Return how much the memory holds; not where it is stored or whose it is, which is not for clients."""
    caller.require_everyone()
    data = plain(caller.memory.stats())
    kept = ("memories", "memories_by_kind", "interactions", "users", "waiting", "failed", "embedder", "learner")
    shown = {name: data[name] for name in kept}
    summary = f"{_count(shown['memories'], 'memory', 'memories')} from {_count(shown['interactions'], 'interaction')}"
    return answered(f"{summary}; {shown['waiting']} wait to be learned, {shown['failed']} failed.", **shown)


TOOLS: Mapping[str, Tool] = {
    "add": Tool(takes.Add, add, ADDS),
    "search": Tool(takes.Search, search, READS),
    "context": Tool(takes.Context, context, READS),
    "remember": Tool(takes.Remember, remember, ADDS),
    "update": Tool(takes.Update, update, CHANGES),
    "forget": Tool(takes.Forget, forget, REMOVES),
    "task_start": Tool(takes.TaskStart, task_start, ADDS),
    "task_step": Tool(takes.TaskStep, task_step, ADDS),
    "task_finish": Tool(takes.TaskFinish, task_finish, ADDS),
    "warn": Tool(takes.Warn, warn, READS),
    "feedback": Tool(takes.Feedback, feedback, ADDS),
    "stats": Tool(takes.Stats, stats, READS),
}


def _with_memories(summary: str, items: Sequence[Item], reasons: Sequence[str] = (), **data: Any) -> Answer:
    """Return an answer with memories, in the text as well as in the data."""
    memories = [memory_data(item) for item in items]
    return answered(summary, [record_of(item) for item in items], reasons, **data, memories=memories)


def _ending(one: SimilarTask, task: Task) -> Candidate:
    """Return the outcome of a similar task as a record; one without a date gets that of the new task."""
    kind = "succeeded task" if one.success else "failed task"
    return told(kind, ended(one), one.occurred_at or task.created_at)


def _ending_data(one: SimilarTask) -> dict[str, Any]:
    """Return the outcome of a similar task as data."""
    return {
        "summary": quotation(cut(ended(one), 500)),
        "success": one.success,
        "similarity": round(one.similarity_score, 2),
        "occurred_at": plain(one.occurred_at),
    }


def _count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, as in "2 memories"."""
    return f"{number} {one if number == 1 else many or one + 's'}"
