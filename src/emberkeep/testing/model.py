"""A language model that answers from a script."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emberkeep.clock import Deadline
from emberkeep.providers.base import Completion

Scripted = str | Completion | Exception


@dataclass(frozen=True, slots=True)
class Asked:
    """One prompt that the model was given."""

    system: str
    user: str
    schema: Mapping[str, Any] | None
    deadline: Deadline | None


class ScriptedModel:
    """Returns the given replies in turn, or what a function makes of the prompt; raises replies that are exceptions.

    Its prompts are in `asked`.
    """

    def __init__(self, replies: Sequence[Scripted] | Callable[[str], Scripted], name: str = "scripted") -> None:
        self.name = name
        self.asked: list[Asked] = []
        self._replies = replies

    def complete(
        self, system: str, user: str, *, schema: Mapping[str, Any] | None = None, deadline: Deadline | None = None
    ) -> Completion:
        """Return the next reply; a plain text counts one token per word."""
        self.asked.append(Asked(system, user, schema, deadline))
        reply = self._replies(user) if callable(self._replies) else self._next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            return Completion(reply, len(system.split()) + len(user.split()), len(reply.split()))
        return reply

    def _next(self, replies: Sequence[Scripted]) -> Scripted:
        if len(self.asked) > len(replies):
            raise AssertionError(f"asked {len(self.asked)} times, but the script has {len(replies)} replies")
        return replies[len(self.asked) - 1]
