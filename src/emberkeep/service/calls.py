"""One call of a verb from outside: its arguments and its answer as JSON, and whether the caller may make it."""

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, get_args

from emberkeep.access.principal import Principal
from emberkeep.capture.seeding import read_seeds
from emberkeep.errors import AccessDenied, InvalidInput, NotFound
from emberkeep.memory import Memory
from emberkeep.model import checks
from emberkeep.model.access import Role
from emberkeep.model.context import PERSONAL, Shares
from emberkeep.model.many import Listed
from emberkeep.model.recall import PLANS, Plan
from emberkeep.model.scope import EVERYONE
from emberkeep.service.shapes import plain, read, shape_of
from emberkeep.service.verbs import VERBS, Argument, Verb, alternatives
from emberkeep.spans import span

NOBODY = ""  # sent for no user at all, where leaving the argument out means everyone
NEXT = "next"  # the field of a page with the cursor of the next one
# Arguments that name a record, and the verb that returns it; for `id` each verb says which (`Verb.looked_up`).
_REFERENCES: Mapping[str, str] = {
    "goal_id": "goals.get",
    "parent_id": "goals.get",
    "task_id": "tasks.get",
    "pattern_id": "patterns.get",
    "interaction_id": "capture.get",
    "memory_ids": "experience.get",
}
# The verbs that are recorded in the audit log here; others, such as making a key, record themselves.
AUDITED = frozenset(
    "delete_all upkeep rebuild undo_rebuild operational.clear events.add_webhook events.remove_webhook".split()
)
# With a key of one user, another user's record and a missing one give the same error, so that nothing is revealed.
_ABSENT = "there is nothing of this user by that id: check the ids that were sent"


def call(memory: Memory, verb: Verb, sent: Mapping[str, Any], principal: Principal) -> Any:
    """Run a verb, if the caller may; return its answer ready to be sent."""
    return answered(verb, invoke(memory, verb, sent, principal))


def invoke(memory: Memory, verb: Verb, sent: Mapping[str, Any], principal: Principal) -> Any:
    """Run a verb, if the caller may; return what the verb returns."""
    with span(verb.name):
        arguments = permitted(principal, verb, received(verb, sent), memory)
        signed = {"who": principal.who} if verb.is_signed else {}
        try:
            result = verb.bound(memory)(**arguments, **signed)
        except NotFound as error:
            raise (error if principal.user_id is None else NotFound(_ABSENT)) from None
    if verb.name in AUDITED:
        memory.audit_log.record(verb.name, who=principal.who, user_id=_one_user(arguments.get("user_id")))
    return result


def received(verb: Verb, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that were sent; null counts as left out for an argument that may be left out."""
    known = verb.arguments
    if unknown := sent.keys() - known.keys():
        raise InvalidInput(f"{verb.name} takes no {min(unknown)!r}: use some of {', '.join(known)}")
    given = {name: one for name, one in sent.items() if one is not None or _may_be_null(known[name])}
    if missing := [one.name for one in known.values() if one.required and one.name not in given]:
        raise InvalidInput(f"{verb.name} needs {', '.join(missing)}")
    return {name: _read_argument(known[name], one) for name, one in given.items()}


def sendable(verb: Verb, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as they are sent; raise `InvalidInput` for a value that would mean something else there."""
    known = verb.arguments
    if unknown := arguments.keys() - known.keys():
        raise InvalidInput(f"unknown filter {min(unknown)!r}: {verb.name} takes {', '.join(known)}")
    sent: dict[str, Any] = {}
    for name, value in arguments.items():
        if known[name].is_everyone and value == NOBODY:
            raise InvalidInput(f"{name} is blank: leave it out, or pass an id")  # which would mean no user at all there
        if value is not None or _may_be_null(known[name]):
            sent[name] = _sent_argument(known[name], value)
        elif known[name].is_everyone:
            sent[name] = NOBODY
        elif known[name].default is not None:
            raise InvalidInput(f"{name} cannot be None: leave it out, or pass a value")
    return sent


def answered(verb: Verb, value: object) -> Any:
    """Return what a verb returned in the form in which it is sent: always an object."""
    if verb.is_paged and isinstance(value, Listed):
        return {verb.answer: plain(value), NEXT: value.next}
    if verb.answer:
        return {verb.answer: plain(value)}
    return {} if value is None else plain(value)


def result_of(verb: Verb, sent: Mapping[str, Any]) -> Any:
    """Return what a verb returned, from the object that was sent."""
    if verb.returns is type(None):
        return None
    if verb.is_paged:
        return Listed(read(list[get_args(verb.returns)[0]], sent[verb.answer]), sent.get(NEXT))  # type: ignore[misc]
    return read(verb.returns, sent[verb.answer] if verb.answer else sent)


def permitted(principal: Principal, verb: Verb, arguments: dict[str, Any], memory: Memory) -> dict[str, Any]:
    """Return the arguments, limited to the caller; raise `AccessDenied`, or `NotFound` for another user's record."""
    principal.require(_role(verb, arguments))
    if principal.user_id is None:
        return arguments
    if not _concerns_someone(verb):
        raise AccessDenied(f"this key is for one user, and {verb.name} is about everyone: use another key")
    if arguments.get("shared"):
        raise AccessDenied("this key is for one user: leave out `shared`")
    _refuse_others_records(principal.user_id, verb, arguments, memory)
    return arguments | _as_user(principal, verb, arguments, memory)


def _one_user(user_id: Any) -> str | None:
    """Return the user of a call for the audit log; None if it is about everyone."""
    return user_id if user_id != EVERYONE else None


def _role(verb: Verb, arguments: Mapping[str, Any]) -> Role:
    """Return the role that a call needs: that of its verb, or a higher one for some arguments."""
    if verb.name == "delete_all" and arguments.get("user_id") in {None, EVERYONE}:
        return "admin"
    # Counting what was read is part of reading; warming is a write, since it changes the ranking and the lifetime.
    return "write" if arguments.get("touch") else verb.role


def _concerns_someone(verb: Verb) -> bool:
    """Whether a verb can be limited to one user's data."""
    named = verb.arguments.keys() & {"user_id", *_REFERENCES}
    return bool(named or verb.looked_up or "record" in verb.arguments)


def _as_user(principal: Principal, verb: Verb, arguments: Mapping[str, Any], memory: Memory) -> dict[str, Any]:
    """Return the arguments that limit a call to the user of a key."""
    if verb.name == "capture.log":
        record = arguments["record"]
        named = record.get("user_id") if isinstance(record, Mapping) else None
        return {"record": {**record, "user_id": principal.user(named)}}
    if "user_id" not in verb.arguments:
        return {}
    if verb.name == "seed":  # each of its lines may name a user
        for one in read_seeds(arguments["text"], arguments.get("form"), memory.config):
            principal.user(one.user_id)
    mine = {"user_id": principal.user(arguments.get("user_id"))}
    return {**mine, **(_without_live_state(arguments) if verb.name == "context" else {})}


def _without_live_state(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tiers of a context for a key of one user, where none are given; refuse the operational one."""
    asked = arguments.get("tiers")
    if asked is None:
        return {"tiers": PERSONAL}
    if "operational" in asked:
        raise AccessDenied("this key is for one user, and the tier operational is about everyone: leave it out")
    return {}


def _refuse_others_records(user_id: str, verb: Verb, arguments: Mapping[str, Any], memory: Memory) -> None:
    """Raise `NotFound` if an argument names a record that is not this user's."""
    lookups = _REFERENCES if not verb.looked_up else {**_REFERENCES, "id": verb.looked_up}
    for name, lookup in lookups.items():
        named = arguments.get(name)
        for one in named if isinstance(named, list) else [named]:
            if one is not None and not _may_name(user_id, verb, VERBS[lookup], one, memory):
                raise NotFound(_ABSENT)


def _may_name(user_id: str, verb: Verb, lookup: Verb, name: Any, memory: Memory) -> bool:
    """Whether a record is this user's, or does not exist yet and the verb may create it."""
    try:
        found: Any = lookup.bound(memory)(name)
    except NotFound:
        return verb.creates or verb.method == "PUT"
    if verb.name == "replay_context" and found.settings["where"]["shared"]:
        return False  # it was made with memories of other users, which this caller may not see
    owner: object = found.user_id
    return owner == user_id


def _may_be_null(argument: Argument) -> bool:
    """Whether null is a value for this argument, rather than a sign that it was left out."""
    return argument.required or argument.is_anything


def _read_argument(argument: Argument, sent: Any) -> Any:
    """Return the value of an argument from what was sent."""
    if argument.is_everyone and sent == NOBODY:
        return None
    if argument.kind is bytes:
        try:
            return base64.b64decode(sent, validate=True)
        except (TypeError, ValueError, binascii.Error):
            raise InvalidInput(f"{argument.name} is not Base64: send the bytes of the document so encoded") from None
    return read(Shares, sent) if Shares in get_args(argument.kind) else sent


def _sent_argument(argument: Argument, value: Any) -> Any:
    """Return the value of an argument as it is sent; raise `InvalidInput` for one of a wrong type."""
    if argument.is_anything:
        return None if value is None else checks.plain_json(value)
    if argument.name in _CHECKS:
        return _CHECKS[argument.name](value)
    if argument.is_flag:
        return checks.flag(value, argument.name)
    if isinstance(value, date) and datetime not in alternatives(argument.kind):
        raise InvalidInput(f"{argument.name} cannot be {type(value).__name__}: it does not take a time")
    if Shares in alternatives(argument.kind) and not isinstance(value, Shares):
        raise InvalidInput(f"{argument.name} is {type(value).__name__}: pass emberkeep.Shares")
    if argument.kind is bytes and isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    if isinstance(value, Plan):
        if PLANS.get(value.name) != value:
            raise InvalidInput(f"a service knows plans by name: pass one of {', '.join(PLANS)}")
        return value.name
    return plain(_checked(argument.name, value))


def _checked(name: str, value: Any) -> Any:
    """Return a value; raise `InvalidInput` if it contains bytes, which are not text, or keys that are not strings."""
    if isinstance(value, bytes | bytearray):
        raise InvalidInput(f"{name} must be a string, not {type(value).__name__}")
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise InvalidInput(f"{name} must be a mapping with string keys")
        return {key: _checked(key, one) for key, one in value.items()}
    if isinstance(value, str) or not isinstance(value, Iterable) or shape_of(type(value)) is not None:
        return value
    return [_checked(name, one) for one in value]


_CHECKS: Mapping[str, Callable[[object], Any]] = {
    "metadata": checks.metadata,
    "filters": lambda value: dict(checks.filters(value)),
}
