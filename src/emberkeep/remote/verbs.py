"""The verbs of a memory on a server, made from the table of verbs: each has its signature there, and calls the server.

What has to happen on this side, before or after the request, is here too.
"""

import inspect
import os
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

from emberkeep.capture.log import values_of
from emberkeep.config import Config
from emberkeep.documents import reading
from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.remote.connection import Connection
from emberkeep.service.verbs import LOCAL, VERBS, Verb
from emberkeep.work.desk import as_text

_PROGRESS = "progress"  # this argument is called once, at the end: a server does not report its progress
_INSTEAD = "default"  # this argument is returned for a value that does not exist


def verbs_of(namespace: str) -> dict[str, Callable[..., Any]]:
    """Return the verbs of a namespace by name, "" for the memory's own; those that stay in process raise an error."""
    asked = {verb.own_name: _asking(verb) for verb in VERBS.values() if verb.namespace == namespace}
    here = [name for name in LOCAL if name.rpartition(".")[0] == namespace]
    return asked | {name.rpartition(".")[2]: _refusing(name) for name in here}


def _asking(verb: Verb) -> Callable[..., Any]:
    """Make the function that calls a verb on the server."""
    signature = inspect.signature(verb.function)
    prepare = _PREPARED.get(verb.name, dict)
    narrowing = [one.name for one in signature.parameters.values() if one.kind is inspect.Parameter.VAR_KEYWORD]

    @wraps(verb.function)
    def ask(self: Any, *args: Any, **options: Any) -> Any:
        try:
            given = dict(signature.bind(self, *args, **options).arguments)
        except TypeError as error:
            raise TypeError(f"{verb.own_name}(): {error}") from None
        for name in narrowing:
            given |= given.pop(name, {})
        progress, instead = given.pop(_PROGRESS, None), given.pop(_INSTEAD, None)
        del given["self"]
        connection: Connection = self._connection
        found = connection.call(verb, prepare(given), long=_PROGRESS in signature.parameters)
        if progress is not None:
            progress(1)
        if found is None and instead is not None:  # there is no value, or it is null
            scope = {name: given[name] for name in ("user_id", "agent_id") if name in given}
            return None if given["key"] in self.all(**scope) else instead
        return found

    return ask


def _refusing(name: str) -> Callable[..., Any]:
    """Make the function that raises an error for a verb that stays in process."""

    def refuse(_self: Any, *_args: Any, **_options: Any) -> Any:
        raise InvalidInput(f"{name} is not for a memory on a server: {LOCAL[name]}")

    return refuse


def _read_here(given: Mapping[str, Any]) -> dict[str, Any]:
    """Read a file on this machine: its bytes are sent, with its media type and its path as the origin."""
    source = given["source"]
    if isinstance(source, bytes):
        return dict(given)
    if not isinstance(source, str | os.PathLike) or not str(source).strip() or "\x00" in str(source):
        raise InvalidInput(f"source is {type(source).__name__}: pass the path of a file, or its bytes")
    path = Path(os.fspath(source))
    data = reading.load(path, max_mb=Config().max_document_mb)
    media_type = given.get("media_type")
    return {
        **given,
        "source": data,
        "media_type": reading.media_type_of(path) if media_type is None else media_type,
        "origin": given.get("origin") or str(path.resolve()),
    }


def _written_down(given: Mapping[str, Any]) -> dict[str, Any]:
    """Make a record plain JSON: it may hold whatever a tool returned, and what JSON cannot hold becomes text."""
    held = values_of(given["record"])
    several = (list, tuple, Mapping)
    return {"record": {name: checks.plain_json(one) if isinstance(one, several) else one for name, one in held.items()}}


# What is done to the arguments of a verb before they are sent.
_PREPARED: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "capture.log": _written_down,
    "knowledge.import_file": _read_here,
    "tasks.step": lambda given: {**given, "output": as_text(given.get("output", ""))},
}
