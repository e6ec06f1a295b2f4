"""The table of verbs that can be called from outside, with their routes and roles: for HTTP, gRPC and remote clients.

A verb has the name and the arguments that it has on a `Memory`. Those that stay in process are in `LOCAL`, with the
reason.
"""

import inspect
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from emberkeep.access.audit import AuditLog
from emberkeep.access.idempotency import Idempotency
from emberkeep.access.keys import Keys
from emberkeep.capture.log import Capture
from emberkeep.events.feed import Events
from emberkeep.lifecycle.operational import Operational
from emberkeep.memory import Memory
from emberkeep.model import access
from emberkeep.model.access import Role
from emberkeep.model.many import Listed
from emberkeep.model.scope import EVERYONE
from emberkeep.work.configs import Configs
from emberkeep.work.decisions import Decisions
from emberkeep.work.drawers import Agents, Persona, Preferences
from emberkeep.work.experience import Experience
from emberkeep.work.goals import Goals
from emberkeep.work.incidents import Incidents
from emberkeep.work.knowledge import Knowledge
from emberkeep.work.patterns import Patterns
from emberkeep.work.procedures import Procedures
from emberkeep.work.tasks import Tasks

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
NAMESPACES: Mapping[str, type] = {
    "agents": Agents,
    "audit_log": AuditLog,
    "capture": Capture,
    "configs": Configs,
    "decisions": Decisions,
    "events": Events,
    "experience": Experience,
    "goals": Goals,
    "idempotency": Idempotency,
    "incidents": Incidents,
    "keys": Keys,
    "knowledge": Knowledge,
    "operational": Operational,
    "patterns": Patterns,
    "persona": Persona,
    "preferences": Preferences,
    "procedures": Procedures,
    "tasks": Tasks,
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a verb."""

    name: str
    kind: Any
    default: Any = inspect.Parameter.empty

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is inspect.Parameter.empty

    @property
    def is_anything(self) -> bool:
        """Whether it takes any value, also None."""
        return self.kind in {Any, object}

    @property
    def is_flag(self) -> bool:
        """Whether it is a boolean."""
        return set(alternatives(self.kind)) - {types.NoneType} == {bool}

    @property
    def is_everyone(self) -> bool:
        """Whether its default is everyone."""
        return bool(self.default == EVERYONE)

    @property
    def has_plain_default(self) -> bool:
        """Whether it has a default that JSON can hold, other than null and everyone."""
        return isinstance(self.default, bool | int | float | str) and not self.is_everyone


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb and its route.

    Arguments named in braces are part of the path; the others are the query of a GET or DELETE, and the body of other
    methods. A result that is a list or a plain value is sent as an object with one field, named by `answer`.
    `looked_up` is the verb that returns the record of an `id`, which says whose record it is.
    """

    name: str
    method: Method
    path: str
    role: Role
    answer: str = ""
    looked_up: str = ""
    kinds: Mapping[str, Any] = field(default_factory=dict, hash=False)  # types of arguments that differ when sent

    @property
    def namespace(self) -> str:
        """Its namespace, "" for none."""
        return self.name.rpartition(".")[0]

    @property
    def own_name(self) -> str:
        """Its name in its namespace."""
        return self.name.rpartition(".")[2]

    @property
    def function(self) -> Callable[..., Any]:
        """The function that implements it."""
        home = NAMESPACES[self.namespace] if self.namespace else Memory
        function: Callable[..., Any] = getattr(home, self.own_name)
        return function

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return inspect.cleandoc(self.function.__doc__ or "").partition("\n")[0]

    @property
    def arguments(self) -> Mapping[str, Argument]:
        """Its arguments, by name."""
        return _arguments(self.name)

    @property
    def returns(self) -> Any:
        """The type of its result."""
        return _hints(self.function)["return"]

    @property
    def creates(self) -> bool:
        """Whether it creates something new."""
        return self.method == "POST" and self.own_name in _CREATING

    @property
    def is_signed(self) -> bool:
        """Whether it records who called it."""
        return _is_signed(self.function)

    @property
    def is_secret(self) -> bool:
        """Whether its answer holds a secret that is stored nowhere, so that it cannot be given again."""
        return self.name in SECRET

    @property
    def is_paged(self) -> bool:
        """Whether it returns a page of a list, with the cursor of the next one."""
        return get_origin(self.returns) is Listed

    @property
    def in_path(self) -> tuple[str, ...]:
        """The arguments that are part of the path."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    def bound(self, memory: Memory) -> Callable[..., Any]:
        """Return the verb as a method of one memory."""
        home = getattr(memory, self.namespace) if self.namespace else memory
        function: Callable[..., Any] = getattr(home, self.own_name)
        return function


def _table() -> Iterator[Verb]:
    yield from _memories()
    yield from _upkeep()
    yield from _work()
    yield from _collections()
    yield from _experience()
    yield from _state()
    yield from _events()
    yield from _access()


def _memories() -> Iterator[Verb]:
    yield Verb("add", "POST", "/memories", "write")
    yield Verb("remember", "POST", "/memories/remember", "write")
    yield Verb("seed", "POST", "/memories/seed", "write")
    yield Verb("search", "POST", "/memories/search", "read")
    yield Verb("get_all", "GET", "/memories", "read")
    yield Verb("get", "GET", "/memories/{id}", "read", looked_up="get")
    yield Verb("update", "PATCH", "/memories/{id}", "write", looked_up="get")
    yield Verb("delete", "DELETE", "/memories/{id}", "write", looked_up="get")
    yield Verb("history", "GET", "/memories/{id}/history", "read", "changes", looked_up="get")
    yield Verb("links", "GET", "/memories/{id}/links", "read", "links", looked_up="get")
    yield Verb("delete_all", "POST", "/erase", "write")
    yield Verb("semantic_search", "POST", "/collections/search", "read", "results")
    yield Verb("context", "POST", "/contexts", "read")
    yield Verb("contexts", "GET", "/contexts", "read", "contexts")
    yield Verb("context_record", "GET", "/contexts/{id}", "read", looked_up="context_record")
    yield Verb("context_feedback", "POST", "/contexts/{id}/feedback", "write", looked_up="context_record")
    yield Verb("replay_context", "POST", "/contexts/{id}/replay", "read", looked_up="context_record")
    yield Verb("capture.log", "POST", "/interactions", "write", "id")
    yield Verb("capture.recent", "GET", "/interactions", "read", "interactions")
    yield Verb("capture.get", "GET", "/interactions/{id}", "read", looked_up="capture.get")
    yield Verb("learned_from", "GET", "/interactions/{interaction_id}/learned", "read", "memories")
    yield Verb("capture.sessions", "GET", "/sessions", "read", "sessions")


def _upkeep() -> Iterator[Verb]:
    yield Verb("stats", "GET", "/stats", "read")
    yield Verb("overview", "GET", "/overview", "read")
    yield Verb("users", "GET", "/users", "read", "users")
    yield Verb("audit", "GET", "/audit", "read")
    yield Verb("backlog", "GET", "/backlog", "read", "interactions")
    yield Verb("spending", "GET", "/spending", "read", "days")
    yield Verb("learn", "POST", "/learn", "write")
    yield Verb("upkeep", "POST", "/upkeep", "admin")
    yield Verb("rebuild", "POST", "/rebuild", "admin")
    yield Verb("undo_rebuild", "POST", "/rebuild/undo", "admin")
    yield Verb("precompute", "POST", "/precompute", "write")


def _work() -> Iterator[Verb]:
    yield Verb("goals.save", "POST", "/goals", "write", looked_up="goals.get")
    yield Verb("goals.list", "GET", "/goals", "read", "goals")
    yield Verb("goals.active", "GET", "/active/goals", "read", "goals")
    yield Verb("goals.get", "GET", "/goals/{id}", "read", looked_up="goals.get")
    yield Verb("goals.update", "PATCH", "/goals/{id}", "write", looked_up="goals.get")
    yield Verb("goals.delete", "DELETE", "/goals/{id}", "write", looked_up="goals.get")
    yield Verb("tasks.start", "POST", "/tasks", "write", looked_up="tasks.get")
    yield Verb("tasks.save", "PUT", "/tasks/{id}", "write", looked_up="tasks.get")
    yield Verb("tasks.list", "GET", "/tasks", "read", "tasks")
    yield Verb("tasks.active", "GET", "/active/tasks", "read", "tasks")
    yield Verb("tasks.relevant", "POST", "/tasks/relevant", "read", "found")
    yield Verb("tasks.recent_summaries", "GET", "/summaries", "read", "summaries")
    yield Verb("tasks.get", "GET", "/tasks/{id}", "read", looked_up="tasks.get")
    yield Verb("tasks.update", "PATCH", "/tasks/{id}", "write", looked_up="tasks.get")
    yield Verb("tasks.delete", "DELETE", "/tasks/{id}", "write", looked_up="tasks.get")
    yield Verb("tasks.step", "POST", "/tasks/{task_id}/steps", "write")
    yield Verb("tasks.steps", "GET", "/tasks/{task_id}/steps", "read", "steps")
    yield Verb("tasks.finish", "POST", "/tasks/{id}/finish", "write", looked_up="tasks.get")
    yield Verb("tasks.cancel", "POST", "/tasks/{id}/cancel", "write", looked_up="tasks.get")
    yield Verb("decisions.log", "POST", "/decisions", "write", looked_up="decisions.get")
    yield Verb("decisions.list", "GET", "/decisions", "read", "decisions")
    yield Verb("decisions.similar", "POST", "/decisions/similar", "read", "found")
    yield Verb("decisions.get", "GET", "/decisions/{id}", "read", looked_up="decisions.get")
    yield Verb("decisions.set_outcome", "POST", "/decisions/{id}/outcome", "write", looked_up="decisions.get")
    yield Verb("decisions.delete", "DELETE", "/decisions/{id}", "write", looked_up="decisions.get")


def _collections() -> Iterator[Verb]:
    yield Verb("procedures.save", "POST", "/procedures", "write", looked_up="procedures.get")
    yield Verb("procedures.list", "GET", "/procedures", "read", "procedures")
    yield Verb("procedures.find", "POST", "/procedures/find", "read", "found")
    yield Verb("procedures.get", "GET", "/procedures/{id}", "read", looked_up="procedures.get")
    yield Verb("procedures.delete", "DELETE", "/procedures/{id}", "write", looked_up="procedures.get")
    yield Verb("incidents.report", "POST", "/incidents", "write", looked_up="incidents.get")
    yield Verb("incidents.list", "GET", "/incidents", "read", "incidents")
    yield Verb("incidents.similar", "POST", "/incidents/similar", "read", "found")
    yield Verb("incidents.get", "GET", "/incidents/{id}", "read", looked_up="incidents.get")
    yield Verb("incidents.resolve", "POST", "/incidents/{id}/resolve", "write", looked_up="incidents.get")
    yield Verb("incidents.delete", "DELETE", "/incidents/{id}", "write", looked_up="incidents.get")
    yield Verb("configs.record", "POST", "/configs", "write", looked_up="configs.get")
    yield Verb("configs.list", "GET", "/configs", "read", "changes")
    yield Verb("configs.get", "GET", "/configs/{id}", "read", looked_up="configs.get")
    yield Verb("configs.delete", "DELETE", "/configs/{id}", "write", looked_up="configs.get")
    yield Verb("configs.current", "GET", "/settings/{key}", "read", "change")
    yield Verb("configs.history", "GET", "/settings/{key}/history", "read", "changes")
    yield Verb("knowledge.add", "POST", "/knowledge", "write", looked_up="knowledge.get")
    # A path would be one on the server, so callers send the document itself.
    yield Verb(
        "knowledge.import_file", "POST", "/knowledge/files", "write", looked_up="knowledge.get", kinds={"source": bytes}
    )
    yield Verb("knowledge.list", "GET", "/knowledge", "read", "documents")
    yield Verb("knowledge.search", "POST", "/knowledge/search", "read", "found")
    yield Verb("knowledge.get", "GET", "/knowledge/{id}", "read", looked_up="knowledge.get")
    yield Verb("knowledge.text", "GET", "/knowledge/{id}/text", "read", "text", looked_up="knowledge.get")
    yield Verb("knowledge.delete", "DELETE", "/knowledge/{id}", "write", looked_up="knowledge.get")


def _experience() -> Iterator[Verb]:
    yield Verb("experience.store", "POST", "/experience", "write")
    yield Verb("experience.list", "GET", "/experience", "read", "executions")
    yield Verb("experience.search_similar", "POST", "/experience/similar", "read", "tasks")
    yield Verb("experience.get_task_context", "POST", "/experience/context", "read")
    yield Verb("experience.warn", "POST", "/experience/warn", "read")
    yield Verb("experience.used", "POST", "/experience/used", "write")
    yield Verb("experience.get", "GET", "/experience/{id}", "read", looked_up="experience.get")
    yield Verb("experience.delete", "DELETE", "/experience/{id}", "write", looked_up="experience.get")
    yield Verb("patterns.extract", "POST", "/patterns/extract", "write", "patterns")
    yield Verb("patterns.learn_from", "POST", "/patterns/learn", "write", "patterns")
    yield Verb("patterns.search", "GET", "/patterns", "read", "patterns")
    yield Verb("patterns.match", "POST", "/patterns/match", "read", "patterns")
    yield Verb("patterns.get", "GET", "/patterns/{id}", "read", looked_up="patterns.get")
    yield Verb("patterns.delete", "DELETE", "/patterns/{id}", "write", looked_up="patterns.get")
    yield Verb("patterns.feedback", "POST", "/patterns/{pattern_id}/feedback", "write")
    yield Verb("patterns.ratings", "GET", "/patterns/{pattern_id}/ratings", "read", "ratings")
    yield Verb("patterns.evolution", "GET", "/patterns/{pattern_id}/evolution", "read", "versions")
    yield Verb("patterns.ask", "GET", "/questions", "read", "questions")
    yield Verb("patterns.clusters", "GET", "/clusters", "read", "clusters")
    yield Verb("patterns.store", "POST", "/cached-patterns", "write", looked_up="patterns.get_cached")
    yield Verb("patterns.list_cached", "GET", "/cached-patterns", "read", "patterns")
    yield Verb("patterns.find", "POST", "/cached-patterns/find", "read", "pattern")
    yield Verb("patterns.get_cached", "GET", "/cached-patterns/{id}", "read", looked_up="patterns.get_cached")
    yield Verb("patterns.used", "POST", "/cached-patterns/{id}/used", "write", looked_up="patterns.get_cached")


def _state() -> Iterator[Verb]:
    for name in ("preferences", "persona"):
        yield Verb(f"{name}.all", "GET", f"/{name}", "read", "values")
        yield Verb(f"{name}.get", "GET", f"/{name}/{{key}}", "read", "value")
        yield Verb(f"{name}.set", "PUT", f"/{name}/{{key}}", "write")
        yield Verb(f"{name}.delete", "DELETE", f"/{name}/{{key}}", "write")
    yield Verb("agents.list", "GET", "/agents", "read", "agents")
    yield Verb("agents.get", "GET", "/agents/{agent_id}", "read")
    yield Verb("agents.save", "PUT", "/agents/{agent_id}", "write")
    yield Verb("agents.delete", "DELETE", "/agents/{agent_id}", "write")
    yield Verb("operational.push_event", "POST", "/operational/events", "write")
    yield Verb("operational.get_recent", "GET", "/operational/events", "read", "events")
    yield Verb("operational.kept", "GET", "/operational/kept", "read", "events")
    yield Verb("operational.update_metric", "PUT", "/operational/metrics/{key}", "write")
    yield Verb("operational.get_metric", "GET", "/operational/metrics/{key}", "read")
    yield Verb("operational.active_tasks", "GET", "/operational/tasks", "read", "tasks")
    yield Verb("operational.set_active_task", "PUT", "/operational/tasks/{id}", "write")
    yield Verb("operational.end_active_task", "DELETE", "/operational/tasks/{id}", "write", "ended")
    yield Verb("operational.get_system_snapshot", "GET", "/operational/snapshot", "read")
    yield Verb("operational.count_unkept", "GET", "/operational/unkept", "read", "unkept")
    yield Verb("operational.flush", "POST", "/operational/flush", "write", "flushed")
    yield Verb("operational.clear", "POST", "/operational/clear", "admin")


def _events() -> Iterator[Verb]:
    yield Verb("events.recent", "GET", "/events", "read", "events")
    yield Verb("events.publish", "POST", "/events", "write")
    yield Verb("events.undelivered", "GET", "/events/undelivered", "read", "undelivered")
    yield Verb("events.deliver", "POST", "/events/deliver", "admin")
    yield Verb("events.webhooks", "GET", "/webhooks", "admin", "webhooks")
    yield Verb("events.add_webhook", "POST", "/webhooks", "admin")
    yield Verb("events.remove_webhook", "DELETE", "/webhooks/{id}", "admin")


def _access() -> Iterator[Verb]:
    yield Verb("keys.create", "POST", "/keys", "admin")
    yield Verb("keys.list", "GET", "/keys", "admin", "keys")
    yield Verb("keys.revoke", "DELETE", "/keys/{id}", "admin")
    yield Verb("audit_log.list", "GET", "/audit-log", "admin", "entries")


# The own names of verbs that create something.
_CREATING = frozenset(
    """add create remember seed log save start step report record import_file store publish push_event
    add_webhook""".split()
)
SECRET = frozenset({"keys.create", "events.add_webhook"})  # they answer with a secret
VERBS: Mapping[str, Verb] = {verb.name: verb for verb in _table()}
# The verbs without a route, and why they have none.
LOCAL: Mapping[str, str] = {
    "close": "closes this process's end",
    "worker": "works in this process; the service has `emberkeep worker`",
    "of_tenant": "the key decides which tenant's memory a call reaches",
    "tidy": "part of upkeep, which has a route",
    "repair": "for operators, since it works on all tenants: `emberkeep doctor --repair`",
    "events.follow": "a stream: GET /events/stream",
    "events.watch": "part of the stream, GET /events/stream",
    "events.subscribe": "calls back in this process; the client follows the stream for it",
    "events.unsubscribe": "calls back in this process",
    "audit_log.record": "the service records the calls itself",
    "idempotency.begin": "the service does so, for a request with an Idempotency-Key",
    "idempotency.finish": "as begin",
    "idempotency.abandon": "as begin",
    "keys.exist": "the service does so, for a request without a key",
    "keys.verify": "the service does so, for a request with a key",
    "operational.close": "part of close",
    "operational.reopen": "part of opening",
}


def waiting(kind: Any) -> bool:
    """Whether an argument only makes sense in process: a function to call, or an event to wait for."""
    return any((get_origin(one) or one) in _WAITING for one in alternatives(kind))


_WAITING = (Callable, threading.Event)
_OWN = frozenset({"search", "get_all", "context"})  # their default is the memories of no user, not everyone's
_INSTEAD = "default"  # the argument to return for a value that does not exist; the client handles it


def _names_caller(parameter: inspect.Parameter) -> bool:
    """Whether a parameter names the caller, which the service fills in; a `who` without that default is an argument."""
    return parameter.name == "who" and bool(parameter.default == access.LOCAL)


@cache
def _is_signed(function: Callable[..., Any]) -> bool:
    """Whether a function records who called it."""
    return any(map(_names_caller, inspect.signature(function).parameters.values()))


@cache
def _arguments(name: str) -> Mapping[str, Argument]:
    """Return the arguments of a verb that can be sent; the filters behind `**where` are arguments of their own."""
    verb = VERBS[name]
    hints = _hints(verb.function)
    found: dict[str, Argument] = {}
    for parameter in list(inspect.signature(verb.function).parameters.values())[1:]:
        kind = verb.kinds.get(parameter.name, hints[parameter.name])
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            (narrowing,) = get_args(kind)
            found |= {key: Argument(key, hint, None) for key, hint in get_type_hints(narrowing).items()}
            if verb.name not in _OWN:
                found["user_id"] = Argument("user_id", found["user_id"].kind, EVERYONE)
        elif not (waiting(kind) or parameter.name == _INSTEAD or _names_caller(parameter)):
            found[parameter.name] = Argument(parameter.name, kind, parameter.default)
    return found


@cache
def _hints(function: Callable[..., Any]) -> Mapping[str, Any]:
    return get_type_hints(function, include_extras=True)


def alternatives(kind: Any) -> Iterator[Any]:
    """Yield the types of a union, also of nested ones; of any other type, that type."""
    if get_origin(kind) in {Union, types.UnionType}:
        for one in get_args(kind):
            yield from alternatives(one)
    else:
        yield kind
