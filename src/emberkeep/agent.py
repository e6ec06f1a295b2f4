"""How an orchestrator uses memory: a goal and a task around a piece of work, a context before each call of a model.

with Session(memory, "Renew the certificate", goal="Keep the site up") as session:
    reply = session.ask(model, "What do we know about the last renewal?")
    with session.tool("shell", {"command": "certbot renew"}) as call:
        call.output = run("certbot renew")
    session.decide("Restart nginx", why="it reads certificates when it starts")
    session.finish("Renewed until March")

`AsyncSession` is the same for a memory of `emberkeep.open_async`: its methods are awaited.
"""

import asyncio
import inspect
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypedDict, TypeVar, cast

from emberkeep.aio import AsyncMemory
from emberkeep.errors import Conflict, InvalidInput
from emberkeep.memory import Memory
from emberkeep.model import checks
from emberkeep.model.context import Context
from emberkeep.model.work import OPEN, CachedPattern, Decision, Goal, Step, Task

Chat = Callable[[list[dict[str, str]]], str]
AsyncChat = Callable[[list[dict[str, str]]], Awaitable[str]]
P = ParamSpec("P")
R = TypeVar("R")
LONGEST_SUMMARY = 2_000  # characters to keep of a decorated function's result or of an error's message
_logger = logging.getLogger(__name__)


class _Owner(TypedDict):
    user_id: str | None
    agent_id: str | None
    session_id: str | None


@dataclass(slots=True)
class Call:
    """A call of a tool in progress: set its `output`, and `success = False` if it failed without an exception."""

    tool: str
    parameters: Any
    output: object = ""
    success: bool = True


class _Timed:
    """Records a call as a step when it is over, also when it ends with an exception."""

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
        write = partial(self._session.step, call.tool, call.parameters, call.output)
        _unmasked(error, partial(write, success=call.success, duration_ms=took))


class Session:
    """One piece of work: a context manager, or a decorator of a function whose first argument is the session.

    The task lasts as long as the block. It succeeds when the block ends, fails when an exception leaves it, and is
    cancelled by an interrupt; `finish` overrides that. A goal is given by its description or by its id: an open goal
    with the same description is taken up again, and a goal stays open until `finish(goal_reached=True)`. Contexts hold
    what all agents of the user know, or with `own_only` what the session's own agent knows.
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
        own_only: bool = False,
        **context: Any,
    ) -> None:
        if not isinstance(memory, Memory):
            raise InvalidInput(
                f"memory is {type(memory).__name__}: pass what emberkeep.open gives; AsyncSession takes what is awaited"
            )
        if checks.flag(own_only, "own_only") and agent_id is None:
            raise InvalidInput("own_only is for the memories of one agent: pass its agent_id")
        self.memory = memory
        self.goal: Goal | None = None
        self.contexts: list[Context] = []
        self._description = task
        self._goal_words, self._goal_id = goal, goal_id
        self._scope: _Owner = {"user_id": user_id, "agent_id": agent_id, "session_id": session_id}
        self._max_tokens = max_tokens
        self._metadata = metadata
        self._own_only = own_only
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
        else:
            _unmasked(error, partial(self._break_off, error))

    def __call__(self, function: Callable[Concatenate["Session", P], R]) -> Callable[P, R]:
        """Make each call of a function a task: it gets a session as first argument, and its result is the summary."""
        _check_decorated(function)
        if _is(inspect.iscoroutinefunction, function):

            @wraps(function)
            async def awaited(*args: P.args, **options: P.kwargs) -> Any:
                session = await asyncio.to_thread(self._another().__enter__)
                try:
                    result = await cast("Awaitable[R]", function(session, *args, **options))
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
        checks.flag(goal_reached, "goal_reached")
        self._task = self.memory.tasks.finish(self.task.id, success=success, summary=summary)
        if goal_reached and self.goal is not None:
            self.goal = self.memory.goals.update(self.goal.id, status="succeeded", summary=summary or None)
        return self._task

    # During the work.

    def context(self, about: str | None = None, **options: Any) -> Context:
        """The best context that fits, for the task or for what it is `about`; options are those of `Memory.context`."""
        given = {"max_tokens": self._max_tokens, **self._readable(), **self._context, **options}
        found = self.memory.context(about or self._description, **given)
        self.contexts.append(found)
        return found

    def ask(self, model: Chat, prompt: str) -> str:
        """Ask a chat model, with the context before the prompt; the call is recorded as a step.

        The model is a function that takes messages, each with a `role` and its `content`, and returns the answer.
        """
        messages = self.messages(prompt)
        with self.tool("model", {"prompt": prompt}) as call:
            call.output = answer = _answer(model(messages))
        return answer

    def messages(self, prompt: str) -> list[dict[str, str]]:
        """What to send to a chat model: the context for the prompt, and the prompt."""
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
        """Record one call of a tool."""
        return self.memory.tasks.step(
            self.task.id, tool, parameters=parameters, output=output, success=success, duration_ms=duration_ms
        )

    def tool(self, tool: str, parameters: object = None) -> _Timed:
        """A context manager around a call of a tool: the call is timed, and recorded as a step even if it fails."""
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
        """Record a decision; the agent of the session is the one who decided."""
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
        """The stored pattern that says what to do on this trigger, if there is one."""
        return self.memory.patterns.find(trigger, **self._readable())

    # The steps that several methods share.

    def _readable(self) -> dict[str, Any]:
        owner = {"user_id": self._scope["user_id"]}
        return {**owner, "agent_id": self._scope["agent_id"]} if self._own_only else owner

    def _break_off(self, error: BaseException) -> None:
        if isinstance(error, Exception):
            self.finish(_said(error), success=False)
        else:  # an interrupt, or a generator that was closed
            self._task = self.memory.tasks.cancel(self.task.id, summary=_said(error))

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
            own_only=self._own_only,
            **self._scope,
            **self._context,
        )


class _AsyncTimed:
    """The same as `_Timed`, awaited."""

    def __init__(self, timed: _Timed, run: Callable[..., Awaitable[None]]) -> None:
        self._timed, self._run = timed, run

    async def __aenter__(self) -> Call:
        return self._timed.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._run(self._timed.__exit__, kind, error, trace)


class AsyncSession:
    """A `Session` for an `AsyncMemory`, used with `async with`. `Session` says what the methods do."""

    def __init__(self, memory: AsyncMemory, task: str, **options: Any) -> None:
        if not isinstance(memory, AsyncMemory):
            raise InvalidInput(f"memory is {type(memory).__name__}: pass the one that emberkeep.open_async gives")
        self.memory = memory
        self._new = partial(Session, task=task, **options)
        self._session: Session | None = None

    @property
    def session(self) -> Session:
        """The session that does the work, in the threads of the memory; it has the `goal` and the `contexts`."""
        if self._session is None:
            raise Conflict("the session has not begun: use it in an `async with` block")
        return self._session

    @property
    def task(self) -> Task:
        """The task as it was last written."""
        return self.session.task

    async def __aenter__(self) -> Self:
        if self._session is not None:
            raise Conflict("a session is for one task: make another one")
        session = self._session = await self.memory._call(self._new)  # noqa: SLF001 - its own sort of verb
        entering = asyncio.ensure_future(self._run(session.__enter__))
        try:
            await asyncio.shield(entering)
        except asyncio.CancelledError as error:  # the thread goes on: wait until it has a task that can be cancelled
            await entering
            await self._run(session.__exit__, type(error), error, error.__traceback__)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._run(self.session.__exit__, kind, error, trace)

    async def finish(self, summary: str = "", *, success: bool = True, goal_reached: bool = False) -> Task:
        """Say how the task ended and what came of it, and whether that reached the goal."""
        return await self._run(self.session.finish, summary, success=success, goal_reached=goal_reached)

    async def context(self, about: str | None = None, **options: Any) -> Context:
        """The best context that fits, for the task or for what it is `about`."""
        return await self._run(self.session.context, about, **options)

    async def ask(self, model: AsyncChat, prompt: str) -> str:
        """Ask a chat model that is awaited, with the context before the prompt; the call is recorded as a step."""
        messages = await self.messages(prompt)
        async with self.tool("model", {"prompt": prompt}) as call:
            answer: object = model(messages)
            call.output = said = _answer(await answer if inspect.isawaitable(answer) else answer)
        return said

    async def messages(self, prompt: str) -> list[dict[str, str]]:
        """What to send to a chat model: the context for the prompt, and the prompt."""
        return await self._run(self.session.messages, prompt)

    async def step(self, tool: str, parameters: object = None, output: object = "", **options: Any) -> Step:
        """Record one call of a tool."""
        return await self._run(self.session.step, tool, parameters, output, **options)

    def tool(self, tool: str, parameters: object = None) -> _AsyncTimed:
        """For `async with` around a call of a tool: the call is timed, and recorded as a step even if it fails."""
        return _AsyncTimed(self.session.tool(tool, parameters), self._run)

    async def decide(self, what: str, **options: Any) -> Decision:
        """Record a decision; the agent of the session is the one who decided."""
        return await self._run(self.session.decide, what, **options)

    async def known_action(self, trigger: str) -> CachedPattern | None:
        """The stored pattern that says what to do on this trigger, if there is one."""
        return await self._run(self.session.known_action, trigger)

    async def _run(self, verb: Callable[..., R], *args: Any, **options: Any) -> R:
        return await self.memory._call(lambda _: verb(*args, **options))  # noqa: SLF001 - its own sort of verb


def _end(session: Session, result: object) -> None:
    if session.task.status in OPEN:
        session.finish("" if result is None else _text(result))


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {_text(error)}".strip(": ")


def _text(value: object) -> str:
    """A value as text that can be stored: without NUL and lone surrogates, and not too long."""
    try:
        said = str(value)
    except Exception as error:  # noqa: BLE001 - anything may go wrong in a stranger's code
        said = f"<{type(value).__name__}: {type(error).__name__}>"
    clean: str = checks.plain_json(said[:LONGEST_SUMMARY])
    return clean


def _unmasked(error: BaseException | None, write: Callable[[], object]) -> None:
    """Call `write`. If an `error` is being raised already, a failure of `write` is logged and does not replace it."""
    try:
        write()
    except Exception:
        if error is None:
            raise
        _logger.exception("an end could not be written down, of what broke off with %s", type(error).__name__)


def _answer(said: object) -> str:
    if isinstance(said, str):
        return said
    if isinstance(said, Coroutine):
        said.close()  # else Python warns that it was never awaited
    raise InvalidInput(
        f"the model returned {type(said).__name__}: pass a function that returns the text of the answer"
        + (", or use AsyncSession for one that is awaited" if inspect.isawaitable(said) else "")
    )


def _is(asked: Callable[[object], bool], function: object) -> bool:
    return asked(function) or asked(getattr(function, "__call__", None))  # noqa: B004 - the method is wanted


def _check_decorated(function: object) -> None:
    """Refuse functions that a session cannot decorate, before they are called."""
    if isinstance(function, staticmethod | classmethod) or not callable(function):
        raise InvalidInput(f"a session decorates functions, not {type(function).__name__}")
    if _is(inspect.isgeneratorfunction, function) or _is(inspect.isasyncgenfunction, function):
        raise InvalidInput("a session cannot decorate a generator: use it in a `with` block inside the function")
    try:
        first = next(iter(inspect.signature(function).parameters), "")
    except (TypeError, ValueError):  # not every callable has a signature to look at
        return
    if first in {"self", "cls"}:
        raise InvalidInput("a session cannot decorate a method: use it in a `with` block inside the method")
