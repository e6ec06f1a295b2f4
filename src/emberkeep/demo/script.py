"""Reading scenes other than conversations: verbs with their arguments, and tasks with their outcomes.

In a TOML file each `[[scene]]` has `at` (one time or several), `verb`, and the verb's arguments. It may also say that a
context `helped` or `missed` something, or to `keep_sacred` the first hit. In `endings.txt` each line is a task: day and
time, type, description, the tools in order, the summary, and, if it failed, the error of the last tool.
"""

import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from emberkeep.demo.scene import Moment, Scene
from emberkeep.memory import Memory

PACE = 3  # minutes from one step to the next
CODER = {"user_id": "devi", "agent_id": "forge"}
GOALS = {"deploy": "deployments", "migration": "deployments"}


def scenes_of(script: str) -> Iterator[Scene]:
    """The scenes of a TOML file, in no particular order."""
    for one in tomllib.loads(script)["scene"]:
        when, verb, then = one.pop("at"), one.pop("verb"), _afterwards(one)
        for moment in [when] if isinstance(when, str) else when:
            yield Scene(Moment.parse(*moment.split()), verb, one, then)


def endings_of(script: str) -> Iterator[Scene]:
    """The scenes of the tasks: each task is started, done step by step, and stored with its outcome."""
    for number, line in enumerate(script.partition("\n\n")[2].splitlines(), start=1):
        yield from _task(f"task-{number}", [field.strip() for field in line.split("|")])


def _task(task_id: str, fields: list[str]) -> Iterator[Scene]:
    when, sort, description, tools, summary, *error = fields
    begun = Moment.parse(*when.split())
    yield Scene(begun, "tasks.start", {"id": task_id, "description": description, "goal_id": GOALS.get(sort), **CODER})
    called = tools.split()
    for number, tool in enumerate(called, start=1):
        failed = bool(error) and number == len(called)
        step = {"task_id": task_id, "tool": tool, "success": not failed, "output": error[0] if failed else "ok"}
        yield Scene(begun.later(PACE * number), "tasks.step", {**step, "duration_ms": 31_000 + 9_000 * number})
    ended = {"task_id": task_id, "summary": summary, "success": not error, "task_type": sort, **CODER}
    yield Scene(begun.later(PACE * (len(called) + 1)), "experience.store", ended)


def _afterwards(one: dict[str, Any]) -> Callable[[Memory, Any], object] | None:
    """The function to call with the verb's result, if any; its key is removed from the arguments."""
    if one.pop("keep_sacred", False):
        return lambda memory, hits: memory.update(hits[0].id, sacred=True)
    for said, helpful in (("helped", True), ("missed", False)):
        if (note := one.pop(said, None)) is not None:
            return _rated(note, helpful=helpful)
    return None


def _rated(note: str, *, helpful: bool) -> Callable[[Memory, Any], object]:
    return lambda memory, context: memory.context_feedback(context.id, helpful, note=note)
