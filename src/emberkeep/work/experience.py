"""`memory.experience`: how tasks ended, and the advice that follows before the next one starts."""

import json
from builtins import list as listing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput
from emberkeep.language import terms
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.experience import Caution, Execution, SimilarTask, TaskContext
from emberkeep.model.item import Receipt
from emberkeep.model.many import Listed
from emberkeep.model.recall import Within
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import Status, Task
from emberkeep.patterns import advice
from emberkeep.providers.base import closeness, reads
from emberkeep.storage import executions, records, schema
from emberkeep.storage.records import EXECUTIONS, TASKS
from emberkeep.work import announcing, endings
from emberkeep.work.decisions import part
from emberkeep.work.desk import OF_RECORDS, Desk, as_text
from emberkeep.work.patterns import Patterns, learn_if_possible

SIMILAR = 0.35  # the least cosine of tasks that have to do with each other, on the scale of the bundled model
LOOK_AT = 20  # similar tasks that advice and warnings count
# Callers set a threshold on similarity, so similar tasks are ranked by the cosine alone.
_BY_LIKENESS = replace(OF_RECORDS, channels=("dense",), stale_loss=0.0, statement_loss=0.0, warm=0.0)
MOST_FIXES = 3
MAX_ERRORS = 20
MAX_TYPE_CHARS = 200


class Experience:
    """Executions: one for each time that a task ended, with its outcome, found by what was done."""

    def __init__(self, desk: Desk, patterns: Patterns) -> None:
        self._desk = desk
        self._patterns = patterns

    def store(
        self,
        task_id: str,
        summary: str,
        success: bool,  # noqa: FBT001 - the contract's argument
        error_patterns: object = None,
        auto_extract_patterns: bool = True,  # noqa: FBT001, FBT002 - the contract's argument
        *,
        task_type: str = "",
        description: str | None = None,
        code: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> Execution:
        """Store how a task ended as an execution; a known task is finished by it, and storing again adds another.

        Errors that are not plain texts are also kept in the form given, up to 65,536 characters of JSON.
        """
        desk, now = self._desk, self._desk.now()
        scope = desk.scope(user_id, agent_id, session_id)
        said = desk.text(summary, "summary")
        status: Status = "succeeded" if checks.flag(success, "success") else "failed"
        learn = checks.flag(auto_extract_patterns, "auto_extract_patterns")
        errors, given = _errors(error_patterns, desk), _as_given(error_patterns, desk)
        sort = desk.words(task_type, "task_type")
        if len(sort) > MAX_TYPE_CHARS:
            raise InvalidInput(f"task_type has {len(sort)} characters, the limit is {MAX_TYPE_CHARS}")
        program = None if code is None else desk.words(code, "code") or None
        about = desk.metadata(metadata)
        aim = said if description is None else desk.words(description, "description") or said
        named = desk.identity(task_id)

        def job(connection: Connection) -> tuple[Execution, listing[Kept]]:
            desk.hold(connection, scope)
            former = records.get(connection, TASKS, desk.tenant, named)
            if former is None:
                task = Task(
                    named, scope.user_id, scope.agent_id, scope.session_id, None,
                    aim, status, said, about, now, now, now, now,
                )  # fmt: skip
                records.put(connection, TASKS, desk.tenant, task)
            else:
                desk.check_owner(TASKS, former, scope.user_id)
                task = replace(
                    former, status=status, summary=said, updated_at=now, finished_at=former.finished_at or now
                )
                records.replace(connection, TASKS, desk.tenant, task)
            return endings.end(desk, connection, task, type_=sort, errors=errors, given=given, code=program)

        execution = desk.write_told(job)
        if learn:
            learn_if_possible(self._patterns, execution.user_id, execution.type)
        return execution

    def search_similar(
        self,
        description: str,
        top_k: int = 5,
        similarity_threshold: float = SIMILAR,
        success_only: bool = False,  # noqa: FBT001, FBT002 - the contract's argument
        **within: Unpack[Within],
    ) -> listing[SimilarTask]:
        """Tasks like this one and how they ended, the most similar first."""
        most = checks.limit(top_k, most=checks.MAX_SEARCH_LIMIT, name="top_k")
        least = part(similarity_threshold, "similarity_threshold")
        only = checks.flag(success_only, "success_only")
        if only:
            within = {**within, "filters": {**(within.get("filters") or {}), "success": True}}
        found = self._similar(description, 2 * most + LOOK_AT, within)
        return [one for one in found if one.similarity_score >= least and (one.success or not only)][:most]

    def get_task_context(
        self,
        description: str | None = None,
        top_k: int = 3,
        *,
        task_id: str | None = None,
        task_type: str = "",
        **within: Unpack[Within],
    ) -> TaskContext:
        """What is known before a task: similar tasks, matching patterns, and advice with numbers.

        The tasks and patterns returned are counted as used.
        """
        asked = self._asked(description, task_id)
        most = checks.limit(top_k, most=checks.MAX_SEARCH_LIMIT, name="top_k")
        near = [one for one in self._similar(asked, max(LOOK_AT, most), within) if one.task_id != task_id]
        alike = [one for one in near if one.similarity_score >= SIMILAR]
        matching = self._patterns.match(asked, task_type=task_type, limit=most, **within)
        advised = advice.recommendations(alike, matching, capped=len(alike) >= LOOK_AT)
        suggested = TaskContext(tuple(alike[:most]), tuple(matching), advised)
        self._desk.write(partial(self._suggest, context=suggested, task_id=task_id, user_id=within.get("user_id")))
        return suggested

    def warn(self, action: str, *, min_similarity: float = SIMILAR, **within: Unpack[Within]) -> Caution:
        """Whether something like this failed here before: how often, with what errors, and what fixed it."""
        least = part(min_similarity, "min_similarity")
        near = [one for one in self._similar(action, LOOK_AT, within) if one.similarity_score >= least]
        failures = [one for one in near if not one.success]
        if not failures:
            return Caution(action, 0, len(near), 0.0)
        fixes = self._fixes(failures, near) or self._later(action, failures, within)
        return Caution(
            action=action,
            failed=len(failures),
            total=len(near),
            risk=len(failures) / len(near),
            failures=tuple(failures),
            fixes=tuple(fixes),
            message=advice.of_failures(
                failures, len(near), fixes[0].summary if fixes else "", capped=len(near) == LOOK_AT
            ),
        )

    def used(self, memory_ids: Iterable[str]) -> None:
        """Count a use of each of these executions."""
        if isinstance(memory_ids, str | Mapping) or not isinstance(memory_ids, Iterable):
            raise InvalidInput("memory_ids must be a list of ids")
        ids = [checks.storable(one, name="a memory_id") for one in memory_ids]
        self._desk.write(lambda connection: executions.reuse(connection, self._desk.tenant, ids))

    def get(self, id: str) -> Execution:  # noqa: A002 - as in the other verbs
        """One execution."""
        return self._desk.get(EXECUTIONS, id)

    def list(
        self,
        *,
        success: bool | None = None,
        task_id: str | None = None,
        task_type: str | None = None,
        user_id: str | None = EVERYONE,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Listed[Execution]:
        """Executions, the latest first."""
        ended = None if success is None else checks.flag(success, "success")
        where = {"success": ended, "task_id": task_id, "type": task_type, "user_id": user_id}
        return self._desk.listed(EXECUTIONS, where, limit, by=[schema.executions.c.created_at], cursor=cursor)

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove an execution for good; the task stays."""
        return self._desk.delete(EXECUTIONS, id)

    def _asked(self, description: str | None, task_id: str | None) -> str:
        if (description is None) == (task_id is None):
            raise InvalidInput("pass either a description or a task_id")
        return (
            self._desk.get(TASKS, task_id).told if task_id is not None else self._desk.text(description, "description")
        )

    def _similar(self, description: str, limit: int, within: Within) -> listing[SimilarTask]:
        desk = self._desk
        embedder = desk.parts.embedding.embedder
        most = min(limit, checks.MAX_SEARCH_LIMIT)
        find = partial(desk.find, ("execution",), [EXECUTIONS], description, most, within, more=2)
        if not reads(embedder, description):
            alike = [_similar(one.record, _in_words(description, one.record)) for one in find()]
            return sorted(alike, key=lambda one: -one.similarity_score)
        return [
            _similar(one.record, max(0.0, closeness(one.similarity or 0.0, embedder)))
            for one in find(plan=_BY_LIKENESS)
        ]

    def _suggest(self, connection: Connection, context: TaskContext, task_id: str | None, user_id: str | None) -> None:
        executions.reuse(connection, self._desk.tenant, [one.memory_id for one in context.similar_tasks])
        announcing.suggested(connection, tenant=self._desk.tenant, task_id=task_id, context=context, user_id=user_id)

    def _later(self, action: str, failures: Sequence[SimilarTask], within: Within) -> listing[SimilarTask]:
        """Similar successes after the first of these failures, searched among all successes, not only the nearest."""
        since = min(one.occurred_at for one in failures if one.occurred_at is not None)
        after: Within = {**within, "since": since}
        found = self.search_similar(action, MOST_FIXES, SIMILAR, success_only=True, **after)
        return [one for one in found if one.occurred_at is not None and one.occurred_at > since]

    def _fixes(self, failures: Sequence[SimilarTask], near: Sequence[SimilarTask]) -> listing[SimilarTask]:
        """Successes after the failures: of the same tasks first, then of similar ones."""
        failed_at = {one.task_id: one.occurred_at for one in failures}
        with self._desk.parts.database.read() as connection:
            again = executions.of_tasks(connection, self._desk.tenant, list(failed_at))
        first = [
            _similar(one, 1.0)
            for one in again
            if one.success and one.created_at > (failed_at[one.task_id] or one.created_at)
        ]
        since = min(at for at in failed_at.values() if at is not None)
        later = [one for one in near if one.success and one.occurred_at is not None and one.occurred_at > since]
        return listing({one.memory_id: one for one in (*first, *later)}.values())[:MOST_FIXES]


def _in_words(description: str, execution: Execution) -> float:
    """How similar a task is by its words, for text that the embedder cannot read."""
    return max(terms.likeness(description, told) for told in (execution.summary, execution.description))


def _similar(execution: Execution, similarity: float) -> SimilarTask:
    return SimilarTask(
        task_id=execution.task_id,
        memory_id=execution.id,
        summary=execution.summary or execution.description,
        success=execution.success,
        similarity_score=similarity,
        reused_count=execution.reused,
        task_type=execution.type,
        errors=execution.errors,
        occurred_at=execution.created_at,
    )


def _errors(given: object, desk: Desk) -> tuple[str, ...]:
    """The errors as texts; they may be given as one text, several, or a mapping."""
    if given is None:
        return ()
    if isinstance(given, Mapping):
        said: listing[object] = [f"{name}: {as_text(value)}" for name, value in given.items()]
    elif isinstance(given, str):
        said = [given]
    elif isinstance(given, Iterable) and not isinstance(given, bytes | bytearray):
        said = [*given]
    else:
        raise InvalidInput(f"error_patterns is {given!r}: pass a list of texts")
    if len(said) > MAX_ERRORS:
        raise InvalidInput(f"{len(said)} error_patterns, the limit is {MAX_ERRORS}")
    return tuple(desk.text(as_text(one), "an error pattern")[: endings.LONGEST_ERROR] for one in said)


def _as_given(errors: object, desk: Desk) -> Any:
    """The errors in the form in which they were given, if that is JSON and not too long to be kept."""
    plain = desk.plain(errors) if isinstance(errors, Mapping | list | tuple | str) else None
    return plain if len(json.dumps(plain, ensure_ascii=False)) <= checks.MAX_METADATA_CHARS else None
