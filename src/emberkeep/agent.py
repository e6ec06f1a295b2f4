"""How an orchestrator uses memory: a goal and a task around a piece of work, context before each call of a model.

with Session(memory, "Renew the certificate", goal="Keep the site up") as session:
    reply = session.ask(model, "What do we know about the last renewal?")
    with session.tool("shell", {"command": "certbot renew"}) as call:
        call.output = run("certbot renew")
    session.decide("Restart nginx", why="it reads certificates when it starts")
    session.finish("Renewed until March")
"""

import asyncio
import inspect
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypedDict, TypeVar, cast

from emberkeep.errors import Conflict
from emberkeep.memory import Memory
from emberkeep.model.context import Context
from emberkeep.model.work import OPEN, CachedPattern, Decision, Goal, Step, Task

Chat = Callable[[list[dict[str, str]]], str]
P = ParamSpec("P")
R = TypeVar("R")
LONGEST_SUMMARY = 2_000  # characters of what a decorated function returned


class _Owner(TypedDict):
    user_id: str | None
    agent_id: str | None
    session_id: str | None


@dataclass(slots=True)
class Call:
    """A call of a tool that is under way: set its `output`, and `success` if it went wrong without an error."""

    tool: str
    parameters: Any
    output: object = ""
    success: bool = True


class _Timed:
    """Writes a call down as a step when it is over, also when it ends with an error."""

    def __init__(self, session: "Session", call: Call) -> None:
        self._session, self._call, self._began = session, call, 0.0

    def __enter__(self) -> Call:
        self._began = time.perf_counter()
        return self._call

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        call = self._call
        if error is not None:
            call.output, call.success = call.output or _said(error), False
        took = (time.perf_counter() - self._began) * 1_000
        self._session.step(call.tool, call.parameters, call.output, success=call.success, duration_ms=took)


class Session:
    """One piece of work: a context manager, or a decorator of a function that takes the session first.

    The task runs while the block does. It succeeds when the block ends, fails when an error leaves it, is cancelled by
    an interrupt; `finish` says it otherwise. A goal is given by its words or by its id: an open one with these words
    is taken up again, and it stays open until it is said to be reached.
    """

    def __init__(
        self,
        memory: Memory,
        task: str,
        *,
        goal: str | None = None,
        goal_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        max_tokens: int = 4_000,
        metadata: Mapping[str, Any] | None = None,
        **context: Any,
    ) -> None:
        self.memory = memory
        self.goal: Goal | None = None
        self.contexts: list[Context] = []
        self._description = task
        self._goal_words, self._goal_id = goal, goal_id
        self._scope: _Owner = {"user_id": user_id, "agent_id": agent_id, "session_id": session_id}
        self._max_tokens = max_tokens
        self._metadata = metadata
        self._context = context
        self._task: Task | None = None

    @property
    def task(self) -> Task:
        """The task as it was last written."""
        if self._task is None:
            raise Conflict("the session has not begun: use it in a `with` block")
        return self._task

    # Around the work.

    def __enter__(self) -> Self:
        if self._task is not None:
            raise Conflict("a session is for one task: make another one")
        self.goal = self._find_goal()
        self._task = self.memory.tasks.start(
            self._description,
            goal_id=None if self.goal is None else self.goal.id,
            metadata=self._metadata,
            **self._scope,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.task.status not in OPEN:
            return
        if error is None:
            self.finish()
        elif isinstance(error, Exception):
            self.finish(_said(error), success=False)
        else:  # an interrupt, or a generator that was closed
            self._task = self.memory.tasks.cancel(self.task.id, summary=_said(error))

    def __call__(self, function: Callable[Concatenate["Session", P], R]) -> Callable[P, R]:
        """Run a function as a task of its own each time: it gets the session first, and what it returns came of it."""
        if inspect.iscoroutinefunction(function):

            @wraps(function)
            async def awaited(*args: P.args, **options: P.kwargs) -> Any:
                session = await asyncio.to_thread(self._another().__enter__)
                try:
                    result = await function(session, *args, **options)
                except BaseException as error:
                    await asyncio.to_thread(session.__exit__, type(error), error, error.__traceback__)
                    raise
                await asyncio.to_thread(_end, session, result)
                return result

            return cast("Callable[P, R]", awaited)

        @wraps(function)
        def plain(*args: P.args, **options: P.kwargs) -> R:
            with self._another() as session:
                result = function(session, *args, **options)
                _end(session, result)
                return result

        return plain

    def finish(self, summary: str = "", *, success: bool = True, goal_reached: bool = False) -> Task:
        """Say how the task ended and what came of it, and whether that reached the goal."""
        self._task = self.memory.tasks.finish(self.task.id, success=success, summary=summary)
        if goal_reached and self.goal is not None:
            self.goal = self.memory.goals.update(self.goal.id, status="succeeded", summary=summary or None)
        return self._task

    # During the work.

    def context(self, about: str | None = None, **options: Any) -> Context:
        """The best context that fits, for the task or for what is asked now; options are those of `Memory.context`."""
        given = {"max_tokens": self._max_tokens, "user_id": self._scope["user_id"], **self._context, **options}
        found = self.memory.context(about or self._description, **given)
        self.contexts.append(found)
        return found

    def ask(self, model: Chat, prompt: str) -> str:
        """Ask a chat model with the context before the prompt; the call is written down as a step.

        The model is a function that takes messages, each with a `role` and its `content`, and returns the answer.
        """
        messages = self.messages(prompt)
        with self.tool("model", {"prompt": prompt}) as call:
            call.output = model(messages)
        return str(call.output)

    def messages(self, prompt: str) -> list[dict[str, str]]:
        """What to send to a chat model: the task, the context, and the prompt."""
        context = self.context(prompt, format="messages")
        return [*map(dict, context.messages), {"role": "user", "content": prompt}]

    def step(
        self,
        tool: str,
        parameters: object = None,
        output: object = "",
        *,
        success: bool = True,
        duration_ms: float | None = None,
    ) -> Step:
        """Write down one call of a tool."""
        return self.memory.tasks.step(
            self.task.id, tool, parameters=parameters, output=output, success=success, duration_ms=duration_ms
        )

    def tool(self, tool: str, parameters: object = None) -> _Timed:
        """Around a call of a tool: it is timed, and written down as a step whether it ends well or not."""
        return _Timed(self, Call(tool, parameters))

    def decide(
        self,
        what: str,
        *,
        why: str = "",
        context: str = "",
        alternatives: Iterable[str] = (),
        confidence: float | None = None,
    ) -> Decision:
        """Write a decision down; who decided is the agent of the session."""
        return self.memory.decisions.log(
            what,
            who=self._scope["agent_id"] or "",
            why=why,
            context=context,
            alternatives=alternatives,
            confidence=confidence,
            goal_id=self.task.goal_id,
            task_id=self.task.id,
            **self._scope,
        )

    def known_action(self, trigger: str) -> CachedPattern | None:
        """What was stored as the thing to do when this happens."""
        return self.memory.patterns.find(trigger, user_id=self._scope["user_id"])

    # The steps that several of them share.

    def _find_goal(self) -> Goal | None:
        if self._goal_id is not None:
            return self.memory.goals.get(self._goal_id)
        if self._goal_words is None:
            return None
        for goal in self.memory.goals.active(user_id=self._scope["user_id"], limit=1_000):
            if goal.description == self._goal_words:
                return goal
        return self.memory.goals.save(self._goal_words, **self._scope)

    def _another(self) -> "Session":
        return Session(
            self.memory,
            self._description,
            goal=self._goal_words,
            goal_id=self._goal_id,
            max_tokens=self._max_tokens,
            metadata=self._metadata,
            **self._scope,
            **self._context,
        )


def _end(session: Session, result: object) -> None:
    if session.task.status in OPEN:
        session.finish("" if result is None else str(result)[:LONGEST_SUMMARY])


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip(": ")
