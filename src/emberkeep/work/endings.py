"""How a finished task becomes experience: an execution with its tools and errors, and the items it is found by."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from emberkeep.lifecycle.keep import Kept
from emberkeep.model.events import Stored, TaskFinished
from emberkeep.model.experience import GIVEN, Execution
from emberkeep.model.ids import new_id
from emberkeep.model.sameness import item_hash
from emberkeep.model.work import Step, Task
from emberkeep.storage import executions, items, outbox, records, steps
from emberkeep.storage.records import EXECUTIONS
from emberkeep.work.desk import Desk

MOST_STEPS = 1_000
MOST_ERRORS = 20
LONGEST_ERROR = 200
LONGEST_CODE = 100_000
CODE_SHOWN = 4_000  # characters of code that searches find an execution by
_VARYING = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+", re.IGNORECASE)
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def end(
    desk: Desk,
    connection: Connection,
    task: Task,
    *,
    type_: str = "",
    errors: Sequence[str] = (),
    given: object = None,
    code: str | None = None,
) -> tuple[Execution, list[Kept]]:
    """Write the execution of a task that ended; the item of the open task becomes the item of the execution.

    `given` are the errors in the caller's form, kept if that differs from the list of texts.
    """
    former = executions.of_tasks(connection, desk.tenant, [task.id])
    before = former[-1].metadata.get("last_step", 0) if former else 0  # steps of earlier runs do not count
    done = [one for one in steps.of_task(connection, desk.tenant, task.id, MOST_STEPS) if one.number > before]
    met = tuple(dict.fromkeys([*errors, *_errors(done)]))[:MOST_ERRORS]
    form = {} if given is None or given == ([*met] or None) else {GIVEN: given}
    execution = Execution(
        id=new_id(desk.now()),
        user_id=task.user_id,
        agent_id=task.agent_id,
        session_id=task.session_id,
        task_id=task.id,
        type=type_,
        description=task.description,
        summary=task.summary,
        success=task.status == "succeeded",
        errors=met,
        tools=tuple(step.tool for step in done if step.tool),
        code=None if code is None else code[:LONGEST_CODE],
        reused=0,
        metadata={"last_step": done[-1].number if done else before, **form},
        created_at=desk.now(),
        updated_at=desk.now(),
    )
    records.put(connection, EXECUTIONS, desk.tenant, execution)
    ids = items.of_record(connection, desk.tenant, f"task:{task.id}", task.user_id or "")
    for item in items.fetch(connection, desk.tenant, ids).values():
        if item.kind == "execution":  # not the summary of an archived earlier run
            now_of = replace(item, record=f"execution:{execution.id}")
            values = {"record": now_of.record, "content_hash": item_hash(now_of)}
            items.change(connection, desk.tenant, item.id, values)
    _announce(connection, desk.tenant, execution, len(done))
    return execution, tell(desk, connection, execution)


def corrected(desk: Desk, connection: Connection, task: Task) -> list[Kept]:
    """Bring the last execution of a task up to date with the task, which was corrected."""
    former = executions.of_tasks(connection, desk.tenant, [task.id])
    if not former:
        return []
    last = former[-1]
    failed = task.status == "failed"
    changed = replace(
        last,
        description=task.description,
        summary=task.summary,
        success=task.status == "succeeded",
        errors=last.errors if failed else (),
        metadata={name: value for name, value in last.metadata.items() if failed or name != GIVEN},
        updated_at=desk.now(),
    )
    records.replace(connection, EXECUTIONS, desk.tenant, changed)
    return tell(desk, connection, changed)


def tell(desk: Desk, connection: Connection, execution: Execution) -> list[Kept]:
    """Write the items that an execution is found by: its text, and its code if there is any."""
    record = f"execution:{execution.id}"
    about = {"task_id": execution.task_id, "success": execution.success, "task_type": execution.type[:200]}
    at = execution.created_at
    kept = desk.told(connection, desk.draft(record, "execution", execution.told, execution, at=at, about=about))
    if execution.code and execution.code.strip():
        shown = execution.code.strip()[:CODE_SHOWN]
        draft = desk.draft(record, "execution", shown, execution, at=at, about={**about, "part": "code"})
        draft = replace(draft, gloss=" ".join(dict.fromkeys(_PARTS.findall(shown)))[:CODE_SHOWN])
        kept += desk.told(connection, draft)
    return kept


def erase(desk: Desk, connection: Connection, task_id: str) -> dict[str, int]:
    """Remove all executions of a task; returns the rows removed, by table."""
    rows: dict[str, int] = {}
    for one in executions.of_tasks(connection, desk.tenant, [task_id]):
        erased, _ = desk.erased(connection, f"execution:{one.id}", one.user_id or "")
        erased[EXECUTIONS.table.name] = records.remove(connection, EXECUTIONS, desk.tenant, one.id)
        rows = {name: rows.get(name, 0) + erased.get(name, 0) for name in {*rows, *erased}}
    return rows


def _announce(connection: Connection, tenant: str, execution: Execution, count: int) -> None:
    ended = TaskFinished(task_id=execution.task_id, success=execution.success, execution_id=execution.id, steps=count)
    stored = Stored(
        memory_id=execution.id, task_id=execution.task_id, task_type=execution.type, success=execution.success
    )
    outbox.tell(connection, tenant, execution.user_id, "task.finished", ended)
    outbox.tell(connection, tenant, execution.user_id, "memory.stored", stored)


def _errors(done: Sequence[Step]) -> list[str]:
    """The last output line of each failed step, with numbers and hashes, which vary, replaced by N."""
    said = (step.output.strip().splitlines() for step in done if not step.success)
    return [f"{_VARYING.sub('N', lines[-1].strip())[:LONGEST_ERROR]}" for lines in said if lines]
